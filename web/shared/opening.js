/**
 * A simulator's opening state: its defaults, the case that the tag names, the fields that the tag sets; or the whole state that
 * it carries, in the form of links (permalink.js).
 */
import { checkState, isWord } from './schema.js';
import { SOURCE, msg, str } from './language.js';
import { parseNumber } from './number.js';
import { decodeState } from './permalink.js';

/** The attribute that carries a field: `d_k` → `d-k`. */
export const attributeOf = (field) => field.replaceAll('_', '-').toLowerCase();

/** The fields of a schema that an attribute can carry: single numbers, texts and choices. */
export const attributeFields = (schema) =>
  Object.keys(schema).filter((key) => schema[key].kind === 'number' || isWord(schema[key]));

/** The state of a named case, or undefined when the model has none of that name. */
export function stateOfCase(model, id) {
  const found = model.cases.find((item) => item.id === id);
  return found && { ...structuredClone(model.defaults), ...structuredClone(found.state) };
}

/**
 * @param {object} model
 * @param {Record<string, string>} attributes as they stand in the tag
 * @returns {{state: object, problems: string[]}}
 */
export function openingState(model, attributes) {
  const problems = [];
  let raw = structuredClone(model.defaults);
  if (attributes.case !== undefined) {
    const state = stateOfCase(model, attributes.case);
    if (state) raw = state;
    else {
      const named = attributes.case;
      problems.push(msg(str`There is no case “${named}” here.`));
    }
  }
  for (const key of attributeFields(model.schema)) {
    const text = attributes[attributeOf(key)];
    if (text === undefined) continue;
    if (isWord(model.schema[key])) {
      raw[key] = text;
      continue;
    }
    const parsed = parseNumber(text, { name: attributeOf(key) }, SOURCE);
    if (parsed.problem) problems.push(parsed.problem);
    else raw[key] = parsed.value;
  }
  if (attributes.state !== undefined) {
    const whole = decodeState(attributes.state);
    if (whole.problem) problems.push(whole.problem);
    else ({ raw } = whole);
  }
  const checked = checkState(model.schema, model.defaults, raw);
  return { state: checked.state, problems: [...problems, ...checked.problems] };
}

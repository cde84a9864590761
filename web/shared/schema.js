/**
 * A simulator's state, described once: its fields, their ranges and their names. The same description
 * checks what a person types, what a link carries and what an attribute says.
 *
 * A field is `{kind: 'number'|'boolean'|'text'|'choice'|'vector'|'matrix', …}`; numbers carry `min`, `max`,
 * `integer`; a text has `longest`, its greatest number of characters (UTF-16 units); a choice has its
 * `options`; a vector has `length`, a matrix `rows` and `columns`. `name(...indices)` says what a cell is
 * called in a sentence. A path is the field's name with its indices: "d_k", "q.0", "K.1.0".
 */
import { msg, str } from './language.js';
import { checkNumber, formatCount, many, parseNumber } from './number.js';

const rulesOf = (field, name) => ({
  name,
  min: field.min,
  max: field.max,
  integer: field.integer,
});

const nameOf = (field, key, indices) => (field.name ? field.name(...indices) : key);

/** The field at a path, its indices, its name in a sentence, and the rules for its number. */
export function fieldAt(schema, path) {
  const [key, ...rest] = path.split('.');
  const indices = rest.map(Number);
  const field = schema[key];
  const name = nameOf(field, key, indices);
  return { key, field, indices, name, rules: rulesOf(field, name) };
}

/** The value at a path. */
export function valueAt(state, path) {
  return path.split('.').reduce((value, key) => value[key], state);
}

/** A copy of the state with one value changed; the original is left alone, so that undo can keep it. */
export function withValue(state, path, value) {
  const [key, ...rest] = path.split('.');
  const copy = Array.isArray(state) ? [...state] : { ...state };
  copy[key] = rest.length === 0 ? value : withValue(state[key], rest.join('.'), value);
  return copy;
}

/** Reads a typed text for the field at a path: `{value}` or `{problem}`. */
export function parseField(schema, path, text) {
  const { key, field, rules } = fieldAt(schema, path);
  return isWord(field) ? checkField(field, key, text) : parseNumber(text, rules);
}

/** Whether a field's value is a string. */
export const isWord = (field) => field.kind === 'text' || field.kind === 'choice';

function checkBoolean(value, name) {
  return typeof value === 'boolean'
    ? { value }
    : { problem: msg(str`${name} must be true or false.`) };
}

function checkText(value, { longest }, name) {
  if (typeof value !== 'string') return { problem: msg(str`${name} must be text.`) };
  if (value.length > longest) {
    const characters = many(value.length, msg('character'), msg('characters'));
    const most = formatCount(longest);
    return { problem: msg(str`${name} has ${characters}; at most ${most} fit here.`) };
  }
  return { value };
}

function checkChoice(value, { options }, name) {
  if (options.includes(value)) return { value };
  const all = options.join(', ');
  return { problem: msg(str`${name} must be one of ${all}.`) };
}

function checkArray(value, length, name, each) {
  if (!Array.isArray(value)) return { problem: msg(str`${name} must be a list of ${length}.`) };
  if (value.length !== length) {
    const { length: found } = value;
    return { problem: msg(str`${name} must have ${length} entries, not ${found}.`) };
  }
  const copy = [];
  for (const [index, item] of value.entries()) {
    const checked = each(item, index);
    if (checked.problem) return checked;
    copy.push(checked.value);
  }
  return { value: copy };
}

/** A row of a matrix, in a sentence. */
const nameOfRow = (key, number) => msg(str`${key}, row ${number},`);

function checkField(field, key, value) {
  switch (field.kind) {
    case 'boolean':
      return checkBoolean(value, nameOf(field, key, []));
    case 'text':
      return checkText(value, field, nameOf(field, key, []));
    case 'choice':
      return checkChoice(value, field, nameOf(field, key, []));
    case 'number':
      return checkNumber(value, rulesOf(field, nameOf(field, key, [])));
    case 'vector':
      return checkArray(value, field.length, key, (item, i) =>
        checkNumber(item, rulesOf(field, nameOf(field, key, [i]))),
      );
    case 'matrix':
      return checkArray(value, field.rows, key, (row, i) =>
        checkArray(row, field.columns, nameOfRow(key, i + 1), (item, j) =>
          checkNumber(item, rulesOf(field, nameOf(field, key, [i, j]))),
        ),
      );
    default:
      throw new TypeError(`unknown kind of field: ${field.kind}`);
  }
}

/**
 * A whole state from outside (a link, a host page), held against the schema.
 * Fields that are missing take their default; fields that the schema does not know are refused, so that
 * nothing travels in a link that the simulator does not show.
 * @returns {{state: object, problems: string[]}} `state` is complete and valid even when there are
 *   problems: each refused field then has its default.
 */
export function checkState(schema, defaults, raw) {
  const state = {};
  const problems = [];
  if (raw === null || typeof raw !== 'object' || Array.isArray(raw)) {
    return {
      state: structuredClone(defaults),
      problems: [msg('The state must be a set of fields.')],
    };
  }
  for (const key of Object.keys(raw)) {
    if (Object.hasOwn(schema, key)) continue;
    const shown = key.slice(0, 40);
    problems.push(msg(str`“${shown}” is not a field here.`));
  }
  for (const [key, field] of Object.entries(schema)) {
    const checked = Object.hasOwn(raw, key)
      ? checkField(field, key, raw[key])
      : { value: structuredClone(defaults[key]) };
    if (checked.problem) problems.push(checked.problem);
    state[key] = checked.problem ? structuredClone(defaults[key]) : checked.value;
  }
  return { state, problems };
}

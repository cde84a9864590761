/** Every simulator as its schema describes it: attributes with types, ranges and defaults. */
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { attributeFields, attributeOf } from '../../shared/opening.js';
import * as base from './base.mjs';

const PREFIX = 'attn-';

/** `by-hand` → `AttnByHand`. */
const classOf = (name) =>
  `Attn${name
    .split('-')
    .map((word) => word[0].toUpperCase() + word.slice(1))
    .join('')}`;

const quoted = (options) => options.map((option) => JSON.stringify(option)).join(' | ');

const typeOf = (field) => {
  switch (field.kind) {
    case 'choice':
      return quoted(field.options);
    case 'text':
      return 'string';
    case 'vector':
      return 'number[]';
    case 'matrix':
      return 'number[][]';
    default:
      return field.kind;
  }
};

/** Of a vector or a matrix, the first and the last of its fields. */
function nameOf(field, key) {
  const { kind, name, length, rows, columns } = field;
  if (!name) return key;
  if (kind === 'vector') return `${name(0)} … ${name(length - 1)}`;
  if (kind === 'matrix') return `${name(0, 0)} … ${name(rows - 1, columns - 1)}`;
  return name();
}

/**
 * @typedef {object} Field
 * @property {string} key as the state and the properties spell it
 * @property {string} [attribute] the attribute that carries it, where one can
 * @property {string} kind
 * @property {string} type in TypeScript
 * @property {string} label what it is called in a sentence
 * @property {unknown} default
 */

/** @returns {Field[]} */
function fieldsOf({ schema, defaults }) {
  const carried = new Set(attributeFields(schema));
  return Object.entries(schema).map(([key, field]) => ({
    ...field,
    key,
    attribute: carried.has(key) ? attributeOf(key) : undefined,
    type: typeOf(field),
    label: nameOf(field, key),
    default: defaults[key],
  }));
}

/** What the language that is spoken now calls a simulator, its cases and its fields. */
export function describe(name, model) {
  return {
    name,
    tag: model.tag,
    className: classOf(name),
    title: model.title,
    summary: model.summary,
    cases: model.cases.map(({ id, label }) => ({ id, label })),
    fields: fieldsOf(model),
  };
}

/** All simulators of a repository. */
export async function collectElements(root) {
  const folder = path.join(root, 'web/simulators');
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  return Promise.all(
    names.map(async (name) => {
      const { model } = await import(pathToFileURL(path.join(folder, name, `${name}.model.js`)));
      if (model.tag !== PREFIX + name) throw new Error(`${name}: the model’s tag is ${model.tag}`);
      return describe(name, model);
    }),
  );
}

/** Whether an attribute of the base is a property of the same name and type as well. */
export const isProperty = ({ isProperty: is = true }) => is;

/** A rule's declarations of our custom properties. */
const declared = (sheet, selector) => {
  const from = sheet.indexOf(`${selector} {`);
  const body = sheet.slice(from, sheet.indexOf('}', from));
  return Object.fromEntries(
    [...body.matchAll(/(--attn-[\w-]+):\s*([^;]+);/g)].map(([, name, value]) => [name, value]),
  );
};

/** The custom properties with their defaults: the colours of the light and the dark scheme. */
export function cssProperties(root) {
  const sheet = readFileSync(path.join(root, 'web/shared/tokens.css'), 'utf8');
  const light = declared(sheet, ':root');
  const dark = declared(sheet, ":root[data-theme='dark']");
  return base.cssProperties.map((one) => {
    const { name } = one;
    if (one.default !== undefined) return one;
    if (!light[name] || !dark[name])
      throw new Error(`${name} is not in both schemes of web/shared/tokens.css`);
    return { ...one, default: `light-dark(${light[name]}, ${dark[name]})` };
  });
}

const plain = (value) => JSON.stringify(value);

/** The range of a field in words of its own, for editors: “a whole number from 1 to 1024”. */
export function rangeOf({ kind, min, max, integer, longest, length, rows, columns }) {
  const number = `${integer ? 'whole ' : ''}number${kind === 'number' ? '' : 's'} from ${plain(min)} to ${plain(max)}`;
  if (kind === 'number') return `A ${number}.`;
  if (kind === 'text') return `At most ${plain(longest)} characters.`;
  if (kind === 'vector') return `${plain(length)} ${number}.`;
  if (kind === 'matrix') return `${plain(rows)} rows of ${plain(columns)} ${number}.`;
  return '';
}

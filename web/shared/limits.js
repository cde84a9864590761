/**
 * What the page around a simulator takes from its reader: parts that are not drawn (`hide="cases toolbar"`) and fields that stay as
 * they are (`lock="d-k case"`, `lock="all"`). A lock holds for the reader's hands, keys and links; the page itself goes on
 * setting attributes and states.
 */
import { attributeOf } from './opening.js';

/** The parts that can be left out; the first three are the page's of a simulator alone (simulators/query.html). */
export const PARTS = [
  'title',
  'summary',
  'foot',
  'cases',
  'toolbar',
  'controls',
  'sentence',
  'embed',
];
const ALL = 'all';
const CASES = 'case';

/** Words between commas or spaces. @param {string | null | undefined} text */
export const wordsOf = (text) =>
  String(text ?? '')
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);

/** The words that `lock` knows of a model: its fields as attributes spell them, and two more. */
export const lockable = ({ schema }) => [ALL, CASES, ...Object.keys(schema).map(attributeOf)];

/** Answers about the two properties `hide` and `lock` of an element, which may change at any time. */
export class Limits {
  #element;
  #model;

  constructor(element, model) {
    this.#element = element;
    this.#model = model;
  }

  get #locks() {
    return wordsOf(this.#element.lock);
  }

  /** Whether a part is left out. @param {string} part */
  hides(part) {
    return wordsOf(this.#element.hide).includes(part);
  }

  /** Whether no field can be changed by hand. */
  get locksAll() {
    return this.#locks.includes(ALL);
  }

  get locksCases() {
    return this.#locks.some((word) => word === ALL || word === CASES);
  }

  /** Whether the reader cannot change what stands at a path: locked, or without a control. @param {string} path */
  locks(path) {
    return this.hides('controls') || this.#keeps(path.split('.')[0]);
  }

  #keeps(key) {
    return this.#locks.some((word) => word === ALL || word === attributeOf(key));
  }

  /** A state that a reader asked for, with the locked fields as they are. */
  kept(wanted, now) {
    const state = { ...wanted };
    for (const key of Object.keys(this.#model.schema)) if (this.#keeps(key)) state[key] = now[key];
    return state;
  }

  /** The attribute words of the locked fields that a set of fields would change. */
  refused(fields, now) {
    return Object.keys(fields)
      .filter((key) => this.#keeps(key) && JSON.stringify(fields[key]) !== JSON.stringify(now[key]))
      .map(attributeOf);
  }

  /** What stands in an attribute and means nothing here. @param {'hide' | 'lock'} name */
  unknown(name) {
    const known = name === 'hide' ? PARTS : lockable(this.#model);
    return wordsOf(this.#element[name]).filter((word) => !known.includes(word));
  }
}

/** Whether a view leaves a part out. @param {object} [ui] */
export const hides = (ui, part) => ui?.hides?.(part) ?? false;

/** Whether the reader may change what stands at a path now. @param {object} [ui] @param {string} path */
export const canChange = (ui, path) => Boolean(ui) && !(ui.locked?.(path) ?? false);

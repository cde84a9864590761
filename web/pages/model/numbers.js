/** Numbers that are typed in a section: each keeps what was typed, and what is wrong with it. */
import { formatPlain, parseNumber } from '../../shared/number.js';

/**
 * @typedef {object} Rules
 * @property {string} name  What it is called, before the field and in sentences.
 * @property {number} min
 * @property {number} max
 * @property {boolean} [integer]
 * @property {string} [hint]  What an end of the range means.
 */

export class Numbers {
  #rules;
  #draw;
  /** What stands in each field. @type {Map<string, string>} */
  #texts = new Map();
  /** What is wrong there. @type {Map<string, string>} */
  #problems = new Map();
  /** The last that were allowed. @type {Record<string, number>} */
  #values;

  /**
   * @param {string} section  Its fields' ids begin with it.
   * @param {() => Record<string, Rules>} rules  Asked for anew, in the language of the page.
   * @param {Record<string, number>} values
   * @param {() => void} draw
   */
  constructor(section, rules, values, draw) {
    this.section = section;
    this.#rules = rules;
    this.#values = { ...values };
    this.#draw = draw;
  }

  /** @returns {(Rules & { field: string, id: string, text: string, problem?: string })[]} */
  get fields() {
    return Object.entries(this.#rules()).map(([field, rules]) => ({
      ...rules,
      field,
      id: this.#idOf(field),
      text: this.#textOf(field),
      problem: this.#problems.get(field),
    }));
  }

  /** While somebody types nothing is found wrong; what was is looked at again. @param {string} field @param {string} text */
  type(field, text) {
    this.#texts.set(field, text);
    if (this.#problems.has(field)) this.check(field);
  }

  /** @param {string} field */
  check(field) {
    const read = parseNumber(this.#textOf(field), this.#rules()[field]);
    if ('problem' in read) {
      this.#problems.set(field, read.problem);
    } else {
      this.#problems.delete(field);
      this.#values[field] = read.value;
    }
    this.#draw();
  }

  /** All of them; nothing when one is wrong, and then its field has the focus. */
  take() {
    const names = Object.keys(this.#rules());
    for (const field of names) this.check(field);
    const wrong = names.find((field) => this.#problems.has(field));
    if (wrong === undefined) return { ...this.#values };
    document.getElementById(this.#idOf(wrong))?.focus();
    return undefined;
  }

  /** @param {string} field */
  #idOf(field) {
    return `${this.section}-${field}`;
  }

  /** @param {string} field */
  #textOf(field) {
    return this.#texts.get(field) ?? formatPlain(this.#values[field]);
  }
}

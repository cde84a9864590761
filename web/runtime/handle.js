import { AttentionDeckError } from './errors.js';

/**
 * What stays open in the module: a number there, and the life of the instance in which it holds.
 *
 * @typedef {import('./instance.js').Instance} Instance
 * @typedef {{ instance: Instance, life: number, what: string, number: number }} Held
 */

/**
 * What each handle stands for. It is kept here and not on the handle, where a page could reach the module past the
 * checks; the functions below are for this package alone.
 * @type {WeakMap<object, Held>}
 */
const held = new WeakMap();

/** @param {object} handle @returns {Held} */
const heldBy = (handle) => /** @type {Held} */ (held.get(handle));

/** The base of everything that is opened. Close it when it is no longer needed: the garbage collector cannot. */
export class Handle {
  /**
   * @param {Instance} instance
   * @param {string} what  Its name, in calls of the module and in sentences.
   * @param {number} number  What the module knows it by.
   */
  constructor(instance, what, number) {
    held.set(this, { instance, life: instance.life, what, number });
  }
}

/** The instance that a handle was opened in, and its successors. @param {Handle} handle */
export const openedIn = (handle) => heldBy(handle).instance;

/**
 * Whether the module still knows it: a fresh instance numbers what it opens from the start, so an old number would find
 * another's.
 * @param {Handle} handle
 */
export function isAlive(handle) {
  const { instance, life } = heldBy(handle);
  return instance.life === life;
}

/**
 * What a call of the module knows it by.
 * @param {Handle} handle
 * @throws {AttentionDeckError} When the module has started anew since.
 */
export function numberOf(handle) {
  const { what, number } = heldBy(handle);
  if (isAlive(handle)) return number;
  throw new AttentionDeckError(
    'bad_argument',
    `This ${what} was lost when the module started anew. Open another one.`,
    { field: what },
  );
}

/**
 * A call of the module about what is open.
 * @param {Handle} handle
 * @param {string} name
 * @param {object} [options]  Read before, by options.js.
 * @returns {any}
 */
export function askAbout(handle, name, options = {}) {
  const { instance, what } = heldBy(handle);
  return instance.ask(name, { ...options, [what]: numberOf(handle) });
}

/**
 * The same for calls that answer with a promise.
 * @param {Handle} handle
 * @param {string} name
 * @param {object} [options]  Read before, by options.js.
 * @returns {Promise<any>}
 */
export async function askAboutLater(handle, name, options = {}) {
  const { instance, what } = heldBy(handle);
  return instance.askLater(name, { ...options, [what]: numberOf(handle) });
}

/**
 * Gives its memory back; what is lost already has none.
 * @param {Handle} handle
 * @param {string} name  The call that closes it.
 * @param {object} [options]
 */
export function closeHandle(handle, name, options) {
  if (isAlive(handle)) askAbout(handle, name, options);
}

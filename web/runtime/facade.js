import { AttentionDeckError, describe } from './errors.js';
import { Instance } from './instance.js';
import { readCall } from './options.js';

/**
 * The running module behind each face. It is kept here and not on the face, where a page could call the module past the
 * checks.
 * @type {WeakMap<object, Instance>}
 */
const instances = new WeakMap();

/**
 * For the calls of this package alone.
 * @param {Facade} facade
 * @returns {Instance}
 */
export const instanceOf = (facade) => /** @type {Instance} */ (instances.get(facade));

/**
 * What the face of every module has. Fires `restart` when a fresh instance has taken over after an abort: compute again
 * then.
 */
export class Facade extends EventTarget {
  #kinds;
  #needed;

  /**
   * @param {import('./loader.js').Running} running
   * @param {() => Promise<import('./loader.js').Running>} restart
   * @param {Record<string, { [field: string]: import('./options.js').Kind }>} kinds  The options of each call.
   * @param {Record<string, string[]>} [needed]  Arrays that C++ would take as empty when they are missing.
   */
  constructor(running, restart, kinds, needed = {}) {
    super();
    this.#kinds = kinds;
    this.#needed = needed;
    const instance = new Instance(running, restart, () => {
      this.restarted();
      this.dispatchEvent(new Event('restart'));
    });
    instances.set(this, instance);
  }

  /** Which build answers: 'scalar', 'simd' or 'relaxed'. */
  get variant() {
    return instanceOf(this).variant;
  }

  /** Resolves once calls work (at once, unless an abort is being recovered from). */
  whenReady() {
    return instanceOf(this).whenReady();
  }

  /**
   * What was open in the instance that stopped is gone.
   * @protected
   */
  restarted() {}

  /**
   * A call that takes one options object and answers with one value; only those whose options are described, so that it
   * can do no more than the methods that use it.
   * @protected
   * @param {string} name
   * @param {unknown} options
   * @returns {any}
   */
  ask(name, options) {
    if (!Object.hasOwn(this.#kinds, name)) {
      throw new AttentionDeckError('bad_argument', `There is no call ${describe(name)}.`);
    }
    const { read, write } = readCall(options, this.#kinds[name], this.#needed[name]);
    return write(instanceOf(this).ask(name, read));
  }
}

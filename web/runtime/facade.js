import { Instance } from './instance.js';
import { readCall } from './options.js';

/**
 * What the face of every module has. Fires `restart` when a fresh instance has taken over after an abort: compute again
 * then.
 */
export class Facade extends EventTarget {
  #kinds;
  #needed;
  /**
   * The running module, for the calls of this package alone.
   * @protected
   */
  instance;

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
    this.instance = new Instance(running, restart, () => {
      this.restarted();
      this.dispatchEvent(new Event('restart'));
    });
  }

  /** Which build answers: 'scalar', 'simd' or 'relaxed'. */
  get variant() {
    return this.instance.variant;
  }

  /** Resolves once calls work (at once, unless an abort is being recovered from). */
  whenReady() {
    return this.instance.whenReady();
  }

  /**
   * What was open in the instance that stopped is gone.
   * @protected
   */
  restarted() {}

  /**
   * A call that takes one options object and answers with one value.
   * @protected
   * @param {string} name
   * @param {unknown} options
   * @returns {any}
   */
  ask(name, options) {
    const { read, write } = readCall(options, this.#kinds[name], this.#needed[name]);
    return write(this.instance.ask(name, read));
  }
}

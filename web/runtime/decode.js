import { openDecodeRun } from './decode-run.js';
import { Facade, instanceOf } from './facade.js';

/**
 * @typedef {object} TokenPasses  A pass takes one token through all layers.
 * @property {number} with_cache  n
 * @property {number} without_cache  n (n + 1) ÷ 2
 * @property {number} ratio
 */

/** @type {Record<string, { [field: string]: import('./options.js').Kind }>} */
const kinds = {
  tokenPasses: { n: 'scalar' },
};

/**
 * A small model that writes with a cache and without. Fires `restart` when a fresh instance has taken over after an abort: what
 * was open is lost then.
 */
export class Decode extends Facade {
  /**
   * @param {import('./loader.js').Running} running
   * @param {() => Promise<import('./loader.js').Running>} restart
   */
  constructor(running, restart) {
    super(running, restart, kinds);
  }

  /**
   * Begins to write with a small model, with a cache and without, a step at a time.
   * @param {import('./decode-run.js').DecodeRunOptions} [options]
   */
  decodeRun(options = {}) {
    return openDecodeRun(instanceOf(this), options);
  }

  /**
   * Token passes of a decoder that writes n tokens, with a cache and without.
   * @param {{ n: number }} options
   * @returns {TokenPasses}
   */
  tokenPasses(options) {
    return this.ask('tokenPasses', options);
  }
}

/**
 * @param {import('./loader.js').Running} running
 * @param {() => Promise<import('./loader.js').Running>} restart
 */
export function createDecode(running, restart) {
  return new Decode(running, restart);
}

export { createDecode as create };
export { selfTestDecode as selfTest } from './decode-self-test.js';

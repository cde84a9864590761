import { Facade, instanceOf } from './facade.js';
import { openKvCache } from './kv-cache.js';

/** @type {Record<string, { [field: string]: import('./options.js').Kind }>} */
const kinds = {
  storedRows: { format: 'scalar', width: 'scalar', rows: 'float32', out: 'out' },
};

/**
 * Caches that hold keys and values. Fires `restart` when a fresh instance has taken over after an abort: what was open is lost
 * then.
 */
export class Cache extends Facade {
  /**
   * @param {import('./loader.js').Running} running
   * @param {() => Promise<import('./loader.js').Running>} restart
   */
  constructor(running, restart) {
    super(running, restart, kinds);
  }

  /**
   * Opens a cache, which stays in the module until it is closed.
   * @param {import('./kv-cache.js').KvCacheOptions} options
   */
  open(options) {
    return openKvCache(instanceOf(this), options);
  }

  /**
   * Rows of `width` numbers kept in a format and read back: their bytes, the largest difference, the root of all squared
   * differences by that of the rows, and what no difference exceeds.
   * @param {{ format: import('./kv-cache.js').KeptFormat, width: number, rows: import('./kv-cache.js').Rows,
   *   out?: object }} options
   * @returns {{ bytes: number, largest_error: number, relative_error: number, bound: number, rows: Float32Array }}
   */
  storedRows(options) {
    return this.ask('storedRows', options);
  }
}

/**
 * @param {import('./loader.js').Running} running
 * @param {() => Promise<import('./loader.js').Running>} restart
 */
export function createCache(running, restart) {
  return new Cache(running, restart);
}

export { createCache as create };
export { selfTestCache as selfTest } from './cache-self-test.js';

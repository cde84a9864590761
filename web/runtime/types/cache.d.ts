/**
 * @param {import('./loader.js').Running} running
 * @param {() => Promise<import('./loader.js').Running>} restart
 */
export function createCache(running: import("./loader.js").Running, restart: () => Promise<import("./loader.js").Running>): Cache;
/**
 * Caches that hold keys and values. Fires `restart` when a fresh instance has taken over after an abort: what was open is lost
 * then.
 */
export class Cache extends Facade {
    /**
     * @param {import('./loader.js').Running} running
     * @param {() => Promise<import('./loader.js').Running>} restart
     */
    constructor(running: import("./loader.js").Running, restart: () => Promise<import("./loader.js").Running>);
    /**
     * Opens a cache, which stays in the module until it is closed.
     * @param {import('./kv-cache.js').KvCacheOptions} options
     */
    open(options: import("./kv-cache.js").KvCacheOptions): import("./kv-cache.js").KvCache;
    /**
     * Rows of `width` numbers kept in a format and read back: their bytes, the largest difference, the root of all squared
     * differences by that of the rows, and what no difference exceeds.
     * @param {{ format: import('./kv-cache.js').KeptFormat, width: number, rows: import('./kv-cache.js').Rows,
     *   out?: object }} options
     * @returns {{ bytes: number, largest_error: number, relative_error: number, bound: number, rows: Float32Array }}
     */
    storedRows(options: {
        format: import("./kv-cache.js").KeptFormat;
        width: number;
        rows: import("./kv-cache.js").Rows;
        out?: object;
    }): {
        bytes: number;
        largest_error: number;
        relative_error: number;
        bound: number;
        rows: Float32Array;
    };
}
export { createCache as create };
export { selfTestCache as selfTest } from "./cache-self-test.js";
import { Facade } from './facade.js';

/**
 * @param {import('./loader.js').Running} running
 * @param {() => Promise<import('./loader.js').Running>} restart
 */
export function createCache(running: import("./loader.js").Running, restart: () => Promise<import("./loader.js").Running>): Cache;
/**
 * Caches that hold keys and values, and a small model that writes with one. Fires `restart` when a fresh instance has taken
 * over after an abort: what was open is lost then.
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
     * Begins to write with a small model, with a cache and without, a step at a time.
     * @param {import('./decode-run.js').DecodeRunOptions} [options]
     */
    decodeRun(options?: import("./decode-run.js").DecodeRunOptions): import("./decode-run.js").DecodeRun;
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
    /**
     * Token passes of a decoder that writes n tokens, with a cache and without.
     * @param {{ n: number }} options
     * @returns {TokenPasses}
     */
    tokenPasses(options: {
        n: number;
    }): TokenPasses;
}
export { createCache as create };
export { selfTestCache as selfTest } from "./cache-self-test.js";
/**
 * A pass takes one token through all layers.
 */
export type TokenPasses = {
    /**
     * n
     */
    with_cache: number;
    /**
     * n (n + 1) ÷ 2
     */
    without_cache: number;
    ratio: number;
};
import { Facade } from './facade.js';

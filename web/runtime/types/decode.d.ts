/**
 * @param {import('./loader.js').Running} running
 * @param {() => Promise<import('./loader.js').Running>} restart
 */
export function createDecode(running: import("./loader.js").Running, restart: () => Promise<import("./loader.js").Running>): Decode;
/**
 * A small model that writes with a cache and without. Fires `restart` when a fresh instance has taken over after an abort: what
 * was open is lost then.
 */
export class Decode extends Facade {
    /**
     * @param {import('./loader.js').Running} running
     * @param {() => Promise<import('./loader.js').Running>} restart
     */
    constructor(running: import("./loader.js").Running, restart: () => Promise<import("./loader.js").Running>);
    /**
     * Begins to write with a small model, with a cache and without, a step at a time.
     * @param {import('./decode-run.js').DecodeRunOptions} [options]
     */
    decodeRun(options?: import("./decode-run.js").DecodeRunOptions): import("./decode-run.js").DecodeRun;
    /**
     * Token passes of a decoder that writes n tokens, with a cache and without.
     * @param {{ n: number }} options
     * @returns {TokenPasses}
     */
    tokenPasses(options: {
        n: number;
    }): TokenPasses;
}
export { createDecode as create };
export { selfTestDecode as selfTest } from "./decode-self-test.js";
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

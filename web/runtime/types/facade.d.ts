export function instanceOf(facade: Facade): Instance;
/**
 * What the face of every module has. Fires `restart` when a fresh instance has taken over after an abort: compute again
 * then.
 */
export class Facade extends EventTarget {
    /**
     * @param {import('./loader.js').Running} running
     * @param {() => Promise<import('./loader.js').Running>} restart
     * @param {Record<string, { [field: string]: import('./options.js').Kind }>} kinds  The options of each call.
     * @param {Record<string, string[]>} [needed]  Arrays that C++ would take as empty when they are missing.
     */
    constructor(running: import("./loader.js").Running, restart: () => Promise<import("./loader.js").Running>, kinds: Record<string, {
        [field: string]: import("./options.js").Kind;
    }>, needed?: Record<string, string[]>);
    /** Which build answers: 'scalar', 'simd' or 'relaxed'. */
    get variant(): import("./loader.js").Variant;
    /** Resolves once calls work (at once, unless an abort is being recovered from). */
    whenReady(): Promise<void>;
    /**
     * What was open in the instance that stopped is gone.
     * @protected
     */
    protected restarted(): void;
    /**
     * A call that takes one options object and answers with one value; only those whose options are described, so that it
     * can do no more than the methods that use it.
     * @protected
     * @param {string} name
     * @param {unknown} options
     * @returns {any}
     */
    protected ask(name: string, options: unknown): any;
    #private;
}
import { Instance } from './instance.js';

/**
 * @param {import('./loader.js').Running} running
 * @param {() => Promise<import('./loader.js').Running>} restart
 */
export function createModels(running: import("./loader.js").Running, restart: () => Promise<import("./loader.js").Running>): Models;
/**
 * Models that run: read from the reader's own file or a server, in pieces of any size. Fires `restart` when a fresh instance
 * has taken over after an abort: what was open is lost then.
 */
export class Models extends Facade {
    /**
     * @param {import('./loader.js').Running} running
     * @param {() => Promise<import('./loader.js').Running>} restart
     */
    constructor(running: import("./loader.js").Running, restart: () => Promise<import("./loader.js").Running>);
    /**
     * Begins to read a GGUF file of so many bytes: Llama or GPT-2, in F32, F16, BF16, Q8_0, Q4_0, Q4_1, Q4_K or Q6_K, with its
     * vocabulary.
     * @param {{ file_bytes: number }} options
     */
    gguf(options: {
        file_bytes: number;
    }): import("./model-loading.js").ModelLoading;
    /**
     * Begins to read safetensors files, in F32, F16 or BF16, with what stands beside them.
     * @param {SafetensorsOptions} options
     */
    safetensors(options: SafetensorsOptions): import("./model-loading.js").ModelLoading;
    /**
     * The files that a model.safetensors.index.json spreads a model over, each once, in order.
     * @param {{ index: string | Uint8Array }} options
     * @returns {{ count: number, names: string[] }}
     */
    shardNames(options: {
        index: string | Uint8Array;
    }): {
        count: number;
        names: string[];
    };
}
export { createModels as create };
export { selfTestModel as selfTest } from "./model-self-test.js";
export type SafetensorsOptions = {
    /**
     * The config.json beside the weights.
     */
    config: string | Uint8Array;
    /**
     * The size of each file, in the order in which `wanted()` numbers them.
     */
    file_bytes: ArrayLike<number>;
    /**
     * The tokenizer.json; without it the model knows ids alone.
     */
    tokenizer?: string | Uint8Array<ArrayBufferLike> | undefined;
};
import { Facade } from './facade.js';

import { Facade, instanceOf } from './facade.js';
import { openModelLoading } from './model-loading.js';
import { readOptions } from './options.js';

/**
 * @typedef {object} SafetensorsOptions
 * @property {string | Uint8Array} config  The config.json beside the weights.
 * @property {ArrayLike<number>} file_bytes  The size of each file, in the order in which `wanted()` numbers them.
 * @property {string | Uint8Array} [tokenizer]  The tokenizer.json; without it the model knows ids alone.
 */

/** @type {Record<string, { [field: string]: import('./options.js').Kind }>} */
const kinds = {
  shardNames: { index: 'text' },
  gguf: { file_bytes: 'scalar' },
  safetensors: { config: 'text', file_bytes: 'floats', tokenizer: 'text' },
};

/**
 * Models that run: read from the reader's own file or a server, in pieces of any size. Fires `restart` when a fresh instance
 * has taken over after an abort: what was open is lost then.
 */
export class Models extends Facade {
  /**
   * @param {import('./loader.js').Running} running
   * @param {() => Promise<import('./loader.js').Running>} restart
   */
  constructor(running, restart) {
    super(running, restart, kinds);
  }

  /**
   * Begins to read a GGUF file of so many bytes: Llama or GPT-2, in F32, F16, BF16, Q8_0, Q4_0, Q4_1, Q4_K or Q6_K, with its
   * vocabulary.
   * @param {{ file_bytes: number }} options
   */
  gguf(options) {
    const read = readOptions(options, kinds.gguf, ['file_bytes']);
    return openModelLoading(instanceOf(this), 'loadGguf', read);
  }

  /**
   * Begins to read safetensors files, in F32, F16 or BF16, with what stands beside them.
   * @param {SafetensorsOptions} options
   */
  safetensors(options) {
    const read = readOptions(options, kinds.safetensors, ['config', 'file_bytes']);
    return openModelLoading(instanceOf(this), 'loadSafetensors', read);
  }

  /**
   * The files that a model.safetensors.index.json spreads a model over, each once, in order.
   * @param {{ index: string | Uint8Array }} options
   * @returns {{ count: number, names: string[] }}
   */
  shardNames(options) {
    return this.ask('shardNames', options);
  }
}

/**
 * @param {import('./loader.js').Running} running
 * @param {() => Promise<import('./loader.js').Running>} restart
 */
export function createModels(running, restart) {
  return new Models(running, restart);
}

export { createModels as create };
export { selfTestModel as selfTest } from './model-self-test.js';

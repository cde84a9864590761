import { Handle, askAbout, closeHandle } from './handle.js';
import { readPlain } from './heads-options.js';

/**
 * A small model that writes with a cache and without.
 *
 * @typedef {import('./instance.js').Instance} Instance
 *
 * @typedef {object} DecodeRunOptions
 * @property {number} [n]  Steps that it may make; 256 unless told.
 * @property {number} [seed]  Of its weights; 1 unless told.
 * @property {import('./kv-cache.js').CacheBackend} [backend]
 *
 * @typedef {object} DecodeStep
 * @property {number} token  The one that was chosen.
 * @property {number} tokens  Those before it, the first one, which is given, included.
 * @property {number} passes  Tokens that went through the model for it: 1 with the cache, all of them without.
 * @property {number} flops
 * @property {number} weight_bytes  Each weight read once.
 * @property {number} kv_bytes  Each key and value read once.
 * @property {number} compute_ms  Of one step, without the border.
 *
 * @typedef {object} DecodeRunState
 * @property {number} passes_with
 * @property {number} passes_without
 * @property {boolean} same_tokens  Over the steps that both ways have made, like largest_difference.
 * @property {number} largest_difference  Of two logits.
 * @property {number} needed_bytes  Of the cache.
 * @property {number} allocated_bytes
 * @property {Int32Array} tokens_with
 * @property {Int32Array} tokens_without
 */

/** @type {Record<string, { [field: string]: import('./options.js').Kind }>} */
const kinds = {
  open: { n: 'scalar', seed: 'scalar', backend: 'scalar' },
  step: { repeat: 'scalar' },
};

/** One run. Close it when it is no longer needed: the garbage collector cannot. */
export class DecodeRun extends Handle {
  /**
   * @param {Instance} instance
   * @param {{ run: number, backend: string } & Record<'n' | 'n_layers' | 'n_heads' | 'n_kv_heads' | 'd_k' | 'd_model' |
   *   'vocab_size' | 'parameters', number>} opened
   */
  constructor(instance, { run, ...model }) {
    super(instance, 'run', run);
    /** Its sizes: n, backend, n_layers, n_heads, n_kv_heads, d_k, d_model, vocab_size, parameters. */
    this.model = model;
  }

  /**
   * The next token with the cache.
   * @param {{ repeat?: number }} [options]  Computes the step that often and gives the mean time.
   * @returns {DecodeStep}
   */
  stepWith(options = {}) {
    return askAbout(this, 'stepDecodeRun', {
      ...readPlain(options, kinds.step).read,
      cached: true,
    });
  }

  /**
   * The next token without: the whole sequence computed anew.
   * @param {{ repeat?: number }} [options]
   * @returns {DecodeStep}
   */
  stepWithout(options = {}) {
    return askAbout(this, 'stepDecodeRun', {
      ...readPlain(options, kinds.step).read,
      cached: false,
    });
  }

  /**
   * What either way has done so far.
   * @returns {DecodeRunState}
   */
  state() {
    return askAbout(this, 'decodeRunState');
  }

  /** Gives its memory back. Any later call is refused. */
  close() {
    closeHandle(this, 'closeDecodeRun');
  }
}

/**
 * @param {Instance} instance
 * @param {DecodeRunOptions} [options]
 */
export function openDecodeRun(instance, options = {}) {
  return new DecodeRun(
    instance,
    instance.ask('openDecodeRun', readPlain(options, kinds.open).read),
  );
}

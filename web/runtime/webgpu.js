import { AttentionDeckError } from './errors.js';
import { headsFields, readPlain } from './heads-options.js';
import { readOptions } from './options.js';

/**
 * The same attention on the browser's WebGPU. Every answer says which back end ran: when the device is lost twice over,
 * or holds too little, the processor computes and `notice` says so.
 *
 * @typedef {import('./kernels.js').Numbers} Numbers
 *
 * @typedef {object} WebGpuAdapter  What computes, as it says of itself.
 * @property {string} vendor
 * @property {string} architecture
 * @property {string} device
 * @property {string} description
 * @property {boolean} is_software  Whether it is the processor that plays a GPU.
 * @property {'GPU' | 'software adapter'} kind  What a page calls it.
 * @property {boolean} has_subgroups  Whether invocations exchange within subgroups.
 * @property {boolean} has_timestamps  Whether the device itself takes the time.
 * @property {number} max_bytes  The largest buffer that a kernel is given.
 *
 * @typedef {object} WebGpuAttentionOptions
 * @property {Numbers} Q  [n_heads, n_q, d_k]
 * @property {Numbers} K  [n_kv_heads, capacity, d_k]
 * @property {Numbers} V  [n_kv_heads, capacity, d_v]
 * @property {number} n_q
 * @property {number} n_k
 * @property {number} d_k
 * @property {number} d_v
 * @property {number} [n_heads]  1 unless told.
 * @property {number} [n_kv_heads]  As many as n_heads unless told.
 * @property {number} [capacity]  n_k unless told.
 * @property {number} [scale]  1/√d_k unless told.
 * @property {import('./core.js').MaskOptions | null} [mask]
 * @property {'fused' | 'three'} [passes]  Tiles with a running maximum, or three passes that build S; fused unless told.
 * @property {import('./tensor.js').Tensor} [output]  Takes the result; otherwise it comes back as an array.
 * @property {number} [repeat]  Computes that often and gives the mean time.
 * @property {boolean} [compare]  Whether the plain kernel computes the same, to tell the largest difference.
 * @property {object} [out]  An earlier result: its arrays are written again where they fit.
 *
 * @typedef {object} WebGpuMatmulOptions
 * @property {Numbers} A  [n_batches, n_rows, n_inner], or one matrix when it is shared
 * @property {Numbers} B  [n_batches, n_inner, n_columns], or one matrix when it is shared
 * @property {number} n_rows
 * @property {number} n_inner
 * @property {number} n_columns
 * @property {number} [n_batches]  1 unless told.
 * @property {boolean} [shares_A]
 * @property {boolean} [shares_B]
 * @property {import('./tensor.js').Tensor} [C]  Takes the result.
 * @property {number} [repeat]
 * @property {boolean} [compare]
 * @property {object} [out]
 *
 * @typedef {object} WebGpuRun
 * @property {'webgpu' | import('./kernels.js').Backend} backend  What ran.
 * @property {number} compute_ms  Milliseconds of one computation, without the way there and back where `timed_by` says timestamps.
 * @property {'timestamps' | 'clock'} [timed_by]  Of a run on the device.
 * @property {WebGpuAdapter} [adapter]  Of a run on the device.
 * @property {string} [notice]  What went another way than asked.
 * @property {number} [largest_difference]  From the plain kernel's numbers, when `compare` asked for it.
 *
 * @typedef {WebGpuRun & { passes?: 'fused' | 'three', output?: Float32Array }} WebGpuAttentionResult
 *   output [n_heads, n_q, d_v] unless a tensor took it.
 * @typedef {WebGpuRun & { C?: Float32Array }} WebGpuMatmulResult  C [n_batches, n_rows, n_columns] unless a tensor took it.
 */

/** @type {{ [field: string]: import('./options.js').Kind }} */
const attentionFields = { ...headsFields, output: 'numbers', passes: 'scalar', compare: 'scalar' };

/** @type {{ [field: string]: import('./options.js').Kind }} */
const matmulFields = {
  A: 'numbers',
  B: 'numbers',
  C: 'numbers',
  n_batches: 'scalar',
  n_rows: 'scalar',
  n_inner: 'scalar',
  n_columns: 'scalar',
  shares_A: 'scalar',
  shares_B: 'scalar',
  repeat: 'scalar',
  compare: 'scalar',
  out: 'out',
};

/** An opened WebGPU. It outlives an abort of the module and the loss of its device. */
export class WebGpu {
  #instance;
  #gpu;
  /** The module's number for it, and the life of the module in which that number holds. */
  #session = 0;
  #life = 0;
  #isClosed = false;
  /** What computes; another one may after a loss, as each result says. @type {WebGpuAdapter} */
  adapter = /** @type {any} */ (undefined);

  /**
   * @param {import('./instance.js').Instance} instance
   * @param {object | null} gpu
   */
  constructor(instance, gpu) {
    this.#instance = instance;
    this.#gpu = gpu;
  }

  /** Opens it where the module does not know it, or does not know it any more. */
  async open() {
    const { life } = this.#instance;
    if (this.#life === life) return;
    const { session, adapter } = await this.#instance.askLater('webgpuOpen', { gpu: this.#gpu });
    this.#session = session;
    this.#life = life;
    this.adapter = Object.freeze(adapter);
  }

  /**
   * softmax(scale QKᵀ + mask) V for a batch of heads, in float32.
   * @param {WebGpuAttentionOptions} options
   * @returns {Promise<WebGpuAttentionResult>}
   * @throws {AttentionDeckError} Those of `Kernels.attention`, and `webgpu_failed`.
   */
  attention(options) {
    return this.#ask('webgpuAttention', options, attentionFields);
  }

  /**
   * C = A B for each of a batch: the projections of all heads at once.
   * @param {WebGpuMatmulOptions} options
   * @returns {Promise<WebGpuMatmulResult>}
   */
  matmul(options) {
    return this.#ask('webgpuMatmul', options, matmulFields);
  }

  /** Destroys the device once no call waits for it. Any later call is refused. */
  async close() {
    if (!this.#isClosed && this.#life === this.#instance.life) {
      await this.#instance.askLater('webgpuClose', { session: this.#session });
    }
    this.#isClosed = true;
  }

  /**
   * @param {string} name
   * @param {unknown} options
   * @param {{ [field: string]: import('./options.js').Kind }} fields
   */
  async #ask(name, options, fields) {
    if (this.#isClosed) {
      throw new AttentionDeckError('bad_argument', 'This WebGPU is closed. Open another one.', {
        field: 'gpu',
      });
    }
    // Read, and asked where possible, before anything is awaited: what the caller changes or closes later belongs to the
    // next call.
    const { read, write } = readPlain(options, fields);
    if (this.#life !== this.#instance.life) await this.open();
    return write(await this.#instance.askLater(name, { ...read, session: this.#session }));
  }
}

/**
 * @param {import('./instance.js').Instance} instance
 * @param {{ gpu?: object }} options
 */
export async function openWebGpu(instance, options) {
  const { gpu } = readOptions(options, { gpu: 'host' });
  const { navigator } = /** @type {{ navigator?: { gpu?: object } }} */ (globalThis);
  const opened = new WebGpu(instance, gpu ?? navigator?.gpu ?? null);
  await opened.open();
  return opened;
}

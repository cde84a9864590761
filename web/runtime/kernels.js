import { AnyBackend } from './any-backend.js';
import { headsFields, readPlain } from './heads-options.js';
import { Facade, instanceOf } from './facade.js';
import { maskFields } from './mask-options.js';
import { readOne } from './options.js';
import { Tensor } from './tensor.js';
import { openWebGpu } from './webgpu.js';

/**
 * Attention at the speed of the machine, in float32, for whole batches of heads. What is large stays in the module, in
 * tensors, until a part of it is asked for.
 *
 * @typedef {'scalar' | 'simd'} Backend  Kernels that need no GPU; the scalar build has no `simd`.
 * @typedef {Float32Array | readonly number[] | Tensor} Numbers  A copy goes in, or what is already there is used.
 *
 * @typedef {object} HeadsOptions
 * @property {Numbers} Q  [n_heads, n_q, d_k]
 * @property {Numbers} K  [n_kv_heads, capacity, d_k]
 * @property {Numbers} V  [n_kv_heads, capacity, d_v]
 * @property {number} n_q
 * @property {number} n_k
 * @property {number} d_k
 * @property {number} d_v
 * @property {number} [n_heads]  1 unless told.
 * @property {number} [n_kv_heads]  As many as n_heads unless told; each is read by n_heads / n_kv_heads heads.
 * @property {number} [capacity]  Rows that each head of K and V has room for; n_k unless told.
 * @property {number} [scale]  1/√d_k unless told.
 * @property {import('./core.js').MaskOptions | null} [mask]
 * @property {Backend | 'auto'} [backend]  `auto` unless told.
 * @property {Tensor} [output]  Takes the result; otherwise it comes back as an array.
 * @property {boolean} [log_sum_exp]  Whether the logarithm of each row's sum of exponentials is wanted.
 * @property {number} [repeat]  Computes that often and gives the mean time: clocks of browsers tick coarsely.
 * @property {object} [out]  An earlier result: its arrays are written again where they fit.
 *
 * @typedef {Omit<HeadsOptions, 'output' | 'log_sum_exp'> & { dO: Numbers, dQ?: Tensor, dK?: Tensor, dV?: Tensor }}
 *   BackwardOptions  dO [n_heads, n_q, d_v]; tensors take the gradients, otherwise they come back as arrays.
 * @typedef {{ backend: Backend, compute_ms: number, dQ?: Float32Array, dK?: Float32Array, dV?: Float32Array }}
 *   BackwardResult  dQ [n_heads, n_q, d_k], dK [n_kv_heads, n_k, d_k], dV [n_kv_heads, n_k, d_v], summed over the heads
 *   that share them. compute_ms holds the way forward too.
 *
 * @typedef {Omit<HeadsOptions, 'backend' | 'log_sum_exp'> & { backend?: Backend | 'webgpu' | 'auto', gpu?: object,
 *   passes?: 'fused' | 'three' }} AnyHeadsOptions  `passes` is WebGPU's alone; `gpu` stands in for navigator.gpu, as in Node.
 *
 * @typedef {object} HeadsResult
 * @property {Backend} backend  Which kernels ran.
 * @property {number} compute_ms  Milliseconds of one computation, without the border.
 * @property {Float32Array} [output]  [n_heads, n_q, d_v] unless a tensor took it.
 * @property {Float32Array} [log_sum_exp]  [n_heads, n_q]
 *
 * @typedef {Omit<HeadsOptions, 'log_sum_exp'> & { weights?: boolean }} NaiveOptions  `weights`: whether the weights
 *   come back as well.
 *
 * @typedef {object} NaiveResult
 * @property {Backend} backend
 * @property {number} compute_ms
 * @property {Float32Array} [output]  [n_heads, n_q, d_v] unless a tensor took it.
 * @property {Float32Array} [weights]  [n_heads, n_q, n_k]
 *
 * @typedef {Float64Array | readonly number[]} Doubles
 *
 * @typedef {object} OnlineSoftmaxOptions
 * @property {Doubles} Q  [n_q, d_k]
 * @property {Doubles} K  [n_k, d_k]
 * @property {Doubles} V  [n_k, d_v]
 * @property {number} n_q
 * @property {number} n_k
 * @property {number} d_k
 * @property {number} d_v
 * @property {number} [tile_q]  Queries of a tile, 2 unless told.
 * @property {number} [tile_k]  Keys of a tile, 4 unless told.
 * @property {boolean} [divide]  Whether scores are divided by √d_k; true unless told.
 * @property {import('./core.js').MaskOptions | null} [mask]
 * @property {object} [out]
 *
 * @typedef {object} OnlineSoftmaxResult  Query block a and key block b meet in tile [a, b]; a row of numbers for each
 *   query i and key block b. What is not read holds −∞ as a score and 0 as an exponential.
 * @property {number} query_blocks
 * @property {number} key_blocks
 * @property {Int32Array} query_begin  [query_blocks + 1] the first query of each block, and n_q
 * @property {Int32Array} key_begin  [key_blocks + 1]
 * @property {number} held_scores  Scores of one tile: the most that is kept of them at one time.
 * @property {number} held_results  Largest, sum and output of the rows of one block.
 * @property {number} divisor
 * @property {Uint8Array} allowed  [n_q, n_k]
 * @property {Uint8Array} skipped  [query_blocks, key_blocks] 1 where no pair of the tile is allowed
 * @property {Float64Array} scores  [n_q, n_k] after scaling
 * @property {Float64Array} exponentials  [n_q, n_k] e^(score − the largest after its tile)
 * @property {Float64Array} largest_before  [n_q, key_blocks] −∞ before anything is seen
 * @property {Float64Array} largest_after  [n_q, key_blocks]
 * @property {Float64Array} factors  [n_q, key_blocks] e^(before − after)
 * @property {Uint8Array} rescaled  [n_q, key_blocks] 1 where the factor changed what was there
 * @property {Float64Array} sums_before  [n_q, key_blocks]
 * @property {Float64Array} sums_after  [n_q, key_blocks]
 * @property {Float64Array} outputs_before  [n_q, key_blocks, d_v] not yet divided by the sum
 * @property {Float64Array} outputs_rescaled  [n_q, key_blocks, d_v]
 * @property {Float64Array} outputs_after  [n_q, key_blocks, d_v]
 * @property {Int32Array} times_rescaled  [n_q]
 * @property {Float64Array} output  [n_q, d_v]
 * @property {Float64Array} whole  [n_q, d_v] the same by the softmax of whole rows
 * @property {number} largest_difference  between the two
 *
 * @typedef {object} CostOptions
 * @property {number} n
 * @property {number} [n_heads]  1 unless told.
 * @property {number} [d]  Numbers of a query, a key and a value; 64 unless told.
 * @property {number} [bytes_per_number]  4 unless told.
 * @property {number} [tile_q]  128 unless told.
 * @property {number} [tile_k]  64 unless told.
 * @property {number} [fast_bytes]  What the fast memory holds; 192 KiB unless told.
 *
 * @typedef {object} Costs  Exact counts of all heads together, `entries` apart. An exponential counts as one operation.
 * @property {number} entries  n², of one head
 * @property {number} entries_millions
 * @property {number} score_bytes  of S
 * @property {number} score_mebibytes
 * @property {number} entries_doubled  of one head at 2n
 * @property {number} growth  entries_doubled ÷ entries
 * @property {number} product_flops  4 n² d for each head, either way
 * @property {number} naive_softmax_flops  6 for each score
 * @property {number} fused_softmax_flops  5 for each score, and the rescaling
 * @property {number} softmax_percent  of the products
 * @property {number} score_pass_read  Bytes: Q and K in …
 * @property {number} score_pass_written  … S out
 * @property {number} softmax_pass_read  S in …
 * @property {number} softmax_pass_written  … A out
 * @property {number} value_pass_read  A and V in …
 * @property {number} value_pass_written  … O out
 * @property {number} naive_bytes  The three passes together.
 * @property {number} fused_read  Q once; K and V once for each block of queries.
 * @property {number} fused_written  O once.
 * @property {number} fused_bytes
 * @property {number} query_blocks
 * @property {number} bytes_ratio  naive_bytes ÷ fused_bytes
 * @property {number} tile_numbers  What the fast memory holds at one time.
 * @property {number} tile_bytes
 * @property {boolean} fits  tile_bytes ≤ fast_bytes
 */

/** @type {Record<string, { [field: string]: import('./options.js').Kind }>} */
const kinds = {
  attention: { ...headsFields, output: 'numbers', backend: 'scalar', log_sum_exp: 'scalar' },
  attentionBackward: {
    ...headsFields,
    backend: 'scalar',
    dO: 'numbers',
    dQ: 'numbers',
    dK: 'numbers',
    dV: 'numbers',
  },
  attentionNaive: { ...headsFields, output: 'numbers', backend: 'scalar', weights: 'scalar' },
  onlineSoftmax: {
    Q: 'floats',
    K: 'floats',
    V: 'floats',
    n_q: 'scalar',
    n_k: 'scalar',
    d_k: 'scalar',
    d_v: 'scalar',
    tile_q: 'scalar',
    tile_k: 'scalar',
    divide: 'scalar',
    mask: maskFields,
    out: 'out',
  },
  attentionCosts: {
    n: 'scalar',
    n_heads: 'scalar',
    d: 'scalar',
    bytes_per_number: 'scalar',
    tile_q: 'scalar',
    tile_k: 'scalar',
    fast_bytes: 'scalar',
  },
  peak: { ms: 'scalar' },
};

/**
 * The fast kernels. Fires `restart` when a fresh instance has taken over after an abort: tensors are lost then.
 */
export class Kernels extends Facade {
  #anyBackend;

  /**
   * @param {import('./loader.js').Running} running
   * @param {() => Promise<import('./loader.js').Running>} restart
   */
  constructor(running, restart) {
    super(running, restart, kinds);
    this.#anyBackend = new AnyBackend(this, instanceOf(this));
  }

  /**
   * The names of the kernels that this build holds, the plain one first.
   * @returns {Backend[]}
   */
  backends() {
    return instanceOf(this).ask('backends', {}).backends;
  }

  /**
   * Whether the page may ask for WebGPU. Whether it gets one is known when it is opened.
   */
  get hasWebGpu() {
    return (
      /** @type {{ navigator?: { gpu?: object } }} */ (globalThis).navigator?.gpu !== undefined
    );
  }

  /**
   * What `auto` goes by: each back end with what it was measured to cost on this machine, and from how many
   * floating-point operations on it is the quickest. The first call measures, in about ten milliseconds.
   * @returns {{ name: Backend | 'webgpu', start_ms: number, ms_per_flop: number, from_flops: number }[]}
   */
  backendCosts() {
    return instanceOf(this).ask('backendCosts', {}).costs;
  }

  /**
   * The roofs of this machine in this build, measured now for about 2 · ms milliseconds: multiply-adds in registers, and
   * memory read in order. The scalar build has none.
   * @param {{ ms?: number }} [options]  100 unless told.
   * @returns {{ multiply_add_gflops: number, stream_gb_s: number }}
   */
  peak(options = {}) {
    return this.ask('peak', options);
  }

  /**
   * Opens a tensor of so many zeros, or of the numbers given.
   * @param {number | Float32Array} lengthOrData
   */
  tensor(lengthOrData) {
    const isLength = typeof lengthOrData === 'number';
    const length = isLength ? lengthOrData : readOne(lengthOrData, 'float32', 'data').length;
    const tensor = new Tensor(instanceOf(this), instanceOf(this).ask('openTensor', { length }));
    if (!isLength) tensor.write(lengthOrData);
    return tensor;
  }

  /**
   * softmax(scale QKᵀ + mask) V for a batch of heads, without ever building the matrix of scores.
   * @param {HeadsOptions} options
   * @returns {HeadsResult}
   */
  attention(options) {
    return this.ask('attention', options);
  }

  /**
   * The gradients of Σ dO ∘ output with respect to Q, K and V, without ever building the matrix of scores.
   * @param {BackwardOptions} options
   * @returns {BackwardResult}
   */
  attentionBackward(options) {
    return this.ask('attentionBackward', options);
  }

  /**
   * The same in three passes that build the matrix of scores, head after head: the slow way, and the only one that has
   * the weights when they are asked for.
   * @param {NaiveOptions} options
   * @returns {NaiveResult}
   */
  attentionNaive(options) {
    return this.ask('attentionNaive', options);
  }

  /**
   * Attention of one head tile by tile with a running maximum, every step kept, in float64.
   * @param {OnlineSoftmaxOptions} options
   * @returns {OnlineSoftmaxResult}
   */
  onlineSoftmax(options) {
    return this.ask('onlineSoftmax', options);
  }

  /**
   * What attention costs, counted: operations, and bytes to and from slow memory.
   * @param {CostOptions} options
   * @returns {Costs}
   */
  attentionCosts(options) {
    return this.ask('attentionCosts', options);
  }

  /**
   * As `attention`, on any back end: `auto` also considers the browser's WebGPU, which is opened and measured when it is
   * first asked for, and takes the processor where there is none.
   * @param {AnyHeadsOptions} options
   * @returns {Promise<import('./webgpu.js').WebGpuAttentionResult>}
   * @throws {AttentionDeckError} As `attention`; `webgpu_unavailable` when it was asked for by name.
   */
  attentionAnywhere(options) {
    return this.#anyBackend.attention(options);
  }

  /**
   * Opens the browser's WebGPU, or an object like navigator.gpu that is handed in. Close it when it is no longer needed.
   * @param {{ gpu?: object }} [options]
   * @returns {Promise<import('./webgpu.js').WebGpu>}
   * @throws {AttentionDeckError} `webgpu_unavailable`, with what to do
   */
  webgpu(options = {}) {
    return openWebGpu(instanceOf(this), options);
  }

  /**
   * @protected
   * @override
   * @param {string} name
   * @param {unknown} options
   */
  ask(name, options) {
    if (!Object.hasOwn(kinds, name)) return super.ask(name, options);
    const { read, write } = readPlain(options, kinds[name]);
    return write(instanceOf(this).ask(name, read));
  }
}

/**
 * @param {import('./loader.js').Running} running
 * @param {() => Promise<import('./loader.js').Running>} restart
 */
export function createKernels(running, restart) {
  return new Kernels(running, restart);
}

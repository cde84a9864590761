import { AnyBackend } from './any-backend.js';
import { headsFields, readPlain } from './heads-options.js';
import { Facade, instanceOf } from './facade.js';
import { readOne } from './options.js';
import { Tensor } from './tensor.js';
import { openWebGpu } from './webgpu.js';

/**
 * Attention at the speed of the machine, in float32, for whole batches of heads. What is large stays in the module, in
 * tensors, until a part of it is asked for.
 *
 * @typedef {'scalar' | 'simd'} Backend  Kernels that need no GPU; the scalar build has no `simd`.
 *
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
 * @property {Tensor} [output]  Takes the result, and is none of the inputs; otherwise it comes back as an array.
 * @property {boolean} [log_sum_exp]  Whether the logarithm of each row's sum of exponentials is wanted.
 * @property {number} [repeat]  Computes that often and gives the mean time: clocks of browsers tick coarsely.
 * @property {object} [out]  An earlier result: its arrays are written again where they fit.
 *
 * @typedef {Omit<HeadsOptions, 'output' | 'log_sum_exp'> & { dO: Numbers, dQ?: Tensor, dK?: Tensor, dV?: Tensor }}
 *   BackwardOptions  dO [n_heads, n_q, d_v]; tensors take the gradients, otherwise they come back as arrays.
 *
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
 * @typedef {object} LinearOptions  Causal, token by token of one text; see `linearAttention`.
 * @property {Numbers} Q  [n_heads, n, d_k]
 * @property {Numbers} K  [n_heads, n, d_k]
 * @property {Numbers} V  [n_heads, n, d_v]
 * @property {number} n
 * @property {number} d_k
 * @property {number} d_v
 * @property {number} [n_heads]  1 unless told.
 * @property {'elu_plus_one' | 'relu' | 'identity'} [feature_map]  Of each number of queries and keys; elu(x) + 1 unless told.
 * @property {boolean} [normalize]  Whether a row is divided by the sum of its weights; yes unless told, and never with the
 *   identity.
 * @property {Numbers} [gates]  [n_heads, n] from 0 to 1: what is left of the state when a token arrives. None unless told.
 * @property {Tensor} [state]  [n_heads, d_k, d_v] what is kept of the tokens before: read, then written, once for each
 *   repetition. So a long text is fed in pieces. Nothing before unless told.
 * @property {Tensor} [sums]  [n_heads, d_k] belongs to it: both or none.
 * @property {Backend | 'auto'} [backend]  `auto` unless told.
 * @property {Tensor} [output]  Takes the result, and is none of the inputs; otherwise it comes back as an array.
 * @property {number} [repeat]  Computes that often and gives the mean time.
 * @property {object} [out]  An earlier result: its arrays are written again where they fit.
 *
 * @typedef {object} ScanOptions  See `selectiveScan`.
 * @property {Numbers} x  [n, channels]
 * @property {Numbers} delta  [n, channels] from 0 on: how far a token moves a channel.
 * @property {Numbers} A  [channels, state_size] at most 0.
 * @property {Numbers} B  [n, state_size] where a token writes.
 * @property {Numbers} C  [n, state_size] what a token reads.
 * @property {Numbers} [skip]  [channels] x times this is added. None unless told.
 * @property {number} n
 * @property {number} channels
 * @property {number} state_size
 * @property {Tensor} [state]  [channels, state_size] as in LinearOptions.
 * @property {Backend | 'auto'} [backend]  `auto` unless told.
 * @property {Tensor} [output]  Takes the result, and is none of the inputs; otherwise it comes back as an array.
 * @property {number} [repeat]  Computes that often and gives the mean time.
 * @property {object} [out]  An earlier result: its arrays are written again where they fit.
 *
 * @typedef {object} SparseOptions  See `blockSparse`.
 * @property {Numbers} Q  [n_heads, n, d_k]
 * @property {Numbers} K  [n_kv_heads, n, d_k]
 * @property {Numbers} V  [n_kv_heads, n, d_v]
 * @property {number} n
 * @property {number} d_k
 * @property {number} d_v
 * @property {number} [n_heads]  1 unless told.
 * @property {number} [n_kv_heads]  As many as n_heads unless told.
 * @property {number} [block]  Keys of a block; 64 unless told.
 * @property {number} [top_k]  Blocks that a query sees, its own and the first ones counted; 8 unless told.
 * @property {number} [first_blocks]  At the start, always seen; 0 unless told.
 * @property {number} [window]  Tokens, itself included, that a query sees besides; 0 unless told.
 * @property {Backend | 'auto'} [backend]  `auto` unless told.
 * @property {Tensor} [output]  Takes the result, and is none of the inputs; otherwise it comes back as an array.
 * @property {number} [repeat]  Computes that often and gives the mean time.
 * @property {object} [out]  An earlier result: its arrays are written again where they fit.
 *
 * @typedef {object} StreamResult
 * @property {Backend} backend  Which kernels ran.
 * @property {number} compute_ms  Milliseconds of one computation, without the border.
 * @property {number} flops  Operations of one computation, a multiply-add counted as two. Of linear attention those of its
 *   products, in chunks as the quick kernels take them; of the scan also the 17 of each exponential.
 * @property {Float32Array} [output]  [n_heads, n, d_v], or [n, channels] of the scan, unless a tensor took it.
 *
 * @typedef {object} SparseResult
 * @property {Backend} backend
 * @property {number} compute_ms
 * @property {number} pairs  Of a query and a key that were seen, of all heads.
 * @property {Float32Array} [output]  [n_heads, n, d_v] unless a tensor took it.
 */

/** What each of these says besides its own. @type {{ [field: string]: import('./options.js').Kind }} */
const computed = { output: 'numbers', backend: 'scalar', repeat: 'scalar', out: 'out' };

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
  peak: { ms: 'scalar' },
  linearAttention: {
    Q: 'numbers',
    K: 'numbers',
    V: 'numbers',
    gates: 'numbers',
    state: 'numbers',
    sums: 'numbers',
    n_heads: 'scalar',
    n: 'scalar',
    d_k: 'scalar',
    d_v: 'scalar',
    feature_map: 'scalar',
    normalize: 'scalar',
    ...computed,
  },
  selectiveScan: {
    x: 'numbers',
    delta: 'numbers',
    A: 'numbers',
    B: 'numbers',
    C: 'numbers',
    skip: 'numbers',
    state: 'numbers',
    n: 'scalar',
    channels: 'scalar',
    state_size: 'scalar',
    ...computed,
  },
  blockSparse: {
    Q: 'numbers',
    K: 'numbers',
    V: 'numbers',
    n_heads: 'scalar',
    n_kv_heads: 'scalar',
    n: 'scalar',
    d_k: 'scalar',
    d_v: 'scalar',
    block: 'scalar',
    top_k: 'scalar',
    first_blocks: 'scalar',
    window: 'scalar',
    ...computed,
  },
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
   * Causal linear attention, o_i = Σ_(j ≤ i) w_ij v_j with w_ij = g_(j+1) … g_i φ(q_i) · φ(k_j), over their sum where
   * `normalize`: all of the past is one state of d_k × d_v numbers a head, and memory does not grow with n.
   * @param {LinearOptions} options
   * @returns {StreamResult}
   */
  linearAttention(options) {
    return this.ask('linearAttention', options);
  }

  /**
   * The scan of a state-space layer (Mamba): h_t = e^(δ_t A) ∘ h_(t−1) + δ_t x_t B_t, y_t = C_t · h_t + skip x_t, in memory
   * that does not grow with n.
   * @param {ScanOptions} options
   * @returns {StreamResult}
   */
  selectiveScan(options) {
    return this.ask('selectiveScan', options);
  }

  /**
   * Causal attention to blocks of keys that each query chooses by their means, scaled by 1/√d_k.
   * @param {SparseOptions} options
   * @returns {SparseResult}
   */
  blockSparse(options) {
    return this.ask('blockSparse', options);
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

export { createKernels as create };
export { selfTestKernels as selfTest } from './kernels-self-test.js';

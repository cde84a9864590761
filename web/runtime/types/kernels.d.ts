/**
 * @param {import('./loader.js').Running} running
 * @param {() => Promise<import('./loader.js').Running>} restart
 */
export function createKernels(running: import("./loader.js").Running, restart: () => Promise<import("./loader.js").Running>): Kernels;
/**
 * The fast kernels. Fires `restart` when a fresh instance has taken over after an abort: tensors are lost then.
 */
export class Kernels extends Facade {
    /**
     * @param {import('./loader.js').Running} running
     * @param {() => Promise<import('./loader.js').Running>} restart
     */
    constructor(running: import("./loader.js").Running, restart: () => Promise<import("./loader.js").Running>);
    /**
     * The names of the kernels that this build holds, the plain one first.
     * @returns {Backend[]}
     */
    backends(): Backend[];
    /**
     * Whether the page may ask for WebGPU. Whether it gets one is known when it is opened.
     */
    get hasWebGpu(): boolean;
    /**
     * What `auto` goes by: each back end with what it was measured to cost on this machine, and from how many
     * floating-point operations on it is the quickest. The first call measures, in about ten milliseconds.
     * @returns {{ name: Backend | 'webgpu', start_ms: number, ms_per_flop: number, from_flops: number }[]}
     */
    backendCosts(): {
        name: Backend | "webgpu";
        start_ms: number;
        ms_per_flop: number;
        from_flops: number;
    }[];
    /**
     * The roofs of this machine in this build, measured now for about 2 · ms milliseconds: multiply-adds in registers, and
     * memory read in order. The scalar build has none.
     * @param {{ ms?: number }} [options]  100 unless told.
     * @returns {{ multiply_add_gflops: number, stream_gb_s: number }}
     */
    peak(options?: {
        ms?: number;
    }): {
        multiply_add_gflops: number;
        stream_gb_s: number;
    };
    /**
     * Opens a tensor of so many zeros, or of the numbers given.
     * @param {number | Float32Array} lengthOrData
     */
    tensor(lengthOrData: number | Float32Array): Tensor;
    /**
     * softmax(scale QKᵀ + mask) V for a batch of heads, without ever building the matrix of scores.
     * @param {HeadsOptions} options
     * @returns {HeadsResult}
     */
    attention(options: HeadsOptions): HeadsResult;
    /**
     * The gradients of Σ dO ∘ output with respect to Q, K and V, without ever building the matrix of scores.
     * @param {BackwardOptions} options
     * @returns {BackwardResult}
     */
    attentionBackward(options: BackwardOptions): BackwardResult;
    /**
     * The same in three passes that build the matrix of scores, head after head: the slow way, and the only one that has
     * the weights when they are asked for.
     * @param {NaiveOptions} options
     * @returns {NaiveResult}
     */
    attentionNaive(options: NaiveOptions): NaiveResult;
    /**
     * Causal linear attention, o_i = Σ_(j ≤ i) w_ij v_j with w_ij = g_(j+1) … g_i φ(q_i) · φ(k_j), over their sum where
     * `normalize`: all of the past is one state of d_k × d_v numbers a head, and memory does not grow with n.
     * @param {LinearOptions} options
     * @returns {StreamResult}
     */
    linearAttention(options: LinearOptions): StreamResult;
    /**
     * The scan of a state-space layer (Mamba): h_t = e^(δ_t A) ∘ h_(t−1) + δ_t x_t B_t, y_t = C_t · h_t + skip x_t, in memory
     * that does not grow with n.
     * @param {ScanOptions} options
     * @returns {StreamResult}
     */
    selectiveScan(options: ScanOptions): StreamResult;
    /**
     * Causal attention to blocks of keys that each query chooses by their means, scaled by 1/√d_k.
     * @param {SparseOptions} options
     * @returns {SparseResult}
     */
    blockSparse(options: SparseOptions): SparseResult;
    /**
     * As `attention`, on any back end: `auto` also considers the browser's WebGPU, which is opened and measured when it is
     * first asked for, and takes the processor where there is none.
     * @param {AnyHeadsOptions} options
     * @returns {Promise<import('./webgpu.js').WebGpuAttentionResult>}
     * @throws {AttentionDeckError} As `attention`; `webgpu_unavailable` when it was asked for by name.
     */
    attentionAnywhere(options: AnyHeadsOptions): Promise<import("./webgpu.js").WebGpuAttentionResult>;
    /**
     * Opens the browser's WebGPU, or an object like navigator.gpu that is handed in. Close it when it is no longer needed.
     * @param {{ gpu?: object }} [options]
     * @returns {Promise<import('./webgpu.js').WebGpu>}
     * @throws {AttentionDeckError} `webgpu_unavailable`, with what to do
     */
    webgpu(options?: {
        gpu?: object;
    }): Promise<import("./webgpu.js").WebGpu>;
    #private;
}
export { createKernels as create };
export { selfTestKernels as selfTest } from "./kernels-self-test.js";
/**
 * Kernels that need no GPU; the scalar build has no `simd`.
 */
export type Backend = "scalar" | "simd";
/**
 * A copy goes in, or what is already there is used.
 */
export type Numbers = Float32Array | readonly number[] | Tensor;
/**
 * Attention at the speed of the machine, in float32, for whole batches of heads. What is large stays in the module, in
 * tensors, until a part of it is asked for.
 */
export type HeadsOptions = {
    /**
     * [n_heads, n_q, d_k]
     */
    Q: Numbers;
    /**
     * [n_kv_heads, capacity, d_k]
     */
    K: Numbers;
    /**
     * [n_kv_heads, capacity, d_v]
     */
    V: Numbers;
    n_q: number;
    n_k: number;
    d_k: number;
    d_v: number;
    /**
     * 1 unless told.
     */
    n_heads?: number | undefined;
    /**
     * As many as n_heads unless told; each is read by n_heads / n_kv_heads heads.
     */
    n_kv_heads?: number | undefined;
    /**
     * Rows that each head of K and V has room for; n_k unless told.
     */
    capacity?: number | undefined;
    /**
     * 1/√d_k unless told.
     */
    scale?: number | undefined;
    mask?: import("./core.js").MaskOptions | null | undefined;
    /**
     * `auto` unless told.
     */
    backend?: "auto" | Backend | undefined;
    /**
     * Takes the result, and is none of the inputs; otherwise it comes back as an array.
     */
    output?: Tensor | undefined;
    /**
     * Whether the logarithm of each row's sum of exponentials is wanted.
     */
    log_sum_exp?: boolean | undefined;
    /**
     * Computes that often and gives the mean time: clocks of browsers tick coarsely.
     */
    repeat?: number | undefined;
    /**
     * An earlier result: its arrays are written again where they fit.
     */
    out?: object | undefined;
};
/**
 * dO [n_heads, n_q, d_v]; tensors take the gradients, otherwise they come back as arrays.
 */
export type BackwardOptions = Omit<HeadsOptions, "output" | "log_sum_exp"> & {
    dO: Numbers;
    dQ?: Tensor;
    dK?: Tensor;
    dV?: Tensor;
};
/**
 * dQ [n_heads, n_q, d_k], dK [n_kv_heads, n_k, d_k], dV [n_kv_heads, n_k, d_v], summed over the heads
 *  that share them. compute_ms holds the way forward too.
 */
export type BackwardResult = {
    backend: Backend;
    compute_ms: number;
    dQ?: Float32Array;
    dK?: Float32Array;
    dV?: Float32Array;
};
/**
 * `passes` is WebGPU's alone; `gpu` stands in for navigator.gpu, as in Node.
 */
export type AnyHeadsOptions = Omit<HeadsOptions, "backend" | "log_sum_exp"> & {
    backend?: Backend | "webgpu" | "auto";
    gpu?: object;
    passes?: "fused" | "three";
};
/**
 * Attention at the speed of the machine, in float32, for whole batches of heads. What is large stays in the module, in
 * tensors, until a part of it is asked for.
 */
export type HeadsResult = {
    /**
     * Which kernels ran.
     */
    backend: Backend;
    /**
     * Milliseconds of one computation, without the border.
     */
    compute_ms: number;
    /**
     * [n_heads, n_q, d_v] unless a tensor took it.
     */
    output?: Float32Array<ArrayBufferLike> | undefined;
    /**
     * [n_heads, n_q]
     */
    log_sum_exp?: Float32Array<ArrayBufferLike> | undefined;
};
/**
 * `weights`: whether the weights
 * come back as well.
 */
export type NaiveOptions = Omit<HeadsOptions, "log_sum_exp"> & {
    weights?: boolean;
};
/**
 * Attention at the speed of the machine, in float32, for whole batches of heads. What is large stays in the module, in
 * tensors, until a part of it is asked for.
 */
export type NaiveResult = {
    backend: Backend;
    compute_ms: number;
    /**
     * [n_heads, n_q, d_v] unless a tensor took it.
     */
    output?: Float32Array<ArrayBufferLike> | undefined;
    /**
     * [n_heads, n_q, n_k]
     */
    weights?: Float32Array<ArrayBufferLike> | undefined;
};
/**
 * Causal, token by token of one text; see `linearAttention`.
 */
export type LinearOptions = {
    /**
     * [n_heads, n, d_k]
     */
    Q: Numbers;
    /**
     * [n_heads, n, d_k]
     */
    K: Numbers;
    /**
     * [n_heads, n, d_v]
     */
    V: Numbers;
    n: number;
    d_k: number;
    d_v: number;
    /**
     * 1 unless told.
     */
    n_heads?: number | undefined;
    /**
     * Of each number of queries and keys; elu(x) + 1 unless told.
     */
    feature_map?: "elu_plus_one" | "relu" | "identity" | undefined;
    /**
     * Whether a row is divided by the sum of its weights; yes unless told, and never with the
     * identity.
     */
    normalize?: boolean | undefined;
    /**
     * [n_heads, n] from 0 to 1: what is left of the state when a token arrives. None unless told.
     */
    gates?: Numbers | undefined;
    /**
     * [n_heads, d_k, d_v] what is kept of the tokens before: read, then written, once for each
     * repetition. So a long text is fed in pieces. Nothing before unless told.
     */
    state?: Tensor | undefined;
    /**
     * [n_heads, d_k] belongs to it: both or none.
     */
    sums?: Tensor | undefined;
    /**
     * `auto` unless told.
     */
    backend?: "auto" | Backend | undefined;
    /**
     * Takes the result, and is none of the inputs; otherwise it comes back as an array.
     */
    output?: Tensor | undefined;
    /**
     * Computes that often and gives the mean time.
     */
    repeat?: number | undefined;
    /**
     * An earlier result: its arrays are written again where they fit.
     */
    out?: object | undefined;
};
/**
 * See `selectiveScan`.
 */
export type ScanOptions = {
    /**
     * [n, channels]
     */
    x: Numbers;
    /**
     * [n, channels] from 0 on: how far a token moves a channel.
     */
    delta: Numbers;
    /**
     * [channels, state_size] at most 0.
     */
    A: Numbers;
    /**
     * [n, state_size] where a token writes.
     */
    B: Numbers;
    /**
     * [n, state_size] what a token reads.
     */
    C: Numbers;
    /**
     * [channels] x times this is added. None unless told.
     */
    skip?: Numbers | undefined;
    n: number;
    channels: number;
    state_size: number;
    /**
     * [channels, state_size] as in LinearOptions.
     */
    state?: Tensor | undefined;
    /**
     * `auto` unless told.
     */
    backend?: "auto" | Backend | undefined;
    /**
     * Takes the result, and is none of the inputs; otherwise it comes back as an array.
     */
    output?: Tensor | undefined;
    /**
     * Computes that often and gives the mean time.
     */
    repeat?: number | undefined;
    /**
     * An earlier result: its arrays are written again where they fit.
     */
    out?: object | undefined;
};
/**
 * See `blockSparse`.
 */
export type SparseOptions = {
    /**
     * [n_heads, n, d_k]
     */
    Q: Numbers;
    /**
     * [n_kv_heads, n, d_k]
     */
    K: Numbers;
    /**
     * [n_kv_heads, n, d_v]
     */
    V: Numbers;
    n: number;
    d_k: number;
    d_v: number;
    /**
     * 1 unless told.
     */
    n_heads?: number | undefined;
    /**
     * As many as n_heads unless told.
     */
    n_kv_heads?: number | undefined;
    /**
     * Keys of a block; 64 unless told.
     */
    block?: number | undefined;
    /**
     * Blocks that a query sees, its own and the first ones counted; 8 unless told.
     */
    top_k?: number | undefined;
    /**
     * At the start, always seen; 0 unless told.
     */
    first_blocks?: number | undefined;
    /**
     * Tokens, itself included, that a query sees besides; 0 unless told.
     */
    window?: number | undefined;
    /**
     * `auto` unless told.
     */
    backend?: "auto" | Backend | undefined;
    /**
     * Takes the result, and is none of the inputs; otherwise it comes back as an array.
     */
    output?: Tensor | undefined;
    /**
     * Computes that often and gives the mean time.
     */
    repeat?: number | undefined;
    /**
     * An earlier result: its arrays are written again where they fit.
     */
    out?: object | undefined;
};
/**
 * Attention at the speed of the machine, in float32, for whole batches of heads. What is large stays in the module, in
 * tensors, until a part of it is asked for.
 */
export type StreamResult = {
    /**
     * Which kernels ran.
     */
    backend: Backend;
    /**
     * Milliseconds of one computation, without the border.
     */
    compute_ms: number;
    /**
     * Operations of one computation, a multiply-add counted as two. Of linear attention those of its
     * products, in chunks as the quick kernels take them; of the scan also the 17 of each exponential.
     */
    flops: number;
    /**
     * [n_heads, n, d_v], or [n, channels] of the scan, unless a tensor took it.
     */
    output?: Float32Array<ArrayBufferLike> | undefined;
};
/**
 * Attention at the speed of the machine, in float32, for whole batches of heads. What is large stays in the module, in
 * tensors, until a part of it is asked for.
 */
export type SparseResult = {
    backend: Backend;
    compute_ms: number;
    /**
     * Of a query and a key that were seen, of all heads.
     */
    pairs: number;
    /**
     * [n_heads, n, d_v] unless a tensor took it.
     */
    output?: Float32Array<ArrayBufferLike> | undefined;
};
import { Facade } from './facade.js';
import { Tensor } from './tensor.js';

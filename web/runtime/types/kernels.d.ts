/**
 * @param {import('./loader.js').Running} running
 * @param {() => Promise<import('./loader.js').Running>} restart
 */
export function createKernels(running: import("./loader.js").Running, restart: () => Promise<import("./loader.js").Running>): Kernels;
/** Numbers that stay in the module. Close it when it is no longer needed: the garbage collector cannot. */
export class Tensor {
    /**
     * @param {Instance} instance
     * @param {{ tensor: number, length: number }} opened
     */
    constructor(instance: Instance, { tensor, length }: {
        tensor: number;
        length: number;
    });
    length: number;
    /** What a call of the module knows it by. Throws when the module has started anew since. */
    get number(): number;
    /**
     * Copies numbers in.
     * @param {Float32Array | readonly number[]} data
     * @param {{ begin?: number }} [options]  Where the first of them goes.
     */
    write(data: Float32Array | readonly number[], options?: {
        begin?: number;
    }): void;
    /**
     * A copy of the numbers from `begin` to before `end`; of all unless told.
     * @param {{ begin?: number, end?: number, out?: { data: Float32Array } }} [options]
     * @returns {Float32Array}
     */
    read(options?: {
        begin?: number;
        end?: number;
        out?: {
            data: Float32Array;
        };
    }): Float32Array;
    /** Gives its memory back. Any later call is refused. */
    close(): void;
    #private;
}
/**
 * The fast kernels. Fires `restart` when a fresh instance has taken over after an abort: tensors are lost then.
 */
export class Kernels extends EventTarget {
    /**
     * @param {import('./loader.js').Running} running
     * @param {() => Promise<import('./loader.js').Running>} restart
     */
    constructor(running: import("./loader.js").Running, restart: () => Promise<import("./loader.js").Running>);
    /** Which build answers: 'scalar', 'simd' or 'relaxed'. */
    get variant(): import("./loader.js").Variant;
    /** Resolves once calls work (at once, unless an abort is being recovered from). */
    whenReady(): Promise<void>;
    /**
     * The kernels that this build holds, the plain one first.
     * @returns {Backend[]}
     */
    backends(): Backend[];
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
/**
 * The kernels of this build; `auto` takes the quickest for the size.
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
    backend?: Backend | undefined;
    /**
     * Takes the result; otherwise it comes back as an array.
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
import { Instance } from './instance.js';

/**
 * @param {import('./instance.js').Instance} instance
 * @param {{ gpu?: object }} options
 */
export function openWebGpu(instance: import("./instance.js").Instance, options: {
    gpu?: object;
}): Promise<WebGpu>;
/** An opened WebGPU. It outlives an abort of the module and the loss of its device. */
export class WebGpu {
    /**
     * @param {import('./instance.js').Instance} instance
     * @param {object | null} gpu
     */
    constructor(instance: import("./instance.js").Instance, gpu: object | null);
    /** What computes; another one may after a loss, as each result says. @type {WebGpuAdapter} */
    adapter: WebGpuAdapter;
    /** Opens it where the module does not know it, or does not know it any more. */
    open(): Promise<void>;
    /**
     * softmax(scale QKᵀ + mask) V for a batch of heads, in float32.
     * @param {WebGpuAttentionOptions} options
     * @returns {Promise<WebGpuAttentionResult>}
     * @throws {AttentionDeckError} Those of `Kernels.attention`, and `webgpu_failed`.
     */
    attention(options: WebGpuAttentionOptions): Promise<WebGpuAttentionResult>;
    /**
     * C = A B for each of a batch: the projections of all heads at once.
     * @param {WebGpuMatmulOptions} options
     * @returns {Promise<WebGpuMatmulResult>}
     */
    matmul(options: WebGpuMatmulOptions): Promise<WebGpuMatmulResult>;
    /** Destroys the device once no call waits for it. Any later call is refused. */
    close(): Promise<void>;
    #private;
}
/**
 * The same attention on the browser's WebGPU. Every answer says which back end ran: when the device is lost twice over,
 * or holds too little, the processor computes and `notice` says so.
 */
export type Numbers = import("./kernels.js").Numbers;
/**
 * What computes, as it says of itself.
 */
export type WebGpuAdapter = {
    vendor: string;
    architecture: string;
    device: string;
    description: string;
    /**
     * Whether it is the processor that plays a GPU.
     */
    is_software: boolean;
    /**
     * What a page calls it.
     */
    kind: "GPU" | "software adapter";
    /**
     * Whether invocations exchange within subgroups.
     */
    has_subgroups: boolean;
    /**
     * Whether the device itself takes the time.
     */
    has_timestamps: boolean;
    /**
     * The largest buffer that a kernel is given.
     */
    max_bytes: number;
};
/**
 * The same attention on the browser's WebGPU. Every answer says which back end ran: when the device is lost twice over,
 * or holds too little, the processor computes and `notice` says so.
 */
export type WebGpuAttentionOptions = {
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
     * As many as n_heads unless told.
     */
    n_kv_heads?: number | undefined;
    /**
     * n_k unless told.
     */
    capacity?: number | undefined;
    /**
     * 1/√d_k unless told.
     */
    scale?: number | undefined;
    mask?: import("./core.js").MaskOptions | null | undefined;
    /**
     * Tiles with a running maximum, or three passes that build S; fused unless told.
     */
    passes?: "fused" | "three" | undefined;
    /**
     * Takes the result; otherwise it comes back as an array.
     */
    output?: import("./tensor.js").Tensor | undefined;
    /**
     * Computes that often and gives the mean time.
     */
    repeat?: number | undefined;
    /**
     * Whether the plain kernel computes the same, to tell the largest difference.
     */
    compare?: boolean | undefined;
    /**
     * An earlier result: its arrays are written again where they fit.
     */
    out?: object | undefined;
};
/**
 * The same attention on the browser's WebGPU. Every answer says which back end ran: when the device is lost twice over,
 * or holds too little, the processor computes and `notice` says so.
 */
export type WebGpuMatmulOptions = {
    /**
     * [n_batches, n_rows, n_inner], or one matrix when it is shared
     */
    A: Numbers;
    /**
     * [n_batches, n_inner, n_columns], or one matrix when it is shared
     */
    B: Numbers;
    n_rows: number;
    n_inner: number;
    n_columns: number;
    /**
     * 1 unless told.
     */
    n_batches?: number | undefined;
    shares_A?: boolean | undefined;
    shares_B?: boolean | undefined;
    /**
     * Takes the result.
     */
    C?: import("./tensor.js").Tensor | undefined;
    repeat?: number | undefined;
    compare?: boolean | undefined;
    out?: object | undefined;
};
/**
 * The same attention on the browser's WebGPU. Every answer says which back end ran: when the device is lost twice over,
 * or holds too little, the processor computes and `notice` says so.
 */
export type WebGpuRun = {
    /**
     * What ran.
     */
    backend: "webgpu" | import("./kernels.js").Backend;
    /**
     * Milliseconds of one computation, without the way there and back where `timed_by` says timestamps.
     */
    compute_ms: number;
    /**
     * Of a run on the device.
     */
    timed_by?: "timestamps" | "clock" | undefined;
    /**
     * Of a run on the device.
     */
    adapter?: WebGpuAdapter | undefined;
    /**
     * What went another way than asked.
     */
    notice?: string | undefined;
    /**
     * From the plain kernel's numbers, when `compare` asked for it.
     */
    largest_difference?: number | undefined;
};
/**
 * output [n_heads, n_q, d_v] unless a tensor took it.
 */
export type WebGpuAttentionResult = WebGpuRun & {
    passes?: "fused" | "three";
    output?: Float32Array;
};
/**
 * C [n_batches, n_rows, n_columns] unless a tensor took it.
 */
export type WebGpuMatmulResult = WebGpuRun & {
    C?: Float32Array;
};

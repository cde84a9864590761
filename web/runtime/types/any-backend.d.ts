/** Opens WebGPU when it is first wanted, and learns what it costs. */
export class AnyBackend {
    /**
     * @param {import('./kernels.js').Kernels} kernels
     * @param {import('./instance.js').Instance} instance
     */
    constructor(kernels: import("./kernels.js").Kernels, instance: import("./instance.js").Instance);
    /**
     * @param {import('./kernels.js').AnyHeadsOptions} options
     * @returns {Promise<import('./webgpu.js').WebGpuAttentionResult>}
     */
    attention(options: import("./kernels.js").AnyHeadsOptions): Promise<import("./webgpu.js").WebGpuAttentionResult>;
    #private;
}

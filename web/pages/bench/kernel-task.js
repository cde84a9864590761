import { lengths } from './shapes.js';

/** @param {import('./shapes.js').Shape} shape */
const optionsOf = ({ n_heads, n_kv_heads, n_q, n_k, d, causal }) => ({
  n_heads,
  n_kv_heads,
  n_q,
  n_k,
  d_k: d,
  d_v: d,
  mask: { causal },
});

/**
 * One shape on one back end, with everything in the module beforehand: what is timed crosses no border.
 * @param {any} kernels
 * @param {string} backend
 * @param {import('./shapes.js').Shape} shape
 * @param {{ Q: Float32Array, K: Float32Array, V: Float32Array }} inputs
 */
export function kernelTask(kernels, backend, shape, inputs) {
  const tensors = {
    Q: kernels.tensor(inputs.Q),
    K: kernels.tensor(inputs.K),
    V: kernels.tensor(inputs.V),
    output: kernels.tensor(lengths(shape).output),
  };
  const options = { ...tensors, ...optionsOf(shape), backend };
  return {
    /** @type {import('./sampling.js').Run} */
    run: (repeat) => kernels.attention({ ...options, repeat }).compute_ms,
    output: () => tensors.output.read(),
    close() {
      for (const tensor of Object.values(tensors)) tensor.close();
    },
  };
}

/**
 * The same on WebGPU, fused or in three passes that build S.
 * @param {any} gpu  What `kernels.webgpu()` gives.
 * @param {'fused' | 'three-pass'} way
 * @param {import('./shapes.js').Shape} shape
 * @param {{ Q: Float32Array, K: Float32Array, V: Float32Array }} inputs
 */
export function gpuTask(gpu, way, shape, inputs) {
  const options = { ...inputs, ...optionsOf(shape), way };
  return {
    /** @type {import('./sampling.js').Run} */
    run: async (repeat) => (await gpu.attention({ ...options, repeat })).compute_ms,
    output: async () => (await gpu.attention(options)).output,
    close() {},
  };
}

import { lengths } from './shapes.js';

/**
 * One shape on one back end, with everything in the module beforehand: what is timed crosses no border.
 * @param {any} kernels
 * @param {string} backend
 * @param {import('./shapes.js').Shape} shape
 * @param {{ Q: Float32Array, K: Float32Array, V: Float32Array }} inputs
 */
export function kernelTask(kernels, backend, shape, inputs) {
  const { n_heads, n_kv_heads, n_q, n_k, d, causal } = shape;
  const tensors = {
    Q: kernels.tensor(inputs.Q),
    K: kernels.tensor(inputs.K),
    V: kernels.tensor(inputs.V),
    output: kernels.tensor(lengths(shape).output),
  };
  const sizes = { n_heads, n_kv_heads, n_q, n_k, d_k: d, d_v: d };
  const options = { ...tensors, ...sizes, mask: { causal }, backend };
  return {
    /** @type {import('./sampling.js').Run} */
    run: (repeat) => kernels.attention({ ...options, repeat }).compute_ms,
    output: () => tensors.output.read(),
    close() {
      for (const tensor of Object.values(tensors)) tensor.close();
    },
  };
}

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
 * What the machine allows this build; undefined of the scalar one, which has no vectors to measure with.
 * @param {any} kernels
 * @param {number} ms
 * @returns {import('./roof.js').Limits | undefined}
 */
export const limitsOf = (kernels, ms) =>
  kernels.variant === 'scalar' ? undefined : kernels.peak({ ms });

/** An adapter in words. One that is the processor is called so. */
export const adapterText = ({ vendor, architecture, device, description, kind }) =>
  `${[vendor, architecture, device, description].filter(Boolean).join(' ')} (${kind})`;

/**
 * The same on WebGPU, fused or in three passes that build S.
 * @param {any} gpu  What `kernels.webgpu()` gives.
 * @param {'fused' | 'three'} passes
 * @param {import('./shapes.js').Shape} shape
 * @param {{ Q: Float32Array, K: Float32Array, V: Float32Array }} inputs
 */
export function gpuTask(gpu, passes, shape, inputs) {
  const options = { ...inputs, ...optionsOf(shape), passes };
  /** The processor stands in for a device that is lost; that is not what is measured here. */
  const attention = async (more) => {
    const result = await gpu.attention({ ...options, ...more });
    if (result.backend !== 'webgpu') throw new Error(result.notice);
    return result;
  };
  return {
    /** @type {import('./sampling.js').Run} */
    run: async (repeat) => (await attention({ repeat })).compute_ms,
    output: async () => (await attention({})).output,
    close() {},
  };
}

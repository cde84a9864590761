/** Attention timed by the module `kernels`: the same random heads, the naive and the fused way, on each back end. */
import { fill, timedKernels } from './timed-kernels.js';

/** Whether the page may ask for WebGPU. Whether it gets one is known when it is opened. */
export const hasWebGpu = () => globalThis.navigator?.gpu !== undefined;

/**
 * @param {{n_heads: number, d: number, weights: boolean}} options `weights`: they are asked for, which only the naive
 *   way can answer
 */
export const timedAttention = ({ n_heads, d, weights }) =>
  timedKernels({
    growth: () => 2,
    inputs(n) {
      const numbers = fill(new Float32Array(n_heads * n * d));
      return { Q: numbers, K: numbers, V: numbers, output: numbers.length };
    },
    isThere: ({ backend }, way) => backend === way.backend,
    /** One computation, or the promise of one where a GPU is waited for. */
    once({ kernels, tensors, n, way, repeat }) {
      const options = { ...tensors, n_heads, n_q: n, n_k: n, d_k: d, d_v: d, repeat };
      const naive = way.naive || weights;
      if (way.backend === 'webgpu') {
        const passes = naive ? 'three' : 'fused';
        return kernels.attentionAnywhere({ ...options, backend: 'webgpu', passes });
      }
      return naive
        ? kernels.attentionNaive({ ...options, backend: way.backend, weights })
        : kernels.attention({ ...options, backend: way.backend });
    },
  });

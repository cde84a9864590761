/** Ours on WebGPU, the fused kernel and the three passes that build S. */
import { load } from '../../../web/runtime/index.js';

export async function open() {
  const kernels = await load('kernels');
  if (!('webgpu' in kernels)) throw new Error('this build has no WebGPU');
  const gpu = await kernels.webgpu();
  return {
    about: `adapter ${gpu.adapter}`,
    ways: () => ['fused', 'three-pass'],
    prepare(way, { n_heads, n_kv_heads, n_q, n_k, d, causal }, inputs) {
      const sizes = { n_heads, n_kv_heads, n_q, n_k, d_k: d, d_v: d };
      const options = { ...inputs, ...sizes, mask: { causal }, way };
      return {
        run: async (repeat) => (await gpu.attention({ ...options, repeat })).compute_ms,
        output: async () => (await gpu.attention(options)).output,
        close() {},
      };
    },
  };
}

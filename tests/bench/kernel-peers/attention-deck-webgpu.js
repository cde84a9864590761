/** Ours on WebGPU, the fused kernel and the three passes that build S. */
import { load } from '../../../web/runtime/index.js';
import { gpuTask } from '../../../web/pages/bench/kernel-task.js';

export async function open() {
  const kernels = await load('kernels');
  if (!('webgpu' in kernels)) throw new Error('this build has no WebGPU');
  const gpu = await kernels.webgpu();
  return {
    about: `adapter ${gpu.adapter}`,
    ways: () => ['fused', 'three-pass'],
    prepare: (way, shape, inputs) => gpuTask(gpu, way, shape, inputs),
  };
}

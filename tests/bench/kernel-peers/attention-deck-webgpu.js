/** Ours on WebGPU, the fused kernel and the three passes that build S. */
import { load } from '../../../web/runtime/index.js';
import { adapterText, gpuTask } from '../../../web/pages/bench/kernel-task.js';

export async function open() {
  const kernels = await load('kernels');
  const gpu = await kernels.webgpu();
  return {
    about: adapterText(gpu.adapter),
    ways: () => ['fused', 'three'],
    prepare: (passes, shape, inputs) => gpuTask(gpu, passes, shape, inputs),
  };
}

/** Ours: one build of the module, each of its back ends a way. */
import { load } from '../../../web/runtime/index.js';
import { kernelTask, limitsOf } from '../../../web/pages/bench/kernel-task.js';

export async function open({ variant }) {
  const kernels = await load('kernels', { variant });
  return {
    ways: () => kernels.backends(),
    prepare: (backend, shape, inputs) => kernelTask(kernels, backend, shape, inputs),
    limits: (ms) => limitsOf(kernels, ms),
  };
}

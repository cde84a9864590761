/** Ours: one build of the modules, each back end a way; decoding also from a cache's own layouts. */
import { load } from '../../../web/runtime/index.js';
import { kernelTask, limitsOf } from '../../../web/pages/bench/kernel-task.js';
import { isDecode } from '../../../web/pages/bench/shapes.js';
import { timeAnswer } from '../../../tests/bench/answers-task.js';
import { CACHE_WAYS, cacheTask } from '../../../tests/bench/cache-task.js';

export async function open({ variant }) {
  const kernels = await load('kernels', { variant });
  const cache = await load('cache', { variant });
  const ways = (shape) => {
    const decodes = isDecode(shape) && kernels.backends().includes('simd');
    return [...kernels.backends(), ...(decodes ? CACHE_WAYS : [])];
  };
  return {
    ways,
    prepare: (way, shape, inputs) =>
      CACHE_WAYS.includes(way)
        ? cacheTask(cache, way, shape, inputs)
        : kernelTask(kernels, way, shape, inputs),
    limits: (ms) => limitsOf(kernels, ms),
    answer: (what) => timeAnswer(kernels, what),
  };
}

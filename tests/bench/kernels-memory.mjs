/**
 * How the memory of a kernel grows with the number of tokens: each number in a fresh instance that begins with the
 * least memory it starts in. WebAssembly's memory never shrinks, so what it is afterwards is the peak.
 */
import { relaxedSimd, simd } from 'wasm-feature-detect';
import { inputsOf } from '../../web/pages/bench/inputs.js';
import { kernelTask } from '../../web/pages/bench/kernel-task.js';
import { leastBytes, scoreBytes, whole } from '../../web/pages/bench/shapes.js';
import { createKernels } from '../../web/runtime/kernels.js';
import { bytesOf, rawModule, watchedEngine } from '../node/support.js';
import { withMemory } from '../node/wasm-bytes.js';
import { TOKENS } from './kernels-growth.mjs';

const HEAD = 64;

async function start(variant, bytes, initial) {
  const watched = watchedEngine();
  const raw = await rawModule(variant, {
    name: 'kernels',
    bytes: withMemory(bytes, { initial }),
    webAssembly: watched.webAssembly,
  });
  const stopped = () => {
    throw new Error('the module stopped');
  };
  return { kernels: createKernels({ raw, variant }, stopped), heapBytes: watched.heapBytes };
}

/** The fewest pages of 64 KiB that the module starts in. */
async function fewestPages(variant, bytes) {
  for (let initial = 2; ; initial += 1) {
    try {
      await start(variant, bytes, initial);
      return initial;
    } catch (error) {
      if (initial > 256 || !(error instanceof WebAssembly.RuntimeError)) throw error;
    }
  }
}

/**
 * @param {number} limit  ms that one computation may take: what would take longer is left out.
 * @param {(text: string) => void} say
 */
export async function measureMemory(limit, say) {
  const variant = (await relaxedSimd()) ? 'relaxed' : (await simd()) ? 'simd' : 'scalar';
  const bytes = await bytesOf(variant, 'kernels');
  const initial = await fewestPages(variant, bytes);
  const points = [];
  let ms = 0;
  for (const n of TOKENS) {
    if (4 * ms > limit) break;
    say(`memory: ${n} tokens`);
    const shape = whole(1, n, HEAD);
    const { kernels, heapBytes } = await start(variant, bytes, initial);
    const before = heapBytes();
    const backend = kernels.backends().at(-1);
    ms = kernelTask(kernels, backend, shape, inputsOf(shape)).run(1);
    points.push({
      n,
      variant,
      backend,
      heap_before_bytes: before,
      heap_peak_bytes: heapBytes(),
      array_bytes: leastBytes(shape),
      score_bytes: scoreBytes(shape),
    });
  }
  return points;
}

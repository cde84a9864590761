/** All that the page measures, one shape after another; the page is told of each as it is done. */
import { BOUND, largestDifference } from './difference.js';
import { inputsOf } from './inputs.js';
import { adapterText, gpuTask, kernelTask, limitsOf } from './kernel-task.js';
import { naiveAttention } from './naive.js';
import { bestLimits } from './roof.js';
import { countFor, loop, median, samples } from './sampling.js';
import { flops, leastBytes, shapeName } from './shapes.js';

/** Clocks of pages that are not isolated tick every 0.1 ms, in some browsers every one. */
const SAMPLE_MS = 40;
const ROUNDS = 3;
const LIMITS_MS = 60;
/** What would take longer than this, by what the shapes before have shown, is left out. */
const PATIENCE_MS = 4000;
/** Shapes with less work than this show nothing of the larger ones. */
const TELLING_FLOPS = 1e6;

export const NAIVE = 'JavaScript';

/**
 * @typedef {object} Contestant
 * @property {string} name
 * @property {boolean} [isLimited]  Whether the limits that are measured are its own.
 * @property {(shape: import('./shapes.js').Shape, inputs: any) => { run: import('./sampling.js').Run, output: () => any, close: () => void }} task
 *
 * @typedef {object} Result
 * @property {string} name
 * @property {boolean} [isLimited]
 * @property {number} [fastest]  ms
 * @property {number} [median]  ms
 * @property {number} [difference]  The largest, from the first result of the shape.
 * @property {boolean} [wrong]
 * @property {boolean} [too_slow]
 * @property {string} [error]
 */

/** Plain loops, and every back end that this browser has. @returns {Promise<{ contestants: Contestant[], adapter?: string }>} */
async function contestantsOf(kernels) {
  const contestants = [
    {
      name: NAIVE,
      task(shape, inputs) {
        const { compute, output } = naiveAttention(shape, inputs);
        return { run: loop(compute), output: () => output, close() {} };
      },
    },
    ...kernels.backends().map((backend) => ({
      name: backend,
      isLimited: true,
      task: (shape, inputs) => kernelTask(kernels, backend, shape, inputs),
    })),
  ];
  try {
    const gpu = await kernels.webgpu();
    const webgpu = {
      // A processor that plays a GPU is not called one.
      name: gpu.adapter.is_software ? 'webgpu, software' : 'webgpu',
      task: (shape, inputs) => gpuTask(gpu, 'fused', shape, inputs),
    };
    return { contestants: [...contestants, webgpu], adapter: adapterText(gpu.adapter) };
  } catch {
    // Most browsers have none; what the processor does is measured all the same.
    return { contestants };
  }
}

/** Computes once, compares, and only then finds out how long it takes. */
async function prepare({ name, isLimited, task: make }, shape, inputs, reference) {
  const task = make(shape, inputs);
  try {
    await task.run(1);
    const output = await task.output();
    const difference = largestDifference(output, reference ?? output);
    const { count, ms } = await countFor(task.run, SAMPLE_MS);
    const result = { name, isLimited, difference, wrong: !(difference <= BOUND) };
    return { task, count, times: [ms], output, result };
  } catch (error) {
    task.close();
    return { result: { name, error: error.message } };
  }
}

/** All in turn, after each has been compared. @returns {Promise<Result[]>} */
async function measureShape(shape, contestants, pace) {
  const inputs = inputsOf(shape);
  const work = flops(shape);
  const entrants = [];
  let reference;
  for (const contestant of contestants) {
    const { name } = contestant;
    if ((pace.get(name) ?? 0) * work > PATIENCE_MS) {
      entrants.push({ result: { name, too_slow: true } });
      continue;
    }
    const entrant = await prepare(contestant, shape, inputs, reference);
    reference ??= entrant.output;
    if (entrant.times && work > TELLING_FLOPS) pace.set(name, entrant.times[0] / work);
    entrants.push(entrant);
  }
  const timed = entrants.filter(({ task }) => task);
  for (let round = 1; round < ROUNDS; round += 1) {
    for (let i = 0; i < timed.length; i += 1) {
      const { task, count, times } = timed[(i + round) % timed.length];
      if (times[0] > PATIENCE_MS / ROUNDS) continue;
      times.push(...(await samples(task.run, { count, least: 0 })));
    }
  }
  for (const { task, times, result } of timed) {
    result.fastest = Math.min(...times);
    result.median = median(times);
    task.close();
  }
  return entrants.map(({ result }) => result);
}

/**
 * @param {any} kernels
 * @param {import('./shapes.js').Shape[]} shapes
 * @returns {AsyncGenerator<{ kind: string, [field: string]: any }>}
 */
export async function* measureAll(kernels, shapes) {
  const { contestants, adapter } = await contestantsOf(kernels);
  const names = contestants.map(({ name }) => name);
  yield { kind: 'about', about: { variant: kernels.variant, contestants: names, adapter } };
  const pace = new Map();
  let limits;
  for (const [index, shape] of shapes.entries()) {
    yield { kind: 'step', index, shape: shapeName(shape) };
    const now = limitsOf(kernels, LIMITS_MS);
    if (now) {
      limits = bestLimits(limits, now);
      yield { kind: 'limits', limits };
    }
    const results = await measureShape(shape, contestants, pace);
    const row = { shape, flops: flops(shape), bytes: leastBytes(shape), results };
    yield { kind: 'row', row };
  }
}

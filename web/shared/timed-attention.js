/**
 * Attention timed by the module `kernels`: the same random heads, the naive and the fused way, for one length after
 * another. The clock and the budget are here; what is computed, and its own time, come from the module, which is fetched
 * for the first task: it is large, and most readers time nothing.
 */

import { load } from '../runtime/index.js';
import { msg } from './language.js';

/** A call shorter than this is repeated within one sample: clocks of browsers tick coarsely. */
const SAMPLE_MS = 10;
const MOST_REPEATS = 400;
/** Of so many samples the fastest is kept, as long as they fit into this together: others only had worse company. */
const SAMPLES = 4;
const SAMPLES_MS = 500;
/** A task is not begun when the one before tells that it would hold the page for longer. */
export const BUDGET_MS = 3000;

/** Numbers of about the size of a normed query's, the same each time (Park and Miller 1988). */
export function fill(numbers) {
  let seed = 1;
  for (let at = 0; at < numbers.length; at += 1) {
    seed = (seed * 48271) % 2147483647;
    numbers[at] = seed / 1073741823.5 - 1;
  }
  return numbers;
}

/**
 * The back ends of the module `kernels` that need no GPU, known before it is there: it comes in the same build as every
 * module.
 * @param {{variant: string}} module
 */
export const backendsOf = ({ variant }) => (variant === 'scalar' ? ['scalar'] : ['scalar', 'simd']);

/** Whether the page may ask for WebGPU. Whether it gets one is known when it is opened. */
export const hasWebGpu = () => globalThis.navigator?.gpu !== undefined;

/** The tasks of a measurement: each length, and for it each way on each back end. */
export const timedTasks = ({ lengths, ways }) =>
  lengths.flatMap((n) => ways.map((way) => ({ n, way, what: `${way.label}, n = ${n}` })));

/**
 * The quickest of a few samples, and what the first call told. The first also waits for the engine to compile, and for
 * memory.
 * @param {(repeat: number) => {compute_ms: number} | Promise<{compute_ms: number}>} once computes so often
 * @param {(told: any) => boolean} [goesOn] whether the first call was worth going on
 */
export async function quickest(once, goesOn = () => true) {
  const told = await once(1);
  let [ms, spent] = [told.compute_ms, told.compute_ms];
  if (!goesOn(told)) return { told, ms };
  const repeat = Math.min(MOST_REPEATS, Math.ceil(SAMPLE_MS / Math.max(ms, 0.01)));
  for (let sample = 1; sample < SAMPLES && spent + repeat * ms < SAMPLES_MS; sample += 1) {
    const { compute_ms } = await once(repeat);
    spent += repeat * compute_ms;
    ms = Math.min(ms, compute_ms);
  }
  return { told, ms };
}

/**
 * @param {{n_heads: number, d: number, weights: boolean}} options `weights`: they are asked for, which only the naive
 *   way can answer
 */
export function timedAttention({ n_heads, d, weights }) {
  /** @type {import('../runtime/kernels.js').Kernels} */
  let kernels;
  let inputs;
  const close = () => {
    for (const tensor of Object.values(inputs?.tensors ?? {})) tensor.close();
    inputs = undefined;
  };
  const prepare = (n) => {
    if (inputs?.n === n) return inputs.tensors;
    close();
    const count = n_heads * n * d;
    const [Q, K, V, output] = [1, 2, 3, 4].map(() => kernels.tensor(count));
    inputs = { n, tensors: { Q, K, V, output } };
    const numbers = fill(new Float32Array(count));
    for (const tensor of [Q, K, V]) tensor.write(numbers);
    return inputs.tensors;
  };
  /** Twice the length takes four times the time. */
  const expected = (before, { n }) => (before === undefined ? 0 : before.ms * (n / before.n) ** 2);
  /** One computation, or the promise of one where a GPU is waited for. */
  const once = ({ way, n }, repeat) => {
    const options = { ...prepare(n), n_heads, n_q: n, n_k: n, d_k: d, d_v: d, repeat };
    const naive = way.naive || weights;
    if (way.backend === 'webgpu') {
      const passes = naive ? 'three' : 'fused';
      return kernels.attentionAnywhere({ ...options, backend: 'webgpu', passes });
    }
    return naive
      ? kernels.attentionNaive({ ...options, backend: way.backend, weights })
      : kernels.attention({ ...options, backend: way.backend });
  };
  return {
    close,
    async run(task, results) {
      const before = results.findLast((result) => result.way.id === task.way.id);
      if (before?.problem) return { ...task, problem: before.problem };
      if (expected(before, task) > BUDGET_MS) return { ...task, problem: 'too slow' };
      kernels ??= await load('kernels');
      try {
        const isThere = ({ backend }) => backend === task.way.backend;
        const { told, ms } = await quickest((repeat) => once(task, repeat), isThere);
        const { backend, adapter, notice } = told;
        if (!isThere(told)) return { ...task, problem: 'not there', message: notice };
        return { ...task, where: adapter?.kind ?? backend, ms };
      } catch (error) {
        return { ...task, problem: problemOf(error), message: error.message };
      }
    },
  };
}

/** An error in the few words that a cell of a table has room for. */
export function problemOf({ code }) {
  if (code === 'too_large' || code === 'out_of_memory') return 'too large';
  return code === 'webgpu_unavailable' ? 'not there' : 'failed';
}

/** Why something has no time, in the words of the page. @param {string} problem as a result tells it */
export function sayProblem(problem) {
  if (problem === 'too slow') return msg('too slow');
  if (problem === 'too large') return msg('too large');
  return problem === 'not there' ? msg('not there') : msg('failed');
}

/** How many times longer the one took than the other, at the longest text that both were timed for. */
export function timedRatio(results, one, other) {
  const both = results.findLast(
    ({ n, way, ms }) =>
      way.id === one &&
      ms > 0 &&
      results.some((result) => result.n === n && result.way.id === other && result.ms > 0),
  );
  if (both === undefined) return undefined;
  const { ms } = results.find((result) => result.n === both.n && result.way.id === other);
  return { n: both.n, where: both.where, one: both.ms, other: ms, ratio: both.ms / ms };
}

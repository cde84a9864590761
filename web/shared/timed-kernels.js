/**
 * What the module `kernels` computes, timed: for one length after another each way once, and all of that again in a few
 * rounds, so that whatever else the machine does falls on every way alike. Of each the least is kept. The clock and the
 * budget are here; what is computed, and its own time, come from the module, which is fetched for the first task: it is
 * large, and most readers time nothing.
 */

import { load } from '../runtime/index.js';
import { msg } from './language.js';

/** A call shorter than this is repeated within one sample: clocks of browsers tick coarsely. */
const SAMPLE_MS = 10;
const MOST_REPEATS = 400;
/** The first round also waits for the engine to compile, and for memory. */
export const ROUNDS = 3;
/** All later rounds together, an equal share each: what would take longer has fewer samples. */
const LATER_ROUNDS_MS = 4500;
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

/** The tasks of a measurement: in each round each length, and for it each way. */
export const timedTasks = ({ lengths, ways }) =>
  Array.from({ length: ROUNDS }, (_, round) =>
    lengths.flatMap((n) => ways.map((way) => ({ round, n, way, what: `${way.label}, n = ${n}` }))),
  ).flat();

/** What was measured of one length and way, or undefined. */
export const timeOf = (results, n, way) =>
  results.find((result) => result.n === n && result.way.id === way.id);

/** One result for each length and way, where the first of it stood. */
const keep = (results, result) => {
  const before = timeOf(results, result.n, result.way);
  return before
    ? results.map((other) => (other === before ? result : other))
    : [...results, result];
};

const repeatsOf = (ms) => Math.min(MOST_REPEATS, Math.ceil(SAMPLE_MS / Math.max(ms, 0.01)));

/**
 * How the tasks of `timedTasks` are done, for a `Measurement`.
 * @param {object} timed
 * @param {(n: number) => Record<string, Float32Array | number>} timed.inputs the arrays of a length, or how many numbers
 *   one has that is only written
 * @param {(call: {kernels: any, tensors: any, n: number, way: any, repeat: number}) => any} timed.once computes so often,
 *   and tells `compute_ms` and `backend`, or promises to
 * @param {(way: any) => number} timed.growth twice the length takes 2 to this power times the time, at most
 * @param {(told: any, way: any) => boolean} [timed.isThere] whether the first call ran where it was asked to
 * @param {() => Promise<any>} [timed.open]
 */
export function timedKernels({
  inputs,
  once,
  growth,
  isThere = () => true,
  open = () => load('kernels'),
}) {
  let kernels;
  let made;
  let spent = 0;
  const close = () => {
    for (const tensor of Object.values(made?.tensors ?? {})) tensor.close();
    made = undefined;
  };
  const tensorsOf = (n) => {
    if (made?.n === n) return made.tensors;
    close();
    made = { n, tensors: {} };
    for (const [name, numbers] of Object.entries(inputs(n))) {
      made.tensors[name] = kernels.tensor(numbers);
    }
    return made.tensors;
  };
  const compute = ({ n, way }, repeat) => once({ kernels, tensors: tensorsOf(n), n, way, repeat });
  const expected = (before, { n, way }) =>
    before === undefined ? 0 : before.ms * (n / before.n) ** growth(way);

  const first = async (task, before) => {
    if (before?.problem) return { ...task, problem: before.problem };
    if (expected(before, task) > BUDGET_MS) return { ...task, problem: 'too slow' };
    kernels ??= await open();
    const told = await compute(task, 1);
    const { backend, adapter, notice, compute_ms } = told;
    if (!isThere(told, task.way)) return { ...task, problem: 'not there', message: notice };
    const repeat = repeatsOf(compute_ms);
    const more = repeat > 1 ? (await compute(task, repeat)).compute_ms : compute_ms;
    return { ...task, where: adapter?.kind ?? backend, ms: Math.min(compute_ms, more) };
  };
  const again = async (task, before) => {
    if (before.problem) return before;
    const repeat = repeatsOf(before.ms);
    const share = (LATER_ROUNDS_MS * task.round) / (ROUNDS - 1);
    if (spent + repeat * before.ms > share) return before;
    const { compute_ms } = await compute(task, repeat);
    spent += repeat * compute_ms;
    return { ...before, ms: Math.min(before.ms, compute_ms) };
  };
  return {
    close,
    keep,
    async run(task, results) {
      const same = timeOf(results, task.n, task.way);
      const shorter = results.findLast(({ way }) => way.id === task.way.id);
      try {
        return await (same ? again(task, same) : first(task, shorter));
      } catch (error) {
        return { ...task, problem: problemOf(error), message: error.message };
      }
    },
  };
}

/** An error in the few words that a cell of a table has room for. */
function problemOf({ code }) {
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

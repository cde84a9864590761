/** Timing what may take nanoseconds or seconds, on clocks that tick coarsely. */

/** No more computations than this in a sample. */
const MOST = 1e6;

/** @typedef {(count: number) => number | Promise<number>} Run  Computes so often, and gives the ms of one. */

/** @param {() => unknown} compute @returns {Run} */
export const loop = (compute) => (count) => {
  const began = performance.now();
  for (let i = 0; i < count; i += 1) compute();
  return (performance.now() - began) / count;
};

/** The same where each has to be waited for. @param {() => Promise<unknown>} compute @returns {Run} */
export const loopAsync = (compute) => async (count) => {
  const began = performance.now();
  for (let i = 0; i < count; i += 1) await compute();
  return (performance.now() - began) / count;
};

/**
 * How many computations make a sample that the clock can tell, and the ms of one. It runs meanwhile, so what comes
 * after it is warm.
 * @param {Run} run
 * @param {number} least  The ms of a sample: a hundred ticks of the clock, or more.
 */
export async function countFor(run, least) {
  for (let count = 1; ;) {
    const ms = await run(count);
    const sum = ms * count;
    if (sum >= least || count >= MOST) return { count, ms };
    count = Math.min(MOST, sum > least / 40 ? Math.ceil((1.5 * least) / ms) : count * 16);
  }
}

/**
 * Samples for at least so many ms, and at least one: the ms of one computation in each.
 * @param {Run} run
 * @param {{ count: number, least: number }} how
 */
export async function samples(run, { count, least }) {
  const all = [];
  const began = performance.now();
  do all.push(await run(count));
  while (performance.now() - began < least);
  return all;
}

/** @param {number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

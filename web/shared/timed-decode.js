/**
 * A small model that writes on this machine, with its cache and without, each step timed by the module `cache`. The
 * clock and the budget are here; what is computed, and its own time, come from the module.
 */

/** A step shorter than this is repeated within one sample: clocks of browsers tick coarsely. */
const SAMPLE_MS = 8;
const MOST_REPEATS = 400;

/** The lengths at which a step is timed. */
const lengthsTo = (most, every) => Array.from({ length: most / every }, (_, i) => (i + 1) * every);

/**
 * @param {import('../runtime/cache.js').Cache} cache
 * @param {{most: number, every: number}} options tokens that are written, and how many from one time to the next
 */
export function timedDecode(cache, { most, every }) {
  let run;
  const last = { true: 1, false: 1 };
  /** Steps up to a length, the last of them timed. */
  const stepsTo = (n, cached) => {
    let step;
    while (step === undefined || step.tokens < n) {
      const before = step;
      const timed = (before?.tokens ?? n - every) === n - 1;
      const repeat = timed
        ? Math.min(MOST_REPEATS, Math.ceil(SAMPLE_MS / Math.max(last[cached], 0.01)))
        : 1;
      step = cached ? run.stepWith({ repeat }) : run.stepWithout({ repeat });
      last[cached] = step.compute_ms;
    }
    return step;
  };
  return {
    tasks: lengthsTo(most, every).map((n) => ({ n, what: `${n} tokens` })),
    close() {
      run?.close();
      run = undefined;
    },
    async run({ n }) {
      run ??= cache.decodeRun({ n: most });
      const without = stepsTo(n, false);
      const kept = stepsTo(n, true);
      const { passes_with, passes_without, same_tokens } = run.state();
      return {
        n,
        with_ms: kept.compute_ms,
        without_ms: without.compute_ms,
        passes_with,
        passes_without,
        same_tokens,
      };
    },
  };
}

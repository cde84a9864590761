/**
 * A small model that writes on this machine, with its cache and without, each step timed by the module `cache`. The
 * clock and the budget are here; what is computed, and its own time, come from the module.
 */
import { BUDGET_MS } from './timed-attention.js';

/** A step shorter than this is repeated within one sample: clocks of browsers tick coarsely. */
const SAMPLE_MS = 5;
const MOST_REPEATS = 500;
/**
 * So many runs write the same text side by side, and of their times the fastest is kept: the others only had worse
 * company. One run makes each step once, and a step before is a shorter one.
 */
const RUNS = 4;
/** Steps of a run that is thrown away: the engine compiles again what runs often. */
const WARM_STEPS = 48;

/** The page draws and answers between two runs. */
const breathe = () => new Promise((resolve) => setTimeout(resolve));

/** The lengths at which a step is timed. */
const lengthsTo = (most, every) => Array.from({ length: most / every }, (_, i) => (i + 1) * every);

/**
 * @param {import('../runtime/cache.js').Cache} cache
 * @param {{most: number, every: number}} options tokens that are written, and how many from one time to the next
 */
export function timedDecode(cache, { most, every }) {
  let runs = [];
  const step = (run, cached, repeat = 1) =>
    cached ? run.stepWith({ repeat }) : run.stepWithout({ repeat });
  /** The steps before a length without a clock, then that of the length; its least time, in milliseconds. */
  const stepAt = async (cached) => {
    let least = Number.POSITIVE_INFINITY;
    for (const run of runs) {
      await breathe();
      let ms = 0;
      for (let done = 1; done < every; done += 1) ms = step(run, cached).compute_ms;
      const repeat = Math.min(MOST_REPEATS, Math.ceil(SAMPLE_MS / Math.max(ms, 0.01)));
      least = Math.min(least, step(run, cached, repeat).compute_ms);
    }
    return least;
  };
  const close = () => {
    for (const run of runs) run.close();
    runs = [];
  };
  const begin = () => {
    runs = [cache.decodeRun({ n: WARM_STEPS })];
    for (let done = 0; done < WARM_STEPS; done += 1) {
      step(runs[0], false);
      step(runs[0], true);
    }
    close();
    for (let i = 0; i < RUNS; i += 1) runs.push(cache.decodeRun({ n: most }));
  };
  /** How long a task will take, by the time of the step before it: a step grows with its tokens. */
  const expected = (before, n) =>
    before === undefined ? 0 : RUNS * every * before.without_ms * (n / before.n);
  return {
    tasks: lengthsTo(most, every).map((n) => ({ n, what: `${n} tokens` })),
    close,
    async run({ n }, results) {
      const before = results.at(-1);
      if (before?.problem || expected(before, n) > BUDGET_MS) return { n, problem: 'too slow' };
      if (runs.length === 0) begin();
      const without_ms = await stepAt(false);
      const with_ms = await stepAt(true);
      const { passes_with, passes_without, same_tokens } = runs[0].state();
      return { n, with_ms, without_ms, passes_with, passes_without, same_tokens };
    },
  };
}

/**
 * A small model that writes on this machine, with its cache and without, each step timed by the module `cache`. The
 * clock and the budget are here; what is computed, and its own time, come from the module.
 */

/** A step shorter than this is repeated within one sample: clocks of browsers tick coarsely. */
const SAMPLE_MS = 2;
const MOST_REPEATS = 200;
/** Of the last so many steps before a length the fastest is kept: the others only had worse company. */
const SAMPLES = 8;
/** Steps of a run that is thrown away: the engine compiles again what runs often. */
const WARM_STEPS = 48;

/** The lengths at which a step is timed. */
const lengthsTo = (most, every) => Array.from({ length: most / every }, (_, i) => (i + 1) * every);

/**
 * @param {import('../runtime/cache.js').Cache} cache
 * @param {{most: number, every: number}} options tokens that are written, and how many from one time to the next
 */
export function timedDecode(cache, { most, every }) {
  let run;
  const step = (cached, repeat = 1) =>
    cached ? run.stepWith({ repeat }) : run.stepWithout({ repeat });
  /** The steps before a length without a clock, then some with one; the time of the fastest, in milliseconds. */
  const stepsTo = (cached) => {
    let ms = step(cached).compute_ms;
    for (let done = 1; done < every - SAMPLES; done += 1) ms = step(cached).compute_ms;
    const repeat = Math.min(MOST_REPEATS, Math.ceil(SAMPLE_MS / Math.max(ms, 0.01)));
    let least = Number.POSITIVE_INFINITY;
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      least = Math.min(least, step(cached, repeat).compute_ms);
    }
    return least;
  };
  const begin = () => {
    run = cache.decodeRun({ n: WARM_STEPS });
    for (let done = 0; done < WARM_STEPS; done += 1) {
      step(false);
      step(true);
    }
    run.close();
    run = cache.decodeRun({ n: most });
  };
  return {
    tasks: lengthsTo(most, every).map((n) => ({ n, what: `${n} tokens` })),
    close() {
      run?.close();
      run = undefined;
    },
    async run({ n }) {
      if (run === undefined) begin();
      const without_ms = stepsTo(false);
      const with_ms = stepsTo(true);
      const { passes_with, passes_without, same_tokens } = run.state();
      return { n, with_ms, without_ms, passes_with, passes_without, same_tokens };
    },
  };
}

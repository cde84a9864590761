/**
 * A small model that writes on this machine, with its cache and without, each step timed by the module `decode`. The
 * clock and the budget are here; what is computed, and its own time, come from the module.
 */
import { msg, str } from './language.js';
import { BUDGET_MS } from './timed-kernels.js';

/** A step shorter than this is repeated within one sample: clocks of browsers tick coarsely. */
const SAMPLE_MS = 2;
const MOST_REPEATS = 200;
/**
 * Of the last so many steps up to a length the fastest is kept: the others only had worse company. It is mostly a
 * shorter one, so it is told with its own tokens. A run makes each step once, and eight runs side by side, for eight
 * samples of one step, take eight times as long and tell no more.
 */
const SAMPLES = 8;
/** Steps of a run that is thrown away: the engine compiles again what runs often. */
const WARM_STEPS = 48;

/** The lengths at which a step is timed. */
const lengthsTo = (most, every) => Array.from({ length: most / every }, (_, i) => (i + 1) * every);

/**
 * @param {import('../runtime/decode.js').Decode} decode
 * @param {{most: number, every: number}} options tokens that are written, and how many from one time to the next
 */
export function timedDecode(decode, { most, every }) {
  let run;
  const step = (cached, repeat = 1) =>
    cached ? run.stepWith({ repeat }) : run.stepWithout({ repeat });
  /** The steps before a length without a clock, then some with one; of the fastest its tokens and its milliseconds. */
  const stepsTo = (cached) => {
    let ms = step(cached).compute_ms;
    for (let done = 1; done < every - SAMPLES; done += 1) ms = step(cached).compute_ms;
    const repeat = Math.min(MOST_REPEATS, Math.ceil(SAMPLE_MS / Math.max(ms, 0.01)));
    let fastest = { compute_ms: Number.POSITIVE_INFINITY };
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      const timed = step(cached, repeat);
      if (timed.compute_ms < fastest.compute_ms) fastest = timed;
    }
    return { tokens: fastest.tokens, ms: fastest.compute_ms };
  };
  const begin = () => {
    run = decode.decodeRun({ n: WARM_STEPS });
    for (let done = 0; done < WARM_STEPS; done += 1) {
      step(false);
      step(true);
    }
    run.close();
    run = decode.decodeRun({ n: most });
  };
  /** How long a task will hold the page, by the time of a step before it: without the cache it grows with its tokens. */
  const expected = (before, n) =>
    before === undefined ? 0 : (every * before.without.ms * n) / before.without.tokens;
  return {
    tasks: lengthsTo(most, every).map((n) => ({ n, what: msg(str`${n} tokens`) })),
    close() {
      run?.close();
      run = undefined;
    },
    async run({ n }, results) {
      const before = results.at(-1);
      if (before?.problem || expected(before, n) > BUDGET_MS) return { n, problem: 'too slow' };
      if (run === undefined) begin();
      const anew = stepsTo(false);
      const kept = stepsTo(true);
      const { passes_with, passes_without, same_tokens } = run.state();
      return { n, without: anew, with: kept, passes_with, passes_without, same_tokens };
    },
  };
}

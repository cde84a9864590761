/**
 * The experiment with scores of random vectors, as slides 19 and 20 ask for it: what is run while a slider moves, how its
 * numbers are written, and its spread over two hundred seeds.
 */
import { msg, str } from './language.js';
import { formatMagnitude, formatNumber } from './number.js';
import { indices } from './pick.js';

/** Drawn while a slider moves: some milliseconds of them, wherever it stands. */
const WHILE_MOVING = 450_000;
/** Of a run that has settled: all rows that the fields allow. */
const SETTLED = 2 ** 26;

/** Where the divided scores stand in each list: not at all, by √d_k, by d_k. */
export const DIVISORS = { none: 0, root: 1, all: 2 };

/** One run, shaped: an entry for each divisor. */
export function scalingRun(experiments, options, moving) {
  const { bins = 48 } = options;
  const run = experiments.scalingExperiment({
    ...options,
    bins,
    most_numbers: moving ? WHILE_MOVING : SETTLED,
  });
  const part = (list, k, length) => list.subarray(k * length, (k + 1) * length);
  return {
    rows: run.rows,
    reach: run.reach,
    divided: indices(3).map((k) => ({
      divisor: run.divisors[k],
      variance: run.variances[k],
      largest: run.largest_weights[k],
      gradient: run.gradient_norms[k],
      dead: run.dead_percents[k],
      histogram: part(run.histograms, k, bins),
      rowLargest: part(run.row_largest_weights, k, run.rows),
      rowGradients: part(run.row_gradient_norms, k, run.rows),
    })),
  };
}

/** A weight, with more places where it nears one, which it never is. */
export const formatWeight = (weight) =>
  formatNumber(weight, { decimals: weight > 0.9995 && weight < 1 ? 5 : 3 });
export const formatGradient = formatMagnitude;
export const formatDead = (percent) => formatNumber(percent, { decimals: 1, trim: true });

export const FIELDS = ['largest', 'gradient', 'dead'];
/** What is said of the seeds: where 95 of 100 lie, and their median. */
const SHARES = [0.025, 0.5, 0.975];
const [TASKS, EACH] = [20, 10];
export const SEEDS = TASKS * EACH;

/**
 * The run over seeds 1 to 200, a few at a time, as `measure.plan` gives it. Each result holds the samples so far and, per
 * divisor and field, their quantiles.
 */
export function seedPlan(experiments, { d_k, keys, rows }) {
  return {
    tasks: indices(TASKS).map((task) => {
      const [first, last] = [task * EACH + 1, (task + 1) * EACH];
      return {
        what: msg(str`seeds ${first} to ${last}`),
        seeds: indices(EACH).map((i) => first + i),
      };
    }),
    run: async ({ seeds }, results) => {
      const samples = [...(results.at(-1)?.samples ?? [])];
      for (const seed of seeds) {
        // One seed may take as long as a frame: the page draws and answers between two.
        await new Promise((resolve) => setTimeout(resolve));
        samples.push(scalingRun(experiments, { d_k, keys, rows, seed, bins: 1 }, false).divided);
      }
      const spread = indices(3).map((k) =>
        Object.fromEntries(
          FIELDS.map((field) => {
            const values = Float64Array.from(samples, (divided) => divided[k][field]);
            const { quantiles } = experiments.quantiles({ values, shares: SHARES });
            const [low, median, high] = quantiles;
            return [field, { low, median, high }];
          }),
        ),
      );
      return { samples, seeds: samples.length, spread };
    },
    close: () => {},
  };
}

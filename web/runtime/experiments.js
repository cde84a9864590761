import { Facade } from './facade.js';

/**
 * @typedef {object} GradientReachOptions
 * @property {number} n  Tokens of the run that is drawn.
 * @property {ArrayLike<number>} lengths  Runs of which only the far end is asked for.
 * @property {number} [scale]  Of the plain RNN's orthogonal matrix.
 * @property {number} [seed]
 * @property {number} [seeds]  Over how many seeds, from 1 on, the quartiles are taken.
 * @property {number} [forget_gate]
 * @property {number} [forget_bias]
 * @property {object} [out]  An earlier result: its arrays are written again where they fit.
 *
 * @typedef {object} GradientReach  Place d of a curve is d tokens back [n]; `…_ends` are of each length [lengths].
 * @property {Float64Array} plain
 * @property {Float64Array} lower
 * @property {Float64Array} median
 * @property {Float64Array} upper
 * @property {Float64Array} cell_path
 * @property {Float64Array} lstm
 * @property {Float64Array} attention
 * @property {Float64Array} plain_ends
 * @property {Float64Array} lower_ends
 * @property {Float64Array} median_ends
 * @property {Float64Array} upper_ends
 * @property {Float64Array} cell_path_ends
 * @property {Float64Array} lstm_ends
 * @property {Float64Array} attention_ends
 *
 * @typedef {object} ScalingOptions
 * @property {number} d_k  Length of a query and of a key, 1 to 4,096.
 * @property {number} [keys]  Of each row, 16 unless told; at most 256.
 * @property {number} [rows]  Each with its own query, keys and gradient; 200 unless told, at most 2,000.
 * @property {number} [seed]  1 unless told.
 * @property {number} [bins]  Of the histograms; 48 unless told, at most 512.
 * @property {number} [most_numbers]  As many rows are run as draw no more random numbers than this, but one at least.
 * @property {object} [out]  An earlier result: its arrays are written again where they fit.
 *
 * @typedef {object} ScalingRun  One entry for each divisor of the scores: 1, √d_k, d_k.
 * @property {number} rows  That were run.
 * @property {number} reach  The bins part [−reach, reach] evenly; what lies beyond counts in the last.
 * @property {Float64Array} divisors  [3]
 * @property {Float64Array} variances  [3] of all scores, after the division.
 * @property {Float64Array} largest_weights  [3] median over the rows.
 * @property {Float64Array} gradient_norms  [3] median over the rows, for the scores that enter the softmax.
 * @property {Float64Array} dead_percents  [3] rows whose gradient is shorter than 0.001.
 * @property {Float64Array} row_largest_weights  [3, rows]
 * @property {Float64Array} row_gradient_norms  [3, rows]
 * @property {Int32Array} histograms  [3, bins]
 *
 * @typedef {object} ScoreStatistics  What is known of the scores of N(0, 1) vectors without drawing any.
 * @property {number} variance  Of one score: d_k.
 * @property {number} deviation  √d_k.
 * @property {number} differ_probability  That two scores differ by more than `gap`.
 * @property {number} mean_range  Between the largest and the smallest of a row.
 * @property {number} left_behind  e^−gap.
 * @property {number} variance_over_d_k  Of a score divided by d_k.
 * @property {number} uniform_weight  1 / keys.
 *
 * @typedef {object} WayBack
 * @property {Float64Array} A  [n, m] softmax of each row of S.
 * @property {Float64Array} largest_weights  [n]
 * @property {Float64Array} products  [n, m] dA ∘ A.
 * @property {Float64Array} means  [n] their row sums.
 * @property {Float64Array} deviations  [n, m] dA less its row's mean.
 * @property {Float64Array} dS  [n, m] A ∘ deviations.
 * @property {Float64Array} sums  [n] row sums of dS: 0 up to rounding.
 * @property {Float64Array} norms  [n] of the rows of dS.
 */

/** @type {Record<string, { [field: string]: import('./options.js').Kind }>} */
const kinds = {
  gradientReach: {
    n: 'scalar',
    lengths: 'integers',
    scale: 'scalar',
    seed: 'scalar',
    seeds: 'scalar',
    forget_gate: 'scalar',
    forget_bias: 'scalar',
    out: 'out',
  },
  scalingExperiment: {
    d_k: 'scalar',
    keys: 'scalar',
    rows: 'scalar',
    seed: 'scalar',
    bins: 'scalar',
    most_numbers: 'scalar',
    out: 'out',
  },
  scoreStatistics: { d_k: 'scalar', keys: 'scalar', gap: 'scalar', out: 'out' },
  quantiles: { values: 'floats', shares: 'floats', out: 'out' },
  softmaxWayBack: { S: 'floats', dA: 'floats', n: 'scalar', m: 'scalar', out: 'out' },
  drawnScores: { seed: 'scalar', n: 'scalar', d_k: 'scalar', factor: 'scalar', out: 'out' },
};

/** Arrays that C++ would take as empty when they are missing. @type {Record<string, string[]>} */
const needed = { gradientReach: ['lengths'], quantiles: ['values', 'shares'] };

/**
 * The lecture's experiments: what is run over many seeds, rows or steps to see how attention and its rivals behave.
 */
export class Experiments extends Facade {
  /**
   * @param {import('./loader.js').Running} running
   * @param {() => Promise<import('./loader.js').Running>} restart
   */
  constructor(running, restart) {
    super(running, restart, kinds, needed);
  }

  /**
   * How far a gradient of norm 1 at the last of `n` tokens reaches back: through a plain RNN of `seed` and its quartiles
   * over seeds 1 to `seeds`, along the cells of an LSTM whose forget gates stand at `forget_gate`, and of one whose gates
   * follow what it reads around `forget_bias`, and through attention.
   * @param {GradientReachOptions} options
   * @returns {GradientReach}
   */
  gradientReach(options) {
    return this.ask('gradientReach', options);
  }

  /**
   * What large scores do to a softmax and to its gradient: rows of N(0, 1) queries, keys and gradients, the scores
   * divided by 1, by √d_k and by d_k. One stream of numbers per seed: queries, keys row by row, gradients.
   * @param {ScalingOptions} options
   * @returns {ScalingRun}
   */
  scalingExperiment(options) {
    return this.ask('scalingExperiment', options);
  }

  /**
   * The spread of such scores, reckoned instead of drawn. `gap` is a distance between two scores, 0 to 700.
   * @param {{d_k: number, keys: number, gap: number, out?: object}} options
   * @returns {ScoreStatistics}
   */
  scoreStatistics(options) {
    return this.ask('scoreStatistics', options);
  }

  /**
   * The values below which the given shares (0 to 1) of up to 4,096 numbers lie, in between as NumPy's quantile.
   * @param {{values: ArrayLike<number>, shares: ArrayLike<number>, out?: object}} options
   * @returns {{quantiles: Float64Array}}  [shares]
   */
  quantiles(options) {
    return this.ask('quantiles', options);
  }

  /**
   * What a gradient dA [n, m] becomes on its way back through the softmax of each row of S [n, m], step by step.
   * @param {{S: ArrayLike<number>, dA: ArrayLike<number>, n: number, m: number, out?: object}} options
   * @returns {WayBack}
   */
  softmaxWayBack(options) {
    return this.ask('softmaxWayBack', options);
  }

  /**
   * Scores [n, n] of N(0, 1) queries that are `factor` times longer, over √d_k, and a gradient dA [n, n], from one
   * stream: queries, keys, gradient. n is at most 64, d_k 4,096, factor 10,000.
   * @param {{seed: number, n: number, d_k: number, factor: number, out?: object}} options
   * @returns {{S: Float64Array, dA: Float64Array}}
   */
  drawnScores(options) {
    return this.ask('drawnScores', options);
  }
}

/**
 * @param {import('./loader.js').Running} running
 * @param {() => Promise<import('./loader.js').Running>} restart
 */
export function createExperiments(running, restart) {
  return new Experiments(running, restart);
}

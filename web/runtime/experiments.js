import { Facade } from './facade.js';
import { maskFields } from './mask-options.js';

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
 * @typedef {object} MultiHeadShapes
 * @property {number[]} X
 * @property {number[]} Q
 * @property {number[]} K
 * @property {number[]} V
 * @property {number[]} Q_heads
 * @property {number[]} K_heads
 * @property {number[]} V_heads
 * @property {number[]} scores
 * @property {number[]} weights
 * @property {number[]} head_outputs
 * @property {number[]} concat
 * @property {number[]} output
 * @property {number} head_dim
 * @property {number} parameters  Of the four matrices and, unless told, their biases.
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
 *
 * @typedef {object} DrawVectorsOptions
 * @property {Exclude<MapHead, 'typed'>} [head]
 * @property {number} n  Tokens for which they suffice, whatever their words, at most 256.
 * @property {number} width  Components of each, at most 1024.
 * @property {number} seed
 * @property {object} [out]  An earlier result: its array is written again where it fits.
 *
 * @typedef {object} DrawValuesOptions
 * @property {ArrayLike<number>} words  Which word each token is, as of `attentionMap`.
 * @property {number} d_v  Components of each, at most 8.
 * @property {number} seed
 * @property {object} [out]  An earlier result: its array is written again where it fits.
 *
 * @typedef {'content' | 'previous' | 'distance' | 'untrained' | 'typed'} MapHead
 *   content: one vector for each word, query and key alike; previous: the query of a place is the key of the one before;
 *   distance: pairs of cosine and sine, so that near weighs more; untrained: query and key drawn apart; typed: `scores`.
 *
 * @typedef {object} AttentionMapOptions
 * @property {ArrayLike<number>} words  Which word each token is, by a number from 0 on [n], n at most 256, for typed 8.
 * @property {MapHead} [head]
 * @property {number} d_k  At most 1024. Of a typed head it sets the divisor alone.
 * @property {boolean} [divide]  By √d_k; true unless told.
 * @property {ArrayLike<number>} [vectors]  Of `drawVectors` for this head and as many tokens or more, of which the first
 *   d_k components are used; none of a typed head.
 * @property {number} [width]
 * @property {ArrayLike<number>} [scores]  Of a typed head [8, 8], of which the first n rows and columns are used.
 * @property {object} [mask]  The four masks, as of `core.attention`.
 * @property {ArrayLike<number>} [values]  What each token has to give [n, d_v].
 * @property {number} [d_v]  Components of each value, at most 8; none unless told.
 * @property {object} [out]  An earlier result: its arrays are written again where they fit.
 *
 * @typedef {object} AttentionMap
 * @property {number} divisor
 * @property {Float32Array} query_parts  The first components of each query [n, min(d_k, 4)]; empty of a typed head.
 * @property {Float32Array} key_parts
 * @property {Float64Array} scores  [n, n], as all that follow unless told.
 * @property {Float64Array} scaled
 * @property {Float64Array} shift  What each row subtracts before it exponentiates [n].
 * @property {Float64Array} exponentials
 * @property {Float64Array} sums  [n]
 * @property {Float64Array} weights
 * @property {Float64Array} weight_sums  [n] 1 up to rounding, 0 of a row that sees nothing.
 * @property {Uint8Array} largest
 * @property {Uint8Array} hidden_by  0, or the sum of the masks that hide the pair: 1 causal, 2 padding, 4 window, 8 document.
 * @property {Int32Array} seen  Keys that each row sees [n].
 * @property {Float64Array} hidden_weight  What its hidden keys would weigh without the mask [n].
 * @property {Float64Array} largest_weight  [n]
 * @property {number} mean_largest  Over the rows that see two keys or more.
 * @property {Int32Array} ranked  The keys that weigh most, heaviest first [n, min(n, 5)].
 * @property {Float64Array} outputs  Each row's weighted sum of the values [n, d_v]; empty without values.
 *
 * @typedef {Float64Array | readonly number[]} Doubles
 *
 * @typedef {object} OnlineSoftmaxOptions
 * @property {Doubles} Q  [n_q, d_k]
 * @property {Doubles} K  [n_k, d_k]
 * @property {Doubles} V  [n_k, d_v]
 * @property {number} n_q
 * @property {number} n_k
 * @property {number} d_k
 * @property {number} d_v
 * @property {number} [tile_q]  Queries of a tile, 2 unless told.
 * @property {number} [tile_k]  Keys of a tile, 4 unless told.
 * @property {boolean} [divide]  Whether scores are divided by √d_k; true unless told.
 * @property {import('./core.js').MaskOptions | null} [mask]
 * @property {object} [out]
 *
 * @typedef {object} OnlineSoftmaxResult  Query block a and key block b meet in tile [a, b]; a row of numbers for each
 *   query i and key block b. What is not read holds −∞ as a score and 0 as an exponential.
 * @property {number} query_blocks
 * @property {number} key_blocks
 * @property {Int32Array} query_begin  [query_blocks + 1] the first query of each block, and n_q
 * @property {Int32Array} key_begin  [key_blocks + 1]
 * @property {number} held_scores  Scores of one tile: the most that is kept of them at one time.
 * @property {number} held_results  Largest, sum and output of the rows of one block.
 * @property {number} divisor
 * @property {Uint8Array} allowed  [n_q, n_k]
 * @property {Uint8Array} skipped  [query_blocks, key_blocks] 1 where no pair of the tile is allowed
 * @property {Float64Array} scores  [n_q, n_k] after scaling
 * @property {Float64Array} exponentials  [n_q, n_k] e^(score − the largest after its tile)
 * @property {Float64Array} largest_before  [n_q, key_blocks] −∞ before anything is seen
 * @property {Float64Array} largest_after  [n_q, key_blocks]
 * @property {Float64Array} factors  [n_q, key_blocks] e^(before − after)
 * @property {Uint8Array} rescaled  [n_q, key_blocks] 1 where the factor changed what was there
 * @property {Float64Array} sums_before  [n_q, key_blocks]
 * @property {Float64Array} sums_after  [n_q, key_blocks]
 * @property {Float64Array} outputs_before  [n_q, key_blocks, d_v] not yet divided by the sum
 * @property {Float64Array} outputs_rescaled  [n_q, key_blocks, d_v]
 * @property {Float64Array} outputs_after  [n_q, key_blocks, d_v]
 * @property {Int32Array} times_rescaled  [n_q]
 * @property {Float64Array} output  [n_q, d_v]
 * @property {Float64Array} whole  [n_q, d_v] the same by the softmax of whole rows
 * @property {number} largest_difference  between the two
 *
 * @typedef {object} CostOptions
 * @property {number} n
 * @property {number} [n_heads]  1 unless told.
 * @property {number} [d]  Numbers of a query, a key and a value; 64 unless told.
 * @property {number} [bytes_per_number]  4 unless told.
 * @property {number} [tile_q]  128 unless told.
 * @property {number} [tile_k]  64 unless told.
 * @property {number} [fast_bytes]  What the fast memory holds; 192 KiB unless told.
 *
 * @typedef {object} Costs  Exact counts of all heads together, `entries` apart. An exponential counts as one operation.
 * @property {number} entries  n², of one head
 * @property {number} entries_millions
 * @property {number} score_bytes  of S
 * @property {number} score_mebibytes
 * @property {number} entries_doubled  of one head at 2n
 * @property {number} growth  entries_doubled ÷ entries
 * @property {number} product_flops  4 n² d for each head, either way
 * @property {number} naive_softmax_flops  6 for each score
 * @property {number} fused_softmax_flops  5 for each score, and the rescaling
 * @property {number} softmax_percent  of the products
 * @property {number} score_pass_read  Bytes: Q and K in …
 * @property {number} score_pass_written  … S out
 * @property {number} softmax_pass_read  S in …
 * @property {number} softmax_pass_written  … A out
 * @property {number} value_pass_read  A and V in …
 * @property {number} value_pass_written  … O out
 * @property {number} naive_bytes  The three passes together.
 * @property {number} fused_read  Q once; K and V once for each block of queries.
 * @property {number} fused_written  O once.
 * @property {number} fused_bytes
 * @property {number} query_blocks
 * @property {number} bytes_ratio  naive_bytes ÷ fused_bytes
 * @property {number} tile_numbers  What the fast memory holds at one time.
 * @property {number} tile_bytes
 * @property {boolean} fits  tile_bytes ≤ fast_bytes
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
  multiHeadShapes: {
    n: 'scalar',
    d_model: 'scalar',
    n_heads: 'scalar',
    n_kv_heads: 'scalar',
    biases: 'scalar',
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
  drawVectors: { head: 'scalar', n: 'scalar', width: 'scalar', seed: 'scalar', out: 'out' },
  drawValues: { words: 'integers', d_v: 'scalar', seed: 'scalar', out: 'out' },
  attentionMap: {
    words: 'integers',
    head: 'scalar',
    d_k: 'scalar',
    divide: 'scalar',
    vectors: 'float32',
    width: 'scalar',
    scores: 'floats',
    mask: maskFields,
    values: 'floats',
    d_v: 'scalar',
    out: 'out',
  },
  onlineSoftmax: {
    Q: 'floats',
    K: 'floats',
    V: 'floats',
    n_q: 'scalar',
    n_k: 'scalar',
    d_k: 'scalar',
    d_v: 'scalar',
    tile_q: 'scalar',
    tile_k: 'scalar',
    divide: 'scalar',
    mask: maskFields,
    out: 'out',
  },
  attentionCosts: {
    n: 'scalar',
    n_heads: 'scalar',
    d: 'scalar',
    bytes_per_number: 'scalar',
    tile_q: 'scalar',
    tile_k: 'scalar',
    fast_bytes: 'scalar',
  },
};

/** Arrays that C++ would take as empty when they are missing. @type {Record<string, string[]>} */
const needed = {
  gradientReach: ['lengths'],
  quantiles: ['values', 'shares'],
  drawValues: ['words'],
  attentionMap: ['words'],
};

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
   * The shape of every step of a multi-head layer, and its parameters; nothing of these sizes is allocated.
   * @param {{ n: number, d_model: number, n_heads: number, n_kv_heads?: number, biases?: boolean }} options
   * @returns {MultiHeadShapes}
   */
  multiHeadShapes(options) {
    return this.ask('multiHeadShapes', options);
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

  /**
   * Vectors of N(0, 1) numbers for a head of `attentionMap`. Drawn once for the longest text and the greatest width, they
   * serve for every shorter text and smaller d_k, with the same numbers.
   * @param {DrawVectorsOptions} options
   * @returns {{ vectors: Float32Array }}  [count, width]: content n vectors, previous n + 1, distance 1, untrained 2 n
   */
  drawVectors(options) {
    return this.ask('drawVectors', options);
  }

  /**
   * What each token of a text has to give: one value for each distinct word, of N(0, 1) numbers rounded to tenths, so that
   * a weighted sum of them can be checked by hand.
   * @param {DrawValuesOptions} options
   * @returns {{ values: Float64Array }}  [n, d_v]
   */
  drawValues(options) {
    return this.ask('drawValues', options);
  }

  /**
   * All weights of one head over a text, with every step that leads to them: a query and a key of each token, their
   * scores, divided by √d_k or not, masked, exponentiated, and each row divided by its sum.
   * @param {AttentionMapOptions} options
   * @returns {AttentionMap}
   */
  attentionMap(options) {
    return this.ask('attentionMap', options);
  }

  /**
   * Attention of one head tile by tile with a running maximum, every step kept, in float64.
   * @param {OnlineSoftmaxOptions} options
   * @returns {OnlineSoftmaxResult}
   */
  onlineSoftmax(options) {
    return this.ask('onlineSoftmax', options);
  }

  /**
   * What attention costs, counted: operations, and bytes to and from slow memory.
   * @param {CostOptions} options
   * @returns {Costs}
   */
  attentionCosts(options) {
    return this.ask('attentionCosts', options);
  }
}

/**
 * @param {import('./loader.js').Running} running
 * @param {() => Promise<import('./loader.js').Running>} restart
 */
export function createExperiments(running, restart) {
  return new Experiments(running, restart);
}

export { createExperiments as create };
export { selfTestExperiments as selfTest } from './experiments-self-test.js';

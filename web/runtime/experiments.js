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
 * @typedef {object} InfluenceOptions  As multiHead of the core takes them, without biases.
 * @property {number} n  At most 64.
 * @property {number} d_model  At most 256.
 * @property {number} n_heads
 * @property {number} [n_kv_heads]  As many as n_heads unless told.
 * @property {ArrayLike<number>} X  [n, d_model]
 * @property {ArrayLike<number>} W_Q  [d_model, d_model]
 * @property {ArrayLike<number>} W_K  [d_model, n_kv_heads * head_dim]
 * @property {ArrayLike<number>} W_V  [d_model, n_kv_heads * head_dim]
 * @property {ArrayLike<number>} W_O  [d_model, d_model]
 * @property {import('./core.js').MaskOptions | null} [mask]
 * @property {object} [out]  An earlier result: its arrays are written again where they fit.
 *
 * @typedef {object} Influence  Distances are Euclidean, in the layer's output.
 * @property {Float64Array} weights  [n_heads, n, n]
 * @property {Float64Array} output  [n, d_model]
 * @property {Float64Array} value_norms  [n_heads, n] how long the value of each token is as it enters the output.
 * @property {Float64Array} weighted  [n_heads, n, n] weight times that length: how far an output moves when that value is 0.
 * @property {Float64Array} head_changes  [n_heads, n] how far each output moves without that head.
 * @property {Float64Array} hidden_in_head  [n_heads, n, n] how far output i moves when that head may not see token j.
 * @property {Float64Array} hidden  [n, n] the same when no head may.
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
 * @typedef {object} MaskedSoftmaxOptions
 * @property {import('./core.js').Floats} x  [n, m] scores.
 * @property {number} n
 * @property {number} m
 * @property {import('./core.js').MaskOptions | null} [mask]
 * @property {object} [out]
 *
 * @typedef {object} MaskEffectOptions  A row of tokens, what a mask hides of it, and which token then changes.
 * @property {number} tokens  Real ones, at most 64.
 * @property {number} [seed]  Of the layer and its tokens.
 * @property {number} [pads]  Rows of zeros beside them.
 * @property {boolean} [pads_left]  Before the tokens; after them unless told.
 * @property {number} [first_document]  Tokens of the first of two documents; 0 for one document.
 * @property {number} [asks]  Only the last so many rows are queries; all unless told.
 * @property {'none' | 'row' | 'real'} [positions]  Added to the tokens: nothing, by the place in the row, or by the
 *   place among the real tokens.
 * @property {boolean} [causal]
 * @property {number} [window]  Keys that a query sees, its own included.
 * @property {boolean} [hides_padding]
 * @property {boolean} [parts_documents]
 * @property {number} [changed]  The row that changes, counted from 1; 0 for none.
 * @property {boolean} [to_nan]  Its numbers become NaN; each grows by 1 unless told.
 * @property {object} [out]
 *
 * @typedef {object} MaskEffect  Over n_q queries and n rows; `open_…` is without any mask, `masked_…` with those asked for.
 * @property {number} n_q
 * @property {number} n
 * @property {Int32Array} token  [n] which token a row is, from 0; −1 for padding.
 * @property {Int32Array} position  [n]
 * @property {Uint8Array} allowed  [n_q, n]
 * @property {Int32Array} seen  [n_q] keys that are left to each query.
 * @property {boolean} first_is_its_value  The first masked output is the value of its own token, bit by bit.
 * @property {Float64Array} open_weights  [n_q, n]
 * @property {Float64Array} open_output  [n_q, 4]
 * @property {Uint8Array} open_moved  [n_q] 1 where the change moved any number of the output, compared exactly.
 * @property {Float64Array} open_moved_by  [n_q] by how much at most; NaN where NaN came out.
 * @property {number} open_moved_rows
 * @property {Float64Array} open_padded_by  [n_q] largest difference from the same tokens without padding.
 * @property {number} open_padded_most
 * @property {Float64Array} masked_weights
 * @property {Float64Array} masked_output
 * @property {Uint8Array} masked_moved
 * @property {Float64Array} masked_moved_by
 * @property {number} masked_moved_rows
 * @property {Float64Array} masked_padded_by
 * @property {number} masked_padded_most
 *
 * @typedef {object} TrainAttentionOptions  Lengths are at most 64, rounds and steps 1,000.
 * @property {ArrayLike<number>} ids  [length] the text, as numbers below vocab_size.
 * @property {ArrayLike<number>} [targets]  [length] what each token is to be answered by, −1 for nothing; the token
 *   that comes next unless told.
 * @property {number} vocab_size
 * @property {number} n  Tokens of a window.
 * @property {number} [d_model]
 * @property {number} [d_k]
 * @property {number} [seed]
 * @property {number} [rounds]
 * @property {number} [steps]  Of Adam in a round.
 * @property {number} [batch]  Windows of a step.
 * @property {number} [stride]  Tokens from one window to the next; 1 unless told.
 * @property {number} [rate]
 * @property {boolean} [causal]  The mask of training; true unless told.
 * @property {number} [writes]  Tokens that it writes after each round.
 * @property {object} [out]
 *
 * @typedef {object} TrainingRun  Losses in nats; one entry before training, then one for each round.
 * @property {Float64Array} losses  [rounds + 1] with the mask of training.
 * @property {Float64Array} past_losses  [rounds + 1] with only the past to see, as it writes.
 * @property {Float64Array} weights  [rounds + 1, n, n] of the first window.
 * @property {Int32Array} written  [rounds + 1, writes] the text's first token, then always the likeliest.
 * @property {number} even_loss  Of guessing evenly.
 * @property {number} windows
 *
 * @typedef {object} SinusoidalPositionsOptions
 * @property {number} n  Positions, from 0.
 * @property {number} d_model
 * @property {number} [base]
 * @property {object} [out]
 *
 * @typedef {object} SinusoidalPositions
 * @property {Float64Array} P  [n, d_model]
 *
 * @typedef {object} AlibiSlopesOptions
 * @property {number} n_heads
 * @property {object} [out]
 *
 * @typedef {object} AlibiSlopes
 * @property {Float64Array} slopes  [n_heads]
 *
 * @typedef {object} PositionSchemesOptions
 * @property {ArrayLike<number>} ids  Which word each place holds, 2 to 7 of them; equal ids are the same word.
 * @property {number} [arrangement]  Which order of the words they are compared with, counted as in a dictionary.
 * @property {number} [seed]
 * @property {boolean} [causal]
 * @property {number} [alibi_head]  Of 8, whose slope ALiBi has.
 * @property {number} [query_at]  Position of the query whose scores are told.
 * @property {number} [reach]  How many places back.
 * @property {object} [out]
 *
 * @typedef {object} PositionSchemes  Rows are sinusoidal, learned, ALiBi, RoPE, none.
 * @property {number} arrangement
 * @property {number} last_arrangement  That which reverses the words.
 * @property {Int32Array} order  [n] Which word stands at each place.
 * @property {Int32Array} swaps  [n - 1] The arrangement with places i and i + 1 exchanged.
 * @property {Float64Array} change  [5] The largest difference of an output from that of the same word before.
 * @property {Uint8Array} notices  [5] 1 where that is more than rounding.
 * @property {Float64Array} change_of_word  [5, n] The same for each place.
 * @property {number} slope  ALiBi's.
 * @property {Float64Array} scores  [5, reach + 1] By places back from the query, one word standing everywhere.
 * @property {Float64Array} start_scores  [5, reach + 1] The same with the query at `reach`.
 * @property {Float64Array} moved  [5] Their largest difference.
 * @property {Uint8Array} moves  [5] 1 where that is more than rounding.
 *
 * @typedef {object} RotaryClocksOptions
 * @property {ArrayLike<number>} q  [d], d even.
 * @property {ArrayLike<number>} k  [d]
 * @property {number} m  Position of the query.
 * @property {number} n  Position of the key.
 * @property {number} [shift]  By how many tokens both move on.
 * @property {'interleaved' | 'half-split' | 'mixed'} [pairing]
 * @property {'none' | 'linear' | 'ntk' | 'dynamic-ntk' | 'yarn'} [scaling]
 * @property {number} [base]
 * @property {number} [factor]  How many times longer than trained the texts are to be.
 * @property {number} [original_length]  Tokens that the model was trained on.
 * @property {number} [mscale]  YaRN's, as DeepSeek's configurations have it.
 * @property {number} [mscale_all_dim]
 * @property {number} [reach]  Of the curves.
 * @property {object} [out]
 *
 * @typedef {object} RotaryClocks
 * @property {Float64Array} query  [d / 2, 2] Each pair of the query as a hand, at m + shift.
 * @property {Float64Array} key  [d / 2, 2] At n + shift.
 * @property {Float64Array} query_start  [d / 2, 2] At m.
 * @property {Float64Array} key_start  [d / 2, 2] At n.
 * @property {Float64Array} terms  [d / 2] What each pair adds to the score.
 * @property {number} score  At m + shift and n + shift; not divided by the root of d.
 * @property {number} start_score  At m and n.
 * @property {number} difference
 * @property {number} change  Its sign; 0 where it is rounding.
 * @property {number} query_at  m + shift
 * @property {number} key_at  n + shift
 * @property {number} offset  m - n
 * @property {Float64Array} curve  [2 reach + 1] The score by m - n, from -reach, the key staying at n + shift.
 * @property {Float64Array} start_curve  The key at n.
 * @property {Float64Array} plain_curve  The key at n, without scaling.
 * @property {Float64Array} frequencies  [d / 2] Radians a token.
 * @property {Float64Array} tokens_per_turn  [d / 2]
 * @property {Float64Array} turned  [d / 2] Full turns while both moved on.
 * @property {Float64Array} kept  [d / 2] YaRN's share of the unchanged speed.
 * @property {number} base  After NTK.
 * @property {number} rotary_factor  Of every cosine and sine.
 * @property {number} softmax_factor  Of the scale of the softmax.
 * @property {number} score_factor  Of a score in all: rotary_factor twice, and softmax_factor.
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
  influence: {
    n: 'scalar',
    d_model: 'scalar',
    n_heads: 'scalar',
    n_kv_heads: 'scalar',
    X: 'floats',
    W_Q: 'floats',
    W_K: 'floats',
    W_V: 'floats',
    W_O: 'floats',
    mask: maskFields,
    out: 'out',
  },
  multiHeadShapes: {
    n: 'scalar',
    d_model: 'scalar',
    n_heads: 'scalar',
    n_kv_heads: 'scalar',
    biases: 'scalar',
  },
  maskedSoftmax: { x: 'floats', n: 'scalar', m: 'scalar', mask: maskFields, out: 'out' },
  maskEffect: {
    seed: 'scalar',
    tokens: 'scalar',
    pads: 'scalar',
    pads_left: 'scalar',
    first_document: 'scalar',
    asks: 'scalar',
    positions: 'scalar',
    causal: 'scalar',
    window: 'scalar',
    hides_padding: 'scalar',
    parts_documents: 'scalar',
    changed: 'scalar',
    to_nan: 'scalar',
    out: 'out',
  },
  trainAttention: {
    ids: 'integers',
    targets: 'integers',
    vocab_size: 'scalar',
    n: 'scalar',
    d_model: 'scalar',
    d_k: 'scalar',
    seed: 'scalar',
    rounds: 'scalar',
    steps: 'scalar',
    batch: 'scalar',
    stride: 'scalar',
    rate: 'scalar',
    causal: 'scalar',
    writes: 'scalar',
    out: 'out',
  },
  sinusoidalPositions: { n: 'scalar', d_model: 'scalar', base: 'scalar', out: 'out' },
  alibiSlopes: { n_heads: 'scalar', out: 'out' },
  positionSchemes: {
    ids: 'integers',
    arrangement: 'scalar',
    seed: 'scalar',
    causal: 'scalar',
    alibi_head: 'scalar',
    query_at: 'scalar',
    reach: 'scalar',
    out: 'out',
  },
  rotaryClocks: {
    q: 'floats',
    k: 'floats',
    m: 'scalar',
    n: 'scalar',
    shift: 'scalar',
    pairing: 'scalar',
    scaling: 'scalar',
    base: 'scalar',
    factor: 'scalar',
    original_length: 'scalar',
    mscale: 'scalar',
    mscale_all_dim: 'scalar',
    reach: 'scalar',
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
};

/** Arrays that C++ would take as empty when they are missing. @type {Record<string, string[]>} */
const needed = {
  gradientReach: ['lengths'],
  trainAttention: ['ids'],
  positionSchemes: ['ids'],
  rotaryClocks: ['q', 'k'],
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
   * Weight against influence in one multi-head layer: its weights, the same by the length of the values, and how far each
   * output moves without a head, and without a token as a key.
   * @param {InfluenceOptions} options
   * @returns {Influence}
   */
  influence(options) {
    return this.ask('influence', options);
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
   * The softmax of each row of scores under a mask, with its steps; a row with nothing left gives zeros.
   * @param {MaskedSoftmaxOptions} options
   * @returns {import('./core.js').SoftmaxTrace}
   */
  maskedSoftmax(options) {
    return this.ask('maskedSoftmax', options);
  }

  /**
   * What a mask does to a layer of attention of seeded numbers (d_model 16, d_k 8, d_v 4): which outputs move when a
   * token changes, and how far padding moves them, each without any mask and with those that are asked for.
   * @param {MaskEffectOptions} options
   * @returns {MaskEffect}
   */
  maskEffect(options) {
    return this.ask('maskEffect', options);
  }

  /**
   * Trains one layer of attention on a text: its loss round by round, where it looks, and what it writes.
   * @param {TrainAttentionOptions} options
   * @returns {TrainingRun}
   */
  trainAttention(options) {
    return this.ask('trainAttention', options);
  }

  /**
   * The table of sines and cosines that is added to the words. An odd width has one sine more than cosines.
   * @param {SinusoidalPositionsOptions} options
   * @returns {SinusoidalPositions}
   */
  sinusoidalPositions(options) {
    return this.ask('sinusoidalPositions', options);
  }

  /**
   * By how much ALiBi lowers a score for each place between query and key, head by head; for a count that is no power of
   * two as in the paper's code.
   * @param {AlibiSlopesOptions} options
   * @returns {AlibiSlopes}
   */
  alibiSlopes(options) {
    return this.ask('alibiSlopes', options);
  }

  /**
   * One layer over a sentence and over the same words in another order, with positions by five schemes: which of them
   * notice, and how a score depends on the distance.
   * @param {PositionSchemesOptions} options
   * @returns {PositionSchemes}
   */
  positionSchemes(options) {
    return this.ask('positionSchemes', options);
  }

  /**
   * A query and a key under rotary positions, pair by pair as the hands of clocks, and their score.
   * @param {RotaryClocksOptions} options
   * @returns {RotaryClocks}
   */
  rotaryClocks(options) {
    return this.ask('rotaryClocks', options);
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
}

/**
 * @param {import('./loader.js').Running} running
 * @param {() => Promise<import('./loader.js').Running>} restart
 */
export function createExperiments(running, restart) {
  return new Experiments(running, restart);
}

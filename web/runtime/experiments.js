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
 * @typedef {object} DrawVectorsOptions
 * @property {Exclude<MapHead, 'typed'>} [head]
 * @property {number} n  Tokens for which they suffice, whatever their words, at most 256.
 * @property {number} width  Components of each, at most 1024.
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
  drawVectors: { head: 'scalar', n: 'scalar', width: 'scalar', seed: 'scalar', out: 'out' },
  attentionMap: {
    words: 'integers',
    head: 'scalar',
    d_k: 'scalar',
    divide: 'scalar',
    vectors: 'float32',
    width: 'scalar',
    scores: 'floats',
    mask: maskFields,
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
};

/** Arrays that C++ would take as empty when they are missing. @type {Record<string, string[]>} */
const needed = { gradientReach: ['lengths'], attentionMap: ['words'], trainAttention: ['ids'] };

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
   * Vectors of N(0, 1) numbers for a head of `attentionMap`. Drawn once for the longest text and the greatest width, they
   * serve for every shorter text and smaller d_k, with the same numbers.
   * @param {DrawVectorsOptions} options
   * @returns {{ vectors: Float32Array }}  [count, width]: content n vectors, previous n + 1, distance 1, untrained 2 n
   */
  drawVectors(options) {
    return this.ask('drawVectors', options);
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
}

/**
 * @param {import('./loader.js').Running} running
 * @param {() => Promise<import('./loader.js').Running>} restart
 */
export function createExperiments(running, restart) {
  return new Experiments(running, restart);
}

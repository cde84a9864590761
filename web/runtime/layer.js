import { Facade } from './facade.js';
import { maskFields } from './mask-options.js';

/**
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
 */

/** @type {Record<string, { [field: string]: import('./options.js').Kind }>} */
const kinds = {
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
};

/** Arrays that C++ would take as empty when they are missing. @type {Record<string, string[]>} */
const needed = {
  trainAttention: ['ids'],
  positionSchemes: ['ids'],
  rotaryClocks: ['q', 'k'],
};

/**
 * One layer of attention, and what it sees: masks and what they change, where each token stands, what a layer learns, and
 * whose numbers its outputs hold.
 */
export class Layer extends Facade {
  /**
   * @param {import('./loader.js').Running} running
   * @param {() => Promise<import('./loader.js').Running>} restart
   */
  constructor(running, restart) {
    super(running, restart, kinds, needed);
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
}

/**
 * @param {import('./loader.js').Running} running
 * @param {() => Promise<import('./loader.js').Running>} restart
 */
export function createLayer(running, restart) {
  return new Layer(running, restart);
}

export { createLayer as create };
export { selfTestLayer as selfTest } from './layer-self-test.js';

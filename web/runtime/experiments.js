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
const needed = { gradientReach: ['lengths'], positionSchemes: ['ids'], rotaryClocks: ['q', 'k'] };

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
export function createExperiments(running, restart) {
  return new Experiments(running, restart);
}

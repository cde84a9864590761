import { Facade } from './facade.js';

/**
 * @typedef {'full' | 'window' | 'block_sparse' | 'linear' | 'gated_linear' | 'selective_state'} LayerAnswer
 *   full: causal attention to everything; window: to the last tokens and, with `sinks`, the first; block_sparse: to blocks
 *   that the data choose; linear: through a matrix of fixed size; gated_linear: which fades; selective_state: Mamba’s scan.
 * @typedef {LayerAnswer | 'hybrid'} Answer  hybrid: linear layers and full ones.
 *
 * @typedef {object} RecallOptions
 * @property {Answer} [answer]  full unless told.
 * @property {ArrayLike<number>} pairs  How many pairs a text has, for each point of a curve: up to 64 points, each from 1 to
 *   n or 64.
 * @property {number} [n]  Tokens of a text; 128 unless told, at most 1024. The models were trained on 32 to 160.
 * @property {number} [state]  Columns of the state, 8, 16 or 32, each of 16 numbers; 16 unless told. Of linear, gated_linear and
 *   selective_state alone.
 * @property {number} [window]  Last tokens that `window` sees; 32 unless told.
 * @property {number} [sinks]  First tokens that it sees besides; 0 unless told.
 * @property {number} [block]  Tokens of a block of block_sparse; 8 unless told.
 * @property {number} [top_k]  Blocks that it sees, the last among them; 4 unless told.
 * @property {number} [texts]  Drawn for each point; 16 unless told, at most 256.
 * @property {number} [seed]  Of the texts; 1 unless told.
 * @property {number} [bins]  Of equal distance; 8 unless told, at most 64.
 * @property {object} [out]  An earlier result: its arrays are written again where they fit.
 *
 * @typedef {object} Recall  One entry or row for each point.
 * @property {Int32Array} asked  Questions: texts × pairs.
 * @property {Int32Array} right
 * @property {Float64Array} accuracy  right ÷ asked. Guessing has 1 ÷ 32.
 * @property {Int32Array} bin_asked  [points, bins] by how far before the end the pair stands, the nearest first.
 * @property {Int32Array} bin_right  [points, bins]
 * @property {Float64Array} bin_accuracy  [points, bins] 0 where nothing was asked.
 * @property {number} kept_numbers  That the model keeps after n tokens.
 *
 * @typedef {object} AnswerPatternOptions
 * @property {LayerAnswer} [answer]  full unless told.
 * @property {number} [n]  64 unless told, at most 512.
 * @property {number} [window]  16 unless told.
 * @property {number} [sinks]  0 unless told.
 * @property {number} [block]  4 unless told.
 * @property {number} [top_k]  4 unless told.
 * @property {number} [gate]  What gated_linear leaves of the state at each token, 0 to 1; 0.95 unless told.
 * @property {number} [state]  Numbers of a channel of selective_state; 16 unless told.
 * @property {number} [seed]  Of the drawn queries and keys that choose blocks, and of a selective state’s steps; 1 unless told.
 * @property {object} [out]  An earlier result: its arrays are written again where they fit.
 *
 * @typedef {object} AnswerPattern
 * @property {Float64Array} left  [n, n] from 0 to 1: what is left of token j where token i asks.
 * @property {Int32Array} seen  [n] tokens of which something is left, of each row.
 * @property {number} pairs  The sum of it.
 *
 * @typedef {object} AnswerCurvesOptions  A model whose layers are all of one answer, but for the hybrid’s.
 * @property {ArrayLike<number>} lengths  Up to 256 lengths of text.
 * @property {number} [n_layers]  32 unless told.
 * @property {number} [n_heads]  8 unless told.
 * @property {number} [n_kv_heads]  As many as n_heads unless told.
 * @property {number} [d_k]  64 unless told.
 * @property {number} [d_v]  64 unless told.
 * @property {number} [bytes_per_number]  2 unless told.
 * @property {number} [window]  1024 unless told.
 * @property {number} [sinks]  0 unless told.
 * @property {number} [block]  64 unless told.
 * @property {number} [top_k]  8 unless told.
 * @property {number} [state]  Numbers of each of the n_heads · d_v channels of selective_state; 16 unless told.
 * @property {number} [full_every]  One of so many layers of the hybrid is full, the others linear; 4 unless told.
 * @property {object} [out]  An earlier result: its arrays are written again where they fit.
 *
 * @typedef {object} AnswerCurves  Rows in this order: full, window, block_sparse, linear, gated_linear, selective_state, hybrid.
 * @property {Float64Array} layer_flops  [7, lengths] operations of one layer for the whole text; of the hybrid the mean.
 * @property {Float64Array} step_flops  [7, lengths] of the next token.
 * @property {Float64Array} state_bytes  [7, lengths] that all layers keep.
 * @property {Float64Array} state_tokens  [7] what is kept after the longest text, in tokens of a KV cache of full attention.
 * @property {number} full_layers  Of the hybrid.
 */

/** @type {Record<string, { [field: string]: import('./options.js').Kind }>} */
const kinds = {
  recall: {
    answer: 'scalar',
    n: 'scalar',
    state: 'scalar',
    window: 'scalar',
    sinks: 'scalar',
    block: 'scalar',
    top_k: 'scalar',
    texts: 'scalar',
    seed: 'scalar',
    bins: 'scalar',
    pairs: 'integers',
    out: 'out',
  },
  answerPattern: {
    answer: 'scalar',
    n: 'scalar',
    window: 'scalar',
    sinks: 'scalar',
    block: 'scalar',
    top_k: 'scalar',
    gate: 'scalar',
    state: 'scalar',
    seed: 'scalar',
    out: 'out',
  },
  answerCurves: {
    n_layers: 'scalar',
    n_heads: 'scalar',
    n_kv_heads: 'scalar',
    d_k: 'scalar',
    d_v: 'scalar',
    bytes_per_number: 'scalar',
    window: 'scalar',
    sinks: 'scalar',
    block: 'scalar',
    top_k: 'scalar',
    state: 'scalar',
    full_every: 'scalar',
    lengths: 'integers',
    out: 'out',
  },
};

/** Arrays that C++ would take as empty when they are missing. @type {Record<string, string[]>} */
const needed = { recall: ['pairs'], answerCurves: ['lengths'] };

/**
 * The answers to n²: who sees whom, what it costs, and what is still known of a text. Fires `restart` when a fresh instance
 * has taken over after an abort: compute again then.
 */
export class Answers extends Facade {
  /**
   * @param {import('./loader.js').Running} running
   * @param {() => Promise<import('./loader.js').Running>} restart
   */
  constructor(running, restart) {
    super(running, restart, kinds, needed);
  }

  /**
   * How many pairs of a key and a value a small trained model of each answer gives back, asked for each key after the text.
   * The same texts for every answer.
   * @param {RecallOptions} options
   * @returns {Recall}
   */
  recall(options) {
    return this.ask('recall', options);
  }

  /**
   * Who sees whom, and what is left of the one who is seen.
   * @param {AnswerPatternOptions} options
   * @returns {AnswerPattern}
   */
  answerPattern(options) {
    return this.ask('answerPattern', options);
  }

  /**
   * Operations and bytes of each answer against the length of the text, counted.
   * @param {AnswerCurvesOptions} options
   * @returns {AnswerCurves}
   */
  answerCurves(options) {
    return this.ask('answerCurves', options);
  }
}

/**
 * @param {import('./loader.js').Running} running
 * @param {() => Promise<import('./loader.js').Running>} restart
 */
export function createAnswers(running, restart) {
  return new Answers(running, restart);
}

export { createAnswers as create };
export { selfTestAnswers as selfTest } from './answers-self-test.js';

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
};

/** Arrays that C++ would take as empty when they are missing. @type {Record<string, string[]>} */
const needed = { gradientReach: ['lengths'], attentionMap: ['words'] };

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
}

/**
 * @param {import('./loader.js').Running} running
 * @param {() => Promise<import('./loader.js').Running>} restart
 */
export function createExperiments(running, restart) {
  return new Experiments(running, restart);
}

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
};

/** Arrays that C++ would take as empty when they are missing. @type {Record<string, string[]>} */
const needed = { gradientReach: ['lengths'] };

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
}

/**
 * @param {import('./loader.js').Running} running
 * @param {() => Promise<import('./loader.js').Running>} restart
 */
export function createExperiments(running, restart) {
  return new Experiments(running, restart);
}

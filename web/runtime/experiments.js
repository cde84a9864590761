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
}

/**
 * @param {import('./loader.js').Running} running
 * @param {() => Promise<import('./loader.js').Running>} restart
 */
export function createExperiments(running, restart) {
  return new Experiments(running, restart);
}

/**
 * @param {import('./loader.js').Running} running
 * @param {() => Promise<import('./loader.js').Running>} restart
 */
export function createExperiments(running: import("./loader.js").Running, restart: () => Promise<import("./loader.js").Running>): Experiments;
/**
 * The lecture's experiments: what is run over many seeds, rows or steps to see how attention and its rivals behave.
 */
export class Experiments extends Facade {
    /**
     * @param {import('./loader.js').Running} running
     * @param {() => Promise<import('./loader.js').Running>} restart
     */
    constructor(running: import("./loader.js").Running, restart: () => Promise<import("./loader.js").Running>);
    /**
     * How far a gradient of norm 1 at the last of `n` tokens reaches back: through a plain RNN of `seed` and its quartiles
     * over seeds 1 to `seeds`, along the cells of an LSTM whose forget gates stand at `forget_gate`, and of one whose gates
     * follow what it reads around `forget_bias`, and through attention.
     * @param {GradientReachOptions} options
     * @returns {GradientReach}
     */
    gradientReach(options: GradientReachOptions): GradientReach;
}
export type GradientReachOptions = {
    /**
     * Tokens of the run that is drawn.
     */
    n: number;
    /**
     * Runs of which only the far end is asked for.
     */
    lengths: ArrayLike<number>;
    /**
     * Of the plain RNN's orthogonal matrix.
     */
    scale?: number | undefined;
    seed?: number | undefined;
    /**
     * Over how many seeds, from 1 on, the quartiles are taken.
     */
    seeds?: number | undefined;
    forget_gate?: number | undefined;
    forget_bias?: number | undefined;
    /**
     * An earlier result: its arrays are written again where they fit.
     */
    out?: object | undefined;
};
/**
 * Place d of a curve is d tokens back [n]; `…_ends` are of each length [lengths].
 */
export type GradientReach = {
    plain: Float64Array;
    lower: Float64Array;
    median: Float64Array;
    upper: Float64Array;
    cell_path: Float64Array;
    lstm: Float64Array;
    attention: Float64Array;
    plain_ends: Float64Array;
    lower_ends: Float64Array;
    median_ends: Float64Array;
    upper_ends: Float64Array;
    cell_path_ends: Float64Array;
    lstm_ends: Float64Array;
    attention_ends: Float64Array;
};
import { Facade } from './facade.js';

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
    /**
     * Weight against influence in one multi-head layer: its weights, the same by the length of the values, and how far each
     * output moves without a head, and without a token as a key.
     * @param {InfluenceOptions} options
     * @returns {Influence}
     */
    influence(options: InfluenceOptions): Influence;
    /**
     * The shape of every step of a multi-head layer, and its parameters; nothing of these sizes is allocated.
     * @param {{ n: number, d_model: number, n_heads: number, n_kv_heads?: number, biases?: boolean }} options
     * @returns {MultiHeadShapes}
     */
    multiHeadShapes(options: {
        n: number;
        d_model: number;
        n_heads: number;
        n_kv_heads?: number;
        biases?: boolean;
    }): MultiHeadShapes;
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
/**
 * As multiHead of the core takes them, without biases.
 */
export type InfluenceOptions = {
    /**
     * At most 64.
     */
    n: number;
    /**
     * At most 256.
     */
    d_model: number;
    n_heads: number;
    /**
     * As many as n_heads unless told.
     */
    n_kv_heads?: number | undefined;
    /**
     * [n, d_model]
     */
    X: ArrayLike<number>;
    /**
     * [d_model, d_model]
     */
    W_Q: ArrayLike<number>;
    /**
     * [d_model, n_kv_heads * head_dim]
     */
    W_K: ArrayLike<number>;
    /**
     * [d_model, n_kv_heads * head_dim]
     */
    W_V: ArrayLike<number>;
    /**
     * [d_model, d_model]
     */
    W_O: ArrayLike<number>;
    mask?: import("./core.js").MaskOptions | null | undefined;
    /**
     * An earlier result: its arrays are written again where they fit.
     */
    out?: object | undefined;
};
/**
 * Distances are Euclidean, in the layer's output.
 */
export type Influence = {
    /**
     * [n_heads, n, n]
     */
    weights: Float64Array;
    /**
     * [n, d_model]
     */
    output: Float64Array;
    /**
     * [n_heads, n] how long the value of each token is as it enters the output.
     */
    value_norms: Float64Array;
    /**
     * [n_heads, n, n] weight times that length: how far an output moves when that value is 0.
     */
    weighted: Float64Array;
    /**
     * [n_heads, n] how far each output moves without that head.
     */
    head_changes: Float64Array;
    /**
     * [n_heads, n, n] how far output i moves when that head may not see token j.
     */
    hidden_in_head: Float64Array;
    /**
     * [n, n] the same when no head may.
     */
    hidden: Float64Array;
};
export type MultiHeadShapes = {
    X: number[];
    Q: number[];
    K: number[];
    V: number[];
    Q_heads: number[];
    K_heads: number[];
    V_heads: number[];
    scores: number[];
    weights: number[];
    head_outputs: number[];
    concat: number[];
    output: number[];
    head_dim: number;
    /**
     * Of the four matrices and, unless told, their biases.
     */
    parameters: number;
};
import { Facade } from './facade.js';

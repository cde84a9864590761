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
     * What large scores do to a softmax and to its gradient: rows of N(0, 1) queries, keys and gradients, the scores
     * divided by 1, by √d_k and by d_k. One stream of numbers per seed: queries, keys row by row, gradients.
     * @param {ScalingOptions} options
     * @returns {ScalingRun}
     */
    scalingExperiment(options: ScalingOptions): ScalingRun;
    /**
     * The spread of such scores, reckoned instead of drawn. `gap` is a distance between two scores, 0 to 700.
     * @param {{d_k: number, keys: number, gap: number, out?: object}} options
     * @returns {ScoreStatistics}
     */
    scoreStatistics(options: {
        d_k: number;
        keys: number;
        gap: number;
        out?: object;
    }): ScoreStatistics;
    /**
     * The values below which the given shares (0 to 1) of up to 4,096 numbers lie, in between as NumPy's quantile.
     * @param {{values: ArrayLike<number>, shares: ArrayLike<number>, out?: object}} options
     * @returns {{quantiles: Float64Array}}  [shares]
     */
    quantiles(options: {
        values: ArrayLike<number>;
        shares: ArrayLike<number>;
        out?: object;
    }): {
        quantiles: Float64Array;
    };
    /**
     * What a gradient dA [n, m] becomes on its way back through the softmax of each row of S [n, m], step by step.
     * @param {{S: ArrayLike<number>, dA: ArrayLike<number>, n: number, m: number, out?: object}} options
     * @returns {WayBack}
     */
    softmaxWayBack(options: {
        S: ArrayLike<number>;
        dA: ArrayLike<number>;
        n: number;
        m: number;
        out?: object;
    }): WayBack;
    /**
     * Scores [n, n] of N(0, 1) queries that are `factor` times longer, over √d_k, and a gradient dA [n, n], from one
     * stream: queries, keys, gradient. n is at most 64, d_k 4,096, factor 10,000.
     * @param {{seed: number, n: number, d_k: number, factor: number, out?: object}} options
     * @returns {{S: Float64Array, dA: Float64Array}}
     */
    drawnScores(options: {
        seed: number;
        n: number;
        d_k: number;
        factor: number;
        out?: object;
    }): {
        S: Float64Array;
        dA: Float64Array;
    };
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
export type ScalingOptions = {
    /**
     * Length of a query and of a key, 1 to 4,096.
     */
    d_k: number;
    /**
     * Of each row, 16 unless told; at most 256.
     */
    keys?: number | undefined;
    /**
     * Each with its own query, keys and gradient; 200 unless told, at most 2,000.
     */
    rows?: number | undefined;
    /**
     * 1 unless told.
     */
    seed?: number | undefined;
    /**
     * Of the histograms; 48 unless told, at most 512.
     */
    bins?: number | undefined;
    /**
     * As many rows are run as draw no more random numbers than this, but one at least.
     */
    most_numbers?: number | undefined;
    /**
     * An earlier result: its arrays are written again where they fit.
     */
    out?: object | undefined;
};
/**
 * One entry for each divisor of the scores: 1, √d_k, d_k.
 */
export type ScalingRun = {
    /**
     * That were run.
     */
    rows: number;
    /**
     * The bins part [−reach, reach] evenly; what lies beyond counts in the last.
     */
    reach: number;
    /**
     * [3]
     */
    divisors: Float64Array;
    /**
     * [3] of all scores, after the division.
     */
    variances: Float64Array;
    /**
     * [3] median over the rows.
     */
    largest_weights: Float64Array;
    /**
     * [3] median over the rows, for the scores that enter the softmax.
     */
    gradient_norms: Float64Array;
    /**
     * [3] rows whose gradient is shorter than 0.001.
     */
    dead_percents: Float64Array;
    /**
     * [3, rows]
     */
    row_largest_weights: Float64Array;
    /**
     * [3, rows]
     */
    row_gradient_norms: Float64Array;
    /**
     * [3, bins]
     */
    histograms: Int32Array;
};
/**
 * What is known of the scores of N(0, 1) vectors without drawing any.
 */
export type ScoreStatistics = {
    /**
     * Of one score: d_k.
     */
    variance: number;
    /**
     * √d_k.
     */
    deviation: number;
    /**
     * That two scores differ by more than `gap`.
     */
    differ_probability: number;
    /**
     * Between the largest and the smallest of a row.
     */
    mean_range: number;
    /**
     * e^−gap.
     */
    left_behind: number;
    /**
     * Of a score divided by d_k.
     */
    variance_over_d_k: number;
    /**
     * 1 / keys.
     */
    uniform_weight: number;
};
export type WayBack = {
    /**
     * [n, m] softmax of each row of S.
     */
    A: Float64Array;
    /**
     * [n]
     */
    largest_weights: Float64Array;
    /**
     * [n, m] dA ∘ A.
     */
    products: Float64Array;
    /**
     * [n] their row sums.
     */
    means: Float64Array;
    /**
     * [n, m] dA less its row's mean.
     */
    deviations: Float64Array;
    /**
     * [n, m] A ∘ deviations.
     */
    dS: Float64Array;
    /**
     * [n] row sums of dS: 0 up to rounding.
     */
    sums: Float64Array;
    /**
     * [n] of the rows of dS.
     */
    norms: Float64Array;
};
import { Facade } from './facade.js';

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
    /**
     * Vectors of N(0, 1) numbers for a head of `attentionMap`. Drawn once for the longest text and the greatest width, they
     * serve for every shorter text and smaller d_k, with the same numbers.
     * @param {DrawVectorsOptions} options
     * @returns {{ vectors: Float32Array }}  [count, width]: content n vectors, previous n + 1, distance 1, untrained 2 n
     */
    drawVectors(options: DrawVectorsOptions): {
        vectors: Float32Array;
    };
    /**
     * What each token of a text has to give: one value for each distinct word, of N(0, 1) numbers rounded to tenths, so that
     * a weighted sum of them can be checked by hand.
     * @param {DrawValuesOptions} options
     * @returns {{ values: Float64Array }}  [n, d_v]
     */
    drawValues(options: DrawValuesOptions): {
        values: Float64Array;
    };
    /**
     * All weights of one head over a text, with every step that leads to them: a query and a key of each token, their
     * scores, divided by √d_k or not, masked, exponentiated, and each row divided by its sum.
     * @param {AttentionMapOptions} options
     * @returns {AttentionMap}
     */
    attentionMap(options: AttentionMapOptions): AttentionMap;
    /**
     * Attention of one head tile by tile with a running maximum, every step kept, in float64.
     * @param {OnlineSoftmaxOptions} options
     * @returns {OnlineSoftmaxResult}
     */
    onlineSoftmax(options: OnlineSoftmaxOptions): OnlineSoftmaxResult;
    /**
     * What attention costs, counted: operations, and bytes to and from slow memory.
     * @param {CostOptions} options
     * @returns {Costs}
     */
    attentionCosts(options: CostOptions): Costs;
}
export { createExperiments as create };
export { selfTestExperiments as selfTest } from "./experiments-self-test.js";
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
export type DrawVectorsOptions = {
    head?: "content" | "previous" | "distance" | "untrained" | undefined;
    /**
     * Tokens for which they suffice, whatever their words, at most 256.
     */
    n: number;
    /**
     * Components of each, at most 1024.
     */
    width: number;
    seed: number;
    /**
     * An earlier result: its array is written again where it fits.
     */
    out?: object | undefined;
};
export type DrawValuesOptions = {
    /**
     * Which word each token is, as of `attentionMap`.
     */
    words: ArrayLike<number>;
    /**
     * Components of each, at most 8.
     */
    d_v: number;
    seed: number;
    /**
     * An earlier result: its array is written again where it fits.
     */
    out?: object | undefined;
};
/**
 * content: one vector for each word, query and key alike; previous: the query of a place is the key of the one before;
 * distance: pairs of cosine and sine, so that near weighs more; untrained: query and key drawn apart; typed: `scores`.
 */
export type MapHead = "content" | "previous" | "distance" | "untrained" | "typed";
export type AttentionMapOptions = {
    /**
     * Which word each token is, by a number from 0 on [n], n at most 256, for typed 8.
     */
    words: ArrayLike<number>;
    head?: MapHead | undefined;
    /**
     * At most 1024. Of a typed head it sets the divisor alone.
     */
    d_k: number;
    /**
     * By √d_k; true unless told.
     */
    divide?: boolean | undefined;
    /**
     * Of `drawVectors` for this head and as many tokens or more, of which the first
     * d_k components are used; none of a typed head.
     */
    vectors?: ArrayLike<number> | undefined;
    width?: number | undefined;
    /**
     * Of a typed head [8, 8], of which the first n rows and columns are used.
     */
    scores?: ArrayLike<number> | undefined;
    /**
     * The four masks, as of `core.attention`.
     */
    mask?: object | undefined;
    /**
     * What each token has to give [n, d_v].
     */
    values?: ArrayLike<number> | undefined;
    /**
     * Components of each value, at most 8; none unless told.
     */
    d_v?: number | undefined;
    /**
     * An earlier result: its arrays are written again where they fit.
     */
    out?: object | undefined;
};
export type AttentionMap = {
    divisor: number;
    /**
     * The first components of each query [n, min(d_k, 4)]; empty of a typed head.
     */
    query_parts: Float32Array;
    key_parts: Float32Array;
    /**
     * [n, n], as all that follow unless told.
     */
    scores: Float64Array;
    scaled: Float64Array;
    /**
     * What each row subtracts before it exponentiates [n].
     */
    shift: Float64Array;
    exponentials: Float64Array;
    /**
     * [n]
     */
    sums: Float64Array;
    weights: Float64Array;
    /**
     * [n] 1 up to rounding, 0 of a row that sees nothing.
     */
    weight_sums: Float64Array;
    largest: Uint8Array;
    /**
     * 0, or the sum of the masks that hide the pair: 1 causal, 2 padding, 4 window, 8 document.
     */
    hidden_by: Uint8Array;
    /**
     * Keys that each row sees [n].
     */
    seen: Int32Array;
    /**
     * What its hidden keys would weigh without the mask [n].
     */
    hidden_weight: Float64Array;
    /**
     * [n]
     */
    largest_weight: Float64Array;
    /**
     * Over the rows that see two keys or more.
     */
    mean_largest: number;
    /**
     * The keys that weigh most, heaviest first [n, min(n, 5)].
     */
    ranked: Int32Array;
    /**
     * Each row's weighted sum of the values [n, d_v]; empty without values.
     */
    outputs: Float64Array;
};
export type Doubles = Float64Array | readonly number[];
export type OnlineSoftmaxOptions = {
    /**
     * [n_q, d_k]
     */
    Q: Doubles;
    /**
     * [n_k, d_k]
     */
    K: Doubles;
    /**
     * [n_k, d_v]
     */
    V: Doubles;
    n_q: number;
    n_k: number;
    d_k: number;
    d_v: number;
    /**
     * Queries of a tile, 2 unless told.
     */
    tile_q?: number | undefined;
    /**
     * Keys of a tile, 4 unless told.
     */
    tile_k?: number | undefined;
    /**
     * Whether scores are divided by √d_k; true unless told.
     */
    divide?: boolean | undefined;
    mask?: import("./core.js").MaskOptions | null | undefined;
    out?: object | undefined;
};
/**
 * Query block a and key block b meet in tile [a, b]; a row of numbers for each
 * query i and key block b. What is not read holds −∞ as a score and 0 as an exponential.
 */
export type OnlineSoftmaxResult = {
    query_blocks: number;
    key_blocks: number;
    /**
     * [query_blocks + 1] the first query of each block, and n_q
     */
    query_begin: Int32Array;
    /**
     * [key_blocks + 1]
     */
    key_begin: Int32Array;
    /**
     * Scores of one tile: the most that is kept of them at one time.
     */
    held_scores: number;
    /**
     * Largest, sum and output of the rows of one block.
     */
    held_results: number;
    divisor: number;
    /**
     * [n_q, n_k]
     */
    allowed: Uint8Array;
    /**
     * [query_blocks, key_blocks] 1 where no pair of the tile is allowed
     */
    skipped: Uint8Array;
    /**
     * [n_q, n_k] after scaling
     */
    scores: Float64Array;
    /**
     * [n_q, n_k] e^(score − the largest after its tile)
     */
    exponentials: Float64Array;
    /**
     * [n_q, key_blocks] −∞ before anything is seen
     */
    largest_before: Float64Array;
    /**
     * [n_q, key_blocks]
     */
    largest_after: Float64Array;
    /**
     * [n_q, key_blocks] e^(before − after)
     */
    factors: Float64Array;
    /**
     * [n_q, key_blocks] 1 where the factor changed what was there
     */
    rescaled: Uint8Array;
    /**
     * [n_q, key_blocks]
     */
    sums_before: Float64Array;
    /**
     * [n_q, key_blocks]
     */
    sums_after: Float64Array;
    /**
     * [n_q, key_blocks, d_v] not yet divided by the sum
     */
    outputs_before: Float64Array;
    /**
     * [n_q, key_blocks, d_v]
     */
    outputs_rescaled: Float64Array;
    /**
     * [n_q, key_blocks, d_v]
     */
    outputs_after: Float64Array;
    /**
     * [n_q]
     */
    times_rescaled: Int32Array;
    /**
     * [n_q, d_v]
     */
    output: Float64Array;
    /**
     * [n_q, d_v] the same by the softmax of whole rows
     */
    whole: Float64Array;
    /**
     * between the two
     */
    largest_difference: number;
};
export type CostOptions = {
    n: number;
    /**
     * 1 unless told.
     */
    n_heads?: number | undefined;
    /**
     * Numbers of a query, a key and a value; 64 unless told.
     */
    d?: number | undefined;
    /**
     * 4 unless told.
     */
    bytes_per_number?: number | undefined;
    /**
     * 128 unless told.
     */
    tile_q?: number | undefined;
    /**
     * 64 unless told.
     */
    tile_k?: number | undefined;
    /**
     * What the fast memory holds; 192 KiB unless told.
     */
    fast_bytes?: number | undefined;
};
/**
 * Exact counts of all heads together, `entries` apart. An exponential counts as one operation.
 */
export type Costs = {
    /**
     * n², of one head
     */
    entries: number;
    entries_millions: number;
    /**
     * of S
     */
    score_bytes: number;
    score_mebibytes: number;
    /**
     * of one head at 2n
     */
    entries_doubled: number;
    /**
     * entries_doubled ÷ entries
     */
    growth: number;
    /**
     * 4 n² d for each head, either way
     */
    product_flops: number;
    /**
     * 6 for each score
     */
    naive_softmax_flops: number;
    /**
     * 5 for each score, and the rescaling
     */
    fused_softmax_flops: number;
    /**
     * of the products
     */
    softmax_percent: number;
    /**
     * Bytes: Q and K in …
     */
    score_pass_read: number;
    /**
     * … S out
     */
    score_pass_written: number;
    /**
     * S in …
     */
    softmax_pass_read: number;
    /**
     * … A out
     */
    softmax_pass_written: number;
    /**
     * A and V in …
     */
    value_pass_read: number;
    /**
     * … O out
     */
    value_pass_written: number;
    /**
     * The three passes together.
     */
    naive_bytes: number;
    /**
     * Q once; K and V once for each block of queries.
     */
    fused_read: number;
    /**
     * O once.
     */
    fused_written: number;
    fused_bytes: number;
    query_blocks: number;
    /**
     * naive_bytes ÷ fused_bytes
     */
    bytes_ratio: number;
    /**
     * What the fast memory holds at one time.
     */
    tile_numbers: number;
    tile_bytes: number;
    /**
     * tile_bytes ≤ fast_bytes
     */
    fits: boolean;
};
import { Facade } from './facade.js';

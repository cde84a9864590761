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
     * Vectors of N(0, 1) numbers for a head of `attentionMap`. Drawn once for the longest text and the greatest width, they
     * serve for every shorter text and smaller d_k, with the same numbers.
     * @param {DrawVectorsOptions} options
     * @returns {{ vectors: Float32Array }}  [count, width]: content n vectors, previous n + 1, distance 1, untrained 2 n
     */
    drawVectors(options: DrawVectorsOptions): {
        vectors: Float32Array;
    };
    /**
     * All weights of one head over a text, with every step that leads to them: a query and a key of each token, their
     * scores, divided by √d_k or not, masked, exponentiated, and each row divided by its sum.
     * @param {AttentionMapOptions} options
     * @returns {AttentionMap}
     */
    attentionMap(options: AttentionMapOptions): AttentionMap;
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
};
import { Facade } from './facade.js';

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
     * The table of sines and cosines that is added to the words. An odd width has one sine more than cosines.
     * @param {SinusoidalPositionsOptions} options
     * @returns {SinusoidalPositions}
     */
    sinusoidalPositions(options: SinusoidalPositionsOptions): SinusoidalPositions;
    /**
     * By how much ALiBi lowers a score for each place between query and key, head by head; for a count that is no power of
     * two as in the paper's code.
     * @param {AlibiSlopesOptions} options
     * @returns {AlibiSlopes}
     */
    alibiSlopes(options: AlibiSlopesOptions): AlibiSlopes;
    /**
     * One layer over a sentence and over the same words in another order, with positions by five schemes: which of them
     * notice, and how a score depends on the distance.
     * @param {PositionSchemesOptions} options
     * @returns {PositionSchemes}
     */
    positionSchemes(options: PositionSchemesOptions): PositionSchemes;
    /**
     * A query and a key under rotary positions, pair by pair as the hands of clocks, and their score.
     * @param {RotaryClocksOptions} options
     * @returns {RotaryClocks}
     */
    rotaryClocks(options: RotaryClocksOptions): RotaryClocks;
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
export type SinusoidalPositionsOptions = {
    /**
     * Positions, from 0.
     */
    n: number;
    d_model: number;
    base?: number | undefined;
    out?: object | undefined;
};
export type SinusoidalPositions = {
    /**
     * [n, d_model]
     */
    P: Float64Array;
};
export type AlibiSlopesOptions = {
    n_heads: number;
    out?: object | undefined;
};
export type AlibiSlopes = {
    /**
     * [n_heads]
     */
    slopes: Float64Array;
};
export type PositionSchemesOptions = {
    /**
     * Which word each place holds, 2 to 7 of them; equal ids are the same word.
     */
    ids: ArrayLike<number>;
    /**
     * Which order of the words they are compared with, counted as in a dictionary.
     */
    arrangement?: number | undefined;
    seed?: number | undefined;
    causal?: boolean | undefined;
    /**
     * Of 8, whose slope ALiBi has.
     */
    alibi_head?: number | undefined;
    /**
     * Position of the query whose scores are told.
     */
    query_at?: number | undefined;
    /**
     * How many places back.
     */
    reach?: number | undefined;
    out?: object | undefined;
};
/**
 * Rows are sinusoidal, learned, ALiBi, RoPE, none.
 */
export type PositionSchemes = {
    arrangement: number;
    /**
     * That which reverses the words.
     */
    last_arrangement: number;
    /**
     * [n] Which word stands at each place.
     */
    order: Int32Array;
    /**
     * [n - 1] The arrangement with places i and i + 1 exchanged.
     */
    swaps: Int32Array;
    /**
     * [5] The largest difference of an output from that of the same word before.
     */
    change: Float64Array;
    /**
     * [5] 1 where that is more than rounding.
     */
    notices: Uint8Array;
    /**
     * [5, n] The same for each place.
     */
    change_of_word: Float64Array;
    /**
     * ALiBi's.
     */
    slope: number;
    /**
     * [5, reach + 1] By places back from the query, one word standing everywhere.
     */
    scores: Float64Array;
    /**
     * [5, reach + 1] The same with the query at `reach`.
     */
    start_scores: Float64Array;
    /**
     * [5] Their largest difference.
     */
    moved: Float64Array;
    /**
     * [5] 1 where that is more than rounding.
     */
    moves: Uint8Array;
};
export type RotaryClocksOptions = {
    /**
     * [d], d even.
     */
    q: ArrayLike<number>;
    /**
     * [d]
     */
    k: ArrayLike<number>;
    /**
     * Position of the query.
     */
    m: number;
    /**
     * Position of the key.
     */
    n: number;
    /**
     * By how many tokens both move on.
     */
    shift?: number | undefined;
    pairing?: "interleaved" | "half-split" | "mixed" | undefined;
    scaling?: "none" | "linear" | "ntk" | "dynamic-ntk" | "yarn" | undefined;
    base?: number | undefined;
    /**
     * How many times longer than trained the texts are to be.
     */
    factor?: number | undefined;
    /**
     * Tokens that the model was trained on.
     */
    original_length?: number | undefined;
    /**
     * YaRN's, as DeepSeek's configurations have it.
     */
    mscale?: number | undefined;
    mscale_all_dim?: number | undefined;
    /**
     * Of the curves.
     */
    reach?: number | undefined;
    out?: object | undefined;
};
export type RotaryClocks = {
    /**
     * [d / 2, 2] Each pair of the query as a hand, at m + shift.
     */
    query: Float64Array;
    /**
     * [d / 2, 2] At n + shift.
     */
    key: Float64Array;
    /**
     * [d / 2, 2] At m.
     */
    query_start: Float64Array;
    /**
     * [d / 2, 2] At n.
     */
    key_start: Float64Array;
    /**
     * [d / 2] What each pair adds to the score.
     */
    terms: Float64Array;
    /**
     * At m + shift and n + shift; not divided by the root of d.
     */
    score: number;
    /**
     * At m and n.
     */
    start_score: number;
    difference: number;
    /**
     * Its sign; 0 where it is rounding.
     */
    change: number;
    /**
     * m + shift
     */
    query_at: number;
    /**
     * n + shift
     */
    key_at: number;
    /**
     * m - n
     */
    offset: number;
    /**
     * [2 reach + 1] The score by m - n, from -reach, the key staying at n + shift.
     */
    curve: Float64Array;
    /**
     * The key at n.
     */
    start_curve: Float64Array;
    /**
     * The key at n, without scaling.
     */
    plain_curve: Float64Array;
    /**
     * [d / 2] Radians a token.
     */
    frequencies: Float64Array;
    /**
     * [d / 2]
     */
    tokens_per_turn: Float64Array;
    /**
     * [d / 2] Full turns while both moved on.
     */
    turned: Float64Array;
    /**
     * [d / 2] YaRN's share of the unchanged speed.
     */
    kept: Float64Array;
    /**
     * After NTK.
     */
    base: number;
    /**
     * Of every cosine and sine.
     */
    rotary_factor: number;
    /**
     * Of the scale of the softmax.
     */
    softmax_factor: number;
    /**
     * Of a score in all: rotary_factor twice, and softmax_factor.
     */
    score_factor: number;
};
import { Facade } from './facade.js';

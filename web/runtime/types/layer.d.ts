/**
 * @param {import('./loader.js').Running} running
 * @param {() => Promise<import('./loader.js').Running>} restart
 */
export function createLayer(running: import("./loader.js").Running, restart: () => Promise<import("./loader.js").Running>): Layer;
/**
 * One layer of attention, and what it sees: masks and what they change, where each token stands, what a layer learns, and
 * whose numbers its outputs hold.
 */
export class Layer extends Facade {
    /**
     * @param {import('./loader.js').Running} running
     * @param {() => Promise<import('./loader.js').Running>} restart
     */
    constructor(running: import("./loader.js").Running, restart: () => Promise<import("./loader.js").Running>);
    /**
     * Weight against influence in one multi-head layer: its weights, the same by the length of the values, and how far each
     * output moves without a head, and without a token as a key.
     * @param {InfluenceOptions} options
     * @returns {Influence}
     */
    influence(options: InfluenceOptions): Influence;
    /**
     * The softmax of each row of scores under a mask, with its steps; a row with nothing left gives zeros.
     * @param {MaskedSoftmaxOptions} options
     * @returns {import('./core.js').SoftmaxTrace}
     */
    maskedSoftmax(options: MaskedSoftmaxOptions): import("./core.js").SoftmaxTrace;
    /**
     * What a mask does to a layer of attention of seeded numbers (d_model 16, d_k 8, d_v 4): which outputs move when a
     * token changes, and how far padding moves them, each without any mask and with those that are asked for.
     * @param {MaskEffectOptions} options
     * @returns {MaskEffect}
     */
    maskEffect(options: MaskEffectOptions): MaskEffect;
    /**
     * Trains one layer of attention on a text: its loss round by round, where it looks, and what it writes.
     * @param {TrainAttentionOptions} options
     * @returns {TrainingRun}
     */
    trainAttention(options: TrainAttentionOptions): TrainingRun;
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
export { createLayer as create };
export { selfTestLayer as selfTest } from "./layer-self-test.js";
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
export type MaskedSoftmaxOptions = {
    /**
     * [n, m] scores.
     */
    x: import("./core.js").Floats;
    n: number;
    m: number;
    mask?: import("./core.js").MaskOptions | null | undefined;
    out?: object | undefined;
};
/**
 * A row of tokens, what a mask hides of it, and which token then changes.
 */
export type MaskEffectOptions = {
    /**
     * Real ones, at most 64.
     */
    tokens: number;
    /**
     * Of the layer and its tokens.
     */
    seed?: number | undefined;
    /**
     * Rows of zeros beside them.
     */
    pads?: number | undefined;
    /**
     * Before the tokens; after them unless told.
     */
    pads_left?: boolean | undefined;
    /**
     * Tokens of the first of two documents; 0 for one document.
     */
    first_document?: number | undefined;
    /**
     * Only the last so many rows are queries; all unless told.
     */
    asks?: number | undefined;
    /**
     * Added to the tokens: nothing, by the place in the row, or by the
     * place among the real tokens.
     */
    positions?: "none" | "row" | "real" | undefined;
    causal?: boolean | undefined;
    /**
     * Keys that a query sees, its own included.
     */
    window?: number | undefined;
    hides_padding?: boolean | undefined;
    parts_documents?: boolean | undefined;
    /**
     * The row that changes, counted from 1; 0 for none.
     */
    changed?: number | undefined;
    /**
     * Its numbers become NaN; each grows by 1 unless told.
     */
    to_nan?: boolean | undefined;
    out?: object | undefined;
};
/**
 * Over n_q queries and n rows; `open_…` is without any mask, `masked_…` with those asked for.
 */
export type MaskEffect = {
    n_q: number;
    n: number;
    /**
     * [n] which token a row is, from 0; −1 for padding.
     */
    token: Int32Array;
    /**
     * [n]
     */
    position: Int32Array;
    /**
     * [n_q, n]
     */
    allowed: Uint8Array;
    /**
     * [n_q] keys that are left to each query.
     */
    seen: Int32Array;
    /**
     * The first masked output is the value of its own token, bit by bit.
     */
    first_is_its_value: boolean;
    /**
     * [n_q, n]
     */
    open_weights: Float64Array;
    /**
     * [n_q, 4]
     */
    open_output: Float64Array;
    /**
     * [n_q] 1 where the change moved any number of the output, compared exactly.
     */
    open_moved: Uint8Array;
    /**
     * [n_q] by how much at most; NaN where NaN came out.
     */
    open_moved_by: Float64Array;
    open_moved_rows: number;
    /**
     * [n_q] largest difference from the same tokens without padding.
     */
    open_padded_by: Float64Array;
    open_padded_most: number;
    masked_weights: Float64Array;
    masked_output: Float64Array;
    masked_moved: Uint8Array;
    masked_moved_by: Float64Array;
    masked_moved_rows: number;
    masked_padded_by: Float64Array;
    masked_padded_most: number;
};
/**
 * Lengths are at most 64, rounds and steps 1,000.
 */
export type TrainAttentionOptions = {
    /**
     * [length] the text, as numbers below vocab_size.
     */
    ids: ArrayLike<number>;
    /**
     * [length] what each token is to be answered by, −1 for nothing; the token
     * that comes next unless told.
     */
    targets?: ArrayLike<number> | undefined;
    vocab_size: number;
    /**
     * Tokens of a window.
     */
    n: number;
    d_model?: number | undefined;
    d_k?: number | undefined;
    seed?: number | undefined;
    rounds?: number | undefined;
    /**
     * Of Adam in a round.
     */
    steps?: number | undefined;
    /**
     * Windows of a step.
     */
    batch?: number | undefined;
    /**
     * Tokens from one window to the next; 1 unless told.
     */
    stride?: number | undefined;
    rate?: number | undefined;
    /**
     * The mask of training; true unless told.
     */
    causal?: boolean | undefined;
    /**
     * Tokens that it writes after each round.
     */
    writes?: number | undefined;
    out?: object | undefined;
};
/**
 * Losses in nats; one entry before training, then one for each round.
 */
export type TrainingRun = {
    /**
     * [rounds + 1] with the mask of training.
     */
    losses: Float64Array;
    /**
     * [rounds + 1] with only the past to see, as it writes.
     */
    past_losses: Float64Array;
    /**
     * [rounds + 1, n, n] of the first window.
     */
    weights: Float64Array;
    /**
     * [rounds + 1, writes] the text's first token, then always the likeliest.
     */
    written: Int32Array;
    /**
     * Of guessing evenly.
     */
    even_loss: number;
    windows: number;
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

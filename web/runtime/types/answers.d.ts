/**
 * @param {import('./loader.js').Running} running
 * @param {() => Promise<import('./loader.js').Running>} restart
 */
export function createAnswers(running: import("./loader.js").Running, restart: () => Promise<import("./loader.js").Running>): Answers;
/**
 * The answers to n²: who sees whom, what it costs, and what is still known of a text. Fires `restart` when a fresh instance
 * has taken over after an abort: compute again then.
 */
export class Answers extends Facade {
    /**
     * @param {import('./loader.js').Running} running
     * @param {() => Promise<import('./loader.js').Running>} restart
     */
    constructor(running: import("./loader.js").Running, restart: () => Promise<import("./loader.js").Running>);
    /**
     * How many pairs of a key and a value a small trained model of each answer gives back, asked for each key after the text.
     * The same texts for every answer.
     * @param {RecallOptions} options
     * @returns {Recall}
     */
    recall(options: RecallOptions): Recall;
    /**
     * Who sees whom, and what is left of the one who is seen.
     * @param {AnswerPatternOptions} options
     * @returns {AnswerPattern}
     */
    answerPattern(options: AnswerPatternOptions): AnswerPattern;
    /**
     * Operations and bytes of each answer against the length of the text, counted.
     * @param {AnswerCurvesOptions} options
     * @returns {AnswerCurves}
     */
    answerCurves(options: AnswerCurvesOptions): AnswerCurves;
}
export { createAnswers as create };
export { selfTestAnswers as selfTest } from "./answers-self-test.js";
/**
 * full: causal attention to everything; window: to the last tokens and, with `sinks`, the first; block_sparse: to blocks
 * that the data choose; linear: through a matrix of fixed size; gated_linear: which fades; selective_state: Mamba’s scan.
 */
export type LayerAnswer = "full" | "window" | "block_sparse" | "linear" | "gated_linear" | "selective_state";
/**
 * hybrid: linear layers and full ones.
 */
export type Answer = LayerAnswer | "hybrid";
export type RecallOptions = {
    /**
     * full unless told.
     */
    answer?: Answer | undefined;
    /**
     * How many pairs a text has, for each point of a curve: up to 64 points, each from 1 to
     * n or 64.
     */
    pairs: ArrayLike<number>;
    /**
     * Tokens of a text; 128 unless told, at most 1024. The models were trained on 32 to 160.
     */
    n?: number | undefined;
    /**
     * Columns of the state, 8, 16 or 32, each of 16 numbers; 16 unless told. Of linear, gated_linear and
     * selective_state alone.
     */
    state?: number | undefined;
    /**
     * Last tokens that `window` sees; 32 unless told.
     */
    window?: number | undefined;
    /**
     * First tokens that it sees besides; 0 unless told.
     */
    sinks?: number | undefined;
    /**
     * Tokens of a block of block_sparse; 8 unless told.
     */
    block?: number | undefined;
    /**
     * Blocks that it sees, the last among them; 4 unless told.
     */
    top_k?: number | undefined;
    /**
     * Drawn for each point; 16 unless told, at most 256.
     */
    texts?: number | undefined;
    /**
     * Of the texts; 1 unless told.
     */
    seed?: number | undefined;
    /**
     * Of equal distance; 8 unless told, at most 64.
     */
    bins?: number | undefined;
    /**
     * An earlier result: its arrays are written again where they fit.
     */
    out?: object | undefined;
};
/**
 * One entry or row for each point.
 */
export type Recall = {
    /**
     * Questions: texts × pairs.
     */
    asked: Int32Array;
    right: Int32Array;
    /**
     * right ÷ asked. Guessing has 1 ÷ 32.
     */
    accuracy: Float64Array;
    /**
     * [points, bins] by how far before the end the pair stands, the nearest first.
     */
    bin_asked: Int32Array;
    /**
     * [points, bins]
     */
    bin_right: Int32Array;
    /**
     * [points, bins] 0 where nothing was asked.
     */
    bin_accuracy: Float64Array;
    /**
     * That the model keeps after n tokens.
     */
    kept_numbers: number;
};
export type AnswerPatternOptions = {
    /**
     * full unless told.
     */
    answer?: LayerAnswer | undefined;
    /**
     * 64 unless told, at most 512.
     */
    n?: number | undefined;
    /**
     * 16 unless told.
     */
    window?: number | undefined;
    /**
     * 0 unless told.
     */
    sinks?: number | undefined;
    /**
     * 4 unless told.
     */
    block?: number | undefined;
    /**
     * 4 unless told.
     */
    top_k?: number | undefined;
    /**
     * What gated_linear leaves of the state at each token, 0 to 1; 0.95 unless told.
     */
    gate?: number | undefined;
    /**
     * Numbers of a channel of selective_state; 16 unless told.
     */
    state?: number | undefined;
    /**
     * Of the drawn queries and keys that choose blocks, and of a selective state’s steps; 1 unless told.
     */
    seed?: number | undefined;
    /**
     * An earlier result: its arrays are written again where they fit.
     */
    out?: object | undefined;
};
export type AnswerPattern = {
    /**
     * [n, n] from 0 to 1: what is left of token j where token i asks.
     */
    left: Float64Array;
    /**
     * [n] tokens of which something is left, of each row.
     */
    seen: Int32Array;
    /**
     * The sum of it.
     */
    pairs: number;
};
/**
 * A model whose layers are all of one answer, but for the hybrid’s.
 */
export type AnswerCurvesOptions = {
    /**
     * Up to 256 lengths of text.
     */
    lengths: ArrayLike<number>;
    /**
     * 32 unless told.
     */
    n_layers?: number | undefined;
    /**
     * 8 unless told.
     */
    n_heads?: number | undefined;
    /**
     * As many as n_heads unless told.
     */
    n_kv_heads?: number | undefined;
    /**
     * 64 unless told.
     */
    d_k?: number | undefined;
    /**
     * 64 unless told.
     */
    d_v?: number | undefined;
    /**
     * 2 unless told.
     */
    bytes_per_number?: number | undefined;
    /**
     * 1024 unless told.
     */
    window?: number | undefined;
    /**
     * 0 unless told.
     */
    sinks?: number | undefined;
    /**
     * 64 unless told.
     */
    block?: number | undefined;
    /**
     * 8 unless told.
     */
    top_k?: number | undefined;
    /**
     * Numbers of each of the n_heads · d_v channels of selective_state; 16 unless told.
     */
    state?: number | undefined;
    /**
     * One of so many layers of the hybrid is full, the others linear; 4 unless told.
     */
    full_every?: number | undefined;
    /**
     * An earlier result: its arrays are written again where they fit.
     */
    out?: object | undefined;
};
/**
 * Rows in this order: full, window, block_sparse, linear, gated_linear, selective_state, hybrid.
 */
export type AnswerCurves = {
    /**
     * [7, lengths] operations of one layer for the whole text; of the hybrid the mean.
     */
    layer_flops: Float64Array;
    /**
     * [7, lengths] of the next token.
     */
    step_flops: Float64Array;
    /**
     * [7, lengths] that all layers keep.
     */
    state_bytes: Float64Array;
    /**
     * [7] what is kept after the longest text, in tokens of a KV cache of full attention.
     */
    state_tokens: Float64Array;
    /**
     * Of the hybrid.
     */
    full_layers: number;
};
import { Facade } from './facade.js';

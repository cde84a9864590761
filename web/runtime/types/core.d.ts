/**
 * @param {import('./loader.js').Running} running
 * @param {() => Promise<import('./loader.js').Running>} restart
 */
export function createCore(running: import("./loader.js").Running, restart: () => Promise<import("./loader.js").Running>): Core;
/**
 * What the C++ core computes, as plain calls: one options object in, one object of numbers and
 * typed arrays out, with the field names of the C++ structs. Results are copies and stay valid.
 *
 * Fires `restart` when a fresh instance has taken over after an abort: compute again then.
 */
export class Core extends Facade {
    /**
     * @param {import('./loader.js').Running} running
     * @param {() => Promise<import('./loader.js').Running>} restart
     */
    constructor(running: import("./loader.js").Running, restart: () => Promise<import("./loader.js").Running>);
    /**
     * The codes of the errors that calls give, as the C++ lists them.
     * @returns {import('./errors.js').ErrorCode[]}
     */
    errorCodes(): import("./errors.js").ErrorCode[];
    /**
     * Scaled dot-product attention with every intermediate.
     * @param {AttentionOptions} options
     * @returns {AttentionTrace}
     */
    attention(options: AttentionOptions): AttentionTrace;
    /**
     * The same steps as a student does them with a pencil: each result is rounded to `decimals`
     * before the next step uses it.
     * @param {AttentionOptions & { decimals?: number }} options
     * @returns {AttentionTrace}
     */
    attentionByHand(options: AttentionOptions & {
        decimals?: number;
    }): AttentionTrace;
    /**
     * The gradients of the whole attention for a gradient `dO` [n_q, d_v] of its output. `dS` is with
     * respect to the scores that enter the softmax, that is, after the division.
     * @param {AttentionOptions & { dO: Floats }} options
     * @returns {AttentionGradients}
     */
    attentionBackward(options: AttentionOptions & {
        dO: Floats;
    }): AttentionGradients;
    /**
     * The softmax of each row of `x`; a row with nothing left after the mask gives zeros.
     * @param {SoftmaxOptions} options
     * @returns {SoftmaxTrace}
     */
    softmax(options: SoftmaxOptions): SoftmaxTrace;
    /**
     * `dS = A ∘ (dA − rowsum(dA ∘ A))`.
     * @param {SoftmaxBackwardOptions} options
     * @returns {SoftmaxGradient}
     */
    softmaxBackward(options: SoftmaxBackwardOptions): SoftmaxGradient;
    /**
     * Multi-head attention, with the name, shape and numbers of every step.
     * @param {MultiHeadOptions} options
     * @returns {MultiHeadTrace}
     */
    multiHead(options: MultiHeadOptions): MultiHeadTrace;
    /**
     * The shape of every matrix of one attention layer, and how many parameters it has.
     * @param {{ n: number, d_model: number, d_k: number, d_v: number }} options
     * @returns {AttentionShapes}
     */
    attentionShapes(options: {
        n: number;
        d_model: number;
        d_k: number;
        d_v: number;
    }): AttentionShapes;
    /**
     * What enters the first layer: X[i] = E[ids[i]] + P[i]. E [vocab_size, d_model], P and X [n, d_model].
     * @param {{ E: Floats, P: Floats, ids: ArrayLike<number>, n: number, vocab_size: number, d_model: number,
     *   out?: object }} options
     * @returns {Embedded}
     */
    embed(options: {
        E: Floats;
        P: Floats;
        ids: ArrayLike<number>;
        n: number;
        vocab_size: number;
        d_model: number;
        out?: object;
    }): Embedded;
    /**
     * Parameters of a GPT-2 of these sizes, and of its tables of tokens and positions.
     * @param {{ vocab_size: number, n_positions: number, d_model: number, n_layers: number }} options
     * @returns {EmbeddingSizes}
     */
    gpt2EmbeddingSizes(options: {
        vocab_size: number;
        n_positions: number;
        d_model: number;
        n_layers: number;
    }): EmbeddingSizes;
    /**
     * `count` numbers from N(0, 1) that depend on `seed` alone, on every machine.
     * @param {{ seed: number, count: number }} options
     * @returns {Float64Array}
     */
    randomNormals(options: {
        seed: number;
        count: number;
    }): Float64Array;
}
export { createCore as create };
export { selfTestCore as selfTest } from "./core-self-test.js";
/**
 * What a call of the raw module answers when it succeeds.
 */
export type Value<Name extends Exclude<keyof import("./raw.js").MainModule, "errorCodes">> = Extract<ReturnType<import("./raw.js").MainModule[Name]>, {
    ok: true;
}>["value"];
export type AttentionTrace = Value<"attention">;
export type AttentionGradients = Value<"attentionBackward">;
export type SoftmaxTrace = Value<"softmax">;
export type SoftmaxGradient = Value<"softmaxBackward">;
export type MultiHeadTrace = Value<"multiHead">;
export type AttentionShapes = Value<"attentionShapes">;
export type Embedded = Value<"embed">;
export type EmbeddingSizes = Value<"gpt2EmbeddingSizes">;
/**
 * Row-major.
 */
export type Floats = Float64Array | Float32Array | readonly number[];
/**
 * Any of the four, and any of them together.
 */
export type MaskOptions = {
    /**
     * Aligned bottom-right: the last query sees every key.
     */
    causal?: boolean | undefined;
    /**
     * How many keys a query sees, its own included.
     */
    window?: number | null | undefined;
    /**
     * [n_k] false or 0 where padded.
     */
    key_valid?: ArrayLike<number | boolean> | null | undefined;
    /**
     * [n_q] the document of each query.
     */
    query_document?: ArrayLike<number> | null | undefined;
    /**
     * [n_k] the document of each key.
     */
    key_document?: ArrayLike<number> | null | undefined;
};
export type AttentionOptions = {
    /**
     * [n_q, d_k]
     */
    Q: Floats;
    /**
     * [n_k, d_k]
     */
    K: Floats;
    /**
     * [n_k, d_v]
     */
    V: Floats;
    n_q: number;
    n_k: number;
    d_k: number;
    d_v: number;
    /**
     * The d_k under the root, when it is not d_k.
     */
    divisor_d_k?: number | undefined;
    /**
     * Whether scores are divided by √d_k; true unless told.
     */
    divide?: boolean | undefined;
    /**
     * float64 unless told.
     */
    dtype?: "float32" | "float64" | undefined;
    mask?: MaskOptions | null | undefined;
    /**
     * false: the weights and the output; other arrays stay empty.
     */
    trace?: boolean | undefined;
    /**
     * false: NaN and infinity may reach the output.
     */
    require_finite?: boolean | undefined;
    /**
     * An earlier result: its arrays are written again where they fit.
     */
    out?: object | undefined;
};
export type SoftmaxOptions = {
    /**
     * [n, m]
     */
    x: Floats;
    n: number;
    m: number;
    mask?: MaskOptions | null | undefined;
    require_finite?: boolean | undefined;
    dtype?: "float32" | "float64" | undefined;
    out?: object | undefined;
};
export type SoftmaxBackwardOptions = {
    /**
     * [n, m] what the softmax gave
     */
    A: Floats;
    /**
     * [n, m]
     */
    dA: Floats;
    n: number;
    m: number;
    dtype?: "float32" | "float64" | undefined;
    out?: object | undefined;
};
export type MultiHeadOptions = {
    /**
     * [n, d_model]
     */
    X: Floats;
    /**
     * [d_model, d_model]
     */
    W_Q: Floats;
    /**
     * [d_model, n_kv_heads * head_dim]
     */
    W_K: Floats;
    /**
     * [d_model, n_kv_heads * head_dim]
     */
    W_V: Floats;
    /**
     * [d_model, d_model]
     */
    W_O: Floats;
    b_Q?: Floats | undefined;
    b_K?: Floats | undefined;
    b_V?: Floats | undefined;
    b_O?: Floats | undefined;
    n: number;
    d_model: number;
    n_heads: number;
    /**
     * As many as n_heads unless told.
     */
    n_kv_heads?: number | undefined;
    mask?: MaskOptions | null | undefined;
    require_finite?: boolean | undefined;
    dtype?: "float32" | "float64" | undefined;
    out?: object | undefined;
};
import { Facade } from './facade.js';

/** One model with one sequence. Close it when it is no longer needed: the garbage collector cannot. */
export class Model extends Handle {
    /**
     * @param {Instance} instance
     * @param {{ model: number } & ModelSizes} opened
     */
    constructor(instance: Instance, { model, ...config }: {
        model: number;
    } & ModelSizes);
    /** Its sizes. @type {ModelSizes} */
    config: ModelSizes;
    /**
     * The ids of a text. What reads like a special token is text unless `special_ids` is true; `begin` puts begin_id in
     * front, where the model asks for it unless told. Bytes for which the vocabulary has no token are left out.
     * @param {string | Uint8Array} text
     * @param {{ special_ids?: boolean, begin?: boolean }} [options]
     * @returns {Int32Array}
     */
    encode(text: string | Uint8Array, options?: {
        special_ids?: boolean;
        begin?: boolean;
    }): Int32Array;
    /**
     * The text of some ids; bytes that are no UTF-8 are written as U+FFFD.
     * @param {ArrayLike<number>} ids
     */
    decode(ids: ArrayLike<number>): string;
    /**
     * Each token with a text of its own.
     * @param {ArrayLike<number>} ids
     * @returns {TokenPiece[]}
     */
    pieces(ids: ArrayLike<number>): TokenPiece[];
    /**
     * A decoder for ids that come one by one: `push(ids)` gives the text that is certain, and holds bytes that may be
     * the beginning of a character; `finish()` gives the rest.
     */
    stream(): {
        push: (ids: ArrayLike<number>) => string;
        finish: () => string;
    };
    /**
     * Appends tokens to the sequence, several at once (prefill) or one (decode): both give bit by bit the same. After an
     * error the sequence is as it was.
     * @param {ArrayLike<number>} ids
     * @param {TakeOptions} [options]
     * @returns {TakeResult}
     */
    take(ids: ArrayLike<number>, options?: TakeOptions): TakeResult;
    /**
     * As `take`, on any back end. WebGPU computes a prompt that begins a sequence, in float32, with the weights as the file
     * holds them; keys and values then stand in the cache, and decoding goes on as ever. Losses, the best tokens, weights,
     * lengths of values and what is cut out are the processor's, as are prompts of a model whose cache is not f32. `auto`
     * asks a GPU from 64 tokens on, and a software adapter never. What the device cannot do the processor does, and `notice`
     * says so: lost for the second time, none there, a shader refused, a buffer too large. Asked for by name, WebGPU is
     * tried for any prompt, and the notice says why it was not it.
     *
     * On quantized weights the processor's vector kernels round activations to 8 bits and WebGPU does not: logits differ by
     * that, some hundredths of the largest; on others, and from the scalar kernels, by rounding in float32.
     *
     * Another call that comes meanwhile and puts tokens in makes this one fail, with the sequence as that call left it.
     * @param {ArrayLike<number>} ids
     * @param {AnyTakeOptions} [options]
     * @returns {Promise<TakeResult & TakeRun>}
     */
    takeAnywhere(ids: ArrayLike<number>, options?: AnyTakeOptions): Promise<TakeResult & TakeRun>;
    /**
     * The most probable next tokens, the most probable first, by the softmax of the last token's logits.
     * @param {number} count
     * @param {{ temperature?: number }} [options]  Divides the logits; 1 unless told.
     * @returns {CandidateToken[]}
     */
    candidates(count: number, options?: {
        temperature?: number;
    }): CandidateToken[];
    /**
     * The next token by the last one's logits; `take` appends it.
     * @param {NextOptions} [options]
     * @returns {number}
     */
    next(options?: NextOptions): number;
    /**
     * Drops all tokens from the cache but the pinned first ones and the last `kept`. Those that are left keep their positions.
     * @param {number} kept
     * @returns {SequenceLength}
     */
    evict(kept: number): SequenceLength;
    /**
     * Forgets the tokens from `length` on. Refused when that would show what was evicted. Logits come back with the next token.
     * @param {number} length
     * @returns {SequenceLength}
     */
    rewind(length: number): SequenceLength;
    /**
     * Forgets the whole sequence; the next one pins so many first tokens, none unless told.
     * @param {{ pinned?: number }} [options]
     * @returns {SequenceLength}
     */
    reset(options?: {
        pinned?: number;
    }): SequenceLength;
    /**
     * What the sequence holds, counted by its cache.
     * @returns {ModelState}
     */
    state(): ModelState;
    /** Gives its memory back. Any later call is refused. */
    close(): void;
    #private;
}
/**
 * A model that runs: tokens in, probabilities of the next one out, and what its heads looked at on the way. Layers, heads
 * and positions are counted from 0.
 */
export type Instance = import("./instance.js").Instance;
/**
 * A model that runs: tokens in, probabilities of the next one out, and what its heads looked at on the way. Layers, heads
 * and positions are counted from 0.
 */
export type ModelSizes = {
    architecture: "llama" | "gpt2";
    /**
     * As its file calls it; empty where it does not.
     */
    name: string;
    n_layers: number;
    d_model: number;
    n_heads: number;
    n_kv_heads: number;
    head_dim: number;
    d_ff: number;
    /**
     * Positions that it was made for.
     */
    context: number;
    vocab_size: number;
    /**
     * 0 where positions are not rotary.
     */
    rope_base: number;
    has_tokenizer: boolean;
    /**
     * Whether a text begins with the token begin_id.
     */
    adds_begin: boolean;
    begin_id?: number | undefined;
    /**
     * The token after which it has no more to say.
     */
    end_id?: number | undefined;
    /**
     * Tokens that the sequence may have.
     */
    capacity: number;
    cache_format: string;
    backend: string;
    weight_bytes: number;
    /**
     * In all layers.
     */
    cache_bytes_per_token: number;
};
/**
 * What is cut out of the model while tokens are taken in.
 */
export type AblationOptions = {
    /**
     * Pairs of a layer and a head whose output is 0: [5, 2, 5, 3] are two heads.
     */
    heads?: ArrayLike<number> | undefined;
    /**
     * Tokens that no other token sees, in any layer, in rising order.
     */
    positions?: ArrayLike<number> | undefined;
};
/**
 * A model that runs: tokens in, probabilities of the next one out, and what its heads looked at on the way. Layers, heads
 * and positions are counted from 0.
 */
export type TakeOptions = {
    logits?: boolean | undefined;
    losses?: boolean | undefined;
    best?: boolean | undefined;
    /**
     * As bytes each is 255 times the weight, rounded: off by at most 1/510.
     */
    weights?: "floats" | "bytes" | "none" | undefined;
    value_lengths?: boolean | undefined;
    ablation?: AblationOptions | undefined;
    /**
     * An earlier result: its arrays are written again where they fit.
     */
    out?: object | undefined;
};
/**
 * A model that runs: tokens in, probabilities of the next one out, and what its heads looked at on the way. Layers, heads
 * and positions are counted from 0.
 */
export type TakeResult = {
    /**
     * Of the sequence afterwards.
     */
    length: number;
    /**
     * Of these, those that were not evicted.
     */
    visible_tokens: number;
    /**
     * [vocab_size] of the last token.
     */
    logits?: Float32Array<ArrayBufferLike> | undefined;
    /**
     * [count] −ln p of each token, given those before it; NaN for the first of a sequence.
     */
    losses?: Float64Array<ArrayBufferLike> | undefined;
    /**
     * [count] The token that is most probable after each.
     */
    best?: Int32Array<ArrayBufferLike> | undefined;
    /**
     * [n_layers, n_heads, count, length]; what a row does not see has 0.
     */
    weights?: Uint8Array<ArrayBufferLike> | Float32Array<ArrayBufferLike> | undefined;
    /**
     * [n_layers, n_kv_heads, length] The length of each value as a vector; 0 of what
     * was evicted.
     */
    value_lengths?: Float32Array<ArrayBufferLike> | undefined;
};
/**
 * `gpu` stands in for navigator.gpu, as in Node. Of the processor's back ends the one that the model was opened with.
 */
export type AnyTakeOptions = TakeOptions & {
    backend?: import("./kernels.js").Backend | "webgpu" | "auto";
    gpu?: object;
};
/**
 * A model that runs: tokens in, probabilities of the next one out, and what its heads looked at on the way. Layers, heads
 * and positions are counted from 0.
 */
export type TakeRun = {
    /**
     * What ran.
     */
    backend: "webgpu" | import("./kernels.js").Backend;
    /**
     * On a device with the way there and back, and the first time with the weights.
     */
    compute_ms: number;
    /**
     * Of a run on a device.
     */
    adapter?: import("./webgpu.js").WebGpuAdapter | undefined;
    /**
     * What went another way than asked.
     */
    notice?: string | undefined;
};
/**
 * A token cuts characters: what is none by itself is U+FFFD.
 */
export type TokenPiece = {
    id: number;
    text: string;
};
/**
 * A model that runs: tokens in, probabilities of the next one out, and what its heads looked at on the way. Layers, heads
 * and positions are counted from 0.
 */
export type CandidateToken = {
    id: number;
    text: string;
    probability: number;
};
/**
 * A model that runs: tokens in, probabilities of the next one out, and what its heads looked at on the way. Layers, heads
 * and positions are counted from 0.
 */
export type NextOptions = {
    /**
     * 0, unless told, takes the most probable token and draws nothing.
     */
    temperature?: number | undefined;
    /**
     * Of the tokens the k most probable are kept; 0 keeps all.
     */
    top_k?: number | undefined;
    /**
     * Of those the fewest that together reach p; 1 keeps all.
     */
    top_p?: number | undefined;
    /**
     * The same seed draws the same token at the same place.
     */
    seed?: number | undefined;
};
/**
 * A model that runs: tokens in, probabilities of the next one out, and what its heads looked at on the way. Layers, heads
 * and positions are counted from 0.
 */
export type SequenceLength = {
    length: number;
    visible_tokens: number;
};
/**
 * cache_bytes is visible_tokens × cache_bytes_per_token; pages of 64 tokens are allocated.
 */
export type ModelState = SequenceLength & {
    cache_bytes: number;
    allocated_bytes: number;
};
import { Handle } from './handle.js';

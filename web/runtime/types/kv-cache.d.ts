/**
 * @param {Instance} instance
 * @param {KvCacheOptions} options
 */
export function openKvCache(instance: Instance, options: KvCacheOptions): KvCache;
/** One cache. Close it when it is no longer needed: the garbage collector cannot. */
export class KvCache extends Handle {
    /**
     * @param {Instance} instance
     * @param {Record<'cache' | 'token_bytes' | 'block_bytes' | 'block_tokens' | 'key_width' | 'value_width' | 'kept_heads',
     *   number>} opened
     */
    constructor(instance: Instance, opened: Record<"cache" | "token_bytes" | "block_bytes" | "block_tokens" | "key_width" | "value_width" | "kept_heads", number>);
    /** Bytes of one token in all layers. */
    token_bytes: number;
    /** A page, or what a contiguous sequence reserves: its bytes, and the tokens that it has room for. */
    block_bytes: number;
    block_tokens: number;
    /** Numbers of a kept key (and of a query), of a value (and of an output), and how many of them a token has in a layer. */
    key_width: number;
    value_width: number;
    kept_heads: number;
    /** Begins an empty sequence. */
    sequence(): CacheSequence;
    /**
     * One query a head for each of some sequences of this cache, in one layer: what a step of a batch asks.
     * @param {readonly CacheSequence[]} sequences
     * @param {AttendOptions} options
     * @returns {AttendResult}
     */
    attend(sequences: readonly CacheSequence[], options: AttendOptions): AttendResult;
    /**
     * What all sequences hold together, counted by the cache.
     * @returns {KvCacheStats}
     */
    stats(): KvCacheStats;
    /** Gives its memory back, with all sequences. Any later call is refused. */
    close(): void;
}
/** The tokens of one text in a cache. */
export class CacheSequence {
    /**
     * @param {KvCache} cache
     * @param {SequenceStats} stats
     */
    constructor(cache: KvCache, { sequence }: SequenceStats);
    /**
     * Appends `count` tokens (1 unless told) to all layers: K [n_layers, count, n_kv_heads, d_k], V likewise; with a latent
     * K [n_layers, count, latent_rank + rope_width] alone. Keys come with their positions, as rotated as they will ever be.
     * @param {{ count?: number, K: Rows, V?: Rows }} options
     * @returns {SequenceStats}
     */
    append(options: {
        count?: number;
        K: Rows;
        V?: Rows;
    }): SequenceStats;
    /**
     * One query a head over every visible token of one layer.
     * @param {AttendOptions} options
     * @returns {AttendResult}
     */
    attend(options: AttendOptions): AttendResult;
    /**
     * The rows of the visible tokens in order, as they are read back: K [visible_tokens, n_kv_heads, d_k], V likewise.
     * @param {{ layer?: number, out?: object }} [options]
     * @returns {{ K: Float32Array, V?: Float32Array }}
     */
    read(options?: {
        layer?: number;
        out?: object;
    }): {
        K: Float32Array;
        V?: Float32Array;
    };
    /**
     * Forgets the tokens from `length` on. Refused when that length would show what has left the window or was evicted.
     * @param {number} length
     * @returns {SequenceStats}
     */
    rollBack(length: number): SequenceStats;
    /**
     * A new sequence of the first `length` tokens, of all unless told. Pages are shared until one of the two writes.
     * @param {{ length?: number }} [options]
     */
    fork(options?: {
        length?: number;
    }): CacheSequence;
    /**
     * Drops all tokens but the sinks and the last `kept`.
     * @param {number} kept
     * @returns {SequenceStats}
     */
    evict(kept: number): SequenceStats;
    /**
     * What it holds, and its table of pages.
     * @returns {SequenceStats}
     */
    stats(): SequenceStats;
    /** Gives back what it alone holds. Any later call is refused. */
    close(): void;
    #private;
}
/**
 * A KV cache that stays in the module.
 */
export type Instance = import("./instance.js").Instance;
/**
 * A KV cache that stays in the module.
 */
export type Rows = Float32Array | readonly number[];
/**
 * A KV cache that stays in the module.
 */
export type KeptFormat = "f32" | "f16" | "q8_0" | "q4_0";
/**
 * Vectors unless told, where the build has them.
 */
export type CacheBackend = "scalar" | "simd" | "auto";
/**
 * A KV cache that stays in the module.
 */
export type KvCacheOptions = {
    /**
     * Layers that are alike; 1 unless told.
     */
    n_layers?: number | undefined;
    /**
     * Query heads; 1 unless told.
     */
    n_heads?: number | undefined;
    /**
     * As many as n_heads unless told.
     */
    n_kv_heads?: number | undefined;
    d_k: number;
    /**
     * d_k unless told.
     */
    d_v?: number | undefined;
    /**
     * When not 0, one row of latent_rank + rope_width numbers is kept for all heads, and no
     * value; n_kv_heads and d_v are not given, and d_k is that of a whole key, for the scale.
     */
    latent_rank?: number | undefined;
    rope_width?: number | undefined;
    /**
     * 1/√d_k unless told.
     */
    scale?: number | undefined;
    /**
     * Contiguous unless told.
     */
    layout?: "contiguous" | "paged" | undefined;
    /**
     * Contiguous: tokens reserved for each sequence; not needed with a window.
     */
    capacity?: number | undefined;
    /**
     * Paged: 16 unless told.
     */
    page_tokens?: number | undefined;
    /**
     * Counts the token itself; 0 for none.
     */
    window?: number | undefined;
    /**
     * First tokens that always stay.
     */
    sinks?: number | undefined;
    /**
     * f32 unless told.
     */
    format?: KeptFormat | undefined;
};
/**
 * Of all sequences together; a shared page counts once where bytes are allocated.
 */
export type KvCacheStats = {
    sequences: number;
    tokens: number;
    visible_tokens: number;
    /**
     * One token in all layers.
     */
    token_bytes: number;
    /**
     * A page, or what a contiguous sequence reserves.
     */
    block_bytes: number;
    blocks: number;
    /**
     * visible_tokens · token_bytes
     */
    needed_bytes: number;
    /**
     * blocks · block_bytes, as taken from the allocator.
     */
    allocated_bytes: number;
};
/**
 * Tokens 0 to sinks − 1 and first_visible to length − 1 are visible.
 */
export type SequenceStats = {
    sequence: number;
    length: number;
    sinks: number;
    first_visible: number;
    visible_tokens: number;
    /**
     * The oldest token behind the sinks whose row is still there.
     */
    first_held: number;
    needed_bytes: number;
    blocks: number;
    /**
     * For each begun page its number, 0 where it went back. Pages are never numbered twice.
     */
    pages: Int32Array;
    /**
     * How many sequences share it.
     */
    references: Int32Array;
};
/**
 * A KV cache that stays in the module.
 */
export type AttendOptions = {
    /**
     * [n_heads, key_width] for each sequence.
     */
    q: Rows;
    /**
     * 0 unless told.
     */
    layer?: number | undefined;
    backend?: CacheBackend | undefined;
    log_sum_exp?: boolean | undefined;
    /**
     * Computes that often and gives the mean time.
     */
    repeat?: number | undefined;
    /**
     * An earlier result: its arrays are written again where they fit.
     */
    out?: object | undefined;
};
/**
 * A KV cache that stays in the module.
 */
export type AttendResult = {
    backend: "scalar" | "simd";
    compute_ms: number;
    /**
     * [n_heads, value_width] for each sequence.
     */
    output: Float32Array;
    /**
     * [n_heads] for each sequence.
     */
    log_sum_exp?: Float32Array<ArrayBufferLike> | undefined;
};
import { Handle } from './handle.js';

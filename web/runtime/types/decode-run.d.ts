/**
 * @param {Instance} instance
 * @param {DecodeRunOptions} [options]
 */
export function openDecodeRun(instance: Instance, options?: DecodeRunOptions): DecodeRun;
/** One run. Close it when it is no longer needed: the garbage collector cannot. */
export class DecodeRun extends Handle {
    /**
     * @param {Instance} instance
     * @param {{ run: number, backend: string } & Record<'n' | 'n_layers' | 'n_heads' | 'n_kv_heads' | 'd_k' | 'd_model' |
     *   'vocab_size' | 'parameters', number>} opened
     */
    constructor(instance: Instance, { run, ...model }: {
        run: number;
        backend: string;
    } & Record<"n" | "n_layers" | "n_heads" | "n_kv_heads" | "d_k" | "d_model" | "vocab_size" | "parameters", number>);
    /** Its sizes: n, backend, n_layers, n_heads, n_kv_heads, d_k, d_model, vocab_size, parameters. */
    model: {
        backend: string;
        n_layers: number;
        n_kv_heads: number;
        d_k: number;
        n_heads: number;
        d_model: number;
        parameters: number;
        vocab_size: number;
        n: number;
    };
    /**
     * The next token with the cache.
     * @param {{ repeat?: number }} [options]  Computes the step that often and gives the mean time.
     * @returns {DecodeStep}
     */
    stepWith(options?: {
        repeat?: number;
    }): DecodeStep;
    /**
     * The next token without: the whole sequence computed anew.
     * @param {{ repeat?: number }} [options]
     * @returns {DecodeStep}
     */
    stepWithout(options?: {
        repeat?: number;
    }): DecodeStep;
    /**
     * What either way has done so far.
     * @returns {DecodeRunState}
     */
    state(): DecodeRunState;
    /** Gives its memory back. Any later call is refused. */
    close(): void;
}
/**
 * A small model that writes with a cache and without.
 */
export type Instance = import("./instance.js").Instance;
/**
 * A small model that writes with a cache and without.
 */
export type DecodeRunOptions = {
    /**
     * Steps that it may make; 256 unless told.
     */
    n?: number | undefined;
    /**
     * Of its weights; 1 unless told.
     */
    seed?: number | undefined;
    backend?: import("./kv-cache.js").CacheBackend | undefined;
};
/**
 * A small model that writes with a cache and without.
 */
export type DecodeStep = {
    /**
     * The one that was chosen.
     */
    token: number;
    /**
     * Those before it, the first one, which is given, included.
     */
    tokens: number;
    /**
     * Tokens that went through the model for it: 1 with the cache, all of them without.
     */
    passes: number;
    flops: number;
    /**
     * Each weight read once.
     */
    weight_bytes: number;
    /**
     * Each key and value read once.
     */
    kv_bytes: number;
    /**
     * Of one step, without the border.
     */
    compute_ms: number;
};
/**
 * A small model that writes with a cache and without.
 */
export type DecodeRunState = {
    passes_with: number;
    passes_without: number;
    /**
     * Over the steps that both ways have made, like largest_difference.
     */
    same_tokens: boolean;
    /**
     * Of two logits.
     */
    largest_difference: number;
    /**
     * Of the cache.
     */
    needed_bytes: number;
    allocated_bytes: number;
    tokens_with: Int32Array;
    tokens_without: Int32Array;
};
import { Handle } from './handle.js';

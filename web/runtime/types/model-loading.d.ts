/**
 * @param {Instance} instance
 * @param {string} call
 * @param {object} options
 */
export function openModelLoading(instance: Instance, call: string, options: object): ModelLoading;
/**
 * Says which bytes it wants and takes them in pieces of any size, so that no file is ever held as a whole:
 *
 *   for (let wanted; (wanted = loading.wanted()); ) loading.give(bytes of wanted.file from wanted.begin on);
 *   const model = loading.finish();
 *
 * After the header the wanted places of a file only rise. Close it when it is not finished: the garbage collector cannot.
 */
export class ModelLoading extends Handle {
    /**
     * @param {Instance} instance
     * @param {{ loading: number }} opened
     */
    constructor(instance: Instance, { loading }: {
        loading: number;
    });
    /**
     * What comes next; undefined when all is there.
     * @returns {WantedBytes | undefined}
     */
    wanted(): WantedBytes | undefined;
    /**
     * The next bytes of what is wanted, at most that many. A file that is of no use is refused as soon as it is seen, and
     * what was read of it is given back: begin another one.
     * @param {Uint8Array} bytes
     */
    give(bytes: Uint8Array): void;
    /**
     * How far it is.
     * @returns {LoadingProgress}
     */
    progress(): LoadingProgress;
    /**
     * The model, once nothing is wanted any more. Afterwards this is closed; when options are refused it stays, for another
     * try.
     * @param {ModelOptions} [options]
     */
    finish(options?: ModelOptions): Model;
    /** Gives its memory back. Any later call is refused. */
    close(): void;
}
/**
 * A model on its way into memory.
 */
export type Instance = import("./instance.js").Instance;
/**
 * A model on its way into memory.
 */
export type WantedBytes = {
    /**
     * Which file: 0 unless there are several.
     */
    file: number;
    /**
     * The first byte.
     */
    begin: number;
    /**
     * How many, from there on.
     */
    bytes: number;
};
/**
 * A model on its way into memory.
 */
export type LoadingProgress = {
    /**
     * Of all weights; 0 until the headers have been read.
     */
    weight_bytes: number;
    /**
     * Of these, those that are there.
     */
    given_bytes: number;
};
/**
 * A model on its way into memory.
 */
export type ModelOptions = {
    /**
     * Tokens that the sequence may have; the model's own context unless told.
     */
    capacity?: number | undefined;
    /**
     * How the cache keeps keys and values; f32 unless told.
     */
    cache_format?: "f32" | "f16" | "q8_0" | "q4_0" | undefined;
    /**
     * First tokens that no eviction drops; 0 unless told.
     */
    pinned?: number | undefined;
    backend?: import("./kv-cache.js").CacheBackend | undefined;
};
import { Handle } from './handle.js';
import { Model } from './running-model.js';

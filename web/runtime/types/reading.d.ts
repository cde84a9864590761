/**
 * @param {import('./loader.js').Running} running
 * @param {() => Promise<import('./loader.js').Running>} restart
 * @param {import('./loader.js').FetchFile} fetchFile
 */
export function createReadings(running: import("./loader.js").Running, restart: () => Promise<import("./loader.js").Running>, fetchFile: import("./loader.js").FetchFile): Readings;
/**
 * What is read off the maps of a real model: which heads show which pattern, and by how much more than luck; how much the
 * first token draws; one map, row by row, by weight and by what arrives.
 */
export class Readings extends Facade {
    /**
     * @param {import('./loader.js').Running} running
     * @param {() => Promise<import('./loader.js').Running>} restart
     * @param {import('./loader.js').FetchFile} fetchFile
     */
    constructor(running: import("./loader.js").Running, restart: () => Promise<import("./loader.js").Running>, fetchFile: import("./loader.js").FetchFile);
    /**
     * One of the recordings that come with the lecture, fetched once, when it is first asked for.
     * @param {import('./recordings.js').RecordingName} name
     * @param {{ onProgress?: (news: { loaded: number, total: number | null }) => void }} [options]
     * @returns {Promise<Recording>}
     * @throws {AttentionDeckError} `bad_argument` for a name that there is not; `load_*` when it does not arrive.
     */
    recording(name: import("./recordings.js").RecordingName, { onProgress }?: {
        onProgress?: (news: {
            loaded: number;
            total: number | null;
        }) => void;
    }): Promise<Recording>;
    /**
     * The same recording at once, or undefined while it is not there yet.
     * @param {import('./recordings.js').RecordingName} name
     */
    opened(name: import("./recordings.js").RecordingName): Recording | undefined;
    /**
     * A recording from its file.
     * @param {{ file: Uint8Array }} options
     * @returns {Recording}
     * @throws {AttentionDeckError} `bad_argument` with `.field` 'file' for what is cut, damaged or no recording.
     */
    readRecording(options: {
        file: Uint8Array;
    }): Recording;
    /**
     * How much of each pattern every head shows, beside the best that any head shows when the keys of every row are
     * shuffled.
     * @param {Maps & PatternOptions} options
     * @returns {Patterns}
     */
    findPatterns(options: Maps & PatternOptions): Patterns;
    /**
     * How much weight every head puts on the keys of pairs that somebody names, as the mean over their queries, beside the
     * best that any head puts there when the keys of every row are shuffled. All arrays have 1 in place of 3. The shuffles
     * allow for the number of heads, not for pairs that were named after a look at the maps.
     * @param {Maps & PairOptions} options
     * @returns {Patterns}
     */
    findPairs(options: Maps & PairOptions): Patterns;
    /**
     * How much of its weight each layer leaves on the first token.
     * @param {Maps & { first_row?: number, out?: object }} options  Rows from `first_row` on; all unless told.
     * @returns {FirstTokenShare}
     */
    firstTokenShare(options: Maps & {
        first_row?: number;
        out?: object;
    }): FirstTokenShare;
    /**
     * One map, or the mean of a layer's, and one row of it in order.
     * @param {MapOptions} options
     * @returns {MapReading}
     */
    readMap(options: MapOptions): MapReading;
    #private;
}
export { createReadings as create };
export { selfTestReadings as selfTest } from "./reading-self-test.js";
export type ReadingModel = {
    name: string;
    architecture?: string | undefined;
    n_layers: number;
    n_heads: number;
    n_kv_heads: number;
    head_dim: number;
    d_model: number;
};
export type ReadToken = {
    id: number;
    text: string;
};
/**
 * What a model's heads looked at in one text: recorded, or live.
 */
export type Reading = {
    model: ReadingModel;
    id?: string | undefined;
    text?: string | undefined;
    /**
     * [n]
     */
    tokens: ReadToken[];
    /**
     * [n_layers, n_heads, n, n] queries in rows; bytes are 255ths.
     */
    weights: Uint8Array | Float32Array;
    /**
     * [n_layers, n_kv_heads, n] the Euclidean length of each value.
     */
    value_lengths: Float32Array;
    /**
     * [n - 1] −log p of each token but the first.
     */
    losses?: ArrayLike<number> | undefined;
    /**
     * For the token after the last.
     */
    candidates?: (ReadToken & {
        probability: number;
    })[] | undefined;
};
export type Recording = {
    model: ReadingModel;
    /**
     * The format of its weights.
     */
    file: string;
    machine: string;
    date: string;
    /**
     * Bytes that a token takes in the cache, as it was counted.
     */
    token_bytes: number;
    /**
     * Of the timed run.
     */
    prompt: string;
    /**
     * Whether it wrote the same with the cache and without.
     */
    same_tokens: boolean;
    /**
     * [steps] milliseconds.
     */
    cached_ms: Float32Array;
    /**
     * [steps]
     */
    uncached_ms: Float32Array;
    long_text: string;
    long_tokens: number;
    /**
     * [n_layers, n_heads] each head's mean weight on the token before.
     */
    long_previous: Float32Array;
    /**
     * [n_layers] the mean weight on the first token, over all rows.
     */
    long_first: Float32Array;
    readings: Reading[];
};
/**
 * The weights of all heads, in one of two ways.
 */
export type Maps = {
    n_layers: number;
    n_heads: number;
    /**
     * Tokens, at most 256.
     */
    n: number;
    /**
     * [n_layers, n_heads, n, n] from 0 to 1; a key after its query has 0.
     */
    weights?: ArrayLike<number> | undefined;
    /**
     * The same in 255ths, as bytes.
     */
    parts?: ArrayLike<number> | undefined;
};
export type PatternOptions = {
    /**
     * [n] equal ids are the same token.
     */
    ids: ArrayLike<number>;
    /**
     * 100 unless told.
     */
    shuffles?: number | undefined;
    seed?: number | undefined;
    out?: object | undefined;
};
export type PairOptions = {
    /**
     * [p, 2] a query and a key not after it; by query and then by key, each once.
     */
    pairs: ArrayLike<number>;
    /**
     * 100 unless told.
     */
    shuffles?: number | undefined;
    seed?: number | undefined;
    out?: object | undefined;
};
/**
 * Rows are previous token, first token, induction. Layers and heads count from 0.
 */
export type Patterns = {
    /**
     * [3, n_layers, n_heads] the mean weight on the keys that the pattern names.
     */
    scores: Float64Array;
    /**
     * [3] rows that count; none for induction in a text without a repetition.
     */
    rows: Int32Array;
    /**
     * [3] the best score of any head in any shuffle of the keys.
     */
    shuffled_best: Float64Array;
    /**
     * [3] the best of a shuffle, on average.
     */
    shuffled_mean: Float64Array;
    /**
     * [3, n_layers, n_heads] 1 where a score is above shuffled_best.
     */
    above: Uint8Array;
    /**
     * [3]
     */
    above_count: Int32Array;
    /**
     * [3, n_layers n_heads] heads by score, as layer n_heads + head.
     */
    ranked: Int32Array;
};
export type FirstTokenShare = {
    /**
     * [n_layers] the mean weight on the first token over heads and rows.
     */
    by_layer: Float64Array;
    mean: number;
    /**
     * The same if each row shared equally among the tokens that it sees.
     */
    equal_share: number;
};
/**
 * One layer.
 */
export type MapOptions = {
    n_heads: number;
    n_kv_heads: number;
    n: number;
    /**
     * [n_heads, n, n]
     */
    weights?: ArrayLike<number> | undefined;
    /**
     * The same in 255ths.
     */
    parts?: ArrayLike<number> | undefined;
    /**
     * [n_kv_heads, n]
     */
    value_lengths: ArrayLike<number>;
    /**
     * From 0; the mean over the heads unless told.
     */
    head?: number | undefined;
    /**
     * The query that is read, from 0.
     */
    row: number;
    out?: object | undefined;
};
export type MapReading = {
    /**
     * [n, n]
     */
    weights: Float64Array;
    /**
     * [n, n] weight times length of the value, as a share of its row.
     */
    shares: Float64Array;
    /**
     * [n]
     */
    lengths: Float64Array;
    /**
     * [row + 1] the keys of the row, heaviest first.
     */
    by_weight: Int32Array;
    /**
     * [row + 1]
     */
    by_share: Int32Array;
    /**
     * How much of the row goes elsewhere from weights to shares.
     */
    moved: number;
};
import { Facade } from './facade.js';

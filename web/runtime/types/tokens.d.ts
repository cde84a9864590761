/**
 * @param {import('./loader.js').Running} running
 * @param {() => Promise<import('./loader.js').Running>} restart
 * @param {import('./loader.js').FetchFile} fetchFile
 * @param {import('./loader.js').LoadFiles} loadFiles
 */
export function createTokens(running: import("./loader.js").Running, restart: () => Promise<import("./loader.js").Running>, fetchFile: import("./loader.js").FetchFile, loadFiles: import("./loader.js").LoadFiles): Tokens;
/**
 * Byte-pair encoding: vocabularies to encode with, and trainers that learn one merge at a time.
 *
 * What is opened stays in the module until it is closed, and is gone after an abort; `restart` is fired when a
 * fresh module has taken over, and everything must then be opened again.
 */
export class Tokens extends Facade {
    /**
     * @param {import('./loader.js').Running} running
     * @param {() => Promise<import('./loader.js').Running>} restart
     * @param {import('./loader.js').FetchFile} fetchFile
     * @param {import('./loader.js').LoadFiles} loadFiles
     */
    constructor(running: import("./loader.js").Running, restart: () => Promise<import("./loader.js").Running>, fetchFile: import("./loader.js").FetchFile, loadFiles: import("./loader.js").LoadFiles);
    /** Another number after each restart: what was opened in an earlier life is gone. */
    get life(): number;
    /**
     * One of the vocabularies that come with the lecture, fetched once, when it is first asked for. Everybody gets the
     * same tokenizer, so leave it open.
     * @param {import('./vocabularies.js').VocabularyName} name
     * @param {{ onProgress?: (news: { loaded: number, total: number | null }) => void }} [options]
     * @returns {Promise<Tokenizer>}
     * @throws {AttentionDeckError} `bad_argument` for a name that there is not; `load_*` when it does not arrive.
     */
    vocabulary(name: import("./vocabularies.js").VocabularyName, { onProgress }?: {
        onProgress?: (news: {
            loaded: number;
            total: number | null;
        }) => void;
    }): Promise<Tokenizer>;
    /**
     * The same tokenizer at once, or undefined while it is not there yet.
     * @param {import('./vocabularies.js').VocabularyName} name
     */
    opened(name: import("./vocabularies.js").VocabularyName): Tokenizer | undefined;
    /**
     * Opens a vocabulary file. Files of other forms than our own are read by the module `files`, which is fetched for the first
     * one; leave the bytes as they are until the answer is there. Rejects with `.field` 'file' and the line at fault in the message.
     * @param {VocabularySource} source
     * @returns {Promise<Tokenizer>}
     */
    open(source: VocabularySource): Promise<Tokenizer>;
    /**
     * Ids as a short list of pieces numbers them: the place of each piece in the list, −1 where it does not stand.
     * @param {{ pieces: readonly (string | Uint8Array)[], list: readonly (string | Uint8Array)[] }} options
     * @returns {Int32Array}
     */
    idsInList(options: {
        pieces: readonly (string | Uint8Array)[];
        list: readonly (string | Uint8Array)[];
    }): Int32Array;
    /**
     * Begins to learn merges.
     * @param {TrainerOptions} options
     */
    train(options: TrainerOptions): Trainer;
    #private;
}
/** One open vocabulary. Close it when it is no longer needed: the garbage collector cannot. */
export class Tokenizer extends Handle {
    /**
     * @param {import('./instance.js').Instance} instance
     * @param {{ tokenizer: number, vocab_size: number }} opened
     * @param {import('./loader.js').LoadFiles} loadFiles
     */
    constructor(instance: import("./instance.js").Instance, { tokenizer, vocab_size: vocabSize }: {
        tokenizer: number;
        vocab_size: number;
    }, loadFiles: import("./loader.js").LoadFiles);
    vocab_size: number;
    /**
     * The ids of a text. What reads like a special token is text unless `special_ids` is true. −1 is a character that a
     * vocabulary of characters does not know. With `out` the ids are written there and the answer is its beginning,
     * or, where it is too short, an array of its own as ever; as many as the text has bytes are always enough.
     * @param {string | Uint8Array} text
     * @param {{ special_ids?: boolean, out?: Int32Array }} [options]
     * @returns {Int32Array}
     */
    encode(text: string | Uint8Array, options?: {
        special_ids?: boolean;
        out?: Int32Array;
    }): Int32Array;
    /**
     * The bytes of some ids: not always UTF-8, because tokens cut characters.
     * @param {ArrayLike<number>} ids
     * @returns {Uint8Array}
     */
    decodeBytes(ids: ArrayLike<number>): Uint8Array;
    /**
     * The text of some ids; bytes that are no UTF-8 are written as U+FFFD.
     * @param {ArrayLike<number>} ids
     */
    decode(ids: ArrayLike<number>): string;
    /**
     * A decoder for ids that come one by one: `push(ids)` gives the text that is certain, and holds bytes that may be
     * the beginning of a character; `finish()` gives the rest.
     */
    stream(): {
        push: (ids: ArrayLike<number>) => string;
        finish: () => string;
    };
    /**
     * Where each of the ids that `encode` gave for `text` lies in it, in bytes and in UTF-16 units.
     * @param {string | Uint8Array} text
     * @param {ArrayLike<number>} ids
     * @returns {{ byte_begin: Int32Array, byte_end: Int32Array, utf16_begin: Int32Array, utf16_end: Int32Array }}
     */
    offsets(text: string | Uint8Array, ids: ArrayLike<number>): {
        byte_begin: Int32Array;
        byte_end: Int32Array;
        utf16_begin: Int32Array;
        utf16_end: Int32Array;
    };
    /**
     * How a text becomes its ids: step s is the merge of rank[s], which joins left[s] and right[s] into result[s] at the
     * bytes places[place_begin[s]] to places[place_begin[s + 1] − 1]. `shown_ids` are the tokens after the first
     * `steps` of them, all unless told, and `shown_begin` the bytes at which these begin.
     * @param {string | Uint8Array} text
     * @param {{ steps?: number }} [options]
     * @returns {{ shown_steps: number } & Record<'word_begin' | 'start' | 'start_offset' | 'rank' | 'left' | 'right' |
     *   'result' | 'place_begin' | 'places' | 'ids' | 'shown_ids' | 'shown_begin', Int32Array>}
     */
    replay(text: string | Uint8Array, options?: {
        steps?: number;
    }): {
        shown_steps: number;
    } & Record<"word_begin" | "start" | "start_offset" | "rank" | "left" | "right" | "result" | "place_begin" | "places" | "ids" | "shown_ids" | "shown_begin", Int32Array>;
    /**
     * What a text costs. `relative` is its number of tokens by that of `reference`, a text that says the same, and 0
     * where there is none.
     * @param {string | Uint8Array} text
     * @param {{ reference?: string | Uint8Array, special_ids?: boolean }} [options]
     * @returns {Record<'tokens' | 'bytes' | 'characters' | 'utf16_units' | 'words' | 'tokens_per_word' |
     *   'bytes_per_token' | 'relative', number>}
     */
    measure(text: string | Uint8Array, options?: {
        reference?: string | Uint8Array;
        special_ids?: boolean;
    }): Record<"tokens" | "bytes" | "characters" | "utf16_units" | "words" | "tokens_per_word" | "bytes_per_token" | "relative", number>;
    /**
     * Every token and merge: token i has the bytes offsets[i] to offsets[i + 1] − 1.
     * @returns {{ vocab_size: number, bytes: Uint8Array } & Record<'offsets' | 'base' | 'merge_left' | 'merge_right' |
     *   'merge_result' | 'merge_rank' | 'special', Int32Array>}
     */
    vocabulary(): {
        vocab_size: number;
        bytes: Uint8Array;
    } & Record<"offsets" | "base" | "merge_left" | "merge_right" | "merge_result" | "merge_rank" | "special", Int32Array>;
    /**
     * The vocabulary as a file, which the module `files` writes.
     * @param {VocabularyFormat} format
     * @returns {Promise<Uint8Array>}
     */
    save(format: VocabularyFormat): Promise<Uint8Array>;
    /** Gives its memory back. Any later call is refused. */
    close(): void;
    #private;
}
/** One training under way. */
export class Trainer extends Handle {
    /**
     * @param {import('./instance.js').Instance} instance
     * @param {{ trainer: number, base_count: number, word_count: number }} opened
     * @param {import('./loader.js').LoadFiles} loadFiles
     */
    constructor(instance: import("./instance.js").Instance, { trainer, base_count: baseCount, word_count: wordCount }: {
        trainer: number;
        base_count: number;
        word_count: number;
    }, loadFiles: import("./loader.js").LoadFiles);
    base_count: number;
    word_count: number;
    /**
     * Learns up to `merges` more merges, fewer when no pair is left, and gives those: what each joined, the `count` that
     * chose it, overlaps included, and how often it was then `replaced`.
     * @param {number} [merges]
     * @returns {{ first_rank: number, left: Int32Array, right: Int32Array, result: Int32Array, count: Float64Array,
     *   replaced: Float64Array }}
     */
    step(merges?: number): {
        first_rank: number;
        left: Int32Array;
        right: Int32Array;
        result: Int32Array;
        count: Float64Array;
        replaced: Float64Array;
    };
    /**
     * The tokens so far, the pairs that come next, and the pieces of each distinct word.
     * @param {number} [candidates]  How many pairs at most.
     * @returns {{ merges: number, bytes: Uint8Array, candidate_count: Float64Array, word_frequency: Float64Array } &
     *   Record<'offsets' | 'candidate_left' | 'candidate_right' | 'pieces' | 'word_begin', Int32Array>}
     */
    state(candidates?: number): {
        merges: number;
        bytes: Uint8Array;
        candidate_count: Float64Array;
        word_frequency: Float64Array;
    } & Record<"offsets" | "candidate_left" | "candidate_right" | "pieces" | "word_begin", Int32Array>;
    /** A tokenizer of what was learnt so far; it stays open when the trainer is closed. */
    tokenizer(): Tokenizer;
    /** Gives its memory back. Any later call is refused. */
    close(): void;
    #private;
}
export { createTokens as create };
export { selfTestTokens as selfTest } from "./tokens-self-test.js";
export type Pretokenizer = "gpt2" | "cl100k" | "o200k" | "smollm" | "none";
export type VocabularyFormat = "packed" | "tiktoken" | "json";
export type VocabularySource = {
    /**
     * The whole file.
     */
    file: Uint8Array;
    /**
     * Our packed form unless told.
     */
    format?: VocabularyFormat | undefined;
    /**
     * For `tiktoken`, whose files do not say; gpt2 unless told.
     */
    pretokenizer?: Pretokenizer | undefined;
    /**
     * For `tiktoken` likewise: text and id.
     */
    special_tokens?: Record<string, number> | undefined;
};
export type TrainerOptions = {
    /**
     * No word crosses from one to the next.
     */
    documents: readonly string[];
    /**
     * Which of equally frequent pairs is merged.
     */
    tie?: "lowest-bytes" | "first-seen" | undefined;
    /**
     * What words are made of before the first merge.
     */
    alphabet?: "bytes" | "characters" | undefined;
    pretokenizer?: Pretokenizer | undefined;
};
import { Facade } from './facade.js';
import { Handle } from './handle.js';

import { AttentionDeckError, describe } from './errors.js';
import { Facade, instanceOf } from './facade.js';
import { Handle, askAbout, closeHandle, openedIn } from './handle.js';
import { readOne, readOptions, readTextInPlace } from './options.js';
import { isPacked, vocabularies } from './vocabularies.js';

/**
 * @typedef {'gpt2' | 'cl100k' | 'o200k' | 'smollm' | 'none'} Pretokenizer
 * @typedef {'packed' | 'tiktoken' | 'json'} VocabularyFormat
 *
 * @typedef {object} VocabularySource
 * @property {Uint8Array} file  The whole file.
 * @property {VocabularyFormat} [format]  Our packed form unless told.
 * @property {Pretokenizer} [pretokenizer]  For `tiktoken`, whose files do not say; gpt2 unless told.
 * @property {Record<string, number>} [special_tokens]  For `tiktoken` likewise: text and id.
 *
 * @typedef {object} TrainerOptions
 * @property {readonly string[]} documents  No word crosses from one to the next.
 * @property {'lowest-bytes' | 'first-seen'} [tie]  Which of equally frequent pairs is merged.
 * @property {'bytes' | 'characters'} [alphabet]  What words are made of before the first merge.
 * @property {Pretokenizer} [pretokenizer]
 */

/** @type {Record<string, { [field: string]: import('./options.js').Kind }>} */
const kinds = {
  open: { file: 'bytes', format: 'scalar', pretokenizer: 'scalar', special_tokens: 'ids_by_text' },
  idsInList: { pieces: 'texts', list: 'texts' },
  train: { documents: 'texts', tie: 'scalar', alphabet: 'scalar', pretokenizer: 'scalar' },
  encode: { special_ids: 'scalar', out: 'ids_out' },
  replay: { steps: 'scalar' },
  measure: { reference: 'text', special_ids: 'scalar' },
};

/** @param {unknown} text */
const bytesOf = (text) => readOne(text, 'text', 'text');
/** @param {unknown} ids */
const idsOf = (ids) => readOne(ids, 'integers', 'ids');

/**
 * Byte-pair encoding: vocabularies to encode with, and trainers that learn one merge at a time.
 *
 * What is opened stays in the module until it is closed, and is gone after an abort; `restart` is fired when a
 * fresh module has taken over, and everything must then be opened again.
 */
export class Tokens extends Facade {
  #fetchFile;
  #loadFiles;
  /** Those on their way. @type {Map<string, Promise<Tokenizer>>} */
  #opening = new Map();
  /** @type {Map<string, Tokenizer>} */
  #opened = new Map();

  /**
   * @param {import('./loader.js').Running} running
   * @param {() => Promise<import('./loader.js').Running>} restart
   * @param {import('./loader.js').FetchFile} fetchFile
   * @param {import('./loader.js').LoadFiles} loadFiles
   */
  constructor(running, restart, fetchFile, loadFiles) {
    super(running, restart, kinds);
    this.#fetchFile = fetchFile;
    this.#loadFiles = loadFiles;
  }

  /**
   * @protected
   * @override
   */
  restarted() {
    this.#opened.clear();
  }

  /** Another number after each restart: what was opened in an earlier life is gone. */
  get life() {
    return instanceOf(this).life;
  }

  /**
   * One of the vocabularies that come with the lecture, fetched once, when it is first asked for. Everybody gets the
   * same tokenizer, so leave it open.
   * @param {import('./vocabularies.js').VocabularyName} name
   * @param {{ onProgress?: (news: { loaded: number, total: number | null }) => void }} [options]
   * @returns {Promise<Tokenizer>}
   * @throws {AttentionDeckError} `bad_argument` for a name that there is not; `load_*` when it does not arrive.
   */
  async vocabulary(name, { onProgress } = {}) {
    if (typeof name !== 'string' || !Object.hasOwn(vocabularies, name)) {
      throw new AttentionDeckError(
        'bad_argument',
        `There is no vocabulary ${describe(name)}: choose one of ${Object.keys(vocabularies).join(', ')}.`,
        { field: 'name' },
      );
    }
    const known = this.#opened.get(name) ?? this.#opening.get(name);
    if (known) return known;
    const opening = this.#openNamed(name, onProgress);
    this.#opening.set(name, opening);
    // A failure is not remembered: the network may be back at the next try.
    const settled = () => this.#opening.delete(name);
    opening.then(settled, settled);
    return opening;
  }

  /**
   * @param {import('./vocabularies.js').VocabularyName} name
   * @param {((news: { loaded: number, total: number | null }) => void) | undefined} onProgress
   */
  async #openNamed(name, onProgress) {
    const file = await this.#fetchFile(vocabularies[name](), {
      what: 'The vocabulary',
      isRight: isPacked,
      onProgress: onProgress && guardedListener(onProgress),
    });
    await this.whenReady();
    const tokenizer = this.#openOurs(file);
    this.#opened.set(name, tokenizer);
    return tokenizer;
  }

  /**
   * The same tokenizer at once, or undefined while it is not there yet.
   * @param {import('./vocabularies.js').VocabularyName} name
   */
  opened(name) {
    return this.#opened.get(name);
  }

  /**
   * Opens a vocabulary file. Files of other forms than our own are read by the module `files`, which is fetched for the first
   * one; leave the bytes as they are until the answer is there. Rejects with `.field` 'file' and the line at fault in the message.
   * @param {VocabularySource} source
   * @returns {Promise<Tokenizer>}
   */
  async open(source) {
    const { file, format = 'packed', ...told } = readOptions(source, kinds.open, ['file']);
    const isOurs = format === 'packed' && Object.values(told).every((each) => each === undefined);
    if (isOurs) return this.#openOurs(file);
    const files = await this.#loadFiles();
    return this.#openOurs(files.readVocabulary(source).file);
  }

  /** @param {Uint8Array} file  In the packed form, or in the one that goes between modules. */
  #openOurs(file) {
    const instance = instanceOf(this);
    return new Tokenizer(instance, instance.ask('openTokenizer', { file }), this.#loadFiles);
  }

  /**
   * Ids as a short list of pieces numbers them: the place of each piece in the list, −1 where it does not stand.
   * @param {{ pieces: readonly (string | Uint8Array)[], list: readonly (string | Uint8Array)[] }} options
   * @returns {Int32Array}
   */
  idsInList(options) {
    const { pieces, list } = readOptions(options, kinds.idsInList, ['pieces', 'list']);
    return instanceOf(this).ask('idsInList', {
      pieces: pieces.bytes,
      piece_lengths: pieces.lengths,
      list: list.bytes,
      list_lengths: list.lengths,
    }).ids;
  }

  /**
   * Begins to learn merges.
   * @param {TrainerOptions} options
   */
  train(options) {
    const { documents, ...rest } = readOptions(options, kinds.train, ['documents']);
    const corpus = { corpus: documents.bytes, document_lengths: documents.lengths };
    const instance = instanceOf(this);
    const opened = instance.ask('openTrainer', { ...rest, ...corpus });
    return new Trainer(instance, opened, this.#loadFiles);
  }
}

/**
 * A broken progress bar must not stop the vocabulary from arriving.
 * @template T
 * @param {(news: T) => void} listener
 * @returns {(news: T) => void}
 */
const guardedListener = (listener) => (news) => {
  try {
    listener(news);
  } catch (error) {
    globalThis.reportError?.(error);
  }
};

/** One open vocabulary. Close it when it is no longer needed: the garbage collector cannot. */
export class Tokenizer extends Handle {
  #loadFiles;

  /**
   * @param {import('./instance.js').Instance} instance
   * @param {{ tokenizer: number, vocab_size: number }} opened
   * @param {import('./loader.js').LoadFiles} loadFiles
   */
  constructor(instance, { tokenizer, vocab_size: vocabSize }, loadFiles) {
    super(instance, 'tokenizer', tokenizer);
    this.#loadFiles = loadFiles;
    this.vocab_size = vocabSize;
  }

  /**
   * The ids of a text. What reads like a special token is text unless `special_ids` is true. −1 is a character that a
   * vocabulary of characters does not know. With `out` the ids are written there and the answer is its beginning,
   * or, where it is too short, an array of its own as ever; as many as the text has bytes are always enough.
   * @param {string | Uint8Array} text
   * @param {{ special_ids?: boolean, out?: Int32Array }} [options]
   * @returns {Int32Array}
   */
  encode(text, options = {}) {
    const { special_ids, out } = readOptions(options, kinds.encode);
    const read = { special_ids, out: out && { ids: out }, text: readTextInPlace(text, 'text') };
    const { ids, count } = askAbout(this, 'encode', read);
    return ids === out ? out.subarray(0, count) : ids;
  }

  /**
   * The bytes of some ids: not always UTF-8, because tokens cut characters.
   * @param {ArrayLike<number>} ids
   * @returns {Uint8Array}
   */
  decodeBytes(ids) {
    return askAbout(this, 'decode', { ids: idsOf(ids) }).bytes;
  }

  /**
   * The text of some ids; bytes that are no UTF-8 are written as U+FFFD.
   * @param {ArrayLike<number>} ids
   */
  decode(ids) {
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(this.decodeBytes(ids));
  }

  /**
   * A decoder for ids that come one by one: `push(ids)` gives the text that is certain, and holds bytes that may be
   * the beginning of a character; `finish()` gives the rest.
   */
  stream() {
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    return {
      push: (/** @type {ArrayLike<number>} */ ids) =>
        decoder.decode(this.decodeBytes(ids), { stream: true }),
      finish: () => decoder.decode(),
    };
  }

  /**
   * Where each of the ids that `encode` gave for `text` lies in it, in bytes and in UTF-16 units.
   * @param {string | Uint8Array} text
   * @param {ArrayLike<number>} ids
   * @returns {{ byte_begin: Int32Array, byte_end: Int32Array, utf16_begin: Int32Array, utf16_end: Int32Array }}
   */
  offsets(text, ids) {
    return askAbout(this, 'offsets', { text: bytesOf(text), ids: idsOf(ids) });
  }

  /**
   * How a text becomes its ids: step s is the merge of rank[s], which joins left[s] and right[s] into result[s] at the
   * bytes places[place_begin[s]] to places[place_begin[s + 1] − 1]. `shown_ids` are the tokens after the first
   * `steps` of them, all unless told, and `shown_begin` the bytes at which these begin.
   * @param {string | Uint8Array} text
   * @param {{ steps?: number }} [options]
   * @returns {{ shown_steps: number } & Record<'word_begin' | 'start' | 'start_offset' | 'rank' | 'left' | 'right' |
   *   'result' | 'place_begin' | 'places' | 'ids' | 'shown_ids' | 'shown_begin', Int32Array>}
   */
  replay(text, options = {}) {
    return askAbout(this, 'replay', { ...readOptions(options, kinds.replay), text: bytesOf(text) });
  }

  /**
   * What a text costs. `relative` is its number of tokens by that of `reference`, a text that says the same, and 0
   * where there is none.
   * @param {string | Uint8Array} text
   * @param {{ reference?: string | Uint8Array, special_ids?: boolean }} [options]
   * @returns {Record<'tokens' | 'bytes' | 'characters' | 'utf16_units' | 'words' | 'tokens_per_word' |
   *   'bytes_per_token' | 'relative', number>}
   */
  measure(text, options = {}) {
    return askAbout(this, 'measure', {
      ...readOptions(options, kinds.measure),
      text: bytesOf(text),
    });
  }

  /**
   * Every token and merge: token i has the bytes offsets[i] to offsets[i + 1] − 1.
   * @returns {{ vocab_size: number, bytes: Uint8Array } & Record<'offsets' | 'base' | 'merge_left' | 'merge_right' |
   *   'merge_result' | 'merge_rank' | 'special', Int32Array>}
   */
  vocabulary() {
    return askAbout(this, 'vocabulary');
  }

  /**
   * The vocabulary as a file, which the module `files` writes.
   * @param {VocabularyFormat} format
   * @returns {Promise<Uint8Array>}
   */
  async save(format) {
    const wanted = readOne(format, 'scalar', 'format');
    const { file } = askAbout(this, 'saveVocabulary');
    const files = await this.#loadFiles();
    return files.writeVocabulary({ file, format: wanted }).file;
  }

  /** Gives its memory back. Any later call is refused. */
  close() {
    closeHandle(this, 'closeTokenizer');
  }
}

/** One training under way. */
export class Trainer extends Handle {
  #loadFiles;

  /**
   * @param {import('./instance.js').Instance} instance
   * @param {{ trainer: number, base_count: number, word_count: number }} opened
   * @param {import('./loader.js').LoadFiles} loadFiles
   */
  constructor(instance, { trainer, base_count: baseCount, word_count: wordCount }, loadFiles) {
    super(instance, 'trainer', trainer);
    this.#loadFiles = loadFiles;
    this.base_count = baseCount;
    this.word_count = wordCount;
  }

  /**
   * Learns up to `merges` more merges, fewer when no pair is left, and gives those: what each joined, the `count` that
   * chose it, overlaps included, and how often it was then `replaced`.
   * @param {number} [merges]
   * @returns {{ first_rank: number, left: Int32Array, right: Int32Array, result: Int32Array, count: Float64Array,
   *   replaced: Float64Array }}
   */
  step(merges = 1) {
    return askAbout(this, 'train', { merges: readOne(merges, 'scalar', 'merges') });
  }

  /**
   * The tokens so far, the pairs that come next, and the pieces of each distinct word.
   * @param {number} [candidates]  How many pairs at most.
   * @returns {{ merges: number, bytes: Uint8Array, candidate_count: Float64Array, word_frequency: Float64Array } &
   *   Record<'offsets' | 'candidate_left' | 'candidate_right' | 'pieces' | 'word_begin', Int32Array>}
   */
  state(candidates = 10) {
    return askAbout(this, 'trainerState', {
      candidates: readOne(candidates, 'scalar', 'candidates'),
    });
  }

  /** A tokenizer of what was learnt so far; it stays open when the trainer is closed. */
  tokenizer() {
    return new Tokenizer(openedIn(this), askAbout(this, 'trainedTokenizer'), this.#loadFiles);
  }

  /** Gives its memory back. Any later call is refused. */
  close() {
    closeHandle(this, 'closeTrainer');
  }
}

/**
 * @param {import('./loader.js').Running} running
 * @param {() => Promise<import('./loader.js').Running>} restart
 * @param {import('./loader.js').FetchFile} fetchFile
 * @param {import('./loader.js').LoadFiles} loadFiles
 */
export function createTokens(running, restart, fetchFile, loadFiles) {
  return new Tokens(running, restart, fetchFile, loadFiles);
}

export { createTokens as create };
export { selfTestTokens as selfTest } from './tokens-self-test.js';

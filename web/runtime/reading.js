import { AttentionDeckError, describe } from './errors.js';
import { Facade } from './facade.js';
import { isRecording, recordings } from './recordings.js';

/**
 * @typedef {object} ReadingModel
 * @property {string} name
 * @property {string} [architecture]
 * @property {number} n_layers
 * @property {number} n_heads
 * @property {number} n_kv_heads
 * @property {number} head_dim
 * @property {number} d_model
 *
 * @typedef {object} ReadToken
 * @property {number} id
 * @property {string} text
 *
 * @typedef {object} Reading  What a model's heads looked at in one text: recorded, or live.
 * @property {ReadingModel} model
 * @property {string} [id]
 * @property {string} [text]
 * @property {ReadToken[]} tokens  [n]
 * @property {Uint8Array | Float32Array} weights  [n_layers, n_heads, n, n] queries in rows; bytes are 255ths.
 * @property {Float32Array} value_lengths  [n_layers, n_kv_heads, n] the Euclidean length of each value.
 * @property {ArrayLike<number>} [losses]  [n - 1] −log p of each token but the first.
 * @property {(ReadToken & { probability: number })[]} [candidates]  For the token after the last.
 *
 * @typedef {object} Recording
 * @property {ReadingModel} model
 * @property {string} file  The format of its weights.
 * @property {string} machine
 * @property {string} date
 * @property {number} token_bytes  Bytes that a token takes in the cache, as it was counted.
 * @property {string} prompt  Of the timed run.
 * @property {boolean} same_tokens  Whether it wrote the same with the cache and without.
 * @property {Float32Array} cached_ms  [steps] milliseconds.
 * @property {Float32Array} uncached_ms  [steps]
 * @property {string} long_text
 * @property {number} long_tokens
 * @property {Float32Array} long_previous  [n_layers, n_heads] each head's mean weight on the token before.
 * @property {Float32Array} long_first  [n_layers] the mean weight on the first token, over all rows.
 * @property {Reading[]} readings
 *
 * @typedef {object} Maps  The weights of all heads, in one of two ways.
 * @property {number} n_layers
 * @property {number} n_heads
 * @property {number} n  Tokens, at most 256.
 * @property {ArrayLike<number>} [weights]  [n_layers, n_heads, n, n] from 0 to 1; a key after its query has 0.
 * @property {ArrayLike<number>} [parts]  The same in 255ths, as bytes.
 *
 * @typedef {object} PatternOptions
 * @property {ArrayLike<number>} ids  [n] equal ids are the same token.
 * @property {number} [shuffles]  100 unless told.
 * @property {number} [seed]
 * @property {object} [out]
 *
 * @typedef {object} PairOptions
 * @property {ArrayLike<number>} pairs  [p, 2] a query and a key not after it; by query and then by key, each once.
 * @property {number} [shuffles]  100 unless told.
 * @property {number} [seed]
 * @property {object} [out]
 *
 * @typedef {object} Patterns  Rows are previous token, first token, induction. Layers and heads count from 0.
 * @property {Float64Array} scores  [3, n_layers, n_heads] the mean weight on the keys that the pattern names.
 * @property {Int32Array} rows  [3] rows that count; none for induction in a text without a repetition.
 * @property {Float64Array} shuffled_best  [3] the best score of any head in any shuffle of the keys.
 * @property {Float64Array} shuffled_mean  [3] the best of a shuffle, on average.
 * @property {Uint8Array} above  [3, n_layers, n_heads] 1 where a score is above shuffled_best.
 * @property {Int32Array} above_count  [3]
 * @property {Int32Array} ranked  [3, n_layers n_heads] heads by score, as layer n_heads + head.
 *
 * @typedef {object} FirstTokenShare
 * @property {Float64Array} by_layer  [n_layers] the mean weight on the first token over heads and rows.
 * @property {number} mean
 * @property {number} equal_share  The same if each row shared equally among the tokens that it sees.
 *
 * @typedef {object} MapOptions  One layer.
 * @property {number} n_heads
 * @property {number} n_kv_heads
 * @property {number} n
 * @property {ArrayLike<number>} [weights]  [n_heads, n, n]
 * @property {ArrayLike<number>} [parts]  The same in 255ths.
 * @property {ArrayLike<number>} value_lengths  [n_kv_heads, n]
 * @property {number} [head]  From 0; the mean over the heads unless told.
 * @property {number} row  The query that is read, from 0.
 * @property {object} [out]
 *
 * @typedef {object} MapReading
 * @property {Float64Array} weights  [n, n]
 * @property {Float64Array} shares  [n, n] weight times length of the value, as a share of its row.
 * @property {Float64Array} lengths  [n]
 * @property {Int32Array} by_weight  [row + 1] the keys of the row, heaviest first.
 * @property {Int32Array} by_share  [row + 1]
 * @property {number} moved  How much of the row goes elsewhere from weights to shares.
 */

/** @type {{ [field: string]: import('./options.js').Kind }} */
const maps = {
  n_layers: 'scalar',
  n_heads: 'scalar',
  n: 'scalar',
  weights: 'float32',
  parts: 'bytes',
  out: 'out',
};

/** @type {Record<string, { [field: string]: import('./options.js').Kind }>} */
const kinds = {
  readRecording: { file: 'bytes' },
  findPatterns: { ...maps, ids: 'integers', shuffles: 'scalar', seed: 'scalar' },
  findPairs: { ...maps, pairs: 'integers', shuffles: 'scalar', seed: 'scalar' },
  firstTokenShare: { ...maps, first_row: 'scalar' },
  readMap: {
    n_heads: 'scalar',
    n_kv_heads: 'scalar',
    n: 'scalar',
    weights: 'float32',
    parts: 'bytes',
    value_lengths: 'float32',
    head: 'scalar',
    row: 'scalar',
    out: 'out',
  },
};

/** Arrays that C++ would take as empty when they are missing. */
const needed = { readRecording: ['file'], findPatterns: ['ids'], findPairs: ['pairs'] };

/**
 * What is read off the maps of a real model: which heads show which pattern, and by how much more than luck; how much the
 * first token draws; one map, row by row, by weight and by what arrives.
 */
export class Readings extends Facade {
  #fetchFile;
  /** Those on their way. @type {Map<string, Promise<Recording>>} */
  #opening = new Map();
  /** @type {Map<string, Recording>} */
  #opened = new Map();

  /**
   * @param {import('./loader.js').Running} running
   * @param {() => Promise<import('./loader.js').Running>} restart
   * @param {import('./loader.js').FetchFile} fetchFile
   */
  constructor(running, restart, fetchFile) {
    super(running, restart, kinds, needed);
    this.#fetchFile = fetchFile;
  }

  /**
   * One of the recordings that come with the lecture, fetched once, when it is first asked for.
   * @param {import('./recordings.js').RecordingName} name
   * @param {{ onProgress?: (news: { loaded: number, total: number | null }) => void }} [options]
   * @returns {Promise<Recording>}
   * @throws {AttentionDeckError} `bad_argument` for a name that there is not; `load_*` when it does not arrive.
   */
  async recording(name, { onProgress } = {}) {
    if (typeof name !== 'string' || !Object.hasOwn(recordings, name)) {
      throw new AttentionDeckError(
        'bad_argument',
        `There is no recording ${describe(name)}: choose one of ${Object.keys(recordings).join(', ')}.`,
        { field: 'name' },
      );
    }
    const known = this.#opened.get(name) ?? this.#opening.get(name);
    if (known) return known;
    const opening = this.#open(name, onProgress);
    this.#opening.set(name, opening);
    // A failure is not remembered: the network may be back at the next try.
    const settled = () => this.#opening.delete(name);
    opening.then(settled, settled);
    return opening;
  }

  /**
   * @param {import('./recordings.js').RecordingName} name
   * @param {((news: { loaded: number, total: number | null }) => void) | undefined} onProgress
   */
  async #open(name, onProgress) {
    const file = await this.#fetchFile(recordings[name](), {
      what: 'The recording',
      isRight: isRecording,
      onProgress,
    });
    await this.whenReady();
    const recording = this.readRecording({ file });
    this.#opened.set(name, recording);
    return recording;
  }

  /**
   * The same recording at once, or undefined while it is not there yet.
   * @param {import('./recordings.js').RecordingName} name
   */
  opened(name) {
    return this.#opened.get(name);
  }

  /**
   * A recording from its file.
   * @param {{ file: Uint8Array }} options
   * @returns {Recording}
   * @throws {AttentionDeckError} `bad_argument` with `.field` 'file' for what is cut, damaged or no recording.
   */
  readRecording(options) {
    const { texts, model: name, ...rest } = this.ask('readRecording', options);
    const { n_layers, n_heads, n_kv_heads, head_dim, d_model, ...told } = rest;
    const model = { name, n_layers, n_heads, n_kv_heads, head_dim, d_model };
    return {
      ...told,
      model,
      readings: texts.map((/** @type {object} */ text) => ({ ...text, model })),
    };
  }

  /**
   * How much of each pattern every head shows, beside the best that any head shows when the keys of every row are
   * shuffled.
   * @param {Maps & PatternOptions} options
   * @returns {Patterns}
   */
  findPatterns(options) {
    return this.ask('findPatterns', options);
  }

  /**
   * How much weight every head puts on the keys of pairs that somebody names, as the mean over their queries, beside the
   * best that any head puts there when the keys of every row are shuffled. All arrays have 1 in place of 3. The shuffles
   * allow for the number of heads, not for pairs that were named after a look at the maps.
   * @param {Maps & PairOptions} options
   * @returns {Patterns}
   */
  findPairs(options) {
    return this.ask('findPairs', options);
  }

  /**
   * How much of its weight each layer leaves on the first token.
   * @param {Maps & { first_row?: number, out?: object }} options  Rows from `first_row` on; all unless told.
   * @returns {FirstTokenShare}
   */
  firstTokenShare(options) {
    return this.ask('firstTokenShare', options);
  }

  /**
   * One map, or the mean of a layer's, and one row of it in order.
   * @param {MapOptions} options
   * @returns {MapReading}
   */
  readMap(options) {
    return this.ask('readMap', options);
  }
}

/**
 * @param {import('./loader.js').Running} running
 * @param {() => Promise<import('./loader.js').Running>} restart
 * @param {import('./loader.js').FetchFile} fetchFile
 */
export function createReadings(running, restart, fetchFile) {
  return new Readings(running, restart, fetchFile);
}

export { createReadings as create };
export { selfTestReadings as selfTest } from './reading-self-test.js';

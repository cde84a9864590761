import { cacheFields } from './cache-options.js';
import { AttentionDeckError } from './errors.js';
import { Handle, askAbout, closeHandle } from './handle.js';
import { readPlain } from './heads-options.js';
import { readOne } from './options.js';

/**
 * A KV cache that stays in the module.
 *
 * @typedef {import('./instance.js').Instance} Instance
 * @typedef {Float32Array | readonly number[]} Rows
 * @typedef {'f32' | 'f16' | 'q8_0' | 'q4_0'} KeptFormat
 * @typedef {'scalar' | 'simd' | 'auto'} CacheBackend  Vectors unless told, where the build has them.
 *
 * @typedef {object} KvCacheOptions
 * @property {number} [n_layers]  Layers that are alike; 1 unless told.
 * @property {number} [n_heads]  Query heads; 1 unless told.
 * @property {number} [n_kv_heads]  As many as n_heads unless told.
 * @property {number} d_k
 * @property {number} [d_v]  d_k unless told.
 * @property {number} [latent_rank]  When not 0, one row of latent_rank + rope_width numbers is kept for all heads, and no
 *   value; n_kv_heads and d_v are not given, and d_k is that of a whole key, for the scale.
 * @property {number} [rope_width]
 * @property {number} [scale]  1/√d_k unless told.
 * @property {'contiguous' | 'paged'} [layout]  Contiguous unless told.
 * @property {number} [capacity]  Contiguous: tokens reserved for each sequence; not needed with a window.
 * @property {number} [page_tokens]  Paged: 16 unless told.
 * @property {number} [window]  Counts the token itself; 0 for none.
 * @property {number} [sinks]  First tokens that always stay.
 * @property {KeptFormat} [format]  f32 unless told.
 *
 * @typedef {object} KvCacheStats  Of all sequences together; a shared page counts once where bytes are allocated.
 * @property {number} sequences
 * @property {number} tokens
 * @property {number} visible_tokens
 * @property {number} token_bytes  One token in all layers.
 * @property {number} block_bytes  A page, or what a contiguous sequence reserves.
 * @property {number} blocks
 * @property {number} needed_bytes  visible_tokens · token_bytes
 * @property {number} allocated_bytes  blocks · block_bytes, as taken from the allocator.
 *
 * @typedef {object} SequenceStats  Tokens 0 to sinks − 1 and first_visible to length − 1 are visible.
 * @property {number} sequence
 * @property {number} length
 * @property {number} sinks
 * @property {number} first_visible
 * @property {number} visible_tokens
 * @property {number} first_held  The oldest token behind the sinks whose row is still there.
 * @property {number} needed_bytes
 * @property {number} blocks
 * @property {Int32Array} pages  For each begun page its number, 0 where it went back. Pages are never numbered twice.
 * @property {Int32Array} references  How many sequences share it.
 *
 * @typedef {object} AttendOptions
 * @property {Rows} q  [n_heads, key_width] for each sequence.
 * @property {number} [layer]  0 unless told.
 * @property {CacheBackend} [backend]
 * @property {boolean} [log_sum_exp]
 * @property {number} [repeat]  Computes that often and gives the mean time.
 * @property {object} [out]  An earlier result: its arrays are written again where they fit.
 *
 * @typedef {object} AttendResult
 * @property {'scalar' | 'simd'} backend
 * @property {number} compute_ms
 * @property {Float32Array} output  [n_heads, value_width] for each sequence.
 * @property {Float32Array} [log_sum_exp]  [n_heads] for each sequence.
 */

/** @type {Record<string, { [field: string]: import('./options.js').Kind }>} */
const kinds = {
  open: cacheFields,
  append: { count: 'scalar', K: 'float32', V: 'float32' },
  attend: {
    q: 'float32',
    layer: 'scalar',
    backend: 'scalar',
    log_sum_exp: 'scalar',
    repeat: 'scalar',
    out: 'out',
  },
  read: { layer: 'scalar', out: 'out' },
  fork: { length: 'scalar' },
};

/** One cache. Close it when it is no longer needed: the garbage collector cannot. */
export class KvCache extends Handle {
  /**
   * @param {Instance} instance
   * @param {Record<'cache' | 'token_bytes' | 'block_bytes' | 'block_tokens' | 'key_width' | 'value_width' | 'kept_heads',
   *   number>} opened
   */
  constructor(instance, opened) {
    super(instance, 'cache', opened.cache);
    /** Bytes of one token in all layers. */
    this.token_bytes = opened.token_bytes;
    /** A page, or what a contiguous sequence reserves: its bytes, and the tokens that it has room for. */
    this.block_bytes = opened.block_bytes;
    this.block_tokens = opened.block_tokens;
    /** Numbers of a kept key (and of a query), of a value (and of an output), and how many of them a token has in a layer. */
    this.key_width = opened.key_width;
    this.value_width = opened.value_width;
    this.kept_heads = opened.kept_heads;
  }

  /** Begins an empty sequence. */
  sequence() {
    return new CacheSequence(this, askAbout(this, 'openSequence'));
  }

  /**
   * One query a head for each of some sequences of this cache, in one layer: what a step of a batch asks.
   * @param {readonly CacheSequence[]} sequences
   * @param {AttendOptions} options
   * @returns {AttendResult}
   */
  attend(sequences, options) {
    const { read, write } = readPlain(options, kinds.attend);
    const numbers = Int32Array.from(sequences, (each) => numberIn(this, each));
    return write(askAbout(this, 'attendCache', { ...read, sequences: numbers }));
  }

  /**
   * What all sequences hold together, counted by the cache.
   * @returns {KvCacheStats}
   */
  stats() {
    return askAbout(this, 'cacheStats');
  }

  /** Gives its memory back, with all sequences. Any later call is refused. */
  close() {
    closeHandle(this, 'closeCache');
  }
}

/**
 * What a cache knows a sequence by. Another cache's would be one of its own.
 * @type {(cache: KvCache, sequence: unknown) => number}
 */
let numberIn;

/** The tokens of one text in a cache. */
export class CacheSequence {
  #cache;
  #number;

  static {
    numberIn = (cache, sequence) => {
      const isOurs = sequence !== null && typeof sequence === 'object' && #cache in sequence;
      if (isOurs && sequence.#cache === cache) return sequence.#number;
      throw new AttentionDeckError('bad_argument', 'sequences must be sequences of this cache.', {
        field: 'sequences',
      });
    };
  }

  /**
   * @param {KvCache} cache
   * @param {SequenceStats} stats
   */
  constructor(cache, { sequence }) {
    this.#cache = cache;
    this.#number = sequence;
  }

  /**
   * Appends `count` tokens (1 unless told) to all layers: K [n_layers, count, n_kv_heads, d_k], V likewise; with a latent
   * K [n_layers, count, latent_rank + rope_width] alone. Keys come with their positions, as rotated as they will ever be.
   * @param {{ count?: number, K: Rows, V?: Rows }} options
   * @returns {SequenceStats}
   */
  append(options) {
    return this.#ask('appendTokens', readPlain(options, kinds.append).read);
  }

  /**
   * One query a head over every visible token of one layer.
   * @param {AttendOptions} options
   * @returns {AttendResult}
   */
  attend(options) {
    return this.#cache.attend([this], options);
  }

  /**
   * The rows of the visible tokens in order, as they are read back: K [visible_tokens, n_kv_heads, d_k], V likewise.
   * @param {{ layer?: number, out?: object }} [options]
   * @returns {{ K: Float32Array, V?: Float32Array }}
   */
  read(options = {}) {
    const { read, write } = readPlain(options, kinds.read);
    return write(this.#ask('readRows', read));
  }

  /**
   * Forgets the tokens from `length` on. Refused when that length would show what has left the window or was evicted.
   * @param {number} length
   * @returns {SequenceStats}
   */
  rollBack(length) {
    return this.#ask('rollBack', { length: readOne(length, 'scalar', 'length') });
  }

  /**
   * A new sequence of the first `length` tokens, of all unless told. Pages are shared until one of the two writes.
   * @param {{ length?: number }} [options]
   */
  fork(options = {}) {
    const read = readPlain(options, kinds.fork).read;
    return new CacheSequence(this.#cache, this.#ask('forkSequence', read));
  }

  /**
   * Drops all tokens but the sinks and the last `kept`.
   * @param {number} kept
   * @returns {SequenceStats}
   */
  evict(kept) {
    return this.#ask('evictTokens', { kept: readOne(kept, 'scalar', 'kept') });
  }

  /**
   * What it holds, and its table of pages.
   * @returns {SequenceStats}
   */
  stats() {
    return this.#ask('sequenceStats', {});
  }

  /** Gives back what it alone holds. Any later call is refused. */
  close() {
    closeHandle(this.#cache, 'closeSequence', { sequence: this.#number });
  }

  /**
   * @param {string} name
   * @param {object} options
   */
  #ask(name, options) {
    return askAbout(this.#cache, name, { ...options, sequence: this.#number });
  }
}

/**
 * @param {Instance} instance
 * @param {KvCacheOptions} options
 */
export function openKvCache(instance, options) {
  return new KvCache(instance, instance.ask('openCache', readPlain(options, kinds.open).read));
}

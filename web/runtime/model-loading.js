import { Handle, askAbout, closeHandle, openedIn } from './handle.js';
import { Model } from './running-model.js';
import { readOne, readOptions } from './options.js';

/**
 * A model on its way into memory.
 *
 * @typedef {import('./instance.js').Instance} Instance
 *
 * @typedef {object} WantedBytes
 * @property {number} file  Which file: 0 unless there are several.
 * @property {number} begin  The first byte.
 * @property {number} bytes  How many, from there on.
 *
 * @typedef {object} LoadingProgress
 * @property {number} weight_bytes  Of all weights; 0 until the headers have been read.
 * @property {number} given_bytes  Of these, those that are there.
 *
 * @typedef {object} ModelOptions
 * @property {number} [capacity]  Tokens that the sequence may have; the model's own context unless told.
 * @property {'f32' | 'f16' | 'q8_0' | 'q4_0'} [cache_format]  How the cache keeps keys and values; f32 unless told.
 * @property {number} [pinned]  First tokens that no eviction drops; 0 unless told.
 * @property {import('./kv-cache.js').CacheBackend} [backend]
 */

/** Bytes that cross the border together. */
const PIECE = 1 << 22;

/** @type {{ [field: string]: import('./options.js').Kind }} */
const finishing = {
  capacity: 'scalar',
  cache_format: 'scalar',
  pinned: 'scalar',
  backend: 'scalar',
};

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
  constructor(instance, { loading }) {
    super(instance, 'loading', loading);
  }

  /**
   * What comes next; undefined when all is there.
   * @returns {WantedBytes | undefined}
   */
  wanted() {
    const { is_whole, file, begin, bytes } = askAbout(this, 'loadingState');
    return is_whole ? undefined : { file, begin, bytes };
  }

  /**
   * The next bytes of what is wanted, at most that many. A file that is of no use is refused as soon as it is seen, and
   * what was read of it is given back: begin another one.
   * @param {Uint8Array} bytes
   */
  give(bytes) {
    const read = readOne(bytes, 'bytes', 'bytes');
    let at = 0;
    do {
      askAbout(this, 'giveBytes', { bytes: read.subarray(at, at + PIECE) });
      at += PIECE;
    } while (at < read.length);
  }

  /**
   * How far it is.
   * @returns {LoadingProgress}
   */
  progress() {
    const { weight_bytes, given_bytes } = askAbout(this, 'loadingState');
    return { weight_bytes, given_bytes };
  }

  /**
   * The model, once nothing is wanted any more. Afterwards this is closed; when options are refused it stays, for another
   * try.
   * @param {ModelOptions} [options]
   */
  finish(options = {}) {
    return new Model(
      openedIn(this),
      askAbout(this, 'finishModel', readOptions(options, finishing)),
    );
  }

  /** Gives its memory back. Any later call is refused. */
  close() {
    closeHandle(this, 'closeLoading');
  }
}

/**
 * @param {Instance} instance
 * @param {string} call
 * @param {object} options
 */
export function openModelLoading(instance, call, options) {
  return new ModelLoading(instance, instance.ask(call, options));
}

/**
 * One source as a loader asks for it: so many bytes from a place on, the places mostly rising.
 *
 * @typedef {import('./sources.js').Source} Source
 * @typedef {{ retries?: number, wait?: (tries: number, signal?: AbortSignal) => Promise<void> }} Patience
 */

/** What is passed on at once: few calls, and a bar that moves. */
const PIECE = 2 ** 18;
/** A gap up to here is cheaper to read past than to ask anew. */
const GAP = 2 ** 20;
const RETRIES = 3;

/**
 * Half a second, one, two.
 * @param {number} tries
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>}
 */
const pause = (tries, signal) =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, 2 ** tries * 250);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });

export class RangeReader {
  #source;
  #retries;
  #wait;
  /** @type {AsyncGenerator<Uint8Array, void, void> | undefined} */
  #stream;
  /** What has come and was not asked for yet, and its place. @type {Uint8Array} */
  #rest = new Uint8Array(0);
  #at = 0;
  #reached = 0;

  /**
   * @param {Source} source
   * @param {Patience} [patience]
   */
  constructor(source, { retries = RETRIES, wait = pause } = {}) {
    this.#source = source;
    this.#retries = retries;
    this.#wait = wait;
  }

  get bytes() {
    return this.#source.bytes;
  }

  /** The farthest place that was read up to: how far the file is. */
  get reached() {
    return this.#reached;
  }

  /**
   * The bytes from `begin` on: at least one, at most `most`. A connection that breaks is tried again; where that does not
   * help, what was read stays read, and the next call goes on.
   * @param {number} begin
   * @param {number} most
   * @param {AbortSignal} [signal]
   * @returns {Promise<Uint8Array>} In memory of its own.
   */
  async read(begin, most, signal) {
    const wanted = Math.min(most, PIECE, this.bytes - begin);
    const read = new Uint8Array(wanted);
    let count = 0;
    for (let tries = 0; count < wanted;) {
      try {
        const piece = await this.#take(begin + count, wanted - count, signal);
        read.set(piece, count);
        count += piece.length;
        tries = 0;
      } catch (error) {
        await this.#drop();
        signal?.throwIfAborted();
        const { code } = /** @type {{ code?: string }} */ (error);
        // It was reached before: what is not reached now is a connection that was lost.
        const mayPass = code === 'source_lost' || code === 'source_unreachable';
        if (!mayPass || tries === this.#retries) throw error;
        tries += 1;
        await this.#wait(tries, signal);
      }
    }
    this.#reached = Math.max(this.#reached, begin + count);
    return read;
  }

  /**
   * What is there from `begin` on, a piece of the stream or less.
   * @param {number} begin
   * @param {number} most
   * @param {AbortSignal} [signal]
   */
  async #take(begin, most, signal) {
    const gap = begin - this.#at;
    if (this.#stream && (gap < 0 || (this.#source.seeks && gap > GAP))) await this.#drop();
    if (!this.#stream) {
      this.#stream = this.#source.from(begin, signal);
      this.#at = begin;
    }
    while (this.#at + this.#rest.length <= begin) {
      this.#at += this.#rest.length;
      const { value } = await this.#stream.next();
      if (!value) throw new RangeError(`${this.#source.name} ends before ${begin}`);
      this.#rest = value;
    }
    const from = begin - this.#at;
    const piece = this.#rest.subarray(from, from + most);
    this.#rest = this.#rest.subarray(from + piece.length);
    this.#at = begin + piece.length;
    return piece;
  }

  async #drop() {
    const stream = this.#stream;
    this.#stream = undefined;
    this.#rest = new Uint8Array(0);
    await stream?.return().catch(() => {});
  }

  /** Ends the connection. A later read makes another. */
  async close() {
    await this.#drop();
  }
}

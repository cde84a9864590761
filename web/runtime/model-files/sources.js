import { changed, empty, lost, refused, unclear, unreachable } from './source-errors.js';

/**
 * Where the bytes of one file come from. All sources are read forward, from a place on, so that nothing of a file has to
 * be held.
 *
 * @typedef {object} Source
 * @property {string} name
 * @property {number} bytes  Of the whole file.
 * @property {string} tag  Another one when the file is another one; '' where nobody says.
 * @property {boolean} seeks  Whether it begins anywhere without reading what is before.
 * @property {(begin: number, signal?: AbortSignal) => AsyncGenerator<Uint8Array, void, void>} from  Ends with the file.
 */

/** What a file on the device is read in. */
const SLICE = 2 ** 20;

/**
 * A file that the reader chose.
 * @param {File} file
 * @returns {Source}
 */
export function fileSource(file) {
  return {
    name: file.name,
    bytes: file.size,
    tag: `${file.size} ${file.lastModified}`,
    seeks: true,
    async *from(begin, signal) {
      for (let at = begin; at < file.size; at += SLICE) {
        signal?.throwIfAborted();
        let slice;
        try {
          slice = await file.slice(at, at + SLICE).arrayBuffer();
        } catch (cause) {
          // The file was written, moved or removed since it was chosen.
          throw changed(file.name, cause);
        }
        yield new Uint8Array(slice);
      }
    },
  };
}

/** @param {string} address */
export function nameOf(address) {
  const { pathname } = new URL(address);
  return decodeURIComponent(pathname.slice(pathname.lastIndexOf('/') + 1));
}

/**
 * A file on a server. One request brings it from its start, or, where the server has ranges, from any place on.
 *
 * A changed file is noticed by the entity tag of each answer rather than asked about by `If-Range`: that header makes the
 * browser ask other hosts for leave first, which many do not give.
 *
 * @param {string} address
 * @param {{ fetch?: typeof globalThis.fetch, signal?: AbortSignal }} [options]
 * @returns {Promise<Source>}
 * @throws {import('../errors.js').AttentionDeckError} `source_unreachable`, `source_refused`, `source_short`.
 */
export async function addressSource(
  address,
  { fetch = (...given) => globalThis.fetch(...given), signal } = {},
) {
  const name = nameOf(address);
  const ask = asker(address, fetch);
  /** @type {Response | undefined} */
  let first = await ask(0, signal);
  if (first.status === 416) throw empty(name);
  const known = factsOf(first, 0);
  if (!known) {
    await first.body?.cancel();
    throw unclear(address);
  }
  const { bytes, tag } = known;
  if (bytes === 0) throw empty(name);
  return {
    name,
    bytes,
    tag,
    seeks: first.status === 206,
    async *from(begin, later) {
      const kept = begin === 0 ? first : undefined;
      // Whatever it was good for, it is read once.
      if (!kept) await first?.body?.cancel().catch(() => {});
      first = undefined;
      const response = kept ?? (await ask(begin, later));
      const now = factsOf(response, begin);
      if (response.status === 416 || (now && (now.bytes !== bytes || now.tag !== tag))) {
        await response.body?.cancel();
        throw changed(name);
      }
      if (!now) throw unclear(address);
      // A server without ranges begins at the start.
      let at = response.status === 206 ? begin : 0;
      for await (const piece of piecesOf(response, later)) {
        const ahead = Math.max(0, begin - at);
        at += piece.length;
        if (ahead < piece.length) yield piece.subarray(ahead);
      }
      if (at < bytes) throw lost(name, at, bytes);
    },
  };
}

/**
 * @param {string} address
 * @param {typeof globalThis.fetch} fetch
 */
function asker(address, fetch) {
  /** @param {number} begin @param {AbortSignal} [signal] */
  return async function ask(begin, signal) {
    /** @type {RequestInit} */
    const how = { signal, cache: 'no-store', credentials: 'omit', referrerPolicy: 'no-referrer' };
    let response;
    try {
      response = await fetch(address, { ...how, headers: { range: `bytes=${begin}-` } });
    } catch (cause) {
      signal?.throwIfAborted();
      // A browser that asks for leave to name a range may be refused it where the whole file is given.
      response = await fetch(address, how).catch(() => {
        signal?.throwIfAborted();
        throw unreachable(address, cause);
      });
    }
    if (!response.ok && response.status !== 416) {
      await response.body?.cancel();
      throw refused(address, response.status);
    }
    return response;
  };
}

/**
 * What an answer says of the whole file. Of `Content-Range` other hosts let a page see nothing unless they say so; then the
 * length of the rest tells the same.
 * @param {Response} response
 * @param {number} begin
 */
function factsOf({ status, headers }, begin) {
  const tag = headers.get('etag') ?? headers.get('last-modified') ?? '';
  const length = headers.get('content-length');
  const range = /^bytes (\d+)-\d+\/(\d+)$/.exec(headers.get('content-range') ?? '');
  if (status === 206 && range) {
    return Number(range[1]) === begin ? { bytes: Number(range[2]), tag } : undefined;
  }
  // A packed answer is shorter than what comes out of it.
  if (length === null || headers.has('content-encoding')) return undefined;
  return { bytes: Number(length) + (status === 206 ? begin : 0), tag };
}

/**
 * What comes of an answer until it ends or breaks; whoever reads sees by the length which of the two.
 * @param {Response} response
 * @param {AbortSignal} [signal]
 */
async function* piecesOf(response, signal) {
  const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
      signal?.throwIfAborted();
      if (done || !value) return;
      yield value;
    }
  } finally {
    // Without waiting: what is left of it is nobody's concern.
    reader.cancel().catch(() => {});
  }
}

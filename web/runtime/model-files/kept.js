import { changed } from './source-errors.js';
import { addressSource, nameOf } from './sources.js';

/**
 * Models on the reader's device, for those who agreed: each file in pieces, in a cache of the browser's, written as they
 * come. So a download that was broken off goes on at the next visit too, and no browser has to be able to write into files.
 *
 * @typedef {import('./sources.js').Source} Source
 *
 * @typedef {object} KeptFile
 * @property {string} address
 * @property {number} bytes
 * @property {string} tag
 *
 * @typedef {object} KeptModel
 * @property {string} address  What the reader asked for.
 * @property {KeptFile[]} files
 *
 * @typedef {object} KeptSize
 * @property {string} address
 * @property {number} kept  Bytes that are here.
 * @property {number} bytes  Bytes of the whole.
 */

const CACHE = 'attention-deck-models';
const ABOUT = 'attention-deck-about';
const PIECE = 'attention-deck-piece';
/** Large enough to be few, small enough that little is lost with the page. */
const PIECE_BYTES = 2 ** 22;

/** Whether this browser keeps anything for this page. */
export const canKeep = () => globalThis.caches !== undefined;

/** @param {string} address @param {string} what @param {string} value */
function keyOf(address, what, value) {
  const url = new URL(address);
  url.hash = '';
  url.searchParams.append(what, value);
  return url.href;
}

/** @param {string} href */
function pieceAt(href) {
  const url = new URL(href);
  const range = url.searchParams.get(PIECE);
  if (range === null) return undefined;
  const [begin, end] = range.split('-').map(Number);
  url.searchParams.delete(PIECE);
  return { address: url.href, key: href, begin, end };
}

const allPieces = async (/** @type {Cache} */ cache) =>
  (await cache.keys()).map(({ url }) => pieceAt(url)).filter((piece) => piece !== undefined);

/** @returns {Promise<Cache | undefined>} Nothing is made by asking. */
const opened = async () =>
  canKeep() && (await caches.has(CACHE)) ? caches.open(CACHE) : undefined;

/**
 * What the device has of a model.
 * @param {string} address
 * @returns {Promise<KeptModel | undefined>}
 */
export async function keptModel(address) {
  const about = await (await opened())?.match(keyOf(address, ABOUT, 'model'));
  return about?.json();
}

/** @returns {Promise<KeptSize[]>} */
export async function keptModels() {
  const cache = await opened();
  if (!cache) return [];
  const pieces = await allPieces(cache);
  const abouts = (await cache.keys()).filter(({ url }) => new URL(url).searchParams.has(ABOUT));
  return Promise.all(
    abouts.map(async (request) => {
      const about = /** @type {Response} */ (await cache.match(request));
      const { address, files } = /** @type {KeptModel} */ (await about.json());
      const own = pieces.filter((piece) => files.some((file) => sameAddress(file, piece)));
      return {
        address,
        kept: own.reduce((sum, { begin, end }) => sum + end - begin, 0),
        bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
      };
    }),
  );
}

/** @param {{ address: string }} one @param {{ address: string }} other */
const sameAddress = (one, other) => new URL(one.address).href === new URL(other.address).href;

/** Gives back its room. @param {string} address */
export async function forgetModel(address) {
  const cache = await opened();
  const model = await keptModel(address);
  if (!cache || !model) return;
  const own = (await allPieces(cache)).filter((piece) =>
    model.files.some((file) => sameAddress(file, piece)),
  );
  await Promise.all(own.map(({ key }) => cache.delete(key)));
  await cache.delete(keyOf(address, ABOUT, 'model'));
  if ((await cache.keys()).length === 0) await caches.delete(CACHE);
}

/**
 * Says what will be kept; what is kept of another state of the same files is forgotten.
 * @param {KeptModel} model
 */
export async function beginToKeep(model) {
  await forgetModel(model.address);
  const cache = await caches.open(CACHE);
  await cache.put(keyOf(model.address, ABOUT, 'model'), Response.json(model));
}

/**
 * A file of which pieces are on the device. The server is asked only for what is missing, and what comes is kept.
 * @param {KeptFile} file
 * @param {{ source?: Source, fetch?: typeof globalThis.fetch, onFull?: (cause: unknown) => void }} [options]
 *   `source` where it is open already. `onFull`: the device has no more room, and the rest is not kept.
 * @returns {Promise<Source>}
 */
export async function keptSource({ address, bytes, tag }, { source, fetch, onFull } = {}) {
  const cache = await caches.open(CACHE);
  const pieces = (await allPieces(cache)).filter((piece) => sameAddress({ address }, piece));
  let keeps = true;
  const name = nameOf(address);

  /** @param {AbortSignal} [signal] */
  async function remote(signal) {
    source ??= await addressSource(address, { fetch, signal });
    if (source.bytes !== bytes || source.tag !== tag) throw changed(name);
    return source;
  }

  /** @param {number} begin @param {Uint8Array[]} parts */
  async function keep(begin, parts) {
    const end = parts.reduce((sum, part) => sum + part.length, begin);
    if (!keeps || end === begin) return;
    const key = keyOf(address, PIECE, `${begin}-${end}`);
    try {
      await cache.put(key, new Response(new Blob(/** @type {BlobPart[]} */ (parts))));
      pieces.push({ address, key, begin, end });
    } catch (cause) {
      keeps = false;
      onFull?.(cause);
    }
  }

  return {
    name,
    bytes,
    tag,
    seeks: true,
    async *from(begin, signal) {
      let at = begin;
      while (at < bytes) {
        const here = pieces.find((piece) => piece.begin <= at && at < piece.end);
        const response = here && (await cache.match(here.key));
        if (response) {
          yield new Uint8Array(await response.arrayBuffer()).subarray(at - here.begin);
          at = here.end;
          continue;
        }
        // The browser may have thrown it away.
        if (here) pieces.splice(pieces.indexOf(here), 1);
        const until = Math.min(
          bytes,
          ...pieces.map((piece) => piece.begin).filter((it) => it > at),
        );
        /** @type {Uint8Array[]} */
        let parts = [];
        let partsBegin = at;
        try {
          for await (const got of (await remote(signal)).from(at, signal)) {
            const piece = got.slice(0, until - at);
            at += piece.length;
            parts.push(piece);
            if (at - partsBegin >= PIECE_BYTES) {
              await keep(partsBegin, parts);
              [parts, partsBegin] = [[], at];
            }
            yield piece;
            if (at === until) break;
          }
        } finally {
          await keep(partsBegin, parts);
        }
      }
    },
  };
}

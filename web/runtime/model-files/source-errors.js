import { AttentionDeckError } from '../errors.js';

/**
 * What can be wrong with where a model's bytes come from, each a sentence that says what to do.
 *
 * @typedef {import('../errors.js').ErrorCode} ErrorCode
 */

/** The way that is always open. */
const BY_HAND = 'Or download it with the link below, and choose the file here.';

/**
 * @param {ErrorCode} code
 * @param {string} message
 * @param {unknown} [cause]
 */
const sourceError = (code, message, cause) =>
  new AttentionDeckError(code, message, { field: 'source', cause });

/**
 * A request that got no answer: the browser does not say why.
 * @param {string} address
 * @param {unknown} cause
 */
export function unreachable(address, cause) {
  if (globalThis.navigator?.onLine === false) {
    return sourceError(
      'source_unreachable',
      'This device is offline: go on when the network is back, or choose a file that is here already.',
      cause,
    );
  }
  const { host } = new URL(address);
  return sourceError(
    'source_unreachable',
    `${host} did not answer this page: there is no such host, or it lets no other site read its files (CORS). ` +
      `Check the address. ${BY_HAND}`,
    cause,
  );
}

/**
 * An answer that is none.
 * @param {string} address
 * @param {number} status
 */
export function refused(address, status) {
  const { host, pathname } = new URL(address);
  const file = pathname.slice(pathname.lastIndexOf('/') + 1);
  if (status === 404 || status === 410) {
    return sourceError(
      'source_refused',
      `${host} has no file ${file} at this address (${status}): check the address.`,
    );
  }
  if (status === 401 || status === 403) {
    return sourceError(
      'source_refused',
      `${host} gives ${file} only to those who are signed in there (${status}). ${BY_HAND}`,
    );
  }
  return sourceError(
    'source_refused',
    `${host} answered ${status} instead of ${file}: try again later. ${BY_HAND}`,
  );
}

/**
 * A server that does not say how long the file is, or answers with another part of it.
 * @param {string} address
 */
export const unclear = (address) =>
  sourceError(
    'source_refused',
    `${new URL(address).host} does not tell this page how long the file is, so it cannot be read piece by piece. ${BY_HAND}`,
  );

/** @param {string} name */
export const empty = (name) => sourceError('source_short', `${name} is empty: get the file again.`);

/**
 * @param {string} name
 * @param {unknown} [cause]
 */
export const changed = (name, cause) =>
  sourceError(
    'source_changed',
    `${name} is not the file that it was when this began: begin again from its start.`,
    cause,
  );

/**
 * @param {string} name
 * @param {number} at
 * @param {number} bytes
 * @param {unknown} [cause]
 */
export const lost = (name, at, bytes, cause) =>
  sourceError(
    'source_lost',
    `The connection was lost ${at} bytes into the ${bytes} of ${name}. What came is kept: go on when the network is back.`,
    cause,
  );

/**
 * @param {string} message
 * @param {string} [field]
 */
export const badChoice = (message, field = 'source') =>
  new AttentionDeckError('bad_argument', message, { field });

/**
 * A simulator's whole state in a link: `?attn-query=1.<base64url of JSON>`. The number before the point
 * is the version of the format; a reader refuses a version that it does not know, in a sentence.
 */
import { msg, str } from './language.js';

export const LINK_VERSION = 1;
const LONGEST = 16384;

/** The state as the value of a query parameter. */
export function encodeState(state) {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  const base64 = btoa(String.fromCodePoint(...bytes));
  return `${LINK_VERSION}.${base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`;
}

const damaged = () => ({ problem: msg('The state in this link cannot be used: it is damaged.') });

/** `{raw}` from a query parameter, unchecked against any schema, or `{problem}` with a sentence. */
export function decodeState(text) {
  if (text.length > LONGEST) {
    return { problem: msg('The state in this link cannot be used: it is too long.') };
  }
  const [, version, payload] = /^(\d{1,4})\.([\w-]*)$/.exec(text) ?? [];
  if (version === undefined) return damaged();
  if (Number(version) !== LINK_VERSION) {
    const [theirs, ours] = [Number(version), LINK_VERSION];
    return {
      problem: msg(
        str`The state in this link cannot be used: it has version ${theirs}, and this page reads ${ours}.`,
      ),
    };
  }
  try {
    const binary = atob(payload.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (character) => character.codePointAt(0));
    return { raw: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) };
  } catch {
    return damaged();
  }
}

/** The state that the page's own address carries for a tag, if any. */
export function stateFromAddress(tag, address) {
  const text = new URL(address).searchParams.get(tag);
  return text === null ? {} : decodeState(text);
}

/**
 * The page's address with a tag's state in it, as `{link}`; the fragment moves to `anchor` when one is given.
 * A state too long for any link gives `{problem}`, a sentence.
 */
export function linkTo(tag, state, address, anchor) {
  const encoded = encodeState(state);
  if (encoded.length > LONGEST) {
    return {
      problem: msg(
        'This is too much text for a link. Save it as a table instead, or shorten the text and copy again.',
      ),
    };
  }
  const url = new URL(address);
  url.searchParams.set(tag, encoded);
  if (anchor) url.hash = anchor;
  return { link: url.href };
}

/** Tokens as people read them: a token is bytes, and not always the whole of a character. */
import { msg } from './language.js';

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** What has no picture of its own, or one that looks like nothing. */
const VISIBLE = new Map([
  [' ', '␣'],
  ['\n', '↵'],
  ['\r', '␍'],
  ['\t', '⇥'],
  ['\u00a0', '⍽'],
]);

const hex = (number, digits) => number.toString(16).toUpperCase().padStart(digits, '0');

const drawn = (character) => {
  const known = VISIBLE.get(character);
  if (known) return known;
  // Controls, format characters, other spaces and unassigned ones are named by their number.
  return /[\p{C}\p{Z}]/u.test(character) ? `⟨U+${hex(character.codePointAt(0), 4)}⟩` : character;
};

/** Bytes as pairs of hexadecimal digits: `E2 80`. */
export const hexOf = (bytes) => Array.from(bytes, (byte) => hex(byte, 2)).join(' ');

/**
 * A token's bytes as text with its white space visible; bytes that are only a part of a character in
 * angle brackets.
 * @param {Uint8Array} bytes
 */
export function readable(bytes) {
  let text;
  try {
    text = strict.decode(bytes);
  } catch {
    return `⟨${hexOf(bytes)}⟩`;
  }
  return Array.from(text, drawn).join('');
}

/** The same for a screen reader, which would pass over the signs. */
export const spokenPiece = (text) =>
  text
    .replaceAll('␣', `${msg('space')} `)
    .replaceAll('↵', `${msg('new line')} `)
    .replaceAll('⇥', `${msg('tab')} `)
    .trim();

/**
 * A table of tokens as the module gives it, all bytes in one array: token i as a view of its bytes.
 * @param {{bytes: Uint8Array, offsets: Int32Array}} table
 */
export const tokenBytes = ({ bytes, offsets }, id) => bytes.subarray(offsets[id], offsets[id + 1]);

/** What encoding gives where no token has a character. */
export const UNKNOWN = -1;

const encoder = new TextEncoder();

/**
 * The bytes of a text that each of its tokens takes.
 * @param {string} text
 * @param {{byte_begin: Int32Array, byte_end: Int32Array}} offsets as `tokenizer.offsets` gives them
 */
export function textParts(text, { byte_begin: begin, byte_end: end }) {
  const bytes = encoder.encode(text);
  return Array.from(begin, (from, i) => bytes.subarray(from, end[i]));
}

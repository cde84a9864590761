/** Every byte a token, and a few that grow from them: enough for any text, as GGUF and tokenizer.json write it. */

/** How GPT-2's vocabulary, and every one of its kind, writes a byte. */
function byteLetters() {
  const plain = (byte) =>
    (byte > 32 && byte < 127) || (byte > 160 && byte < 173) || (byte > 173 && byte < 256);
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) =>
    String.fromCodePoint(plain(byte) ? byte : next++),
  );
}

const letters = byteLetters();
const SPACE = letters[32];

export const tinyTokens = [...letters, 'th', 'the', `${SPACE}c`];
const merges = [
  ['t', 'h'],
  ['th', 'e'],
  [SPACE, 'c'],
];

/** Keys of a GGUF file. */
export const tinyGgufVocabulary = {
  'tokenizer.ggml.model': 'gpt2',
  'tokenizer.ggml.pre': 'gpt-2',
  'tokenizer.ggml.tokens': tinyTokens,
  'tokenizer.ggml.token_type': tinyTokens.map(() => 1),
  'tokenizer.ggml.merges': merges.map((pair) => pair.join(' ')),
};

export const tinyTokenizerJson = JSON.stringify({
  pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, use_regex: true },
  model: {
    type: 'BPE',
    vocab: Object.fromEntries(tinyTokens.map((token, id) => [token, id])),
    merges,
  },
});

/** Known answers of the module `tokens`, asked of every fresh instance as core-self-test.js asks the core's. */

/** Sennrich's rule by hand: in “aaabdaaabac” the pair a, a stands four times, overlaps counted, and leads to X = aa. */
const text = 'aaabdaaabac';
const bytesAfterThreeMerges = [258, 100, 258, 97, 99];

/**
 * @param {import('./tokens.js').Tokens} tokens
 * @returns {string | null} What came out wrong, or null.
 */
export function selfTestTokens(tokens) {
  const trainer = tokens.train({ documents: [text], pretokenizer: 'none' });
  const { count, replaced } = trainer.step(3);
  const tokenizer = trainer.tokenizer();
  trainer.close();
  const ids = tokenizer.encode(text);
  const back = tokenizer.decode(ids);
  tokenizer.close();
  if (count[0] !== 4 || replaced[0] !== 2) return 'counts of pairs';
  if (ids.join() !== bytesAfterThreeMerges.join()) return 'ids';
  if (back !== text) return 'text from ids';
  return null;
}

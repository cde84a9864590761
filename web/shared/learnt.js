/**
 * What a corpus teaches, learnt once and kept while it is asked for: a simulator asks at every key and every step of a
 * slider, and only its own sentence is another then.
 */

/** As many merges as any corpus can give that fits a simulator: each takes away a piece. */
export const MOST_MERGES = 20000;
/** A few corpora side by side, as when two simulators stand on one page. */
const KEPT = 4;

/** @type {WeakMap<object, Map<string, object>>} */
const kept = new WeakMap();

/** Every merge that a corpus gives, its tokens, and the tokenizer of them all, which stays open. */
function learn(tokens, options) {
  const trainer = tokens.train(options);
  const steps = trainer.step(MOST_MERGES);
  const table = trainer.state(0);
  const tokenizer = trainer.tokenizer();
  trainer.close();
  return { ...steps, baseCount: trainer.base_count, table, tokenizer };
}

/**
 * @param {object} tokens the module
 * @param {{documents: string[], tie: string, alphabet: string}} options
 */
export function learnt(tokens, options) {
  const known = kept.get(tokens) ?? new Map();
  kept.set(tokens, known);
  // What an earlier life of the module had open is gone.
  const key = JSON.stringify([tokens.life, options]);
  const found = known.get(key) ?? learn(tokens, options);
  known.delete(key);
  known.set(key, found);
  if (known.size > KEPT) {
    const [oldest, { tokenizer }] = known.entries().next().value;
    tokenizer.close();
    known.delete(oldest);
  }
  return found;
}

/**
 * A text after the first so many merges: `replay` of it with as many of its own steps as are among them. A merge is
 * learnt after those that made its two halves, so the steps of a text are in the order of the merges.
 * @param {{tokenizer: object}} corpus what `learnt` gave
 */
export function afterMerges({ tokenizer }, text, merges) {
  const { rank } = tokenizer.replay(text, { steps: 0 });
  const steps = rank.filter((one) => one < merges).length;
  const replay = tokenizer.replay(text, { steps });
  const ids = replay.shown_ids;
  return {
    ids: [...ids],
    start: replay.start.length,
    met: rank.subarray(0, steps),
    offsets: tokenizer.offsets(text, ids),
  };
}

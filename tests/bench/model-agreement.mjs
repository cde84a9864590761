/**
 * The most probable continuation of five prompts, here and by llama.cpp, token by token; and where two of them part, whether
 * that is a tie within rounding. Both implementations round activations to 8 bits before each product with the model's
 * weights, and any difference in the last bit of a float becomes another rounding somewhere. What that does to logits is
 * measured on a third implementation, in plain float64 loops, without rounding and with it (tests/model/reference.js).
 */
import { MODEL } from '../../web/build/model-file.mjs';
import { Reference, errorOf } from '../model/reference.js';

const CONTINUED = 80;
const PROMPTS = [
  'The capital of France is',
  'Once upon a time there was a small robot who',
  'To make a good cup of tea, you',
  'def fibonacci(n):\n',
  'In 1969, for the first time,',
];
/** Tokens that errors are measured on: those that llama.cpp holds for most probable, as it cannot answer with all. */
const MEASURED = 1000;
const EIGHT_BITS = 127;
/** How much further than the rounded reference an implementation may be from the exact one. */
const FURTHER = 1.5;
/** How many standard deviations of an error of rounding a tie may be apart. */
const APART = 2;

/** Where the continuations of a prompt part, and what both give the tokens that are the most probable there. */
async function follow(ours, peer, text) {
  const prompt = await ours.ask('prompt', { text });
  const mine = await ours.ask('continuation', { prompt, count: CONTINUED });
  const theirs = await peer.ask('continuation', { prompt, count: CONTINUED });
  const first = mine.ids.findIndex((id, i) => id !== theirs[i]);
  const row = { text, tokens: first, uncached: mine.uncached };
  // llama.cpp stops where the model ends its text.
  if (first < 0 || first === theirs.length) return { ...row, tokens: theirs.length, same: true };
  const chosen = { ours: mine.ids[first], theirs: theirs[first] };
  const at = await ours.ask('longer', { prompt, written: mine.ids.slice(0, first) });
  const { ids, logits } = await peer.ask('logits', { prompt: at, count: MEASURED });
  return {
    ...row,
    same: false,
    chosen,
    words: await ours.ask('words', { ids: Object.values(chosen) }),
    before: at.ids,
    ids,
    logits: { ours: await ours.ask('logitsOf', { prompt: at, tokens: ids }), theirs: logits },
  };
}

/** Of a place where continuations part: by how much each gives our token more, how far each is from the exact one. */
function judge({ text, tokens, uncached, chosen, words, ids, logits }, exact, rounded) {
  const at = (all) => ids.map((id) => all[id]);
  const all = { ...logits, exact: at(exact), rounded: at(rounded) };
  const [mine, other] = [ids.indexOf(chosen.ours), ids.indexOf(chosen.theirs)];
  const gaps = {};
  const errors = {};
  const pairs = {};
  for (const [name, of] of Object.entries(all)) {
    pairs[name] = [of[mine], of[other]];
    gaps[name] = of[mine] - of[other];
    errors[name] = errorOf(of, all.exact);
  }
  // The error of a difference of two logits is that of one, times the root of 2.
  const tie = APART * Math.SQRT2 * errors.rounded;
  const allowed = FURTHER * errors.rounded;
  const explained =
    Math.abs(gaps.exact) <= tie && errors.ours <= allowed && errors.theirs <= allowed;
  return { text, tokens, uncached, same: false, words, pairs, gaps, errors, tie, explained };
}

/**
 * One row for each prompt.
 * @param {import('./engines.mjs').Talk} ours
 * @param {import('./engines.mjs').Talk} peer
 * @param {(text: string) => void} say
 */
export async function compareContinuations(ours, peer, say) {
  const rows = [];
  for (const text of PROMPTS) {
    say(`Continuing “${text.trim()}”`);
    rows.push(await follow(ours, peer, text));
  }
  const parted = rows.filter(({ same }) => !same);
  say('The same in float64');
  const reference = new Reference(MODEL);
  const logits = reference.logits(
    parted.flatMap(({ before: ids }) => [{ ids }, { ids, levels: EIGHT_BITS }]),
  );
  reference.close();
  return rows.map((row) => {
    if (row.same) return row;
    const place = 2 * parted.indexOf(row);
    return judge(row, logits[place], logits[place + 1]);
  });
}

/** A row in words. */
export function wordsOf({ text, tokens, uncached, same, words, pairs, errors, tie, explained }) {
  const cache = uncached ? '' : '; without the cache they are OTHERS';
  if (same) return `${JSON.stringify(text)}: the same ${tokens} tokens${cache}`;
  const [mine, other] = words.map((word) => JSON.stringify(word));
  const pair = (name) => pairs[name].map((logit) => logit.toFixed(2)).join(' and ');
  const size = (name) => errors[name].toFixed(3);
  const gap = Math.abs(pairs.exact[0] - pairs.exact[1]).toFixed(3);
  return [
    `${JSON.stringify(text)}: the same ${tokens} tokens, then ${mine} here and ${other} there${cache}`,
    `  logits of both: ours ${pair('ours')}, exact ${pair('exact')}; logarithms of probabilities there ${pair('theirs')}`,
    `  error by rounding to 8 bits alone ${size('rounded')}, ours ${size('ours')}, theirs ${size('theirs')}`,
    `  exactly, they are ${gap} apart; within rounding are ${tie.toFixed(3)}: ${explained ? 'a tie' : 'NOT EXPLAINED'}`,
  ].join('\n');
}

/** What does not agree, and is not explained. */
export const faultsOf = (rows) =>
  rows.filter(({ same, uncached, explained }) => !uncached || !(same || explained));

/**
 * Where position comes from (slide 24): one layer over a sentence and over its words in another order, under five
 * schemes. State in, numbers out, by `experiments.positionSchemes`.
 */
import { formatMagnitude, formatNumber } from '../../shared/number.js';
import { indices, lastOf, rowsOf } from '../../shared/pick.js';

export const REACH = 48;
/** From 0 to REACH. */
const OFFSETS = 49;
const LAST_ARRANGEMENT = 5039;
const LAST_ROW = 511;
export const HEADS = 8;

/** The rows of what is computed: what each is called, what it does, where it is used and what became of it. */
export const SCHEMES = [
  {
    id: 'sinusoidal',
    name: 'sinusoidal',
    does: 'fixed waves, added to the word',
    used: 'Transformer, 2017; now in diffusion models',
  },
  {
    id: 'learned',
    name: 'learned',
    does: 'a table, added (untrained)',
    used: 'BERT, GPT-2, ViT; ends with its last row',
  },
  {
    id: 'alibi',
    name: 'ALiBi',
    does: 'each token back costs the score a fixed amount',
    used: 'BLOOM, MPT; rare since',
  },
  {
    id: 'rope',
    name: 'RoPE',
    does: 'turns query and key',
    used: 'Llama, Qwen, DeepSeek; the default now',
  },
  {
    id: 'none',
    name: 'none',
    does: 'nothing at all',
    used: 'each fourth layer of Llama 4 and SmolLM3',
  },
];
const NONE = lastOf(SCHEMES.length);

const schema = {
  text: { kind: 'text', longest: 60, name: () => 'The sentence' },
  arrangement: {
    kind: 'number',
    min: 0,
    max: LAST_ARRANGEMENT,
    integer: true,
    name: () => 'order of the words',
  },
  mask: { kind: 'choice', options: ['none', 'causal'], name: () => 'The mask' },
  query_at: {
    kind: 'number',
    min: REACH,
    max: LAST_ROW,
    integer: true,
    name: () => 'query at token',
  },
  alibi_head: { kind: 'number', min: 1, max: HEADS, integer: true, name: () => 'head of ALiBi' },
  seed: { kind: 'number', min: 0, max: 1000000, integer: true, name: () => 'seed' },
};

const defaults = {
  text: 'a dog bites the old man',
  arrangement: 379,
  mask: 'none',
  query_at: 400,
  alibi_head: 1,
  seed: 37,
};

const wordsOf = (text) => text.split(/\s+/).filter(Boolean);

function compute(experiments, state) {
  const { text, arrangement, mask, query_at, alibi_head, seed } = state;
  const words = wordsOf(text);
  const seen = experiments.positionSchemes({
    // The same word is the same vector, wherever it stands.
    ids: words.map((word) => words.indexOf(word)),
    arrangement,
    causal: mask === 'causal',
    query_at,
    alibi_head,
    seed,
    reach: REACH,
  });
  const rows = (flat, columns) => rowsOf(flat, SCHEMES.length, columns);
  return {
    // Where the words have fewer orders, counting goes round.
    state: { ...state, arrangement: seen.arrangement },
    words,
    shuffled: [...seen.order].map((from) => words[from]),
    order: [...seen.order],
    swaps: [...seen.swaps],
    last: seen.last_arrangement,
    change: [...seen.change],
    notices: [...seen.notices],
    changeOfWord: rows(seen.change_of_word, words.length),
    slope: seen.slope,
    scores: rows(seen.scores, OFFSETS),
    startScores: rows(seen.start_scores, OFFSETS),
    moved: [...seen.moved],
    moves: [...seen.moves],
  };
}

export const count = (value) => formatNumber(value, { decimals: 0 });
export const amount = (value) => (value === 0 ? '0' : formatMagnitude(value));

const listed = (names) =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

const SAID = ['sinusoidal', 'learned', 'ALiBi', 'RoPE', 'no positions'];

function sentence({ state, notices, shuffled }) {
  const blind = SAID.filter((_, s) => notices[s] === 0);
  const what = `“${shuffled.join(' ')}”`;
  if (state.arrangement === 0)
    return `The words stand as they were: change their order, and see who notices.`;
  if (blind.length === 0)
    return `${what}: under a causal mask every scheme notices the order, even no positions.`;
  return `${what}: with ${listed(blind)} the outputs only change places.`;
}

export const model = {
  tag: 'attn-positions',
  title: 'Who notices the order of the words?',
  summary: 'Shuffle a sentence: under which scheme of position do the outputs change?',
  module: 'experiments',
  schema,
  defaults,
  cases: [
    { id: 'slide', label: 'Six words', state: {} },
    { id: 'dog', label: 'Man bites dog', state: { text: 'dog bites man', arrangement: 5 } },
    {
      id: 'causal',
      label: 'Causal mask',
      state: { text: 'dog bites man', arrangement: 5, mask: 'causal' },
    },
    { id: 'near', label: 'Query at 48', state: { query_at: REACH } },
    { id: 'gentle', label: 'ALiBi, head 8', state: { alibi_head: 8 } },
  ],
  predict: {
    question: 'Without positions, the outputs …',
    options: () => ['only change places', 'take other values'],
    isRight: ({ notices }, choice) => choice === notices[NONE],
    tell: ({ change }) => `They differ by ${amount(change[NONE])}.`,
  },
  figures: ['pos.perm', 'deck.alibi.slopes'],
  compute,
  sentence,
  picture: ({ change, moved }) => ({
    head: ['positions', 'outputs after the shuffle differ by', 'scores of a moved query differ by'],
    rows: SCHEMES.map(({ name }, s) => [name, amount(change[s]), amount(moved[s])]),
  }),
  rows: (numbers) => [
    ['positions', 'outputs_differ_by', ...numbers.shuffled, 'scores_differ_by'],
    ...SCHEMES.map(({ name }, s) => [
      name,
      numbers.change[s],
      ...numbers.changeOfWord[s],
      numbers.moved[s],
    ]),
    ['tokens back', ...SCHEMES.map(({ name }) => name)],
    ...indices(numbers.scores[0].length).map((back) => [
      back,
      ...numbers.scores.map((scores) => scores[back]),
    ]),
    ['ALiBi slope', numbers.slope],
  ],
};

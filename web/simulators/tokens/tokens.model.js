/**
 * Two texts that say the same, in the tokens of GPT-2, GPT-4 and GPT-4o (slide 6 and the playground). State in,
 * numbers out, by the module `tokens`: ids, counts and costs are all its own.
 */
import { formatCount, formatNumber, many } from '../../shared/number.js';
import { readable } from '../../shared/piece-text.js';

export const VOCABULARIES = [
  { name: 'gpt2', label: 'GPT-2' },
  { name: 'cl100k', label: 'GPT-4' },
  { name: 'o200k', label: 'GPT-4o' },
];
const NAMES = VOCABULARIES.map(({ name }) => name);
const PAIRS = [
  [
    'The cat climbed on the roof of the house because it was afraid of the dog.',
    'O gato subiu no telhado da casa porque estava com medo do cachorro.',
  ],
  [
    'Every morning the cat climbs up on the roof and waits for the light of day.',
    'Toda manhã o gato sobe no telhado e espera a luz do dia.',
  ],
  [
    'The boat crossed the river at night and came back in the morning with some fish.',
    'O barco atravessou o rio à noite e voltou de manhã com peixes.',
  ],
];

const schema = {
  first: { kind: 'text', longest: 2000, name: () => 'The first text' },
  second: { kind: 'text', longest: 2000, name: () => 'The second text' },
  vocabulary: { kind: 'choice', options: [...NAMES, 'all'], name: () => 'vocabulary' },
  special: { kind: 'choice', options: ['text', 'id'], name: () => '<|endoftext|>' },
};

const defaults = { first: PAIRS[0][0], second: PAIRS[0][1], vocabulary: 'gpt2', special: 'text' };

const shownNames = ({ vocabulary }) => (vocabulary === 'all' ? NAMES : [vocabulary]);

function compute(tokens, state) {
  const options = { special_ids: state.special === 'id' };
  const rows = shownNames(state).map((name) => {
    const tokenizer = tokens.opened(name);
    const read = (text, reference) => {
      const ids = [...tokenizer.encode(text, options)];
      const pieces = ids.map((id) => ({ id, text: readable(tokenizer.decodeBytes([id])) }));
      return { ids, pieces, cost: tokenizer.measure(text, { reference, ...options }) };
    };
    return {
      name,
      label: VOCABULARIES.find((vocabulary) => vocabulary.name === name).label,
      size: tokenizer.vocab_size,
      first: read(state.first),
      second: read(state.second, state.first),
    };
  });
  return { state, rows };
}

const two = { decimals: 2 };

function sentence({ rows }) {
  if (rows[0].first.ids.length === 0 || rows[0].second.ids.length === 0) {
    return 'Type two texts that say the same, and see what each costs.';
  }
  const [{ label, first, second }, ...others] = rows;
  const times = (row) => formatNumber(row.second.cost.relative, two);
  if (others.length > 0) {
    const rest = others.map((row) => `${times(row)} in ${row.label}`);
    return `The second text costs ${times(rows[0])} times the first in ${label}, ${rest.join(', ')}.`;
  }
  return `${label} reads ${many(first.cost.tokens, 'token')} and ${many(second.cost.tokens, 'token')}, so the second text costs ${times(rows[0])} times the first.`;
}

export const model = {
  tag: 'attn-tokens',
  title: 'What a text costs in tokens',
  summary:
    'The same text in two languages, cut by the vocabularies of GPT-2, GPT-4 and GPT-4o: which is cheaper, and why?',
  module: 'tokens',
  vocabularies: shownNames,
  wholeNumbers: true,
  schema,
  defaults,
  cases: [
    { id: 'roof', label: 'Roof', state: {} },
    { id: 'morning', label: 'Morning', state: { first: PAIRS[1][0], second: PAIRS[1][1] } },
    { id: 'river', label: 'River', state: { first: PAIRS[2][0], second: PAIRS[2][1] } },
    {
      id: 'running',
      label: 'Four words',
      state: { first: 'the cat climbed the', second: 'o gato subiu no' },
    },
    { id: 'three', label: 'Three vocabularies', state: { vocabulary: 'all' } },
  ],
  predict: {
    question: 'Which text needs more tokens for each word?',
    options: () => ['the first', 'the second'],
    isRight: ({ rows: [{ first, second }] }, choice) =>
      [first, second][choice].cost.tokens_per_word >= [second, first][choice].cost.tokens_per_word,
  },
  figures: [
    'tok.chars',
    'tok.gpt2.vocab',
    'tok.ratio',
    'tok.gpt2.en4',
    'tok.gpt2.pt6',
    'tok.gpt2.pt6.pieces',
    'tok.gpt2.pair1',
    'tok.gpt2.pair2',
    'tok.gpt2.pair3',
  ],
  compute,
  sentence,
  picture: ({ rows }) => ({
    head: ['vocabulary', 'tokens, first', 'a word', 'tokens, second', 'a word', 'second ÷ first'],
    rows: rows.map(({ label, first, second }) => [
      label,
      formatCount(first.cost.tokens),
      formatNumber(first.cost.tokens_per_word, two),
      formatCount(second.cost.tokens),
      formatNumber(second.cost.tokens_per_word, two),
      formatNumber(second.cost.relative, two),
    ]),
  }),
  rows: ({ rows }) => [
    ['vocabulary', 'text', 'tokens', 'words', 'characters', 'bytes', 'tokens_per_word', 'relative'],
    ...rows.flatMap(({ name, first, second }) =>
      [first, second].map(({ cost }, i) => [
        name,
        ['first', 'second'][i],
        cost.tokens,
        cost.words,
        cost.characters,
        cost.bytes,
        cost.tokens_per_word,
        i === 0 ? 1 : cost.relative,
      ]),
    ),
    ['vocabulary', 'text', 'id', 'piece'],
    ...rows.flatMap(({ name, ...texts }) =>
      ['first', 'second'].flatMap((which) =>
        texts[which].pieces.map(({ id, text }) => [name, which, id, text]),
      ),
    ),
  ],
};

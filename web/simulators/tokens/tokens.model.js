/**
 * Two texts that say the same, in the tokens of GPT-2, GPT-4 and GPT-4o (slide 6 and the playground). State in,
 * numbers out, by the module `tokens`: ids, counts and costs are all its own.
 */
import { msg, str } from '../../shared/language.js';
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
  first: { kind: 'text', longest: 2000, name: () => msg('The first text') },
  second: { kind: 'text', longest: 2000, name: () => msg('The second text') },
  vocabulary: { kind: 'choice', options: [...NAMES, 'all'], name: () => msg('vocabulary') },
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
    return msg('Type two texts that say the same, and see what each costs.');
  }
  const [{ label, first, second }, ...others] = rows;
  const times = (row) => formatNumber(row.second.cost.relative, two);
  const factor = times(rows[0]);
  if (others.length > 0) {
    const [next, last] = others.map((row) => ({ name: row.label, factor: times(row) }));
    return msg(
      str`The second text costs ${factor} times the first in ${label}, ${next.factor} in ${next.name}, ${last.factor} in ${last.name}.`,
    );
  }
  const [one, other] = [first, second].map(({ cost }) =>
    many(cost.tokens, msg('token'), msg('tokens')),
  );
  return msg(
    str`${label} reads ${one} and ${other}, so the second text costs ${factor} times the first.`,
  );
}

export const model = {
  tag: 'attn-tokens',
  get title() {
    return msg('What a text costs in tokens');
  },
  get summary() {
    return msg(
      'The same text in two languages, cut by the vocabularies of GPT-2, GPT-4 and GPT-4o: which is cheaper, and why?',
    );
  },
  module: 'tokens',
  vocabularies: shownNames,
  wholeNumbers: true,
  schema,
  defaults,
  cases: [
    {
      id: 'roof',
      get label() {
        return msg('Roof');
      },
      state: {},
    },
    {
      id: 'morning',
      get label() {
        return msg('Morning');
      },
      state: { first: PAIRS[1][0], second: PAIRS[1][1] },
    },
    {
      id: 'river',
      get label() {
        return msg('River');
      },
      state: { first: PAIRS[2][0], second: PAIRS[2][1] },
    },
    {
      id: 'running',
      get label() {
        return msg('Four words');
      },
      state: { first: 'the cat climbed the', second: 'o gato subiu no' },
    },
    {
      id: 'three',
      get label() {
        return msg('Three vocabularies');
      },
      state: { vocabulary: 'all' },
    },
  ],
  predict: {
    get question() {
      return msg('Which text needs more tokens for each word?');
    },
    options: () => [msg('the first'), msg('the second')],
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
    head: [
      msg('vocabulary'),
      msg('tokens, first'),
      msg('a word'),
      msg('tokens, second'),
      msg('a word'),
      msg('second ÷ first'),
    ],
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

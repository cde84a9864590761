/**
 * Where position comes from (slide 24): one layer over a sentence and over its words in another order, under five
 * schemes. State in, numbers out, by `layer.positionSchemes`.
 */
import { msg, str } from '../../shared/language.js';
import { formatMagnitude, formatNumber } from '../../shared/number.js';
import { indices, lastOf, rowsOf } from '../../shared/pick.js';

export const REACH = 48;
/** From 0 to REACH. */
const OFFSETS = 49;
const LAST_ARRANGEMENT = 5039;
const LAST_ROW = 511;
export const HEADS = 8;

/**
 * The rows of what is computed: what each is called in files and to the reader, what it does, where it is used and
 * what became of it.
 */
export const SCHEMES = [
  {
    id: 'sinusoidal',
    name: 'sinusoidal',
    get label() {
      return msg('sinusoidal');
    },
    get does() {
      return msg('fixed waves, added to the word');
    },
    get used() {
      return msg('Transformer, 2017; now in diffusion models');
    },
  },
  {
    id: 'learned',
    name: 'learned',
    get label() {
      return msg('learned', { id: 'positions-learned' });
    },
    get does() {
      return msg('a table, added (untrained)');
    },
    get used() {
      return msg('BERT, GPT-2, ViT; ends with its last row');
    },
  },
  {
    id: 'alibi',
    name: 'ALiBi',
    label: 'ALiBi',
    get does() {
      return msg('each token back costs the score a fixed amount');
    },
    get used() {
      return msg('BLOOM, MPT; rare since');
    },
  },
  {
    id: 'rope',
    name: 'RoPE',
    label: 'RoPE',
    get does() {
      return msg('turns query and key');
    },
    get used() {
      return msg('Llama, Qwen, DeepSeek; the default now');
    },
  },
  {
    id: 'none',
    name: 'none',
    get label() {
      return msg('none', { id: 'positions-none' });
    },
    get does() {
      return msg('nothing at all');
    },
    get used() {
      return msg('each fourth layer of Llama 4 and SmolLM3');
    },
  },
];
const NONE = lastOf(SCHEMES.length);

const schema = {
  text: { kind: 'text', longest: 60, name: () => msg('The sentence') },
  arrangement: {
    kind: 'number',
    min: 0,
    max: LAST_ARRANGEMENT,
    integer: true,
    name: () => msg('order of the words'),
  },
  mask: { kind: 'choice', options: ['none', 'causal'], name: () => msg('The mask') },
  query_at: {
    kind: 'number',
    min: REACH,
    max: LAST_ROW,
    integer: true,
    name: () => msg('query at token'),
  },
  alibi_head: {
    kind: 'number',
    min: 1,
    max: HEADS,
    integer: true,
    name: () => msg('head of ALiBi'),
  },
  seed: { kind: 'number', min: 0, max: 1000000, integer: true, name: () => msg('seed') },
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

function compute(layer, state) {
  const { text, arrangement, mask, query_at, alibi_head, seed } = state;
  const words = wordsOf(text);
  const seen = layer.positionSchemes({
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

function listed(names) {
  if (names.length < 2) return names.join('');
  const [before, last] = [names.slice(0, -1).join(', '), names.at(-1)];
  return msg(str`${before} and ${last}`);
}

/** What a scheme is called in a sentence. */
const said = ({ id, label }) => (id === 'none' ? msg('no positions') : label);

function sentence({ state, notices, shuffled }) {
  if (state.arrangement === 0)
    return msg('The words stand as they were: change their order, and see who notices.');
  const what = `“${shuffled.join(' ')}”`;
  const blind = SCHEMES.filter((_, s) => notices[s] === 0);
  if (blind.length === 0)
    return msg(
      str`${what}: under a causal mask every scheme notices the order, even no positions.`,
    );
  if (blind.every(({ id }) => id === 'none'))
    return msg(str`${what}: with no positions the outputs only change places.`);
  const schemes = listed(blind.map(said));
  return msg(str`${what}: with ${schemes} the outputs only change places.`);
}

export const model = {
  tag: 'attn-positions',
  get title() {
    return msg('Who notices the order of the words?');
  },
  get summary() {
    return msg('Shuffle a sentence: under which scheme of position do the outputs change?');
  },
  module: 'layer',
  schema,
  defaults,
  cases: [
    {
      id: 'slide',
      get label() {
        return msg('Six words');
      },
      state: {},
    },
    {
      id: 'dog',
      get label() {
        return msg('Man bites dog');
      },
      state: { text: 'dog bites man', arrangement: 5 },
    },
    {
      id: 'causal',
      get label() {
        return msg('Causal mask', { id: 'positions-causal' });
      },
      state: { text: 'dog bites man', arrangement: 5, mask: 'causal' },
    },
    {
      id: 'near',
      get label() {
        return msg('Query at 48');
      },
      state: { query_at: REACH },
    },
    {
      id: 'gentle',
      get label() {
        return msg('ALiBi, head 8');
      },
      state: { alibi_head: 8 },
    },
  ],
  predict: {
    get question() {
      return msg('Without positions, the outputs …');
    },
    options: () => [msg('only change places'), msg('take other values')],
    isRight: ({ notices }, choice) => choice === notices[NONE],
    tell: ({ change }) => {
      const most = amount(change[NONE]);
      return msg(str`They differ by ${most}.`);
    },
  },
  figures: ['pos.perm', 'deck.alibi.slopes'],
  compute,
  sentence,
  picture: ({ change, moved }) => ({
    head: [
      msg('positions'),
      msg('outputs after the shuffle differ by'),
      msg('scores of a moved query differ by'),
    ],
    rows: SCHEMES.map(({ label }, s) => [label, amount(change[s]), amount(moved[s])]),
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

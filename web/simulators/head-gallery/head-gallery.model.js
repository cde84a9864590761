/**
 * What heads turn out to do (slide 27): five heads of one layer, whose matrices are set by hand so that each shows one
 * of the patterns that are found in trained models. State in, numbers out, by one `core.multiHead`.
 */
import { msg, str } from '../../shared/language.js';
import { between, formatWeight } from '../../shared/number.js';
import { flatOf, indices, lastOf, ordinal, planesOf, rowsOf } from '../../shared/pick.js';

export const WORDS = ['the', 'cat', 'sat'];
export const N = 5;
const PAIR = 2;

/** What is known of a token: the columns of X. */
export const COLUMNS = [
  {
    id: 'one',
    get name() {
      return msg('one', { id: 'column-one' });
    },
  },
  {
    id: 'first',
    get name() {
      return msg('first?');
    },
  },
  {
    id: 'place',
    get name() {
      return msg('place');
    },
  },
  {
    id: 'clock_x',
    get name() {
      return msg('clock x');
    },
  },
  {
    id: 'clock_y',
    get name() {
      return msg('clock y');
    },
  },
  { id: 'the', name: 'the' },
  { id: 'cat', name: 'cat' },
  { id: 'sat', name: 'sat' },
  {
    id: 'before_the',
    get name() {
      return msg('after the');
    },
  },
  {
    id: 'before_cat',
    get name() {
      return msg('after cat');
    },
  },
];
const D = COLUMNS.length;
const columnOf = (id) => COLUMNS.findIndex((column) => column.id === id);
export const columnName = (id) => COLUMNS[columnOf(id)].name;

/** A quarter turn for each place, and none for the fifth, which stands where the first does. */
const CLOCK = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
  [1, 0],
];

/**
 * What the two numbers of each head's query, key and value read, as column and factor. A query is multiplied by the
 * loudness besides.
 */
export const HEADS = [
  {
    id: 'previous',
    get name() {
      return msg('Previous token');
    },
    q: [['clock_x'], ['clock_y']],
    k: [['clock_y', -1], ['clock_x']],
    v: [['the'], ['cat']],
    get why() {
      return msg(
        'The key is the clock a quarter turn ahead, so it meets the query of the next token.',
      );
    },
  },
  {
    id: 'induction',
    get name() {
      return msg('Induction');
    },
    q: [['the'], ['cat']],
    k: [['before_the'], ['before_cat']],
    v: [['cat'], ['sat']],
    get why() {
      return msg('It asks who came after this same word before, and carries what came.');
    },
  },
  {
    id: 'sink',
    get name() {
      return msg('Sink');
    },
    q: [['one']],
    k: [['first']],
    v: [['before_the'], ['before_cat']],
    get why() {
      return msg('Every query asks for the first token, whose value is zero: a head at rest.');
    },
  },
  {
    id: 'content',
    get name() {
      return msg('Content');
    },
    q: [['the'], ['cat']],
    k: [['the'], ['cat']],
    v: [['the'], ['cat']],
    get why() {
      return msg('Query and key read the same: equal words find each other, wherever they stand.');
    },
  },
  {
    id: 'distance',
    get name() {
      return msg('Distance');
    },
    q: [['one']],
    k: [['place', 0.125]],
    v: [['the'], ['cat']],
    get why() {
      return msg('The later the key, the higher its score: each step back costs the same factor.');
    },
  },
];
const IDS = HEADS.map(({ id }) => id);

const word = (t) => `word_${ordinal(t)}`;
const wordName = (t) => {
  const place = ordinal(t);
  return msg(str`Word ${place}`);
};
const wordField = (t) => [word(t), { kind: 'choice', options: WORDS, name: () => wordName(t) }];

const schema = {
  loud: { kind: 'number', min: 0, max: 64, name: () => msg('loudness') },
  head: { kind: 'choice', options: IDS, name: () => msg('The head') },
  row: { kind: 'number', min: 1, max: N, integer: true, name: () => msg('query token') },
  ...Object.fromEntries(indices(N).map(wordField)),
};

const SENTENCE = ['the', 'cat', 'sat', 'the', 'cat'];
const sentenceState = (words) => Object.fromEntries(words.map((text, t) => [word(t), text]));

const defaults = { loud: 8, head: 'induction', row: 5, ...sentenceState(SENTENCE) };

const flag = (is) => (is ? 1 : 0);

/** The rows of X: nothing is computed, each number says what is so. */
const featuresOf = (words) =>
  words.map((text, t) => [
    1,
    flag(t === 0),
    t,
    ...CLOCK[t],
    ...WORDS.map((known) => flag(text === known)),
    ...['the', 'cat'].map((known) => flag(t > 0 && words[lastOf(t)] === known)),
  ]);

/** The columns of each head. */
const PLACES = rowsOf(Int32Array.from(indices(D)), HEADS.length, PAIR);

const empty = () => indices(D).map(() => Array(D).fill(0));

/** A matrix of all heads side by side: head h has columns 2h and 2h + 1. */
function weightsOf(part, factorOf) {
  const matrix = empty();
  HEADS.forEach((head, h) =>
    head[part].forEach(([id, factor = 1], c) => {
      matrix[columnOf(id)][PLACES[h][c]] = factorOf(factor);
    }),
  );
  return matrix;
}

const IDENTITY = indices(D).map((i) => indices(D).map((j) => flag(i === j)));
const W_K = weightsOf('k', (factor) => factor);
const W_V = weightsOf('v', (factor) => factor);

const byHead = (data, columns) => planesOf(data, HEADS.length, N, columns);

export const wordsOf = (state) => indices(N).map((t) => state[word(t)]);

function compute(core, state) {
  const X = featuresOf(wordsOf(state));
  const { steps, weights } = core.multiHead({
    X: flatOf(X),
    W_Q: flatOf(weightsOf('q', () => state.loud)),
    W_K: flatOf(W_K),
    W_V: flatOf(W_V),
    W_O: flatOf(IDENTITY),
    n: N,
    d_model: D,
    n_heads: HEADS.length,
    mask: { causal: true },
  });
  const given = (name, columns) => byHead(steps.find((step) => step.name === name).data, columns);
  const maps = byHead(weights, N);
  const h = IDS.indexOf(state.head);
  return {
    state,
    X,
    words: wordsOf(state),
    maps,
    head: HEADS[h],
    q: given('Q_heads', PAIR)[h],
    k: given('K_heads', PAIR)[h],
    v: given('V_heads', PAIR)[h],
    scores: given('scores', N)[h],
    scaled: given('scaled', N)[h],
    weights: maps[h],
    outputs: given('head_outputs', PAIR)[h],
    at: lastOf(state.row),
  };
}

const digits = formatWeight;

/** The places of a row's largest weight, to the digits shown. */
export function heardMost(weights) {
  const best = weights.reduce((most, weight) => (weight > most ? weight : most), 0);
  return indices(N).filter((j) => digits(weights[j]) === digits(best));
}

export const placed = (words, t) => `“${words[t]}” (${ordinal(t)})`;
function listed(names) {
  if (names.length < 2) return names.join('');
  const [before, last] = [names.slice(0, -1).join(', '), names.at(-1)];
  return msg(str`${before} and ${last}`);
}

function sentence({ words, weights, at, head, outputs }) {
  const most = heardMost(weights[at]);
  const { name } = head;
  const query = placed(words, at);
  const share = digits(weights[at][most[0]]);
  const out = `[${outputs[at].map(digits).join(between())}]`;
  if (most.length > 1 && most.length === ordinal(at)) {
    return msg(
      str`${name}: ${query} hears every word up to itself alike, ${share} each, and takes ${out}.`,
    );
  }
  const heard = listed(most.map((j) => placed(words, j)));
  return most.length > 1
    ? msg(str`${name}: ${query} puts ${share} each on ${heard}, and takes ${out}.`)
    : msg(str`${name}: ${query} puts ${share} on ${heard}, and takes ${out}.`);
}

export const model = {
  tag: 'attn-head-gallery',
  get title() {
    return msg('What heads turn out to do');
  },
  get summary() {
    return msg('Five heads set by hand on five words: which pattern does each draw, and why?');
  },
  schema,
  defaults,
  cases: [
    {
      id: 'slide',
      get label() {
        return msg('As it opens');
      },
      state: {},
    },
    {
      id: 'elsewhere',
      get label() {
        return msg('Other words');
      },
      state: sentenceState(['the', 'sat', 'the', 'sat', 'the']),
    },
    {
      id: 'nothing',
      get label() {
        return msg('No repeat');
      },
      state: { ...sentenceState(['the', 'cat', 'sat', 'sat', 'sat']), row: 3 },
    },
    {
      id: 'sink',
      get label() {
        return msg('The sink');
      },
      state: { head: 'sink' },
    },
    {
      id: 'quiet',
      get label() {
        return msg('Loudness 0');
      },
      state: { loud: 0 },
    },
  ],
  predict: {
    get question() {
      return msg('Which place does this query hear most?');
    },
    options: ({ words }) => words.map((_, t) => placed(words, t)),
    isRight: ({ weights, at }, choice) => heardMost(weights[at]).includes(choice),
    tell: ({ head }) => head.why,
  },
  figures: ['deck.heads.A', 'deck.heads.out'],
  compute,
  sentence,
  picture: ({ words, weights, head }) => ({
    head: [head.name, ...words.map((text, t) => `${text} ${ordinal(t)}`)],
    rows: words.map((text, t) => [
      `${text} ${ordinal(t)}`,
      ...weights[t].map((weight, j) => (j > t ? msg('masked') : digits(weight))),
    ]),
  }),
  rows: ({ state, words, X, maps }) => [
    ['token', 'place', ...COLUMNS.map(({ id }) => id)],
    ...words.map((text, t) => [text, ordinal(t), ...X[t]]),
    ['head', 'query', ...words.map((_, t) => `key_${ordinal(t)}`)],
    ...maps.flatMap((map, h) => map.map((weights, t) => [IDS[h], ordinal(t), ...weights])),
    ['loudness', state.loud],
  ],
};

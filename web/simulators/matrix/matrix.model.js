/**
 * The whole matrix of one head over a sentence (slide 18): drawn heads of any width, or scores that are typed; the
 * division by √d_k; the four masks; the values and what leaves each row. State in, numbers out, by `experiments.attentionMap`.
 */
import { msg, str } from '../../shared/language.js';
import { formatNumber, formatPercent } from '../../shared/number.js';
import {
  columnsOf,
  entryOf,
  indices,
  lastOf,
  namesOfBits,
  ordinal,
  rowOf,
  rowsOf,
} from '../../shared/pick.js';
import { remembering } from '../../shared/remember.js';

/** Tokens and components, as the module limits them. */
export const MOST_TOKENS = 256;
export const WIDEST = 1024;
/** Scores can be typed for as many tokens. */
export const TYPED = 8;
/** A map of more tokens is drawn as a picture. */
export const PRINTED = 8;
/** A row of more keys is told by the heaviest of them. */
const TOLD = 6;
/** Components of a value: few, so that the weighted sum stands beside the map. */
const D_V = 2;
const PAD = '[pad]';

const counted = (value) => formatNumber(value, { decimals: 0 });

/** The lengths of text for which vectors are drawn: a text that grows seldom needs new ones. */
const CAPACITIES = [16, 64, MOST_TOKENS];

export const HEADS = [
  {
    id: 'content',
    get label() {
      return msg('Content');
    },
    get about() {
      return msg('equal words share a vector, as query and as key');
    },
  },
  {
    id: 'previous',
    get label() {
      return msg('Previous');
    },
    get about() {
      return msg('each query is the key of the place before');
    },
  },
  {
    id: 'distance',
    get label() {
      return msg('Distance');
    },
    get about() {
      return msg('cosines of the place: near weighs more');
    },
  },
  {
    id: 'untrained',
    get label() {
      return msg('Untrained');
    },
    get about() {
      return msg('queries and keys drawn apart');
    },
  },
  {
    id: 'typed',
    get label() {
      return msg('Your own');
    },
    get about() {
      return msg('type the scores');
    },
  },
];

/** The masks, by the bits of `hidden_by`: as a table of data has them, and in words. */
const MASKS = ['causal', 'padding', 'window', 'document'];
const masksInWords = () => [msg('causal'), msg('padding'), msg('window'), msg('document')];

const place = (name) => ({
  kind: 'number',
  min: 0,
  max: lastOf(MOST_TOKENS),
  integer: true,
  name,
});

const schema = {
  text: { kind: 'text', longest: 3000, name: () => msg('Sentence') },
  head: { kind: 'choice', options: HEADS.map(({ id }) => id), name: () => msg('Head') },
  d_k: { kind: 'number', min: 1, max: WIDEST, integer: true, name: () => 'd_k' },
  divide: { kind: 'choice', options: ['yes', 'no'], name: () => msg('Divide by √d_k') },
  seed: { kind: 'number', min: 0, max: 1000000, integer: true, name: () => msg('seed') },
  causal: { kind: 'choice', options: ['off', 'on'], name: () => msg('Causal mask') },
  window: place(() => msg('window')),
  pads: { kind: 'number', min: 0, max: 64, integer: true, name: () => msg('padding') },
  document: place(() => msg('first document')),
  show: { kind: 'choice', options: ['weights', 'scores'], name: () => msg('Show') },
  row: place(() => msg('row')),
  column: place(() => msg('column')),
  scores: {
    kind: 'matrix',
    rows: TYPED,
    columns: TYPED,
    min: -100,
    max: 100,
    name: (i, j) => {
      const [query, key] = [i, j].map(counted);
      return msg(str`score of query token ${query} and key token ${key}`);
    },
  },
};

/** For “the cat sat on the mat”: an article looks at its noun, a noun at its verb, and so on. */
const TYPED_SCORES = [
  [0, 6, 0, 0, 0, 0, 0, 0],
  [3, 0, 6, 0, 0, 0, 0, 0],
  [0, 8, 0, 3, 0, 0, 0, 0],
  [0, 0, 3, 0, 0, 6, 0, 0],
  [0, 0, 0, 0, 0, 8, 0, 0],
  [0, 0, 0, 6, 3, 0, 0, 0],
  [0, 0, 0, 0, 0, 0, 0, 0],
  [0, 0, 0, 0, 0, 0, 0, 0],
];

const defaults = {
  text: 'the cat sat on the mat',
  head: 'content',
  d_k: 8,
  divide: 'yes',
  seed: 1,
  causal: 'off',
  window: 0,
  pads: 0,
  document: 0,
  show: 'weights',
  row: 4,
  column: 0,
  scores: TYPED_SCORES,
};

/** The words of a text, split at spaces. */
const wordsOf = (text) => text.split(/\s+/u).filter((word) => word !== '');

/** A number for each word, the same for equal ones. */
export function numbered(tokens) {
  const ids = new Map();
  for (const word of tokens) if (!ids.has(word)) ids.set(word, ids.size);
  return Int32Array.from(tokens, (word) => ids.get(word));
}

const vectorsOf = remembering(
  (experiments, { head, n, seed }) =>
    experiments.drawVectors({ head, n, width: WIDEST, seed }).vectors,
);

const mapOf = remembering((experiments, { tokens, words, state }) => {
  const { head, d_k, divide, seed, causal, window: reach, document: first, pads, scores } = state;
  const n = tokens.length;
  const ids = numbered(tokens);
  const { values } = experiments.drawValues({ words: ids, d_v: D_V, seed });
  const documents = tokens.map((_, i) => (i < first ? 0 : 1));
  const options = {
    words: ids,
    head,
    d_k,
    divide: divide === 'yes',
    values,
    d_v: D_V,
    mask: {
      causal: causal === 'on',
      window: reach === 0 ? undefined : reach,
      key_valid: pads === 0 ? undefined : tokens.map((_, i) => i < words),
      query_document: first === 0 ? undefined : documents,
      key_document: first === 0 ? undefined : documents,
    },
  };
  const asked = () => {
    if (head === 'typed') return { scores: Float64Array.from(scores.flat()) };
    const capacity = CAPACITIES.find((most) => most >= n) ?? MOST_TOKENS;
    return { vectors: vectorsOf(experiments, { head, n: capacity, seed }), width: WIDEST };
  };
  return { ...experiments.attentionMap({ ...options, ...asked() }), values };
});

function compute(experiments, asked) {
  const words = wordsOf(asked.text);
  const tokens = [...words, ...indices(asked.pads).map(() => PAD)];
  const n = tokens.length;
  const { row, column, show: _show, text: _text, ...inputs } = asked;
  const map = mapOf(experiments, { tokens, words: words.length, state: inputs });
  const within = (index) => (index < n ? index : lastOf(n));
  return {
    state: { ...asked, row: within(row), column: within(column) },
    tokens,
    n,
    map,
  };
}

/** What is known of one pair: every step from its score to its weight. */
export function cellOf({ map, tokens, n }, i, j) {
  const at = (flat) => entryOf(flat, n, i, j);
  const parts = columnsOf(map.query_parts, n);
  return {
    query: tokens[i],
    key: tokens[j],
    queryParts: rowOf(map.query_parts, parts, i),
    keyParts: rowOf(map.key_parts, parts, j),
    score: at(map.scores),
    scaled: at(map.scaled),
    shift: map.shift[i],
    exponential: at(map.exponentials),
    sum: map.sums[i],
    weight: at(map.weights),
    weightSum: map.weight_sums[i],
    seen: map.seen[i],
    hiddenWeight: map.hidden_weight[i],
    hiddenBy: namesOfBits(at(map.hidden_by), masksInWords()),
    value: rowOf(map.values, D_V, j),
    output: rowOf(map.outputs, D_V, i),
  };
}

/** The keys of a row that weigh most, heaviest first; no masked ones. */
export const heaviest = ({ map, n }, i) =>
  [...rowOf(map.ranked, columnsOf(map.ranked, n), i)].filter(
    (j) => entryOf(map.hidden_by, n, i, j) === 0,
  );

/** The keys of a row beside which their values stand: all of a few, else the heaviest. */
export const toldKeys = (numbers, i) =>
  numbers.n <= TOLD ? indices(numbers.n) : heaviest(numbers, i);

const quoted = (word) => `“${word}”`;
const TIES = 2;

const mean = ({ map }) => formatNumber(map.mean_largest, { decimals: 2 });

function sentence(numbers) {
  const { map, tokens, n, state } = numbers;
  const query = quoted(tokens[state.row]);
  const average = mean(numbers);
  // Where no row has two keys to choose from, there is no average.
  const chooses = map.mean_largest !== 0;
  if (map.seen[state.row] === 0)
    return chooses
      ? msg(
          str`${query} sees nothing, so every weight of its row is 0; the largest weight of a row averages ${average}.`,
        )
      : msg(str`${query} sees nothing, so every weight of its row is 0.`);
  const tied = indices(n).filter((j) => entryOf(map.largest, n, state.row, j) === 1);
  const share = formatPercent(map.largest_weight[state.row]);
  if (tied.length === 1) {
    const key = quoted(tokens[tied[0]]);
    return chooses
      ? msg(
          str`${query} listens most to ${key}, ${share}; the largest weight of a row averages ${average}.`,
        )
      : msg(str`${query} listens most to ${key}, ${share}.`);
  }
  if (tied.length > TIES) {
    const keys = counted(tied.length);
    return msg(
      str`${query} listens to ${keys} tokens alike, ${share} each; the largest weight of a row averages ${average}.`,
    );
  }
  const [one, other] = tied.map((j) => `${quoted(tokens[j])} (${counted(ordinal(j))})`);
  return msg(
    str`${query} listens alike to ${one} and ${other}, ${share} each; the largest weight of a row averages ${average}.`,
  );
}

/** Upper ends of what the answers stand for. */
const BOUNDS = [0.25, 0.5, 0.9, 2];
const answerOf = ({ map }) => BOUNDS.findIndex((bound) => map.mean_largest < bound);

/** A table has as many rows as a sheet of paper. */
const DRAWN = 24;

function picture(numbers) {
  const { map, tokens, n, state } = numbers;
  const fits = n <= PRINTED;
  const columns = fits ? indices(n) : heaviest(numbers, state.row);
  return {
    head: [msg('query'), ...columns.map((j) => tokens[j])],
    rows: tokens
      .map((word, i) => [
        word,
        ...columns.map((j) =>
          entryOf(map.hidden_by, n, i, j) === 0
            ? formatNumber(entryOf(map.weights, n, i, j), { decimals: 2 })
            : msg('masked'),
        ),
      ])
      .slice(0, DRAWN),
  };
}

const named = (what) => indices(D_V).map((c) => `${what} ${ordinal(c)}`);

const rows = ({ map, tokens, n, state }) => [
  ['weights', ...tokens],
  ...rowsOf(map.weights, n, n).map((weights, i) => [tokens[i], ...weights]),
  ['query', ...named('output')],
  ...tokens.map((word, i) => [word, ...rowOf(map.outputs, D_V, i)]),
  ['row', tokens[state.row]],
  ['key', 'score', 'scaled', 'exponential', 'weight', 'hidden by', ...named('value')],
  ...tokens.map((word, j) => [
    word,
    entryOf(map.scores, n, state.row, j),
    entryOf(map.scaled, n, state.row, j),
    entryOf(map.exponentials, n, state.row, j),
    entryOf(map.weights, n, state.row, j),
    namesOfBits(entryOf(map.hidden_by, n, state.row, j), MASKS).join(' ') || 'none',
    ...rowOf(map.values, D_V, j),
  ]),
  ['sum', map.sums[state.row]],
  ['divisor', map.divisor],
  ['mean largest weight', map.mean_largest],
];

const TWO = 'the cat sat on the mat the dog ran to the dog';

export const model = {
  tag: 'attn-matrix',
  get title() {
    return msg('All weights of one head');
  },
  get summary() {
    return msg(
      'Type a sentence, choose a head and masks: who listens to whom, and how does d_k change it?',
    );
  },
  module: 'experiments',
  schema,
  defaults,
  cases: [
    {
      id: 'slide',
      get label() {
        return msg('Slide 17');
      },
      state: {},
    },
    {
      id: 'saturated',
      get label() {
        return msg('Width 1024');
      },
      state: { head: 'untrained', d_k: 1024, divide: 'no', column: 1 },
    },
    {
      id: 'causal',
      get label() {
        return msg('Causal');
      },
      state: { causal: 'on', row: 1, column: 4 },
    },
    {
      id: 'window',
      get label() {
        return msg('Window 4');
      },
      state: { text: TWO, head: 'distance', d_k: 64, causal: 'on', window: 4, row: 8, column: 6 },
    },
    {
      id: 'packed',
      get label() {
        return msg('Two texts');
      },
      state: { text: TWO, d_k: 8, document: 6, row: 6, column: 0 },
    },
    {
      id: 'typed',
      get label() {
        return msg('Typed');
      },
      state: { head: 'typed', row: 2, column: 1 },
    },
  ],
  predict: {
    get question() {
      return msg('How large is the largest weight of a row, on average?');
    },
    options: () => [msg('below ¼'), msg('¼ to ½'), msg('½ to 0.9'), msg('above 0.9')],
    isRight: (numbers, choice) => choice === answerOf(numbers),
    tell: (numbers) => {
      const average = mean(numbers);
      return msg(str`It is ${average}.`);
    },
    possible: ({ map }) => map.mean_largest > 0,
  },
  figures: ['deck.map.weights', 'deck.map.outputs', 'deck.map.untrained'],
  compute,
  sentence,
  picture,
  rows,
};

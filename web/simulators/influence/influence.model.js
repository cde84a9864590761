/**
 * Weight against influence (slide 35), in the two heads of the multi-head example: the map, the map by the length of the
 * values, and how far the output moves when a token or a head is taken away. State in, numbers out, by
 * `layer.influence`.
 */
import { msg, str } from '../../shared/language.js';
import { formatNumber } from '../../shared/number.js';
import { flatOf, indices, lastOf, ordinal, planesOf, rowsOf } from '../../shared/pick.js';

export const TOKENS = ['sat', 'bank', 'river'];
const [N, D, HEADS] = [3, 4, 2];
const RANGE = { min: -100, max: 100 };

const IDENTITY = indices(D).map((i) => indices(D).map((j) => (i === j ? 1 : 0)));
const NONE = [0, 0, 0, 0];
/** The tokens are the first three rows of the identity, so that these are their queries and keys. */
const Q = [
  [1, 0, 0, 1],
  [1, 2, 2, 0],
  [0, 1, 1, 0],
];
const K = [
  [1, 0, 2, 0],
  [1, 1, 1, 1],
  [0, 2, 0, 2],
];

/** The place of a component of a head's value among the four of V. */
export const PLACES = [
  [0, 1],
  [2, 3],
];

const schema = {
  V: {
    kind: 'matrix',
    rows: N,
    columns: D,
    ...RANGE,
    name: (i, c) => msg(str`value of “${TOKENS[i]}”, component ${ordinal(c)}`),
  },
  head: { kind: 'number', min: 1, max: HEADS, integer: true, name: () => msg('head') },
  row: { kind: 'number', min: 0, max: lastOf(N), integer: true, name: () => msg('row') },
  causal: { kind: 'choice', options: ['off', 'on'], name: () => msg('The causal mask') },
};

const defaults = {
  V: [
    [1, 0, 1, 0],
    [0.5, 0.5, 0.5, 0.5],
    [1, 0, 0, 1],
  ],
  head: 1,
  row: 0,
  causal: 'off',
};

function compute(layer, state) {
  const found = layer.influence({
    X: flatOf(IDENTITY.slice(0, N)),
    W_Q: flatOf([...Q, NONE]),
    W_K: flatOf([...K, NONE]),
    W_V: flatOf([...state.V, NONE]),
    W_O: flatOf(IDENTITY),
    n: N,
    d_model: D,
    n_heads: HEADS,
    mask: { causal: state.causal === 'on' },
  });
  const h = lastOf(state.head);
  const mapOf = (data) => planesOf(data, HEADS, N, N)[h];
  return {
    state,
    h,
    weights: mapOf(found.weights),
    weighted: mapOf(found.weighted),
    hidden: mapOf(found.hidden_in_head),
    everywhere: rowsOf(found.hidden, N, N),
    norms: rowsOf(found.value_norms, HEADS, N)[h],
    without: rowsOf(found.head_changes, HEADS, N),
    output: rowsOf(found.output, N, D),
    sees: (i, j) => state.causal === 'off' || j <= i,
  };
}

const two = { decimals: 2 };
const digits = (value) => formatNumber(value, two);

/** The tokens with the most of something, to the digits shown; none where nothing is there. */
export function mostOf(values) {
  const most = values.reduce((best, value) => (value > best ? value : best), 0);
  // What rounding leaves of a zero.
  if (most < 1e-9) return [];
  return indices(N).filter((j) => digits(values[j]) === digits(most));
}

const listed = (places) => {
  const names = places.map((j) => `“${TOKENS[j]}”`);
  if (names.length === 0) return msg('nobody');
  if (names.length === 1) return names[0];
  const [before, last] = [names.slice(0, -1).join(', '), names.at(-1)];
  return msg(str`${before} and ${last}`);
};

function sentence({ state, weights, weighted, hidden }) {
  const { head, row } = state;
  const query = TOKENS[row];
  const moves = mostOf(hidden[row]);
  const [by, counted] = [weights, weighted].map((map) => listed(mostOf(map[row])));
  if (moves.length === 0)
    return msg(
      str`In head ${head}, “${query}” gives most weight to ${by} and takes most from ${counted}; hiding any one word changes nothing.`,
    );
  const [word, far] = [listed(moves), digits(hidden[row][moves[0]])];
  return msg(
    str`In head ${head}, “${query}” gives most weight to ${by} and takes most from ${counted}; hiding ${word} moves the output most, by ${far}.`,
  );
}

export const model = {
  tag: 'attn-influence',
  get title() {
    return msg('Weight against influence');
  },
  get summary() {
    return msg(
      'The same map three times: by weight, by what arrives, and by what moves when a word is hidden.',
    );
  },
  module: 'layer',
  schema,
  defaults,
  cases: [
    {
      id: 'slide',
      get label() {
        return msg('Equal weights');
      },
      state: {},
    },
    {
      id: 'large',
      get label() {
        return msg('A large weight');
      },
      state: { head: 2, row: 1 },
    },
    {
      id: 'silent',
      get label() {
        return msg('A silent value');
      },
      state: { head: 2, row: 1, V: [NONE, [0.5, 0.5, 0.5, 0.5], [1, 0, 0, 1]] },
    },
    {
      id: 'same',
      get label() {
        return msg('Equal values');
      },
      state: { V: indices(N).map(() => [1, 0, 1, 0]) },
    },
    {
      id: 'causal',
      get label() {
        return msg('Causal');
      },
      state: { causal: 'on' },
    },
  ],
  predict: {
    get question() {
      return msg('Which word, hidden, moves this output most?');
    },
    options: () => [...TOKENS, msg('none of them')],
    isRight: ({ hidden, state }, choice) => {
      const most = mostOf(hidden[state.row]);
      return most.length === 0 ? choice === N : most.includes(choice);
    },
  },
  figures: [
    'deck.influence.norms',
    'deck.influence.weighted',
    'deck.influence.hidden',
    'deck.influence.everywhere',
    'deck.influence.without',
    'deck.influence.silent',
  ],
  compute,
  sentence,
  picture: ({ state, weights, norms, weighted, hidden }) => ({
    head: [
      msg('key'),
      msg('weight'),
      msg('length of value'),
      msg('weight × length'),
      msg('moves when hidden'),
    ],
    rows: TOKENS.map((token, j) => [
      token,
      digits(weights[state.row][j]),
      digits(norms[j]),
      digits(weighted[state.row][j]),
      digits(hidden[state.row][j]),
    ]),
    weights: weights[state.row],
  }),
  rows: ({ state, weights, norms, weighted, hidden, everywhere, without }) => [
    ['head', 'query', 'key', 'weight', 'value_norm', 'weighted', 'hidden_in_head', 'hidden'],
    ...indices(N).flatMap((i) =>
      indices(N).map((j) => [
        state.head,
        TOKENS[i],
        TOKENS[j],
        weights[i][j],
        norms[j],
        weighted[i][j],
        hidden[i][j],
        everywhere[i][j],
      ]),
    ),
    ['head', ...TOKENS.map((token) => `without_it_${token}`)],
    ...without.map((moved, h) => [ordinal(h), ...moved]),
    ['token', ...indices(D).map((c) => `v_${ordinal(c)}`)],
    ...state.V.map((value, i) => [TOKENS[i], ...value]),
  ],
};

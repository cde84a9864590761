/**
 * Multi-head attention, line by line (slide 28): three tokens, d = 4. State in, numbers out, by `core.multiHead`, which
 * keeps every step.
 */
import { msg, str } from '../../shared/language.js';
import { formatNumber, formatVector } from '../../shared/number.js';
import { flatOf, indices, lastOf, ordinal, planesOf, rowsOf } from '../../shared/pick.js';

export const TOKENS = ['sat', 'bank', 'river'];
const [N, D] = [3, 4];
const RANGE = { min: -100, max: 100 };

/** The token rows are the first three of the identity, so that q, k and v are rows of the learned matrices. */
export const X = [
  [1, 0, 0, 0],
  [0, 1, 0, 0],
  [0, 0, 1, 0],
];
const IDENTITY = [...X, [0, 0, 0, 1]];

/**
 * The lines of the code, by what each gives: `step` is the name of the C++ step, `tone` its hue.
 */
export const LINES = [
  { id: 'Q', step: 'Q', tone: 'q', code: 'Q = X @ W_Q' },
  { id: 'K', step: 'K', tone: 'k', code: 'K = X @ W_K' },
  { id: 'V', step: 'V', tone: 'v', code: 'V = X @ W_V' },
  { id: 'split', step: 'Q_heads', tone: 'plain', code: 'Q, K, V = map(split, (Q, K, V))' },
  { id: 'S', step: 'scores', tone: 's', code: 'S = Q @ K.swapaxes(1, 2)' },
  { id: 'scaled', step: 'scaled', tone: 's', code: 'S = S / sqrt(d // h)' },
  { id: 'mask', step: 'scaled', tone: 's', code: 'if causal: S[:, later] = -inf' },
  { id: 'A', step: 'weights', tone: 'w', code: 'A = softmax(S)' },
  { id: 'O', step: 'head_outputs', tone: 'v', code: 'O = A @ V' },
  { id: 'C', step: 'concat', tone: 'v', code: 'C = O.swapaxes(0, 1).reshape(n, d)' },
  { id: 'Y', step: 'output', tone: 'v', code: 'Y = C @ W_O' },
];
/** Lines from here on tell who is heard, so that a guess hides them. */
const TELLING = ['A', 'O', 'C', 'Y'];
export const isTelling = (id) => TELLING.includes(id);

/** What a number of a learned matrix is called. */
export function entryName(name, i, j) {
  const [row, column] = [ordinal(i), ordinal(j)];
  return msg(str`${name}, row ${row}, column ${column}`);
}

const matrix = (name) => ({
  kind: 'matrix',
  rows: D,
  columns: D,
  ...RANGE,
  name: (i, j) => entryName(name, i, j),
});

const schema = {
  W_Q: matrix('W_Q'),
  W_K: matrix('W_K'),
  W_V: matrix('W_V'),
  W_O: matrix('W_O'),
  heads: { kind: 'choice', options: ['1', '2'], name: () => msg('The number of heads') },
  causal: { kind: 'choice', options: ['off', 'on'], name: () => msg('The causal mask') },
  row: { kind: 'number', min: 0, max: lastOf(N), integer: true, name: () => msg('row') },
  line: { kind: 'number', min: 0, max: LINES.length, integer: true, name: () => msg('line') },
};

const defaults = {
  W_Q: [
    [1, 0, 0, 1],
    [1, 2, 2, 0],
    [0, 1, 1, 0],
    [0, 0, 0, 0],
  ],
  W_K: [
    [1, 0, 2, 0],
    [1, 1, 1, 1],
    [0, 2, 0, 2],
    [0, 0, 0, 0],
  ],
  W_V: [
    [1, 0, 1, 0],
    [0.5, 0.5, 0.5, 0.5],
    [1, 0, 0, 1],
    [0, 0, 0, 0],
  ],
  W_O: IDENTITY,
  heads: '2',
  causal: 'off',
  row: 1,
  line: 9,
};

function compute(core, state) {
  const n_heads = Number(state.heads);
  const { steps, parameters } = core.multiHead({
    X: flatOf(X),
    W_Q: flatOf(state.W_Q),
    W_K: flatOf(state.W_K),
    W_V: flatOf(state.W_V),
    W_O: flatOf(state.W_O),
    n: N,
    d_model: D,
    n_heads,
    mask: { causal: state.causal === 'on' },
  });
  const given = Object.fromEntries(
    steps.map((step) => [
      step.name,
      {
        shape: step.shape,
        values:
          step.shape.length === 3
            ? planesOf(step.data, ...step.shape)
            : rowsOf(step.data, ...step.shape),
      },
    ]),
  );
  return {
    state,
    n_heads,
    parameters,
    steps: given,
    /** Pairs that the mask leaves: a query sees itself and what stands before it. */
    sees: (i, j) => state.causal === 'off' || j <= i,
    line: state.line === 0 ? undefined : LINES[lastOf(state.line)],
  };
}

const two = { decimals: 2 };
export const vector = (values) => formatVector(values, two);

/** The token that a row of weights hears most; the first of equals. */
export const heardMost = (weights) =>
  weights.reduce((best, weight, j) => (weight > weights[best] ? j : best), 0);

/** Whether a token is heard as much as the one that is heard most, to the digits shown. */
const heardAsMuch = (weights, j) =>
  formatNumber(weights[j], two) === formatNumber(weights[heardMost(weights)], two);

const quoted = (j) => `“${TOKENS[j]}”`;

/** Of a row of weights: whom it hears, in words. */
function hears(weights) {
  const best = heardMost(weights);
  const equal = indices(N).filter((j) => heardAsMuch(weights, j));
  const share = formatNumber(weights[best], two);
  if (equal.length === N) return msg(str`everyone alike (${share})`);
  const [one, other] = equal.map(quoted);
  return other === undefined ? `${one} (${share})` : msg(str`${one} and ${other} (${share})`);
}

function sentence({ state, n_heads, steps }) {
  const { row } = state;
  const token = quoted(row);
  const out = vector(steps.output.values[row]);
  const [first, second] = steps.weights.values.map((head) => hears(head[row]));
  if (n_heads === 1) return msg(str`The one head of ${token} hears ${first}; out comes ${out}.`);
  return msg(str`For ${token}, head 1 hears ${first} and head 2 ${second}; out comes ${out}.`);
}

const rowsOfStep = (name, { shape, values }) =>
  shape.length === 3
    ? values.flatMap((head, h) =>
        head.map((numbers, i) => [name, ordinal(h), TOKENS[i], ...numbers]),
      )
    : values.map((numbers, i) => [name, '', TOKENS[i], ...numbers]);

const weightsOf = (head) => msg(str`weights of head ${head}`);

export const model = {
  tag: 'attn-multi-head',
  get title() {
    return msg('Multi-head attention, line by line');
  },
  get summary() {
    return msg(
      'Eleven lines of code: step through them, with the numbers of three tokens beside each.',
    );
  },
  schema,
  defaults,
  cases: [
    {
      id: 'slide',
      get label() {
        return msg('Two heads');
      },
      state: {},
    },
    {
      id: 'causal',
      get label() {
        return msg('Causal mask');
      },
      state: { causal: 'on' },
    },
    {
      id: 'one',
      get label() {
        return msg('One head');
      },
      state: { heads: '1' },
    },
    {
      id: 'equal',
      get label() {
        return msg('Equal keys');
      },
      state: { W_K: indices(D).map(() => [1, 1, 1, 1]) },
    },
    {
      id: 'start',
      get label() {
        return msg('From line 1');
      },
      state: { line: 1 },
    },
  ],
  play: ({ state }) => ({ path: 'line', value: state.line, last: LINES.length }),
  predict: {
    get question() {
      return msg('Whom does “bank” hear most in its last head?');
    },
    options: () => TOKENS,
    isRight: ({ steps }, choice) => heardAsMuch(steps.weights.values.at(-1)[1], choice),
    tell: ({ steps }) => {
      const heard = hears(steps.weights.values.at(-1)[1]);
      return msg(str`It hears ${heard}.`);
    },
  },
  figures: [
    'mha.head1.out',
    'mha.head2.sat',
    'mha.all',
    'mha.causal.bank',
    'mha.causal.sat',
    'mha.causal.all',
    'mha.h1',
    'mha.h1.all',
    'mha.equal',
  ],
  compute,
  sentence,
  picture: ({ steps }) => ({
    head: [
      msg('token'),
      ...steps.weights.values.map((_, h) => weightsOf(ordinal(h))),
      msg('output'),
    ],
    rows: TOKENS.map((token, i) => [
      token,
      ...steps.weights.values.map((head) => vector(head[i])),
      vector(steps.output.values[i]),
    ]),
  }),
  rows: ({ state, steps, parameters }) => [
    ['step', 'head', 'token', ...indices(D).map((j) => `value_${ordinal(j)}`)],
    ...['W_Q', 'W_K', 'W_V', 'W_O'].flatMap((name) =>
      state[name].map((numbers, i) => [name, '', ordinal(i), ...numbers]),
    ),
    ...Object.entries(steps).flatMap(([name, step]) => rowsOfStep(name, step)),
    ['parameters', parameters],
  ],
};

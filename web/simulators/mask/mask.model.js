/**
 * What a token must not see (slide 22): the mask as a matrix that is added to the scores, and which outputs move when a
 * token changes, with it and without. State in, numbers out, by the module `layer`.
 */
import { msg, str } from '../../shared/language.js';
import { formatNumber } from '../../shared/number.js';
import { flatOf, indices, ordinal, rowsOf } from '../../shared/pick.js';

/** Rows of the recap's example. */
export const N = 4;
/** The running sentence; a token stands for the start of what it must say next. */
export const TOKENS = ['the', '␣cat', '␣climb', 'ed', '␣the', '␣roof'];
/** The last token has to say something too. */
const MOST = TOKENS.slice(1).length;

const schema = {
  view: { kind: 'choice', options: ['add', 'change'], name: () => msg('The view') },
  causal: { kind: 'choice', options: ['on', 'off'], name: () => msg('The causal mask') },
  S: {
    kind: 'matrix',
    rows: N,
    columns: N,
    min: -1000,
    max: 1000,
    name: (i, j) => msg(str`score of query ${ordinal(i)} and key ${ordinal(j)}`),
  },
  row: { kind: 'number', min: 1, max: N, integer: true, name: () => msg('row') },
  tokens: { kind: 'number', min: 1, max: MOST, integer: true, name: () => msg('tokens') },
  changed: {
    kind: 'number',
    min: 1,
    max: MOST,
    integer: true,
    name: () => msg('token that changes'),
  },
  seed: { kind: 'number', min: 0, max: 1000000, integer: true, name: () => msg('seed') },
};

const defaults = {
  view: 'add',
  causal: 'on',
  S: [
    [2.1, 0.3, 1.7, 0.9],
    [0.8, 3.2, 0.4, 1.1],
    [1.4, 0.6, 2.8, 0.2],
    [0.5, 1.9, 1.2, 2.4],
  ],
  row: 2,
  tokens: MOST,
  changed: MOST,
  seed: 37,
};

export const count = (value) => formatNumber(value, { decimals: 0 });
export const two = (value) => formatNumber(value, { decimals: 2, trim: value === 0 });

/** The recap's scores, the mask and the softmax. */
function added(layer, { S, causal }) {
  const trace = layer.maskedSoftmax({
    x: flatOf(S),
    n: N,
    m: N,
    mask: { causal: causal === 'on' },
  });
  return {
    allowed: rowsOf(trace.allowed, N, N),
    shift: [...trace.shift],
    exponentials: rowsOf(trace.exponentials, N, N),
    sums: [...trace.sums],
    weights: rowsOf(trace.weights, N, N),
  };
}

/** A layer of the lab over the sentence, one of whose tokens changes. */
function changedIn(layer, { tokens, changed: wanted, seed }) {
  // In a shorter sentence the last token stands for one that is no longer there.
  const changed = wanted > tokens ? tokens : wanted;
  const effect = layer.maskEffect({ tokens, changed, seed, causal: true });
  const side = (name) => ({
    weights: rowsOf(effect[`${name}_weights`], tokens, tokens),
    moved: [...effect[`${name}_moved`]],
    by: [...effect[`${name}_moved_by`]],
    rows: effect[`${name}_moved_rows`],
  });
  return {
    n: effect.n_q,
    changed,
    allowed: rowsOf(effect.allowed, tokens, tokens),
    open: side('open'),
    masked: side('masked'),
    firstIsItsValue: effect.first_is_its_value,
    examples: indices(tokens).map((i) => ({ token: TOKENS[i], next: TOKENS[ordinal(i)] })),
  };
}

function compute(layer, state) {
  return state.view === 'add'
    ? { state, ...added(layer, state) }
    : { state, ...changedIn(layer, state) };
}

function sentence(numbers) {
  const { state } = numbers;
  if (state.view === 'change') {
    const [changed, n] = [numbers.changed, numbers.n].map(count);
    const [without, masked] = [numbers.open.rows, numbers.masked.rows].map(count);
    return msg(
      str`Token ${changed} changes: without a mask ${without} of ${n} outputs move, with it ${masked}. One pass is ${n} training examples.`,
    );
  }
  const weight = two(numbers.weights[0][0]);
  return state.causal === 'off'
    ? msg(
        str`Without the mask every token hears every other: the first gives ${weight} to itself and the rest to its future.`,
      )
    : msg(
        str`Minus infinity becomes a weight of exactly 0. The first token sees itself alone, so its weight is ${weight} and its output is its own value.`,
      );
}

const answers = () => [
  msg('all the values, mixed'),
  msg('its own value alone'),
  msg('nothing: no token is before it'),
];
const answerOf = ({ state, weights, firstIsItsValue }) => {
  const alone = state.view === 'add' ? weights[0][0] === 1 : firstIsItsValue;
  return alone ? 1 : 0;
};

/** As heads of columns, which no language changes. */
const lastColumns = ['output moves without', 'output moves with', 'must say'];
const lastNames = () => [msg('output moves without'), msg('output moves with'), msg('must say')];

export const model = {
  tag: 'attn-mask',
  get title() {
    return msg('What a token must not see');
  },
  get summary() {
    return msg('Add the mask, change a token: which outputs move?');
  },
  module: 'layer',
  schema,
  defaults,
  cases: [
    {
      id: 'slide',
      get label() {
        return msg('Add it');
      },
      state: {},
    },
    {
      id: 'off',
      get label() {
        return msg('Leave it out');
      },
      state: { causal: 'off' },
    },
    {
      id: 'last',
      get label() {
        return msg('Last token');
      },
      state: { view: 'change' },
    },
    {
      id: 'first',
      get label() {
        return msg('First token');
      },
      state: { view: 'change', changed: 1 },
    },
    {
      id: 'middle',
      get label() {
        return msg('Middle token');
      },
      state: { view: 'change', changed: 3 },
    },
  ],
  predict: {
    get question() {
      return msg('What is the first token’s output made of?');
    },
    options: answers,
    isRight: (numbers, choice) => choice === answerOf(numbers),
    tell: (numbers) =>
      answerOf(numbers) === 1
        ? msg('It is its own value alone.')
        : msg('It is all the values, mixed.'),
  },
  figures: [
    'recap.mask.row1',
    'recap.mask.row2',
    'recap.mask.row3',
    'recap.mask.row4',
    'mask.predictions',
    'mask.lasttoken',
  ],
  compute,
  sentence,
  picture: (numbers) =>
    numbers.state.view === 'add'
      ? {
          head: [msg('query'), ...indices(N).map((j) => msg(str`key ${ordinal(j)}`))],
          rows: numbers.weights.map((row, i) => [
            count(ordinal(i)),
            ...row.map((weight, j) => (numbers.allowed[i][j] === 1 ? two(weight) : msg('masked'))),
          ]),
        }
      : {
          head: [msg('token'), ...lastNames()],
          rows: numbers.examples.map(({ token, next }, i) => [
            token,
            two(numbers.open.by[i]),
            two(numbers.masked.by[i]),
            next,
          ]),
        },
  rows: (numbers) =>
    numbers.state.view === 'add'
      ? [
          ['query', 'key', 'score', 'allowed', 'exponential', 'weight'],
          ...indices(N).flatMap((i) =>
            indices(N).map((j) => [
              ordinal(i),
              ordinal(j),
              numbers.state.S[i][j],
              numbers.allowed[i][j],
              numbers.exponentials[i][j],
              numbers.weights[i][j],
            ]),
          ),
        ]
      : [
          ['token', ...lastColumns, 'weights without', 'weights with'],
          ...numbers.examples.map(({ token, next }, i) => [
            token,
            numbers.open.by[i],
            numbers.masked.by[i],
            next,
            numbers.open.weights[i].join(' '),
            numbers.masked.weights[i].join(' '),
          ]),
        ],
};

/**
 * From ids to vectors (slide 9): the row of the token table plus the row of the position table. State in, numbers out,
 * by `core.embed`; the sizes of GPT-2's tables by `core.gpt2EmbeddingSizes`.
 */
import { msg, str } from '../../shared/language.js';
import { formatCount, formatNumber, formatVector } from '../../shared/number.js';
import { flatOf, indices, lastOf, ordinal, rowsOf } from '../../shared/pick.js';

/** The lecture's short vocabulary: a piece's id is its place here. */
export const LIST = [
  ...['the', '␣the', '␣cat', '␣dog', '␣climb', 'ed', '␣roof', '.', '␣on', '␣sofa', '␣sat', 's'],
];
export const WIDTH = 4;
const PLACES = 5;
const GPT2_SMALL = { vocab_size: 50257, n_positions: 1024, d_model: 768, n_layers: 12 };
const RANGE = { min: -100, max: 100 };

export const idName = (i) => msg(str`id at position ${i}`);

function nameInE(i, j) {
  const [piece, component] = [LIST[i], ordinal(j)];
  return msg(str`E, row of “${piece}”, component ${component}`);
}

function nameInP(i, j) {
  const component = ordinal(j);
  return msg(str`P, row of position ${i}, component ${component}`);
}

const schema = {
  ids: {
    kind: 'vector',
    length: PLACES,
    min: 0,
    max: lastOf(LIST.length),
    integer: true,
    name: idName,
  },
  E: {
    kind: 'matrix',
    rows: LIST.length,
    columns: WIDTH,
    ...RANGE,
    name: nameInE,
  },
  P: {
    kind: 'matrix',
    rows: PLACES,
    columns: WIDTH,
    ...RANGE,
    name: nameInP,
  },
};

const defaults = {
  ids: [0, 2, 4, 5, 1],
  E: [
    [-0.5, -0.5, 0, 1],
    [-0.5, 0, -0.5, 1],
    [1, -0.5, 0, -0.5],
    [1, 0, -0.5, -0.5],
    [-0.5, 1, 0, -0.5],
    [0, 0.5, -0.5, 0],
    [0.5, -1, 0, 0.5],
    [0, 0, 1, -0.5],
    [-1, 0.5, 0.5, 0],
    [0.5, -0.5, -0.5, 0.5],
    [-0.5, 0.5, 0.5, 0],
    [0, 0, -0.5, 0.5],
  ],
  P: [
    [0, 0, 0, 0],
    [0.5, 0, -0.5, 0],
    [0, 0.5, 0, -0.5],
    [-0.5, 0, 0.5, 0],
    [0, -0.5, 0, 0.5],
  ],
};

function compute(core, state) {
  const { X } = core.embed({
    E: flatOf(state.E),
    P: flatOf(state.P),
    ids: Int32Array.from(state.ids),
    n: PLACES,
    vocab_size: LIST.length,
    d_model: WIDTH,
  });
  return {
    state,
    X: rowsOf(X, PLACES, WIDTH),
    gpt2: { ...GPT2_SMALL, ...core.gpt2EmbeddingSizes(GPT2_SMALL) },
  };
}

export const short = { decimals: 2, trim: true };

function sentence({ state, X }) {
  const [piece, x] = [LIST[state.ids[1]], formatVector(X[1], short)];
  return msg(
    str`“${piece}” at position 1 enters the first layer as ${x}: its own row of E plus the row of its place.`,
  );
}

export const model = {
  tag: 'attn-embedding',
  get title() {
    return msg('From id to vector');
  },
  get summary() {
    return msg(
      'A token is looked up in one table, its position in another: what enters the first layer?',
    );
  },
  schema,
  defaults,
  cases: [
    {
      id: 'sentence',
      get label() {
        return msg('The sentence');
      },
      state: {},
    },
    { id: 'dog', label: 'the dog sat on the', state: { ids: [0, 3, 10, 8, 1] } },
    {
      id: 'same',
      get label() {
        return msg('One word five times');
      },
      state: { ids: [1, 1, 1, 1, 1] },
    },
  ],
  predict: {
    get question() {
      return msg('What enters the first layer for a token?');
    },
    options: () => [
      msg('its row of E'),
      msg('its row of P'),
      msg('the sum of both, number by number'),
      msg('both rows, one after the other'),
    ],
    isRight: (_, choice) => choice === 2,
  },
  figures: ['emb.X', 'emb.gpt2.E', 'emb.gpt2.share', 'emb.gpt2.P', 'deck.emb.dog'],
  compute,
  sentence,
  picture: ({ state, X }) => ({
    head: [msg('position'), msg('token'), 'id', msg('row of E'), msg('row of P'), 'x'],
    rows: indices(PLACES).map((i) => [
      String(i),
      LIST[state.ids[i]],
      String(state.ids[i]),
      formatVector(state.E[state.ids[i]], short),
      formatVector(state.P[i], short),
      formatVector(X[i], short),
    ]),
  }),
  rows: ({ state, X }) => [
    [
      'position',
      'token',
      'id',
      ...['E', 'P', 'x'].flatMap((name) => indices(WIDTH).map((j) => `${name}_${ordinal(j)}`)),
    ],
    ...indices(PLACES).map((i) => [
      i,
      LIST[state.ids[i]],
      state.ids[i],
      ...state.E[state.ids[i]],
      ...state.P[i],
      ...X[i],
    ]),
  ],
};

/** GPT-2's tables in words and numbers. */
export const sizesOf = ({ gpt2 }) => ({
  vocab_size: formatCount(gpt2.vocab_size),
  n_positions: formatCount(gpt2.n_positions),
  d_model: formatCount(gpt2.d_model),
  token_table: formatNumber(gpt2.token_table_millions, { decimals: 1 }),
  position_table: formatCount(gpt2.position_table),
  percent: formatNumber(gpt2.token_percent, { decimals: 0 }),
  model: formatNumber(gpt2.model_millions, { decimals: 1 }),
});

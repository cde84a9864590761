/**
 * Multi-head attention is a reshape (slide 26): the shape of every step for any number of heads, and the parameters,
 * which do not depend on it. State in, numbers out, by `experiments.multiHeadShapes`.
 */
import { logStops } from '../../shared/controls.js';
import { msg, str } from '../../shared/language.js';
import { formatCount } from '../../shared/number.js';

export const HEADS = [1, 2, 8, 16];
export const WIDTHS = logStops(16, 1024, 1);
export const HEAD_STOPS = logStops(1, 16, 1);

const whole = (name, max) => ({ kind: 'number', min: 1, max, integer: true, name });

const schema = {
  n: whole(() => msg('n, tokens'), 1048576),
  d_model: whole(() => 'd', 65536),
  n_heads: whole(() => msg('h, heads'), 1024),
};

const defaults = { n: 6, d_model: 512, n_heads: 8 };

/** The steps in the order in which they arise, with what is done and the hue of what comes of it. */
export const STEPS = [
  { name: 'X', symbol: 'X', tone: 'plain', what: () => msg('one vector per token') },
  { name: 'Q', symbol: 'Q, K, V', tone: 'q', what: () => msg('three projections, as wide as X') },
  {
    name: 'Q_heads',
    symbol: 'Q, K, V',
    tone: 'q',
    what: () => msg('reshaped: every head gets a slice'),
    cut: true,
  },
  {
    name: 'scores',
    symbol: 'S',
    tone: 's',
    what: () => msg('a score for every pair, in every head'),
    cut: true,
  },
  { name: 'weights', symbol: 'A', tone: 'w', what: () => msg('a softmax per row'), cut: true },
  {
    name: 'head_outputs',
    symbol: 'O',
    tone: 'v',
    what: () => msg('weighted sums of values'),
    cut: true,
  },
  {
    name: 'concat',
    symbol: 'concat',
    tone: 'v',
    what: () => msg('reshaped back: slices side by side'),
  },
  {
    name: 'output',
    get symbol() {
      return msg('output');
    },
    tone: 'v',
    what: () => msg('mixed by one last projection'),
  },
];

/** What a number of heads costs, or undefined where it does not divide the width. */
function parametersOf(experiments, state, n_heads) {
  try {
    return experiments.multiHeadShapes({ ...state, n_heads }).parameters;
  } catch (error) {
    if (error.field !== 'n_heads') throw error;
    return undefined;
  }
}

const compute = (experiments, state) => ({
  state,
  shapes: experiments.multiHeadShapes(state),
  parameters: HEADS.map((n_heads) => ({
    n_heads,
    parameters: parametersOf(experiments, state, n_heads),
  })),
});

export const shapeText = (shape) => shape.map(formatCount).join(' × ');
export const notPossible = () => msg('does not divide d');

function sentence({ state, shapes }) {
  const [heads, size] = [formatCount(state.n_heads), formatCount(shapes.head_dim)];
  const parameters = formatCount(shapes.parameters);
  return state.n_heads === 1
    ? msg(
        str`One head of ${size} numbers: ${parameters} parameters, as for any other number of heads.`,
      )
    : msg(
        str`${heads} heads of ${size} numbers: ${parameters} parameters, as for any other number of heads.`,
      );
}

export const model = {
  tag: 'attn-reshape',
  get title() {
    return msg('Multi-head attention is a reshape');
  },
  get summary() {
    return msg('Cut the same width into more heads: which shapes change, and what does it cost?');
  },
  module: 'experiments',
  schema,
  defaults,
  cases: [
    {
      id: 'base',
      get label() {
        return msg('8 heads of 512');
      },
      state: {},
    },
    {
      id: 'sixteen',
      get label() {
        return msg('16 heads of 16');
      },
      state: { d_model: 16, n_heads: 16 },
    },
    {
      id: 'sixty-four',
      get label() {
        return msg('2 heads of 64');
      },
      state: { d_model: 64, n_heads: 2 },
    },
    {
      id: 'next',
      get label() {
        return msg('The next slides: 2 of 4');
      },
      state: { n: 3, d_model: 4, n_heads: 2 },
    },
    { id: 'gpt2', label: 'GPT-2 small', state: { n: 1024, d_model: 768, n_heads: 12 } },
  ],
  wholeNumbers: true,
  predict: {
    get question() {
      return msg('Twice as many heads: what happens to the parameters?');
    },
    options: () => [msg('they double'), msg('they halve'), msg('nothing')],
    isRight: (_, choice) => choice === 2,
    tell: () => msg('Heads cut the same matrices into slices.'),
  },
  figures: ['mha.params', 'recap.dk'],
  compute,
  sentence,
  picture: ({ shapes }) => ({
    head: [msg('step'), msg('shape'), msg('what it is')],
    rows: STEPS.map(({ name, symbol, what }) => [symbol, shapeText(shapes[name]), what()]),
  }),
  rows: ({ state, shapes, parameters }) => [
    ['step', 'heads', 'rows', 'columns'],
    ...STEPS.map(({ name }) =>
      shapes[name].length === 3 ? [name, ...shapes[name]] : [name, '', ...shapes[name]],
    ),
    ['d_k', shapes.head_dim],
    ['heads', 'parameters', 'd_model'],
    ...parameters.map((item) => [
      item.n_heads,
      item.parameters ?? 'does not divide d',
      state.d_model,
    ]),
  ],
};

/**
 * The way back through the softmax (slide 21): what a gradient becomes row by row, on scores of the reader's own. State
 * in, numbers out, by `experiments.softmaxWayBack`.
 */
import { msg, str } from '../../shared/language.js';
import { formatMagnitude, formatNumber } from '../../shared/number.js';
import { indices, lastOf, ordinal, rowsOf } from '../../shared/pick.js';

const MOST = 5;
const RANGE = { min: -10000, max: 10000 };

const schema = {
  keys: { kind: 'number', min: 2, max: MOST, integer: true, name: () => msg('keys') },
  rows: { kind: 'number', min: 1, max: MOST, integer: true, name: () => msg('rows') },
  row: { kind: 'number', min: 0, max: 4, integer: true, name: () => msg('row') },
  S: {
    kind: 'matrix',
    rows: MOST,
    columns: MOST,
    ...RANGE,
    name: (i, j) => msg(str`score of row ${ordinal(i)}, key ${ordinal(j)}`),
  },
  dA: {
    kind: 'matrix',
    rows: MOST,
    columns: MOST,
    ...RANGE,
    name: (i, j) => msg(str`gradient of weight ${ordinal(j)}, row ${ordinal(i)}`),
  },
};

/** A row of five, of which the first few are given. */
const row = (...given) => indices(MOST).map((j) => given[j] ?? 0);
/** Five of them. */
const rowsFrom = (...given) => indices(MOST).map((i) => given[i] ?? row());

/**
 * Five queries, five keys and a gradient drawn with the seed 53914569 (N(0, 1), d_k = 8), to four places: scores over √8,
 * and those of queries a hundred times as long. tests/node/scaling.test.js draws them again.
 */
const DRAWN = {
  keys: MOST,
  rows: MOST,
  dA: [
    [-1.0693, 0.5046, -0.2885, 1.1942, -0.6079],
    [-0.7076, -0.4379, 0.8214, 0.0368, 0.2199],
    [-0.3667, -0.247, -0.0355, -0.9798, -0.8844],
    [0.3279, 0.4295, -1.1957, -1.2912, 0.4813],
    [-0.9176, 2.4432, -0.8965, 0.5459, -0.3802],
  ],
};
const TIMES_1 = [
  [0.3829, 0.9102, -0.2108, -0.2627, 0.3618],
  [-0.3899, -0.0897, -0.3461, -1.0057, -0.0605],
  [1.2663, 0.459, -0.5739, 0.7929, 0.044],
  [-1.4332, -0.67, 0.4821, 0.2948, 0.5635],
  [0.9455, -0.044, -0.1102, 0.0966, 0.1663],
];
const TIMES_100 = [
  [38.2863, 91.0242, -21.0785, -26.2725, 36.1795],
  [-38.9887, -8.9694, -34.6125, -100.568, -6.0502],
  [126.6288, 45.9031, -57.3865, 79.2945, 4.3956],
  [-143.3183, -66.999, 48.213, 29.4798, 56.3545],
  [94.5525, -4.3998, -11.0157, 9.6588, 16.6326],
];

const defaults = {
  keys: 3,
  rows: 1,
  row: 0,
  S: rowsFrom(row(1, 2, 3)),
  dA: rowsFrom(row(1, 0, 0)),
};

function compute(experiments, asked) {
  const { keys, rows } = asked;
  // A row that is gone cannot be looked at.
  const state = asked.row < rows ? asked : { ...asked, row: lastOf(rows) };
  const flat = (matrix) =>
    Float64Array.from(matrix.slice(0, rows).flatMap((entries) => entries.slice(0, keys)));
  const back = experiments.softmaxWayBack({
    S: flat(state.S),
    dA: flat(state.dA),
    n: rows,
    m: keys,
  });
  const byRow = (values) => rowsOf(values, rows, keys);
  return {
    state,
    A: byRow(back.A),
    products: byRow(back.products),
    deviations: byRow(back.deviations),
    dS: byRow(back.dS),
    means: [...back.means],
    sums: [...back.sums],
    norms: [...back.norms],
    largest: [...back.largest_weights],
  };
}

/** A row whose gradient is shorter than this learns nothing. */
const DEAD = 0.001;
const isDead = (norm) => norm < DEAD;

/** A gradient: three places, or powers of ten where those would show nothing. */
export const formatGradient = (value) => formatNumber(value, { decimals: 3 });
export { formatMagnitude };

const sentence = ({ state, norms, largest }) => {
  const { row: at, rows } = state;
  const [weight, length] = [formatNumber(largest[at]), formatMagnitude(norms[at])];
  const own = msg(
    str`Row ${ordinal(at)}, largest weight ${weight}: dS has length ${length} and sums to zero.`,
  );
  if (rows === 1) return isDead(norms[at]) ? `${own} ${msg('The row is dead.')}` : own;
  const dead = norms.filter(isDead).length;
  const all =
    dead === 1
      ? msg(str`${dead} of ${rows} rows is dead.`)
      : msg(str`${dead} of ${rows} rows are dead.`);
  return `${own} ${all}`;
};

/** Lower ends of what the answers stand for; the last has none. */
const BOUNDS = [0.1, 0.01, DEAD, 0];
function answers() {
  const [long, middle, short] = BOUNDS.map((bound) => formatNumber(bound, { trim: true }));
  return [
    msg(str`longer than ${long}`),
    msg(str`${middle} to ${long}`),
    msg(str`${short} to ${middle}`),
    msg('shorter: dead'),
  ];
}

export const model = {
  tag: 'attn-saturation',
  get title() {
    return msg('The way back through the softmax');
  },
  get summary() {
    return msg('Push one score ahead of the others: what is left of the gradient?');
  },
  module: 'experiments',
  schema,
  defaults,
  cases: [
    {
      id: 'slide',
      get label() {
        return msg('By hand');
      },
      state: {},
    },
    {
      id: 'bank',
      label: 'bank',
      state: { S: rowsFrom(row(0.7071, 2.1213, 2.8284)), dA: rowsFrom(row(1, 0, 1)) },
    },
    {
      id: 'level',
      get label() {
        return msg('Equal');
      },
      state: { S: rowsFrom(row(1, 1, 1)) },
    },
    {
      id: 'ahead',
      get label() {
        return msg('Far ahead');
      },
      state: { S: rowsFrom(row(1, 2, 12)) },
    },
    {
      id: 'once',
      get label() {
        return msg('As drawn');
      },
      state: { ...DRAWN, S: TIMES_1 },
    },
    {
      id: 'hundred',
      get label() {
        return msg('Queries × 100');
      },
      state: { ...DRAWN, S: TIMES_100 },
    },
  ],
  predict: {
    get question() {
      return msg('How long is the gradient that comes back to the scores of this row?');
    },
    options: answers,
    isRight: ({ state, norms }, choice) =>
      choice === BOUNDS.findIndex((bound) => norms[state.row] >= bound),
    tell: ({ state, norms }) => {
      const length = formatMagnitude(norms[state.row]);
      return msg(str`It is ${length}.`);
    },
  },
  figures: ['back.bank', 'back.x100'],
  compute,
  sentence,
  picture: ({ state, A, products, deviations, dS }) => ({
    head: [
      msg('key'),
      msg('score'),
      msg('weight'),
      'dA',
      msg('dA × weight'),
      msg('dA less mean'),
      'dS',
    ],
    rows: indices(state.keys).map((j) => [
      `${ordinal(j)}`,
      formatNumber(state.S[state.row][j], { decimals: 4, trim: true }),
      formatNumber(A[state.row][j]),
      formatNumber(state.dA[state.row][j], { decimals: 4, trim: true }),
      formatGradient(products[state.row][j]),
      formatGradient(deviations[state.row][j]),
      formatGradient(dS[state.row][j]),
    ]),
  }),
  rows: ({ state, A, products, deviations, dS, means, sums, norms, largest }) => [
    ['row', 'key', 'S', 'A', 'dA', 'dA_times_A', 'dA_less_mean', 'dS'],
    ...indices(state.rows).flatMap((i) =>
      indices(state.keys).map((j) => [
        ordinal(i),
        ordinal(j),
        state.S[i][j],
        A[i][j],
        state.dA[i][j],
        products[i][j],
        deviations[i][j],
        dS[i][j],
      ]),
    ),
    ['row', 'largest_weight', 'mean_of_dA', 'sum_of_dS', 'length_of_dS'],
    ...indices(state.rows).map((i) => [ordinal(i), largest[i], means[i], sums[i], norms[i]]),
  ],
};

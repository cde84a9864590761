/**
 * “the cat sat”, exact beside hand-rounded (slide 16): the recap's worked example computed twice by the
 * C++, once in full precision (`core.attention`) and once rounding every step as a pencil does
 * (`core.attentionByHand`). State in, numbers out.
 */
import { msg, str } from '../../shared/language.js';
import { formatNumber, formatVector } from '../../shared/number.js';
import { flagged, flatOf, indices, ordinal, rowsOf } from '../../shared/pick.js';

export const TOKENS = ['the', 'cat', 'sat'];
const RANGE = { min: -100, max: 100 };

const queryComponent = (place) => msg(str`query of “sat”, component ${place}`);
const keyComponent = (token, place) => msg(str`key of “${token}”, component ${place}`);
const valueComponent = (token, place) => msg(str`value of “${token}”, component ${place}`);

const schema = {
  q: {
    kind: 'vector',
    length: 2,
    ...RANGE,
    name: (i) => queryComponent(ordinal(i)),
  },
  K: {
    kind: 'matrix',
    rows: 3,
    columns: 2,
    ...RANGE,
    name: (i, j) => keyComponent(TOKENS[i], ordinal(j)),
  },
  V: {
    kind: 'matrix',
    rows: 3,
    columns: 2,
    ...RANGE,
    name: (i, j) => valueComponent(TOKENS[i], ordinal(j)),
  },
  decimals: {
    kind: 'number',
    min: 1,
    max: 8,
    integer: true,
    name: () => msg('places kept by hand'),
  },
  row: { kind: 'number', min: 0, max: 2, integer: true, name: () => msg('row') },
};

const defaults = {
  q: [1.2, 0.4],
  K: [
    [0.2, 0.1],
    [0.9, 0.3],
    [0.1, 0.8],
  ],
  V: [
    [0, 0.1],
    [0.8, 0.6],
    [0.2, 0.9],
  ],
  decimals: 3,
  row: 1,
};

const steps = (trace) => ({
  divisor: trace.divisor,
  shift: trace.shift[0],
  terms: rowsOf(trace.score_terms, 3, 2),
  scores: [...trace.scores],
  scaled: [...trace.scaled],
  exponentials: [...trace.exponentials],
  sum: trace.sums[0],
  weights: [...trace.weights],
  largest: [...trace.largest],
  contributions: rowsOf(trace.contributions, 3, 2),
  output: [...trace.output],
});

function compute(core, state) {
  const input = {
    Q: Float64Array.from(state.q),
    K: flatOf(state.K),
    V: flatOf(state.V),
    n_q: 1,
    n_k: 3,
    d_k: 2,
    d_v: 2,
    trace: true,
  };
  return {
    state,
    exact: steps(core.attention(input)),
    hand: steps(core.attentionByHand({ ...input, decimals: state.decimals })),
  };
}

/** Both ways of a number at the places kept by hand, and whether the reader can see them differ. */
export function both(exact, hand, decimals) {
  const [one, other] = [exact, hand].map((value) => formatNumber(value, { decimals }));
  return { exact: one, hand: other, differ: one !== other };
}

/** Every place where the rounded chain shows another digit than the exact one. */
export function differences({ exact, hand, state: { decimals } }) {
  const seen = [];
  const compare = (name, one, other) => {
    const pair = both(one, other, decimals);
    if (pair.differ) seen.push({ name, ...pair });
  };
  for (const i of indices(3)) {
    compare(`scaled score of “${TOKENS[i]}”`, exact.scaled[i], hand.scaled[i]);
    compare(`exponential of “${TOKENS[i]}”`, exact.exponentials[i], hand.exponentials[i]);
    compare(`weight of “${TOKENS[i]}”`, exact.weights[i], hand.weights[i]);
    for (const j of indices(2)) {
      compare(
        `contribution of “${TOKENS[i]}”, component ${ordinal(j)}`,
        exact.contributions[i][j],
        hand.contributions[i][j],
      );
    }
  }
  compare('sum', exact.sum, hand.sum);
  for (const j of indices(2))
    compare(`output, component ${ordinal(j)}`, exact.output[j], hand.output[j]);
  return seen;
}

const COUNTED = [
  (output, from) =>
    msg(
      str`“sat” becomes ${output}, mostly from ${from}; rounding by hand shows another digit nowhere.`,
    ),
  (output, from) =>
    msg(
      str`“sat” becomes ${output}, mostly from ${from}; rounding by hand shows another digit in one place.`,
    ),
  (output, from) =>
    msg(
      str`“sat” becomes ${output}, mostly from ${from}; rounding by hand shows another digit in two places.`,
    ),
  (output, from) =>
    msg(
      str`“sat” becomes ${output}, mostly from ${from}; rounding by hand shows another digit in three places.`,
    ),
];
const counted = (output, from, count) =>
  msg(
    str`“sat” becomes ${output}, mostly from ${from}; rounding by hand shows another digit in ${count} places.`,
  );

function sentence(numbers) {
  const { exact, state } = numbers;
  const output = formatVector(exact.output, { decimals: state.decimals });
  const winners = flagged(TOKENS, exact.largest).map((name) => `“${name}”`);
  const count = differences(numbers).length;
  return (COUNTED[count] ?? counted)(output, winners.join(` ${msg('and')} `), count);
}

const picture = ({ exact, hand, state }) => {
  const digits = { decimals: state.decimals };
  return {
    head: [
      msg('token'),
      msg('score'),
      msg('scaled'),
      msg('exponential'),
      msg('by hand'),
      msg('weight by hand'),
      msg('weight'),
    ],
    rows: TOKENS.map((token, i) => [
      token,
      formatNumber(exact.scores[i], { decimals: 2 }),
      formatNumber(exact.scaled[i], digits),
      formatNumber(exact.exponentials[i], digits),
      formatNumber(hand.exponentials[i], digits),
      formatNumber(hand.weights[i], digits),
      formatNumber(exact.weights[i], digits),
    ]),
    weights: exact.weights,
  };
};

const FIELDS = ['scores', 'scaled', 'exponentials', 'weights'];

const rows = ({ exact, hand, state }) => [
  [
    'token',
    'k_1',
    'k_2',
    'v_1',
    'v_2',
    ...FIELDS,
    'contribution_1',
    'contribution_2',
    ...FIELDS.map((name) => `${name}_by_hand`),
    'contribution_1_by_hand',
    'contribution_2_by_hand',
  ],
  ...indices(3).map((i) => [
    TOKENS[i],
    ...state.K[i],
    ...state.V[i],
    ...FIELDS.map((name) => exact[name][i]),
    ...exact.contributions[i],
    ...FIELDS.map((name) => hand[name][i]),
    ...hand.contributions[i],
  ]),
  ['q', ...state.q],
  ['sum', exact.sum, hand.sum],
  ['output', ...exact.output],
  ['output_by_hand', ...hand.output],
];

export const model = {
  tag: 'attn-by-hand',
  get title() {
    return msg('“the cat sat”, exact beside hand-rounded');
  },
  get summary() {
    return msg(
      'The same sum twice: in full precision, and rounded at every step as a pencil does.',
    );
  },
  schema,
  defaults,
  cases: [
    {
      id: 'recap',
      get label() {
        return msg('As in the recap');
      },
      state: {},
    },
    {
      id: 'two',
      get label() {
        return msg('Two places');
      },
      state: { decimals: 2 },
    },
    {
      id: 'five',
      get label() {
        return msg('Five places');
      },
      state: { decimals: 5 },
    },
    {
      id: 'the',
      get label() {
        return msg('A query for “the”');
      },
      state: { q: [1.2, -2.4] },
    },
  ],
  predict: {
    get question() {
      return msg('Which token does “sat” listen to most?');
    },
    options: () => TOKENS,
    isRight: ({ exact }, choice) => exact.largest[choice] === 1,
  },
  figures: [
    'recap.score',
    'recap.sqrt2',
    'recap.scaled',
    'recap.exp.the',
    'recap.exp.cat',
    'recap.exp.sat',
    'recap.sum',
    'recap.w',
    'recap.pct',
    'recap.contrib',
    'recap.contrib.sat2',
    'recap.out',
  ],
  compute,
  sentence,
  picture,
  rows,
};

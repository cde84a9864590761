/**
 * “the cat sat”, exact beside hand-rounded (slide 16): the recap's worked example computed twice by the
 * C++, once in full precision (`core.attention`) and once rounding every step as a pencil does
 * (`core.attentionByHand`). State in, numbers out.
 */
import { formatNumber, formatVector } from '../../shared/number.js';
import { flagged, flatOf, indices, ordinal, rowsOf } from '../../shared/pick.js';

export const TOKENS = ['the', 'cat', 'sat'];
const RANGE = { min: -100, max: 100 };

const component = (what) => (i, j) => `${what} of “${TOKENS[i]}”, component ${ordinal(j)}`;

const schema = {
  q: {
    kind: 'vector',
    length: 2,
    ...RANGE,
    name: (i) => `query of “sat”, component ${ordinal(i)}`,
  },
  K: { kind: 'matrix', rows: 3, columns: 2, ...RANGE, name: component('key') },
  V: { kind: 'matrix', rows: 3, columns: 2, ...RANGE, name: component('value') },
  decimals: { kind: 'number', min: 1, max: 8, integer: true, name: () => 'places kept by hand' },
  row: { kind: 'number', min: 0, max: 2, integer: true, name: () => 'row' },
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

const COUNTED = ['nowhere', 'in one place', 'in two places', 'in three places'];

function sentence(numbers) {
  const { exact, state } = numbers;
  const digits = { decimals: state.decimals };
  const winners = flagged(TOKENS, exact.largest).map((name) => `“${name}”`);
  const count = differences(numbers).length;
  const where = COUNTED[count] ?? `in ${count} places`;
  return `“sat” becomes ${formatVector(exact.output, digits)}, mostly from ${winners.join(' and ')}; rounding by hand shows another digit ${where}.`;
}

const picture = ({ exact, hand, state }) => {
  const digits = { decimals: state.decimals };
  return {
    head: ['token', 'score', 'scaled', 'exponential', 'by hand', 'weight by hand', 'weight'],
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
  title: '“the cat sat”, exact beside hand-rounded',
  summary: 'The same sum twice: in full precision, and rounded at every step as a pencil does.',
  schema,
  defaults,
  cases: [
    { id: 'recap', label: 'As in the recap', state: {} },
    { id: 'two', label: 'Two places', state: { decimals: 2 } },
    { id: 'five', label: 'Five places', state: { decimals: 5 } },
    { id: 'the', label: 'A query for “the”', state: { q: [1.2, -2.4] } },
  ],
  predict: {
    question: 'Which token does “sat” listen to most?',
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

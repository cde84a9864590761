/**
 * One query, three keys: the lecture's worked example “sat · bank · river” (slides 13 to 15).
 * State in, numbers out; every number comes from the C++ (`core.attention`).
 */
import { formatNumber, formatPercent, formatVector } from '../../shared/number.js';
import { flagged, flatOf, indices, ordinal, rowsOf } from '../../shared/pick.js';

export const TOKENS = ['sat', 'bank', 'river'];
const RANGE = { min: -100, max: 100 };

const schema = {
  q: { kind: 'vector', length: 2, ...RANGE, name: (i) => `query component ${ordinal(i)}` },
  K: {
    kind: 'matrix',
    rows: 3,
    columns: 2,
    ...RANGE,
    name: (i, j) => `key of “${TOKENS[i]}”, component ${ordinal(j)}`,
  },
  V: {
    kind: 'matrix',
    rows: 3,
    columns: 2,
    ...RANGE,
    name: (i, j) => `value of “${TOKENS[i]}”, ${['river', 'money'][j]} part`,
  },
  d_k: { kind: 'number', min: 1, max: 4096, integer: true, name: () => 'd_k' },
  row: { kind: 'number', min: 0, max: 2, integer: true, name: () => 'row' },
};

const defaults = {
  q: [1, 2],
  K: [
    [1, 0],
    [1, 1],
    [0, 2],
  ],
  V: [
    [1, 0],
    [0.5, 0.5],
    [1, 0],
  ],
  d_k: 2,
  row: 2,
};

function compute(core, state) {
  const trace = core.attention({
    Q: Float64Array.from(state.q),
    K: flatOf(state.K),
    V: flatOf(state.V),
    n_q: 1,
    n_k: 3,
    d_k: 2,
    d_v: 2,
    divisor_d_k: state.d_k,
    trace: true,
  });
  return {
    state,
    divisor: trace.divisor,
    shift: trace.shift[0],
    terms: rowsOf(trace.score_terms, 3, 2),
    scores: [...trace.scores],
    scaled: [...trace.scaled],
    exponentials: [...trace.exponentials],
    sum: trace.sums[0],
    weights: [...trace.weights],
    weightSum: trace.weight_sums[0],
    largest: [...trace.largest],
    contributions: rowsOf(trace.contributions, 3, 2),
    output: [...trace.output],
  };
}

const quoted = (name) => `“${name}”`;

function sentence({ output, largest, weights }) {
  const winners = flagged(TOKENS, largest);
  const share = formatPercent(flagged(weights, largest)[0]);
  const leaves = `“bank” leaves as ${formatVector(output, { decimals: 2 })}`;
  if (winners.length === TOKENS.length) {
    return `${leaves}: every word weighs ${share}, so it is a plain average of the values.`;
  }
  if (winners.length === 1) return `${leaves}: it listens most to ${quoted(winners[0])}, ${share}.`;
  return `${leaves}: ${winners.map(quoted).join(' and ')} weigh the same, ${share} each.`;
}

const HEAD = ['token', 'key', 'value', 'score', 'scaled', 'exponential', 'weight'];

const picture = ({ state, scores, scaled, exponentials, weights }) => ({
  head: HEAD,
  rows: TOKENS.map((token, i) => [
    token,
    formatVector(state.K[i], { trim: true }),
    formatVector(state.V[i], { trim: true }),
    formatNumber(scores[i], { decimals: 2 }),
    formatNumber(scaled[i], { decimals: 2 }),
    formatNumber(exponentials[i], { decimals: 2 }),
    formatNumber(weights[i]),
  ]),
  weights,
});

const rows = (numbers) => [
  [
    'token',
    'k_1',
    'k_2',
    'v_river',
    'v_money',
    'score',
    'scaled',
    'exponential',
    'weight',
    'contribution_river',
    'contribution_money',
  ],
  ...indices(3).map((i) => [
    TOKENS[i],
    ...numbers.state.K[i],
    ...numbers.state.V[i],
    numbers.scores[i],
    numbers.scaled[i],
    numbers.exponentials[i],
    numbers.weights[i],
    ...numbers.contributions[i],
  ]),
  ['q', ...numbers.state.q],
  ['d_k', numbers.state.d_k],
  ['output', ...numbers.output],
];

export const model = {
  tag: 'attn-query',
  title: 'One query, three keys',
  summary: 'The query of “bank” meets three keys: who is heard, and what comes out.',
  schema,
  defaults,
  cases: [
    { id: 'river', label: 'As on the slide', state: {} },
    {
      id: 'a',
      label: '(a) river means money',
      state: {
        V: [
          [1, 0],
          [0.5, 0.5],
          [0, 1],
        ],
      },
    },
    { id: 'b', label: '(b) q = [1, 0]', state: { q: [1, 0] } },
    { id: 'c', label: '(c) q = 0', state: { q: [0, 0] } },
  ],
  predict: {
    question: 'Which word gets the largest weight?',
    options: () => TOKENS,
    isRight: ({ largest }, choice) => largest[choice] === 1,
  },
  figures: [
    'bank.score',
    'bank.scaled',
    'bank.exp',
    'bank.sum',
    'bank.w',
    'bank.wsum',
    'bank.contrib',
    'bank.out',
    'bank.a',
    'bank.b',
    'bank.b.out',
    'bank.c',
    'bank.c.out',
    'bank.dk',
  ],
  compute,
  sentence,
  picture,
  rows,
};

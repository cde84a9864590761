/**
 * One query, three keys: the lecture's worked example “sat · bank · river” (slides 13 to 15).
 * State in, numbers out; every number comes from the C++ (`core.attention`).
 */
import { msg, str } from '../../shared/language.js';
import { formatNumber, formatPercent, formatVector } from '../../shared/number.js';
import { flagged, flatOf, indices, ordinal, rowsOf } from '../../shared/pick.js';

export const TOKENS = ['sat', 'bank', 'river'];
const RANGE = { min: -100, max: 100 };

const queryComponent = (place) => msg(str`query component ${place}`);
const keyComponent = (token, place) => msg(str`key of “${token}”, component ${place}`);
const valuePart = (token, j) =>
  j === 0 ? msg(str`value of “${token}”, river part`) : msg(str`value of “${token}”, money part`);

const schema = {
  q: { kind: 'vector', length: 2, ...RANGE, name: (i) => queryComponent(ordinal(i)) },
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
    name: (i, j) => valuePart(TOKENS[i], j),
  },
  d_k: { kind: 'number', min: 1, max: 4096, integer: true, name: () => 'd_k' },
  row: { kind: 'number', min: 0, max: 2, integer: true, name: () => msg('row') },
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

function sentence({ output, largest, weights }) {
  const winners = flagged(TOKENS, largest);
  const share = formatPercent(flagged(weights, largest)[0]);
  const leaves = formatVector(output, { decimals: 2 });
  if (winners.length === TOKENS.length) {
    return msg(
      str`“bank” leaves as ${leaves}: every word weighs ${share}, so it is a plain average of the values.`,
    );
  }
  const [one, other] = winners;
  if (other === undefined) {
    return msg(str`“bank” leaves as ${leaves}: it listens most to “${one}”, ${share}.`);
  }
  return msg(
    str`“bank” leaves as ${leaves}: “${one}” and “${other}” weigh the same, ${share} each.`,
  );
}

const head = () => [
  msg('token'),
  msg('key'),
  msg('value'),
  msg('score'),
  msg('scaled'),
  msg('exponential'),
  msg('weight'),
];

const picture = ({ state, scores, scaled, exponentials, weights }) => ({
  head: head(),
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
  get title() {
    return msg('One query, three keys');
  },
  get summary() {
    return msg('The query of “bank” meets three keys: who is heard, and what comes out.');
  },
  schema,
  defaults,
  cases: [
    {
      id: 'river',
      get label() {
        return msg('As on the slide');
      },
      state: {},
    },
    {
      id: 'a',
      get label() {
        return msg('(a) river means money');
      },
      state: {
        V: [
          [1, 0],
          [0.5, 0.5],
          [0, 1],
        ],
      },
    },
    {
      id: 'b',
      get label() {
        return `(b) q = ${formatVector(this.state.q, { trim: true })}`;
      },
      state: { q: [1, 0] },
    },
    { id: 'c', label: '(c) q = 0', state: { q: [0, 0] } },
  ],
  predict: {
    get question() {
      return msg('Which word gets the largest weight?');
    },
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

/** One live row of weights that follows a moved query (slide 1). State in, numbers out, by `core.attention`. */
import { msg, str } from '../../shared/language.js';
import { formatNumber, formatPercent } from '../../shared/number.js';
import { flagged, flatOf, indices, ordinal } from '../../shared/pick.js';

export const TOKENS = ['sat', 'on', 'the', 'river', 'bank'];

export const KEYS = [
  [2, 0],
  [-1, 1],
  [-2, 0],
  [0, 2],
  [1, 1],
];

const queryComponent = (place) => msg(str`query component ${place}`);

const schema = {
  q: { kind: 'vector', length: 2, min: -10, max: 10, name: (i) => queryComponent(ordinal(i)) },
};

const defaults = { q: [1, 2] };

function compute(core, state) {
  const trace = core.attention({
    Q: Float64Array.from(state.q),
    K: flatOf(KEYS),
    V: flatOf(KEYS),
    n_q: 1,
    n_k: KEYS.length,
    d_k: 2,
    d_v: 2,
    trace: true,
  });
  return {
    state,
    scores: [...trace.scores],
    weights: [...trace.weights],
    largest: [...trace.largest],
  };
}

function sentence({ largest, weights }) {
  const winners = flagged(TOKENS, largest);
  const share = formatPercent(flagged(weights, largest)[0], 0);
  if (winners.length === TOKENS.length)
    return msg(str`Five equal weights, ${share} each: this query asks for nothing.`);
  const heard = winners.map((name) => `“${name}”`).join(` ${msg('and')} `);
  return msg(str`This query listens most to ${heard}: ${share}. Move it, and the weights follow.`);
}

export const model = {
  tag: 'attn-live-row',
  get title() {
    return msg('A row of weights that follows its query');
  },
  get summary() {
    return msg('Five weights that the input decides: move the query and watch them change.');
  },
  schema,
  defaults,
  cases: [],
  figures: ['deck.row.scores', 'deck.row.weights'],
  compute,
  sentence,
  picture: ({ scores, weights }) => ({
    head: [msg('token'), msg('score'), msg('weight')],
    rows: TOKENS.map((token, i) => [
      token,
      formatNumber(scores[i], { decimals: 2 }),
      formatNumber(weights[i]),
    ]),
    weights,
  }),
  rows: ({ state, scores, weights }) => [
    ['token', 'k_1', 'k_2', 'score', 'weight'],
    ...indices(TOKENS.length).map((i) => [TOKENS[i], ...KEYS[i], scores[i], weights[i]]),
    ['q', ...state.q],
  ],
};

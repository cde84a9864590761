/**
 * How far the gradient reaches (slide 4): back through a plain RNN, along the cells of an LSTM, and through attention.
 * State in, numbers out, by `experiments.gradientReach`.
 */
import { logStops } from '../../shared/controls.js';
import { lastOf } from '../../shared/last-of.js';
import { formatCount as count, formatMagnitude, formatNumber, many } from '../../shared/number.js';

/** The lengths of the lecture's table. */
export const LENGTHS = [64, 256];
const [LEAST, MOST] = [8, 512];
export const STOPS = logStops(LEAST, MOST, 4);
const SEEDS = 100;
/** The forget gate that the lecture holds still. */
const GATE = 0.95;

const schema = {
  n: { kind: 'number', min: LEAST, max: MOST, integer: true, name: () => 'tokens' },
  scale: { kind: 'number', min: 0.1, max: 4, name: () => 'weight scale' },
  seed: { kind: 'number', min: 0, max: 1000000, integer: true, name: () => 'seed' },
  forget_bias: { kind: 'number', min: -5, max: 12, name: () => 'forget bias' },
};

const defaults = { n: 64, scale: 1, seed: 48, forget_bias: 3 };

export const short = (value) => formatNumber(value, { decimals: 2, trim: true });

/** The rows of the table, with what each is called and how its line is drawn. */
export const PATHS = [
  { id: 'plain', name: ({ seed }) => `plain RNN, seed ${count(seed)}`, tone: 'plain', mark: 0 },
  { id: 'upper', name: () => 'upper quartile', tone: 'plain' },
  { id: 'median', name: () => `median of ${count(SEEDS)} seeds`, tone: 'plain' },
  { id: 'lower', name: () => 'lower quartile', tone: 'plain' },
  { id: 'cell_path', name: () => `LSTM, gate ${short(GATE)}`, tone: 'k', mark: 1 },
  {
    id: 'lstm',
    name: ({ forget_bias }) => `LSTM, bias ${short(forget_bias)}`,
    tone: 'q',
    mark: 2,
  },
  { id: 'attention', name: () => 'attention', tone: 'w', mark: 3 },
];

// The spread is a hundred networks, and most sliders leave it as it is.
const spreadAlong = lastOf((experiments, n, scale) =>
  experiments.gradientReach({ n, lengths: [n], scale, seeds: SEEDS }),
);
const spreadAtLengths = lastOf((experiments, scale) =>
  experiments.gradientReach({ n: 1, lengths: LENGTHS, scale, seeds: SEEDS }),
);

function compute(experiments, state) {
  const { n, scale, seed, forget_bias } = state;
  const lengths = [...LENGTHS, n];
  const reach = experiments.gradientReach({
    n,
    lengths,
    scale,
    seed,
    seeds: 0,
    forget_gate: GATE,
    forget_bias,
  });
  const { plain, cell_path, lstm, attention } = reach;
  const along = spreadAlong(experiments, n, scale);
  const atLengths = spreadAtLengths(experiments, scale);
  const quartiles = ({ lower_ends, median_ends, upper_ends }) =>
    [...median_ends].map((median, k) => ({ lower: lower_ends[k], median, upper: upper_ends[k] }));
  const spreads = [...quartiles(atLengths), ...quartiles(along)];
  const ends = lengths.map((length, k) => ({
    length,
    plain: reach.plain_ends[k],
    ...spreads[k],
    cell_path: reach.cell_path_ends[k],
    lstm: reach.lstm_ends[k],
    attention: reach.attention_ends[k],
  }));
  const { lower, median, upper } = along;
  return {
    state,
    curves: { plain, lower, median, upper, cell_path, lstm, attention },
    ends,
    here: ends.at(-1),
  };
}

const sentence = ({ state, here }) =>
  `Over ${many(state.n, 'token')} ${formatMagnitude(here.plain)} of the gradient comes back through the plain RNN; along the LSTM’s cells ${formatMagnitude(here.cell_path)} at gate ${short(GATE)}, ${formatMagnitude(here.lstm)} at bias ${short(state.forget_bias)}; attention passes ${formatMagnitude(here.attention)} to every token, near or far.`;

/** Lower ends of what the answers stand for; the last has none. */
const BOUNDS = [1e-2, 1e-6, 1e-12, 0];
const ANSWERS = [
  'a hundredth or more',
  'more than a millionth',
  'more than a million-millionth',
  'still less',
];
const answerOf = ({ here }) => BOUNDS.findIndex((bound) => here.plain >= bound);

export const model = {
  tag: 'attn-gradient',
  title: 'How far the gradient reaches',
  summary: 'Let the text grow: how much of the gradient still arrives at its first token?',
  module: 'experiments',
  schema,
  defaults,
  cases: [
    { id: 'slide', label: '64 tokens', state: {} },
    { id: 'long', label: '256 tokens', state: { n: 256 } },
    { id: 'vanish', label: 'Weights 0.9', state: { scale: 0.9 } },
    { id: 'larger', label: 'Weights 1.1', state: { scale: 1.1 } },
    { id: 'explode', label: 'Weights 2', state: { n: 256, scale: 2, seed: 81 } },
    { id: 'open', label: 'Bias 5', state: { n: 256, forget_bias: 5 } },
  ],
  predict: {
    question: 'How much of the gradient reaches the first token through the plain RNN?',
    options: () => ANSWERS,
    isRight: (numbers, choice) => choice === answerOf(numbers),
    tell: ({ here }) => `It is ${formatMagnitude(here.plain)}.`,
  },
  figures: [
    'rnn.plain.seed48',
    'rnn.plain.median100',
    'rnn.plain.quartiles100',
    'rnn.lstm',
    'rnn.attention',
  ],
  compute,
  sentence,
  picture: ({ state, ends }) => ({
    head: ['path', ...ends.map(({ length }) => many(length, 'token'))],
    rows: PATHS.map(({ id, name }) => [
      name(state),
      ...ends.map((end) => formatMagnitude(end[id])),
    ]),
  }),
  rows: ({ state, curves, ends }) => [
    ['tokens', ...PATHS.map(({ name }) => name(state))],
    ...ends.map((end) => [end.length, ...PATHS.map(({ id }) => end[id])]),
    ['tokens back', ...PATHS.map(({ name }) => name(state))],
    // The cells are followed to the one before the first token, where no other path has an entry.
    ...[...curves.lstm].map((_, back) => [back, ...PATHS.map(({ id }) => curves[id][back] ?? '')]),
  ],
};

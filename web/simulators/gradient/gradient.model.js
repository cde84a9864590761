/**
 * How far the gradient reaches (slide 4): back through a plain RNN, along the cells of an LSTM, and through attention.
 * State in, numbers out, by `experiments.gradientReach`.
 */
import { logStops } from '../../shared/controls.js';
import { lastOf } from '../../shared/last-of.js';
import { msg, str } from '../../shared/language.js';
import {
  exactText,
  formatCount as count,
  formatMagnitude,
  formatNumber,
  many,
} from '../../shared/number.js';

/** The lengths of the lecture's table. */
export const LENGTHS = [64, 256];
const [LEAST, MOST] = [8, 512];
export const STOPS = logStops(LEAST, MOST, 4);
const SEEDS = 100;
/** The forget gate that the lecture holds still. */
const GATE = 0.95;

const schema = {
  n: { kind: 'number', min: LEAST, max: MOST, integer: true, name: () => msg('tokens') },
  scale: { kind: 'number', min: 0.1, max: 4, name: () => msg('weight scale') },
  seed: { kind: 'number', min: 0, max: 1000000, integer: true, name: () => msg('seed') },
  forget_bias: { kind: 'number', min: -5, max: 12, name: () => msg('forget bias') },
};

const defaults = { n: 64, scale: 1, seed: 48, forget_bias: 3 };

export const short = (value) => formatNumber(value, { decimals: 2, trim: true });

function plainName({ seed }) {
  const which = count(seed);
  return msg(str`plain RNN, seed ${which}`);
}

function medianName() {
  const seeds = count(SEEDS);
  return msg(str`median of ${seeds} seeds`);
}

function cellPathName() {
  const gate = short(GATE);
  return msg(str`LSTM, gate ${gate}`);
}

function lstmName({ forget_bias }) {
  const bias = short(forget_bias);
  return msg(str`LSTM, bias ${bias}`);
}

/**
 * The rows of the table, with what each is called, how its line is drawn, and what its column of the CSV is called, which
 * is the same in every language.
 */
export const PATHS = [
  {
    id: 'plain',
    name: plainName,
    column: ({ seed }) => `plain RNN, seed ${exactText(seed)}`,
    tone: 'plain',
    mark: 0,
  },
  {
    id: 'upper',
    name: () => msg('upper quartile'),
    column: () => 'upper quartile',
    tone: 'plain',
  },
  {
    id: 'median',
    name: medianName,
    column: () => `median of ${exactText(SEEDS)} seeds`,
    tone: 'plain',
  },
  {
    id: 'lower',
    name: () => msg('lower quartile'),
    column: () => 'lower quartile',
    tone: 'plain',
  },
  {
    id: 'cell_path',
    name: cellPathName,
    column: () => `LSTM, gate ${exactText(GATE)}`,
    tone: 'k',
    mark: 1,
  },
  {
    id: 'lstm',
    name: lstmName,
    column: ({ forget_bias }) => `LSTM, bias ${exactText(forget_bias)}`,
    tone: 'q',
    mark: 2,
  },
  {
    id: 'attention',
    name: () => msg('attention'),
    column: () => 'attention',
    tone: 'w',
    mark: 3,
  },
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

export const tokens = (n) => many(n, msg('token'), msg('tokens'));

function sentence({ state, here }) {
  const length = tokens(state.n);
  // Apart from what follows, which some languages keep away by a comma.
  const over = msg(str`Over ${length}`);
  const [gate, bias] = [short(GATE), short(state.forget_bias)];
  const [plain, path, lstm, attention] = [
    here.plain,
    here.cell_path,
    here.lstm,
    here.attention,
  ].map(formatMagnitude);
  return msg(
    str`${over} ${plain} of the gradient comes back through the plain RNN; along the LSTM’s cells ${path} at gate ${gate}, ${lstm} at bias ${bias}; attention passes ${attention} to every token, near or far.`,
  );
}

function tell({ here }) {
  const left = formatMagnitude(here.plain);
  return msg(str`It is ${left}.`);
}

/** Lower ends of what the answers stand for; the last has none. */
const BOUNDS = [1e-2, 1e-6, 1e-12, 0];
const answers = () => [
  msg('10⁻² or more'),
  msg('more than 10⁻⁶'),
  msg('more than 10⁻¹²'),
  msg('still less'),
];
const answerOf = ({ here }) => BOUNDS.findIndex((bound) => here.plain >= bound);

function weights(scale) {
  const factor = short(scale);
  return msg(str`Weights ${factor}`);
}

export const model = {
  tag: 'attn-gradient',
  get title() {
    return msg('How far the gradient reaches');
  },
  get summary() {
    return msg('Let the text grow: how much of the gradient still arrives at its first token?');
  },
  module: 'experiments',
  schema,
  defaults,
  cases: [
    {
      id: 'slide',
      get label() {
        return tokens(64);
      },
      state: {},
    },
    {
      id: 'long',
      get label() {
        return tokens(256);
      },
      state: { n: 256 },
    },
    {
      id: 'vanish',
      get label() {
        return weights(0.9);
      },
      state: { scale: 0.9 },
    },
    {
      id: 'larger',
      get label() {
        return weights(1.1);
      },
      state: { scale: 1.1 },
    },
    {
      id: 'explode',
      get label() {
        return weights(2);
      },
      state: { n: 256, scale: 2, seed: 81 },
    },
    {
      id: 'open',
      get label() {
        return msg('Bias 5');
      },
      state: { n: 256, forget_bias: 5 },
    },
  ],
  predict: {
    get question() {
      return msg('How much of the gradient reaches the first token through the plain RNN?');
    },
    options: answers,
    isRight: (numbers, choice) => choice === answerOf(numbers),
    tell,
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
    head: [msg('path'), ...ends.map(({ length }) => tokens(length))],
    rows: PATHS.map(({ id, name }) => [
      name(state),
      ...ends.map((end) => formatMagnitude(end[id])),
    ]),
  }),
  rows: ({ state, curves, ends }) => [
    ['tokens', ...PATHS.map(({ column }) => column(state))],
    ...ends.map((end) => [end.length, ...PATHS.map(({ id }) => end[id])]),
    ['tokens back', ...PATHS.map(({ column }) => column(state))],
    // The cells are followed to the one before the first token, where no other path has an entry.
    ...[...curves.lstm].map((_, back) => [back, ...PATHS.map(({ id }) => curves[id][back] ?? '')]),
  ],
};

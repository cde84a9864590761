/**
 * How far a dot product strays (slide 19): scores of random vectors as they are, over √d_k and over d_k. State in,
 * numbers out, by `experiments.scalingExperiment` and, for what is known without drawing, `experiments.scoreStatistics`.
 */
import { msg, str } from '../../shared/language.js';
import { formatMagnitude, formatNumber } from '../../shared/number.js';
import { formatWeight, scalingRun } from '../../shared/scaling.js';

export const KEYS = 16;
export const ROWS = 200;
/** A distance between two scores that leaves the lower one nothing. */
export const GAP = 20;

const schema = {
  d_k: { kind: 'number', min: 1, max: 1024, integer: true, name: () => 'd_k' },
  seed: { kind: 'number', min: 0, max: 1000000, integer: true, name: () => msg('seed') },
};

const defaults = { d_k: 64, seed: 1 };

export const count = (value) => formatNumber(value, { decimals: 0 });

function compute(experiments, state, { moving = false } = {}) {
  const known = experiments.scoreStatistics({ d_k: state.d_k, keys: KEYS, gap: GAP });
  return {
    state,
    known,
    /** The variance that theory gives for each row of the table. */
    expected: [known.variance, 1, known.variance_over_d_k],
    ...scalingRun(experiments, { ...state, keys: KEYS, rows: ROWS }, moving),
  };
}

export const namesOf = ({ state }) => [
  'q · k',
  `q · k ÷ √${count(state.d_k)}`,
  `q · k ÷ ${count(state.d_k)}`,
];

export const formatVariance = (value) =>
  value >= 1 ? formatNumber(value, { decimals: value >= 100 ? 0 : 2 }) : formatMagnitude(value);

const sentence = ({ state, rows, known, divided }) => {
  const [length, fewer] = [state.d_k, rows].map(count);
  const [plain, byRoot] = divided.map(({ variance }) => formatVariance(variance));
  const stray = formatNumber(known.deviation, { decimals: 1, trim: true });
  return rows < ROWS
    ? msg(
        str`Length ${length}, ${fewer} rows while the slider moves: variance ${plain}, so scores of ±${stray}; divided by the root of the length ${byRoot}.`,
      )
    : msg(
        str`Length ${length}: variance ${plain}, so scores of ±${stray}; divided by the root of the length ${byRoot}.`,
      );
};

const answers = () => [msg('it stays'), msg('times 2'), msg('times 4'), msg('times 16')];

export const model = {
  tag: 'attn-dot-product',
  get title() {
    return msg('How far a dot product strays');
  },
  get summary() {
    return msg('Lengthen two random vectors: what happens to their dot product?');
  },
  module: 'experiments',
  schema,
  defaults,
  cases: [
    {
      id: 'slide',
      get label() {
        return msg('Length 64');
      },
      state: {},
    },
    {
      id: 'one',
      get label() {
        return msg('One component');
      },
      state: { d_k: 1 },
    },
    {
      id: 'four',
      get label() {
        return msg('Length 4');
      },
      state: { d_k: 4 },
    },
    {
      id: 'large',
      get label() {
        return msg('Length 1024');
      },
      state: { d_k: 1024 },
    },
  ],
  predict: {
    get question() {
      return msg('The vectors become four times longer. What does the variance of q · k do?');
    },
    options: answers,
    isRight: (numbers, choice) => choice === 2,
    tell: () => msg('It grows as the length does: times 4.'),
  },
  figures: ['sqrt.sd', 'sqrt.overdk', 'sqrt.uniform'],
  compute,
  sentence,
  picture: (numbers) => ({
    head: [msg('score'), msg('variance, in theory'), msg('measured'), msg('largest weight')],
    rows: numbers.divided.map(({ variance, largest }, k) => [
      namesOf(numbers)[k],
      formatVariance(numbers.expected[k]),
      formatVariance(variance),
      formatWeight(largest),
    ]),
  }),
  rows: (numbers) => [
    ['d_k', 'seed', 'rows', 'keys'],
    [numbers.state.d_k, numbers.state.seed, numbers.rows, KEYS],
    ['score', 'variance_in_theory', 'variance_measured', 'largest_weight'],
    ...numbers.divided.map(({ variance, largest }, k) => [
      namesOf(numbers)[k],
      numbers.expected[k],
      variance,
      largest,
    ]),
    ['standard_deviation', numbers.known.deviation],
    ['share_of_pairs_20_apart', numbers.known.differ_probability],
    ['mean_range', numbers.known.mean_range],
    ['bin', 'not divided', 'by the root', 'by d_k'],
    ...[...numbers.divided[0].histogram].map((_, bin) => [
      bin,
      ...numbers.divided.map(({ histogram }) => histogram[bin]),
    ]),
  ],
};

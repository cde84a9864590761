/**
 * The 200 rows of slide 20: what scores that nobody divided do to the softmax's gradient. State in, numbers out, by
 * `experiments.scalingExperiment`; the spread over seeds is run on demand.
 */
import { msg, str } from '../../shared/language.js';
import { formatNumber } from '../../shared/number.js';
import { indices, ordinal } from '../../shared/pick.js';
import {
  DIVISORS,
  FIELDS,
  formatDead,
  formatGradient,
  formatWeight,
  scalingRun,
  seedPlan,
} from '../../shared/scaling.js';

const schema = {
  d_k: { kind: 'number', min: 1, max: 1024, integer: true, name: () => 'd_k' },
  keys: { kind: 'number', min: 2, max: 32, integer: true, name: () => msg('keys') },
  rows: { kind: 'number', min: 10, max: 500, integer: true, name: () => msg('rows') },
  seed: { kind: 'number', min: 0, max: 1000000, integer: true, name: () => msg('seed') },
};

const defaults = { d_k: 64, keys: 16, rows: 200, seed: 40188 };

export const count = (value) => formatNumber(value, { decimals: 0 });

const compute = (experiments, state, { moving = false } = {}) => ({
  state,
  ...scalingRun(experiments, state, moving),
});

export const isCut = ({ state, rows }) => rows < state.rows;
const undivided = ({ divided }) => divided[DIVISORS.none];
const byRoot = ({ divided }) => divided[DIVISORS.root];

/** What each row of the table is called, in words. */
export const namesOf = ({ state }) => [
  msg('not divided'),
  `÷ √${count(state.d_k)}`,
  `÷ ${count(state.d_k)}`,
];

/** The same as heads of columns, which no language changes. */
const columnsOf = (numbers) => ['not divided', ...namesOf(numbers).slice(1)];

const sentence = (numbers) => {
  const both = [undivided(numbers), byRoot(numbers)];
  const [length, rows, asked] = [numbers.state.d_k, numbers.rows, numbers.state.rows].map(count);
  const [gradient, gradientByRoot] = both.map((one) => formatGradient(one.gradient));
  const [dead, deadByRoot] = both.map((one) => formatDead(one.dead));
  return isCut(numbers)
    ? msg(
        str`Length ${length}, ${rows} rows of ${asked}, while the slider moves: not divided, the median gradient is ${gradient} and ${dead} % of the rows are dead; divided by the root, ${gradientByRoot} and ${deadByRoot} %.`,
      )
    : msg(
        str`Length ${length}, ${rows} rows: not divided, the median gradient is ${gradient} and ${dead} % of the rows are dead; divided by the root, ${gradientByRoot} and ${deadByRoot} %.`,
      );
};

const answers = () => [
  msg('none or hardly any'),
  msg('fewer than a quarter'),
  msg('a quarter to a half'),
  msg('most'),
];
/** Upper ends of the first three, in percent. */
const BOUNDS = [2, 25, 50];
const answerOf = (numbers) => {
  const at = BOUNDS.findIndex((bound) => undivided(numbers).dead < bound);
  return at === -1 ? BOUNDS.length : at;
};

export const model = {
  tag: 'attn-sqrt-dk',
  get title() {
    return msg('Divided or not: two hundred rows of random scores');
  },
  get summary() {
    return msg('Draw queries and keys of any length: which rows still learn?');
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
      id: 'four',
      get label() {
        return msg('Length 4');
      },
      state: { d_k: 4, seed: 370 },
    },
    {
      id: 'large',
      get label() {
        return msg('Length 1024');
      },
      state: { d_k: 1024, seed: 952 },
    },
    {
      id: 'one',
      get label() {
        return msg('One component');
      },
      state: { d_k: 1, seed: 1 },
    },
    {
      id: 'plain',
      get label() {
        return msg('Seed 1');
      },
      state: { seed: 1 },
    },
  ],
  predict: {
    get question() {
      return msg('Without the division, how many rows are dead (gradient below 0.001)?');
    },
    options: answers,
    isRight: (numbers, choice) => choice === answerOf(numbers),
    tell: (numbers) => {
      const dead = formatDead(undivided(numbers).dead);
      return msg(str`It is ${dead} %.`);
    },
  },
  measure: {
    fields: ['d_k', 'keys', 'rows'],
    plan: (experiments, { state }) => seedPlan(experiments, state),
  },
  figures: [
    'sqrt.table.4.seed',
    'sqrt.table.64.seed',
    'sqrt.table.1024.seed',
    'sqrt.table.4.single',
    'sqrt.table.64.single',
    'sqrt.table.1024.single',
  ],
  compute,
  sentence,
  picture: (numbers) => ({
    head: [msg('scores'), msg('variance'), msg('largest weight'), msg('gradient'), msg('dead %')],
    rows: numbers.divided.map(({ variance, largest, gradient, dead }, k) => [
      namesOf(numbers)[k],
      formatGradient(variance),
      formatWeight(largest),
      formatGradient(gradient),
      formatDead(dead),
    ]),
  }),
  rows: (numbers, measured = []) => {
    const names = columnsOf(numbers);
    const { state, rows, divided } = numbers;
    const spread = measured.at(-1);
    return [
      ['d_k', 'keys', 'rows', 'seed'],
      [state.d_k, state.keys, rows, state.seed],
      ['scores', 'variance', 'largest_weight', 'gradient_norm', 'dead_percent'],
      ...divided.map(({ variance, largest, gradient, dead }, k) => [
        names[k],
        variance,
        largest,
        gradient,
        dead,
      ]),
      ...(spread
        ? [
            ['seeds', spread.seeds, '2.5 %', 'median', '97.5 %'],
            ...spread.spread.flatMap((of, k) =>
              FIELDS.map((field) => [
                names[k],
                field,
                of[field].low,
                of[field].median,
                of[field].high,
              ]),
            ),
          ]
        : []),
      ['row', ...names.flatMap((name) => [`largest weight, ${name}`, `gradient, ${name}`])],
      ...indices(rows).map((i) => [
        ordinal(i),
        ...divided.flatMap(({ rowLargest, rowGradients }) => [rowLargest[i], rowGradients[i]]),
      ]),
    ];
  },
};

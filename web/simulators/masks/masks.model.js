/**
 * Four masks (slide 23): which pairs are left, singly and together, and what a change moves then; and what training
 * without the causal mask does. State in, numbers out, by the module `layer`.
 */
import { msg } from '../../shared/language.js';
import * as first from './masks.pairs.js';
import * as second from './masks.training.js';

const schema = {
  view: { kind: 'choice', options: ['pairs', 'training'], name: () => msg('The view') },
  ...first.schema,
  ...second.schema,
};

const isTraining = ({ state }) => state.view === 'training';

const answers = () => [
  msg('all of them'),
  msg('some of them'),
  msg('only one'),
  msg('none', { id: 'none-of-them' }),
];
const told = () => [
  msg('It moves all of them.'),
  msg('It moves some of them.'),
  msg('It moves only one.'),
  msg('It moves none.'),
];
function answerOf({ masked, n_q }) {
  if (masked.rows === 0) return 3;
  if (masked.rows === n_q) return 0;
  return masked.rows === 1 ? 2 : 1;
}

export const model = {
  tag: 'attn-masks',
  get title() {
    return msg('Four masks');
  },
  get summary() {
    return msg(
      'Causal, padding, window, document: which pairs are left, and what does a change move?',
    );
  },
  module: 'layer',
  schema,
  defaults: { view: 'pairs', ...first.defaults, ...second.defaults },
  cases: [
    {
      id: 'causal',
      get label() {
        return msg('Causal');
      },
      state: {},
    },
    {
      id: 'padding',
      get label() {
        return msg('Padding');
      },
      state: { causal: 'off', padding: 'on', pads: 6, compare: 'padding' },
    },
    {
      id: 'window',
      get label() {
        return msg('Window');
      },
      state: { tokens: 10, window: 4 },
    },
    {
      id: 'documents',
      get label() {
        return msg('Documents');
      },
      state: { tokens: 10, document: 'on', first_document: 7, changed: 2 },
    },
    {
      id: 'all',
      get label() {
        return msg('All four');
      },
      state: {
        tokens: 10,
        pads: 2,
        padding: 'on',
        window: 3,
        document: 'on',
        first_document: 7,
        changed: 2,
      },
    },
    {
      id: 'nothing',
      get label() {
        return msg('Nothing to see');
      },
      state: { tokens: 5, pads: 3, side: 'left', padding: 'on', changed: 2 },
    },
    {
      id: 'left',
      get label() {
        return msg('Padded left');
      },
      state: {
        tokens: 5,
        pads: 3,
        side: 'left',
        padding: 'on',
        compare: 'padding',
        positions: 'row',
      },
    },
    {
      id: 'nan',
      label: 'NaN',
      state: { tokens: 5, pads: 2, causal: 'off', padding: 'on', compare: 'nan', changed: 6 },
    },
    {
      id: 'cache',
      get label() {
        return msg('Two queries');
      },
      state: { tokens: 5, asks: 2, changed: 5 },
    },
    {
      id: 'training',
      get label() {
        return msg('Train without');
      },
      state: { view: 'training' },
    },
  ],
  play: ({ state }) => ({
    path: 'round',
    value: state.round,
    last: state.view === 'training' ? second.ROUNDS : 0,
  }),
  predict: {
    get question() {
      return msg('With these masks, how many outputs does the change move?');
    },
    possible: ({ state }) => state.view === 'pairs' && state.compare !== 'padding',
    options: answers,
    isRight: (numbers, choice) => choice === answerOf(numbers),
    tell: (numbers) => told()[answerOf(numbers)],
  },
  figures: ['mask.pad', 'mask.pad.masked'],
  compute: (layer, state) =>
    state.view === 'training' ? second.training(layer, state) : first.pairs(layer, state),
  sentence: (numbers) =>
    isTraining(numbers) ? second.trainingSentence(numbers) : first.pairsSentence(numbers),
  picture: (numbers) =>
    isTraining(numbers) ? second.trainingPicture(numbers) : first.pairsPicture(numbers),
  rows: (numbers) =>
    isTraining(numbers) ? second.trainingRows(numbers) : first.pairsRows(numbers),
};

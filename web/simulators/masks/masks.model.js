/**
 * Four masks (slide 23): which pairs are left, singly and together, and what a change moves then; and what training
 * without the causal mask does. State in, numbers out, by the module `experiments`.
 */
import * as first from './masks.pairs.js';
import * as second from './masks.training.js';

const schema = {
  view: { kind: 'choice', options: ['pairs', 'training'], name: () => 'The view' },
  ...first.schema,
  ...second.schema,
};

const isTraining = ({ state }) => state.view === 'training';

const ANSWERS = ['all of them', 'some of them', 'only one', 'none'];
function answerOf({ masked, n_q }) {
  if (masked.rows === 0) return 3;
  if (masked.rows === n_q) return 0;
  return masked.rows === 1 ? 2 : 1;
}

export const model = {
  tag: 'attn-masks',
  title: 'Four masks',
  summary: 'Causal, padding, window, document: which pairs are left, and what does a change move?',
  module: 'experiments',
  schema,
  defaults: { view: 'pairs', ...first.defaults, ...second.defaults },
  cases: [
    { id: 'causal', label: 'Causal', state: {} },
    {
      id: 'padding',
      label: 'Padding',
      state: { causal: 'off', padding: 'on', pads: 6, compare: 'padding' },
    },
    { id: 'window', label: 'Window', state: { tokens: 10, window: 4 } },
    {
      id: 'documents',
      label: 'Documents',
      state: { tokens: 10, document: 'on', first_document: 7, changed: 2 },
    },
    {
      id: 'all',
      label: 'All four',
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
      label: 'Nothing to see',
      state: { tokens: 5, pads: 3, side: 'left', padding: 'on', changed: 2 },
    },
    {
      id: 'left',
      label: 'Padded left',
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
    { id: 'cache', label: 'Two queries', state: { tokens: 5, asks: 2, changed: 5 } },
    { id: 'training', label: 'Train without', state: { view: 'training' } },
  ],
  play: ({ state }) => ({
    path: 'round',
    value: state.round,
    last: state.view === 'training' ? second.ROUNDS : 0,
  }),
  predict: {
    question: 'With these masks, how many outputs does the change move?',
    possible: ({ state }) => state.view === 'pairs' && state.compare !== 'padding',
    options: () => ANSWERS,
    isRight: (numbers, choice) => choice === answerOf(numbers),
    tell: (numbers) => `It moves ${ANSWERS[answerOf(numbers)]}.`,
  },
  figures: ['mask.pad', 'mask.pad.masked'],
  compute: (experiments, state) =>
    state.view === 'training'
      ? second.training(experiments, state)
      : first.pairs(experiments, state),
  sentence: (numbers) =>
    isTraining(numbers) ? second.trainingSentence(numbers) : first.pairsSentence(numbers),
  picture: (numbers) =>
    isTraining(numbers) ? second.trainingPicture(numbers) : first.pairsPicture(numbers),
  rows: (numbers) =>
    isTraining(numbers) ? second.trainingRows(numbers) : first.pairsRows(numbers),
};

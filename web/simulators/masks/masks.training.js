/** The second view in numbers: one layer of attention, trained with the causal mask and without. */
import { msg, str } from '../../shared/language.js';
import { lastOf } from '../../shared/last-of.js';
import { formatNumber } from '../../shared/number.js';
import { planesOf } from '../../shared/pick.js';

const TEXT =
  'the cat climbed the roof . the dog saw the cat . the bird left the roof . the cat saw the bird . the dog climbed the hill . the bird saw the dog . the cat left the hill . the dog left the roof .';
const WORDS = TEXT.split(' ');
const VOCABULARY = [...new Set(WORDS)];
const IDS = Int32Array.from(WORDS.map((word) => VOCABULARY.indexOf(word)));

/** Words of a window, and of what it writes. */
export const N = 8;
export const ROUNDS = 24;
const WRITES = 12;
/** Of the optimiser, in a round. */
const STEPS = 8;

export const WINDOW = WORDS.slice(0, N);

export const schema = {
  round: {
    kind: 'number',
    min: 0,
    max: ROUNDS,
    integer: true,
    name: () => msg('rounds of training'),
  },
  training_seed: {
    kind: 'number',
    min: 0,
    max: 1000000,
    integer: true,
    name: () => msg('seed of training'),
  },
};

export const defaults = { round: ROUNDS, training_seed: 5 };

const loss = (value) => formatNumber(value, { decimals: 2 });

/** Both runs of a seed: a tenth of a second, so that moving through the rounds trains nothing anew. */
const runsOf = lastOf((experiments, seed) => {
  const run = (causal) => {
    const trained = experiments.trainAttention({
      ids: IDS,
      vocab_size: VOCABULARY.length,
      n: N,
      d_model: 16,
      d_k: 8,
      seed,
      rounds: ROUNDS,
      steps: STEPS,
      batch: 4,
      rate: 0.02,
      writes: WRITES,
      causal,
    });
    const { length: looks } = trained.losses;
    return {
      losses: [...trained.losses],
      writing: [...trained.past_losses],
      maps: planesOf(trained.weights, looks, N, N),
      written: planesOf(trained.written, looks, 1, WRITES).map(([ids]) =>
        ids.map((id) => VOCABULARY[id]).join(' '),
      ),
      even: trained.even_loss,
    };
  };
  return { with: run(true), without: run(false) };
});

export function training(experiments, state) {
  const runs = runsOf(experiments, state.training_seed);
  const at = state.round;
  const line = (run, curve) => ({
    curve: runs[run][curve],
    loss: runs[run][curve][at],
  });
  return {
    state,
    even: runs.with.even,
    lines: {
      with: line('with', 'losses'),
      without: line('without', 'losses'),
      writing: line('without', 'writing'),
    },
    maps: { with: runs.with.maps[at], without: runs.without.maps[at] },
    written: { with: runs.with.written[at], without: runs.without.written[at] },
  };
}

/** The rows of the table, how their curves are drawn, and the heads of their columns, which no language changes. */
export const LINES = [
  {
    id: 'with',
    column: 'with the mask',
    get name() {
      return msg('with the mask');
    },
    tone: 'q',
    written: 'with',
  },
  {
    id: 'without',
    column: 'without it, training',
    get name() {
      return msg('without it, training');
    },
    tone: 's',
  },
  {
    id: 'writing',
    column: 'without it, writing',
    get name() {
      return msg('without it, writing');
    },
    tone: 'w',
    written: 'without',
  },
];

export function trainingSentence({ state, lines }) {
  const [masked, without, writing] = [lines.with, lines.without, lines.writing].map((line) =>
    loss(line.loss),
  );
  if (state.round === 0)
    return msg(str`Before training both models guess: a loss of ${masked} and ${without}.`);
  return state.round === ROUNDS
    ? msg(
        str`Without the mask the training loss is ${without}, and ${writing} when it writes: it has learnt to copy the next word, which is not there yet. With the mask both are ${masked}.`,
      )
    : msg(
        str`Without the mask the training loss is ${without}, and ${writing} when it writes. With the mask both are ${masked}.`,
      );
}

export const trainingPicture = ({ lines, written }) => ({
  head: [msg('training'), msg('loss'), msg('writes')],
  rows: LINES.map(({ id, name, written: by }) => [
    name,
    loss(lines[id].loss),
    by === undefined ? '' : written[by],
  ]),
});

export const trainingRows = ({ lines, maps, written }) => [
  ['round', ...LINES.map(({ column }) => column)],
  ...lines.with.curve.map((_, round) => [round, ...LINES.map(({ id }) => lines[id].curve[round])]),
  ['map', 'query', 'key', 'weight'],
  ...['with', 'without'].flatMap((run) =>
    maps[run].flatMap((row, i) => row.map((weight, j) => [run, WINDOW[i], WINDOW[j], weight])),
  ),
  ['writes with', written.with],
  ['writes without', written.without],
];

/**
 * A small model that writes with a cache and without (slide 29): the same tokens, the token passes that each step
 * takes, and its time on this machine. State in, numbers out, by the module `decode`.
 */
import { logStops } from '../../shared/controls.js';
import { msg, str } from '../../shared/language.js';
import { formatCount as count, formatShortTime, many } from '../../shared/number.js';
import { indices, ordinal } from '../../shared/pick.js';
import { timedDecode } from '../../shared/timed-decode.js';

/** Steps that are drawn, and tokens that are written when it is timed. */
export const STEPS = 12;
const FIRST = 0;
const TIMED = { most: 256, every: 16 };
export const STOPS = logStops(1, 4096, 1).flatMap((stop) => (stop === 64 ? [64, 80] : [stop]));

const schema = {
  step: { kind: 'number', min: 0, max: STEPS, integer: true, name: () => msg('steps done') },
  n: { kind: 'number', min: 1, max: 1048576, integer: true, name: () => msg('tokens to write') },
};

const defaults = { step: 6, n: 80 };

/** The first steps of the run, which are the same each time; a run is made once for each module. */
const walks = new WeakMap();

function walkOf(decode) {
  if (!walks.has(decode)) {
    const run = decode.decodeRun({ n: STEPS });
    const steps = indices(STEPS).map(() => {
      const kept = run.stepWith();
      const anew = run.stepWithout();
      const { passes_with, passes_without } = run.state();
      return { kept, anew, passes_with, passes_without };
    });
    const { same_tokens, tokens_with, tokens_without } = run.state();
    run.close();
    walks.set(decode, {
      steps,
      same: same_tokens,
      written: [...tokens_with],
      writtenAnew: [...tokens_without],
    });
  }
  return walks.get(decode);
}

function compute(decode, state) {
  const walk = walkOf(decode);
  const done = walk.steps.slice(0, state.step);
  return {
    state,
    ...walk,
    done,
    now: done.at(-1),
    /** The first token, which is given, and those written so far. */
    read: [FIRST, ...walk.written.slice(0, state.step)],
    passes: decode.tokenPasses({ n: state.n }),
  };
}

/** Of the lengths that were measured those that were not too slow to be timed. */
export const timesOf = (measured) => measured.filter(({ problem }) => !problem);

/** What this machine took, after what was counted. */
function sayTimes(measured) {
  const times = timesOf(measured);
  if (times.length === 0) return '';
  // The first and the last, or the only one.
  const ends = [...new Set([times[0], times.at(-1)])];
  const took = (way) => {
    const [first, last] = ends.map((end) => {
      const time = formatShortTime(end[way].ms);
      const tokens = many(end[way].tokens, msg('token'), msg('tokens'));
      return msg(str`${time} at ${tokens}`);
    });
    return last === undefined ? first : msg(str`${first} and ${last}`);
  };
  const [without, kept] = [took('without'), took('with')];
  return msg(str`Here a step took ${without} without the cache, ${kept} with it.`);
}

/** What n tokens take, in a sentence of its own. */
function sayPasses({ state, passes }) {
  const tokens = many(state.n, msg('token'), msg('tokens'));
  const without = many(passes.without_cache, msg('token pass'), msg('token passes'));
  const kept = count(passes.with_cache);
  return state.n === 1
    ? msg(str`${tokens} takes ${without} without the cache, ${kept} with it.`)
    : msg(str`${tokens} take ${without} without the cache, ${kept} with it.`);
}

function sayWritten(numbers) {
  const all = sayPasses(numbers);
  if (!numbers.now) return msg(str`Nothing is written yet. ${all}`);
  return numbers.same
    ? msg(str`The same tokens either way; ${all}`)
    : msg(str`Other tokens; ${all}`);
}

const sentence = (numbers, measured = []) =>
  [sayWritten(numbers), sayTimes(measured)].filter((said) => said !== '').join(' ');

const ANSWERS = ['n', '2 n', 'n (n + 1) ÷ 2', 'n²'];

const ROWS = ['step', 'token', 'passes without', 'passes with', 'sum without', 'sum with'];
const head = () => [
  msg('step'),
  msg('token'),
  msg('passes without'),
  msg('passes with'),
  msg('sum without'),
  msg('sum with'),
];
const rowOf = ({ kept, anew, passes_with, passes_without }, i) => [
  ordinal(i),
  kept.token,
  anew.passes,
  kept.passes,
  passes_without,
  passes_with,
];

/** Times have a block of their own, as what they are is not what a pass is. */
const TIMES = ['tokens without', 'ms without', 'tokens with', 'ms with'];
const block = (head, rows) => (rows.length === 0 ? [] : [head, ...rows]);

export const model = {
  tag: 'attn-decode',
  get title() {
    return msg('Writing with a cache and without');
  },
  get summary() {
    return msg('Step by step: which keys and values are computed again, and which are kept?');
  },
  module: 'decode',
  wholeNumbers: true,
  schema,
  defaults,
  cases: [
    {
      id: 'slide',
      get label() {
        return msg('Six steps');
      },
      state: {},
    },
    {
      id: 'first',
      get label() {
        return msg('Begin');
      },
      state: { step: 1 },
    },
    {
      id: 'all',
      get label() {
        return msg('Twelve');
      },
      state: { step: STEPS },
    },
    {
      id: 'long',
      get label() {
        return many(2048, msg('token'), msg('tokens'));
      },
      state: { step: STEPS, n: 2048 },
    },
  ],
  play: ({ state }) => ({ path: 'step', value: state.step, last: STEPS }),
  measure: { fields: [], plan: (decode) => timedDecode(decode, TIMED) },
  predict: {
    get question() {
      return msg('How many token passes write n tokens without the cache?');
    },
    options: () => ANSWERS,
    isRight: (_, choice) => choice === 2,
    tell: ({ passes }) => {
      const all = count(passes.without_cache);
      return msg(str`Step t passes t tokens through the model, all steps together ${all}.`);
    },
  },
  figures: ['kv.nocache', 'deck.kv.passes.n'],
  compute,
  sentence,
  picture: ({ steps }, measured = []) => ({
    head: head(),
    rows: [
      ...steps.map((step, i) => rowOf(step, i).map(count)),
      ...block(
        [
          msg('timed'),
          '',
          msg('tokens without'),
          msg('tokens with'),
          msg('time without'),
          msg('time with'),
        ],
        timesOf(measured).map(({ n, without, with: kept }) => [
          count(n),
          '',
          count(without.tokens),
          count(kept.tokens),
          formatShortTime(without.ms),
          formatShortTime(kept.ms),
        ]),
      ),
    ],
  }),
  rows: ({ steps }, measured = []) => [
    ROWS,
    ...steps.map(rowOf),
    ...block(
      TIMES,
      timesOf(measured).map(({ without, with: kept }) => [
        without.tokens,
        without.ms,
        kept.tokens,
        kept.ms,
      ]),
    ),
  ],
};

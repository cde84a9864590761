/**
 * A small model that writes with a cache and without (slide 29): the same tokens, the token passes that each step
 * takes, and its time on this machine. State in, numbers out, by the module `cache`.
 */
import { logStops } from '../../shared/controls.js';
import { formatCount as count, formatShortTime, many } from '../../shared/number.js';
import { indices, ordinal } from '../../shared/pick.js';
import { timedDecode } from '../../shared/timed-decode.js';

/** Steps that are drawn, and tokens that are written when it is timed. */
export const STEPS = 12;
const FIRST = 0;
const TIMED = { most: 256, every: 16 };
export const STOPS = logStops(1, 4096, 1).flatMap((stop) => (stop === 64 ? [64, 80] : [stop]));

const schema = {
  step: { kind: 'number', min: 0, max: STEPS, integer: true, name: () => 'steps done' },
  n: { kind: 'number', min: 1, max: 1048576, integer: true, name: () => 'tokens to write' },
};

const defaults = { step: 6, n: 80 };

/** The first steps of the run, which are the same each time; a run is made once for each module. */
const walks = new WeakMap();

function walkOf(cache) {
  if (!walks.has(cache)) {
    const run = cache.decodeRun({ n: STEPS });
    const steps = indices(STEPS).map(() => {
      const kept = run.stepWith();
      const anew = run.stepWithout();
      const { passes_with, passes_without } = run.state();
      return { kept, anew, passes_with, passes_without };
    });
    const { same_tokens, tokens_with, tokens_without } = run.state();
    run.close();
    walks.set(cache, {
      steps,
      same: same_tokens,
      written: [...tokens_with],
      writtenAnew: [...tokens_without],
    });
  }
  return walks.get(cache);
}

function compute(cache, state) {
  const walk = walkOf(cache);
  const done = walk.steps.slice(0, state.step);
  return {
    state,
    ...walk,
    done,
    now: done.at(-1),
    /** The first token, which is given, and those written so far. */
    read: [FIRST, ...walk.written.slice(0, state.step)],
    passes: cache.tokenPasses({ n: state.n }),
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
  const took = (way) =>
    ends
      .map(({ [way]: { tokens, ms } }) => `${formatShortTime(ms)} at ${many(tokens, 'token')}`)
      .join(' and ');
  return ` Here a step took ${took('without')} without the cache, ${took('with')} with it.`;
}

function sentence({ state, now, same, passes }, measured = []) {
  const take = state.n === 1 ? 'takes' : 'take';
  const all = `${many(state.n, 'token')} ${take} ${many(passes.without_cache, 'token pass', 'token passes')} without the cache, ${count(passes.with_cache)} with it.${sayTimes(measured)}`;
  if (!now) return `Nothing is written yet. ${all}`;
  return `${same ? 'The same tokens either way' : 'Other tokens'}; ${all}`;
}

const ANSWERS = ['n', '2 n', 'n (n + 1) ÷ 2', 'n²'];

const ROWS = ['step', 'token', 'passes without', 'passes with', 'sum without', 'sum with'];
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
  title: 'Writing with a cache and without',
  summary: 'Step by step: which keys and values are computed again, and which are kept?',
  module: 'cache',
  wholeNumbers: true,
  schema,
  defaults,
  cases: [
    { id: 'slide', label: 'Six steps', state: {} },
    { id: 'first', label: 'Begin', state: { step: 1 } },
    { id: 'all', label: 'Twelve', state: { step: STEPS } },
    { id: 'long', label: '2,048 tokens', state: { step: STEPS, n: 2048 } },
  ],
  play: ({ state }) => ({ path: 'step', value: state.step, last: STEPS }),
  measure: { fields: [], plan: (cache) => timedDecode(cache, TIMED) },
  predict: {
    question: 'How many token passes write n tokens without the cache?',
    options: () => ANSWERS,
    isRight: (_, choice) => choice === 2,
    tell: ({ passes }) =>
      `Step t passes t tokens through the model, all steps together ${count(passes.without_cache)}.`,
  },
  figures: ['kv.nocache', 'deck.kv.passes.n'],
  compute,
  sentence,
  picture: ({ steps }, measured = []) => ({
    head: ROWS,
    rows: [
      ...steps.map((step, i) => rowOf(step, i).map(count)),
      ...block(
        ['timed', '', 'tokens without', 'tokens with', 'time without', 'time with'],
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

/**
 * Rotary positions, a clock for each pair (slide 25): the hands of a query at m and of a key at n, and their score.
 * State in, numbers out, by `layer.rotaryClocks`.
 */
import { msg, str } from '../../shared/language.js';
import {
  between,
  formatMagnitude,
  formatNumber,
  formatPlain,
  formatTimes,
  formatVector,
} from '../../shared/number.js';
import { countedFrom, indices, ordinal, rowsOf } from '../../shared/pick.js';

const WIDTH = 8;
export const CLOCKS = 4;
/** How far the curves go, to either side. */
const REACH = 32;
export const FROM = -32;
const LAST = 131072;
const VALUES = { min: -100, max: 100 };

/** Which two numbers each pair is. */
export const PAIRS = {
  interleaved: [
    [0, 1],
    [2, 3],
    [4, 5],
    [6, 7],
  ],
  'half-split': [
    [0, 4],
    [1, 5],
    [2, 6],
    [3, 7],
  ],
};
PAIRS.mixed = PAIRS['half-split'];

export const BASES = [100, 500, 1000, 5000, 10000, 50000, 100000, 500000, 1000000, 10000000];
export const LENGTHS = [64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768];

/** What a number of the query and of the key is called. */
export const numberName = {
  q: (i) => {
    const place = ordinal(i);
    return msg(str`query, number ${place}`);
  },
  k: (i) => {
    const place = ordinal(i);
    return msg(str`key, number ${place}`);
  },
};

const place = (name) => ({ kind: 'number', min: 0, max: LAST, integer: true, name });
const choiceOf = (name, options) => ({ kind: 'choice', options, name });
const values = (name) => ({ kind: 'vector', length: WIDTH, ...VALUES, name });

const schema = {
  m: place(() => msg('query at m')),
  n: place(() => msg('key at n')),
  shift: place(() => msg('both moved on')),
  q: values(numberName.q),
  k: values(numberName.k),
  pairing: choiceOf(() => msg('The pairs'), ['interleaved', 'half-split', 'mixed']),
  scaling: choiceOf(() => msg('The scaling'), ['none', 'linear', 'ntk', 'dynamic-ntk', 'yarn']),
  base: { kind: 'number', min: 2, max: 1e9, name: () => msg('base') },
  factor: { kind: 'number', min: 1, max: 64, name: () => msg('s, times longer') },
  original_length: {
    kind: 'number',
    min: 1,
    max: 1e6,
    integer: true,
    name: () => msg('L, tokens trained on'),
  },
  yarn_on: choiceOf(() => msg('YaRN’s factor'), ['rotary', 'softmax']),
};

const defaults = {
  m: 3,
  n: 1,
  shift: 7,
  q: [-1.5, 0, -2, 0, -3.5, 1, -3.5, -0.5],
  k: [0.5, 0.5, -2, -1.5, 1.5, 1.5, 0.5, -3],
  pairing: 'interleaved',
  scaling: 'none',
  base: 10000,
  factor: 4,
  original_length: 4096,
  yarn_on: 'rotary',
};

/** YaRN's factor on cosine and sine, as in the paper, or on the scale of the softmax, as DeepSeek sets it. */
const MSCALE_ALL_DIM = { rotary: 0, softmax: 1 };

function compute(layer, state) {
  const { yarn_on, ...asked } = state;
  const clocks = layer.rotaryClocks({
    ...asked,
    mscale: 1,
    mscale_all_dim: MSCALE_ALL_DIM[yarn_on],
    reach: REACH,
  });
  const hands = (flat) => rowsOf(flat, CLOCKS, 2);
  return {
    state,
    ...clocks,
    query: hands(clocks.query),
    key: hands(clocks.key),
    queryStart: hands(clocks.query_start),
    keyStart: hands(clocks.key_start),
    terms: [...clocks.terms],
  };
}

export const count = (value) => formatNumber(value, { decimals: 0 });
const exactly = { decimals: 6 };
export const scoreText = (value) => formatNumber(value, exactly);
export const differenceText = (value) => formatMagnitude(value);

/** A place as a pair is written: one sign parts the two and nothing else. */
const at = (m, n) => `(${formatPlain(m)}${between()}${formatPlain(n)})`;
export const placesBefore = ({ state }) => at(state.m, state.n);
export const placesNow = ({ query_at: m, key_at: n }) => at(m, n);

const reason = ({ state }) =>
  state.pairing === 'mixed'
    ? msg('mixed pairs no longer turn in circles')
    : msg('dynamic NTK turns slower in a longer text');

function sentence(numbers) {
  const { state, change } = numbers;
  const [now, before] = [placesNow(numbers), placesBefore(numbers)];
  const [score, start] = [scoreText(numbers.score), scoreText(numbers.start_score)];
  const offset = count(numbers.offset);
  if (state.shift === 0)
    return msg(str`At ${now} the score is ${score}: query and key are ${offset} tokens apart.`);
  if (change === 0)
    return msg(
      str`At ${now} the score is ${score}, as at ${before}: only the offset ${offset} counts.`,
    );
  const why = reason(numbers);
  return msg(str`At ${now} the score is ${score}, at ${before} it is ${start}: ${why}.`);
}

const answers = () => [msg('It rises'), msg('It falls'), msg('It stays')];
/** Which of the answers is right, by the sign of the change. */
const RIGHT = { 1: 0, '-1': 1, 0: 2 };

export const speed = (tokens) => formatTimes(tokens);

export const model = {
  tag: 'attn-rope',
  get title() {
    return msg('RoPE, a clock for each pair');
  },
  get summary() {
    return msg('Turn a query and a key to their positions: what does the score still depend on?');
  },
  module: 'layer',
  schema,
  defaults,
  cases: [
    {
      id: 'slide',
      get label() {
        return at(10, 8);
      },
      state: {},
    },
    {
      id: 'far',
      get label() {
        return msg('(1000, 998)');
      },
      state: { shift: 997 },
    },
    {
      id: 'one',
      get label() {
        return msg('Offset 1');
      },
      state: { m: 2 },
    },
    {
      id: 'three',
      get label() {
        return msg('Offset 3');
      },
      state: { m: 4 },
    },
    { id: 'yarn', label: 'YaRN', state: { scaling: 'yarn' } },
    {
      id: 'dynamic',
      get label() {
        return msg('Dynamic');
      },
      state: { scaling: 'dynamic-ntk', original_length: 64, shift: 997 },
    },
    {
      id: 'mixed',
      get label() {
        return msg('Mixed');
      },
      state: { pairing: 'mixed' },
    },
  ],
  play: ({ state }) => ({ path: 'shift', value: state.shift, last: 1000 }),
  predict: {
    get question() {
      return msg(
        'Query and key both move on by the same number of tokens. What does the score do?',
      );
    },
    options: answers,
    isRight: ({ change }, choice) => choice === RIGHT[change],
    tell: (numbers) => {
      const [before, now] = [scoreText(numbers.start_score), scoreText(numbers.score)];
      return msg(str`It was ${before} and is ${now}.`);
    },
  },
  figures: ['rope.same', 'rope.other', 'deck.rope.turn', 'deck.rope.yarn', 'deck.rope.mixed'],
  compute,
  sentence,
  picture: (numbers) => ({
    head: [msg('pair'), msg('tokens a turn'), msg('query hand'), msg('key hand'), msg('adds')],
    rows: indices(CLOCKS).map((i) => [
      String(ordinal(i)),
      speed(numbers.tokens_per_turn[i]),
      formatVector(numbers.query[i]),
      formatVector(numbers.key[i]),
      formatNumber(numbers.terms[i]),
    ]),
  }),
  rows: (numbers) => [
    ['pair', 'radians_per_token', 'tokens_per_turn', 'q_1', 'q_2', 'k_1', 'k_2', 'adds'],
    ...indices(CLOCKS).map((i) => [
      ordinal(i),
      numbers.frequencies[i],
      numbers.tokens_per_turn[i],
      ...numbers.query[i],
      ...numbers.key[i],
      numbers.terms[i],
    ]),
    ['m', 'n', 'score'],
    [numbers.state.m, numbers.state.n, numbers.start_score],
    [numbers.query_at, numbers.key_at, numbers.score],
    ['difference', numbers.difference],
    ['base', numbers.base],
    ['cosine_and_sine_times', numbers.rotary_factor],
    ['softmax_scale_times', numbers.softmax_factor],
    ['score_by_offset', ...countedFrom(FROM, numbers.curve.length)],
    ['now', ...numbers.curve],
    ['before', ...numbers.start_curve],
    ['unscaled', ...numbers.plain_curve],
  ],
};

/**
 * Measured in a real model (slide 34): what the heads of SmolLM2 look at in a recorded text, or those of any model in a
 * live one. State in, numbers out, by the module `reading`: scores, ranks, shares and what luck gives are all its own.
 * Layers, heads and tokens are counted from 0.
 */
import { msg, str } from '../../shared/language.js';
import { formatNumber } from '../../shared/number.js';
import { readable } from '../../shared/piece-text.js';
import {
  around,
  columnsOf,
  entryOf,
  indices,
  lastOf,
  placeOf,
  rowOf,
  within,
} from '../../shared/pick.js';

const RECORDING = 'smollm2';
/** Of the recording, in its order. */
export const TEXTS = ['fox', 'names', 'small', 'large'];
const SHUFFLES = 100;
/** Heads that a search names. */
const LISTED = 3;
export const PATTERNS = [
  {
    id: 'previous',
    get name() {
      return msg('Previous token');
    },
    get on() {
      return msg('the token before');
    },
  },
  {
    id: 'first',
    get name() {
      return msg('First token');
    },
    get on() {
      return msg('the first token');
    },
  },
  {
    id: 'induction',
    get name() {
      return msg('Induction');
    },
    get on() {
      return msg('what followed this token before');
    },
  },
];
/** Of a live reading, at most. */
const MOST = 255;

const place = (name) => ({ kind: 'number', min: 0, max: MOST, integer: true, name });

const schema = {
  text: { kind: 'choice', options: TEXTS, name: () => msg('The text') },
  first_row: {
    kind: 'number',
    min: 0,
    max: 16,
    integer: true,
    name: () => msg('from row'),
  },
  layer: place(() => msg('layer')),
  head: place(() => msg('head')),
  row: place(() => msg('query')),
  of: { kind: 'choice', options: ['head', 'mean'], name: () => msg('one head or the mean') },
  show: { kind: 'choice', options: ['weight', 'share'], name: () => msg('what is shown') },
  pattern: {
    kind: 'choice',
    options: PATTERNS.map(({ id }) => id),
    name: () => msg('the pattern'),
  },
};

const defaults = {
  text: 'fox',
  layer: 16,
  head: 0,
  row: 8,
  of: 'head',
  show: 'weight',
  pattern: 'previous',
  first_row: 4,
};

/* ---- what a whole reading gives, kept while it is looked at ---- */

const kept = new WeakMap();

function keptOf(module, reading) {
  const life = kept.get(reading);
  if (life?.module === module) return life;
  const fresh = { module, shares: new Map() };
  kept.set(reading, fresh);
  return fresh;
}

const asMaps = (weights) => (weights instanceof Uint8Array ? { parts: weights } : { weights });

function patternsOf(readings, reading, sizes) {
  const memory = keptOf(readings, reading);
  memory.patterns ??= readings.findPatterns({
    ...sizes,
    ...asMaps(reading.weights),
    ids: Int32Array.from(reading.tokens, ({ id }) => id),
    shuffles: SHUFFLES,
  });
  return memory.patterns;
}

function firstShareOf(readings, reading, sizes, firstRow) {
  const { shares } = keptOf(readings, reading);
  if (!shares.has(firstRow)) {
    const options = { ...sizes, ...asMaps(reading.weights), first_row: firstRow };
    shares.set(firstRow, readings.firstTokenShare(options));
  }
  return shares.get(firstRow);
}

const encoder = new TextEncoder();
export const pieceOf = ({ text }) => readable(encoder.encode(text));

function compute(readings, asked, { reading: live } = {}) {
  const recording = live ? undefined : readings.opened(RECORDING);
  const reading = live ?? recording.readings.find(({ id }) => id === asked.text);
  const { n_layers, n_heads, n_kv_heads } = reading.model;
  const n = reading.tokens.length;
  const sizes = { n_layers, n_heads, n };
  // A shorter text, or a smaller model, has no such row, layer or head.
  const state = {
    ...asked,
    layer: around(asked.layer, n_layers),
    head: around(asked.head, n_heads),
    row: within(asked.row, n),
    first_row: within(asked.first_row, n),
  };
  const { layer, head, row } = state;
  const ofLayer = (numbers) => rowOf(numbers, columnsOf(numbers, n_layers), layer);
  const map = readings.readMap({
    n_heads,
    n_kv_heads,
    n,
    ...asMaps(ofLayer(reading.weights)),
    value_lengths: ofLayer(reading.value_lengths),
    head: state.of === 'mean' ? undefined : head,
    row,
  });
  const patterns = patternsOf(readings, reading, sizes);
  const p = PATTERNS.findIndex(({ id }) => id === state.pattern);
  const ofPattern = (numbers) => rowOf(numbers, columnsOf(numbers, PATTERNS.length), p);
  const scores = ofPattern(patterns.scores);
  const scoreOf = (at) => {
    const [layerOf, headOf] = placeOf(at, n_heads);
    return { layer: layerOf, head: headOf, score: scores[at] };
  };
  return {
    state,
    live: Boolean(live),
    reading,
    recording,
    n_layers,
    n_heads,
    heads: scores.length,
    n,
    pieces: reading.tokens.map(pieceOf),
    map,
    row: {
      weights: rowOf(map.weights, n, row),
      shares: rowOf(map.shares, n, row),
      order: [...(state.show === 'share' ? map.by_share : map.by_weight)],
      heaviest: map.by_weight[0],
    },
    pattern: PATTERNS[p],
    rows: patterns.rows[p],
    scores,
    above: ofPattern(patterns.above),
    aboveCount: patterns.above_count[p],
    shuffledBest: patterns.shuffled_best[p],
    best: [...ofPattern(patterns.ranked)].slice(0, LISTED).map(scoreOf),
    score: entryOf(scores, n_heads, layer, head),
    first: firstShareOf(readings, reading, sizes, state.first_row),
  };
}

/* ---- in words ---- */

const two = { decimals: 2 };
/** What two places would print as nothing. */
const SMALL = 0.005;
export const shareText = (value) =>
  value !== 0 && value < SMALL ? '≈0' : formatNumber(value, two);
export const quoted = (pieces, i) => `“${pieces[i]}” (${i})`;

function headSentence(numbers) {
  const { state, pieces, row, score, shuffledBest, pattern, rows } = numbers;
  const { layer, head } = state;
  const query = pieces[state.row];
  const [most] = row.order;
  const key = pieces[most];
  const share = shareText(state.show === 'share' ? row.shares[most] : row.weights[most]);
  if (state.show === 'share') {
    return msg(
      str`Layer ${layer}, head ${head}: by value, ${share} of what arrives at “${query}” comes from “${key}”.`,
    );
  }
  if (rows === 0) {
    return msg(
      str`Layer ${layer}, head ${head}: “${query}” puts ${share} on “${key}”; no token comes twice, so no head can show induction.`,
    );
  }
  const [value, luck] = [score, shuffledBest].map(shareText);
  const { on } = pattern;
  return msg(
    str`Layer ${layer}, head ${head}: “${query}” puts ${share} on “${key}”; all rows, ${value} on ${on} (by luck ${luck}).`,
  );
}

function meanSentence({ state, pieces, row }) {
  const { layer } = state;
  const query = pieces[state.row];
  const [most] = row.order;
  const key = pieces[most];
  const share = shareText(state.show === 'share' ? row.shares[most] : row.weights[most]);
  return state.show === 'share'
    ? msg(
        str`Layer ${layer}, all heads: by value, ${share} of what arrives at “${query}” comes from “${key}”.`,
      )
    : msg(
        str`Layer ${layer}, the mean of its heads: “${query}” puts ${share} of its weight on “${key}”.`,
      );
}

const sentence = (numbers) =>
  numbers.state.of === 'mean' ? meanSentence(numbers) : headSentence(numbers);

/* ---- a guess ---- */

const GUESSES = [
  {
    get label() {
      return msg('The first token');
    },
    isRight: ({ heaviest }) => heaviest === 0,
  },
  {
    get label() {
      return msg('The token before it');
    },
    isRight: ({ heaviest, at }) => heaviest === lastOf(at),
  },
  {
    get label() {
      return msg('Itself');
    },
    isRight: ({ heaviest, at }) => heaviest === at,
  },
  {
    get label() {
      return msg('Another one');
    },
    isRight: ({ heaviest, at }) => heaviest !== 0 && heaviest !== at && heaviest !== lastOf(at),
  },
];

/** Head for head. */
function headRows({ n_heads, scores, above, pattern }) {
  return [
    ['layer', 'head', `score_${pattern.id}`, 'above_shuffled_best'],
    ...Array.from(scores, (score, at) => [...placeOf(at, n_heads), score, above[at]]),
  ];
}

export const model = {
  tag: 'attn-real-model',
  module: 'reading',
  recordings: () => [RECORDING],
  get title() {
    return msg('Measured in a real model');
  },
  get summary() {
    return msg(
      'All heads of a trained model on one sentence: which pattern is there, which is luck?',
    );
  },
  schema,
  defaults,
  cases: [
    {
      id: 'previous',
      get label() {
        return msg('Previous token');
      },
      state: {},
    },
    {
      id: 'sink',
      get label() {
        return msg('The sink');
      },
      state: { layer: 18, head: 8, pattern: 'first' },
    },
    {
      id: 'induction',
      get label() {
        return msg('Induction');
      },
      state: { text: 'names', layer: 18, head: 6, row: 13, pattern: 'induction' },
    },
    {
      id: 'small',
      get label() {
        return msg('… too small');
      },
      state: { text: 'small', layer: 13, head: 8, row: 11 },
    },
    {
      id: 'large',
      get label() {
        return msg('… too large');
      },
      state: { text: 'large', layer: 13, head: 8, row: 11 },
    },
  ],
  predict: {
    get question() {
      return msg('On which token does this row put the most weight?');
    },
    options: () => GUESSES.map(({ label }) => label),
    isRight: ({ row, state }, choice) =>
      GUESSES[choice].isRight({ heaviest: row.heaviest, at: state.row }),
  },
  figures: ['deck.smol.previous', 'deck.smol.sink', 'deck.smol.induction', 'deck.smol.first'],
  compute,
  sentence,
  picture: ({ pieces, row, state }) => ({
    head: [msg('key'), msg('weight'), msg('weight × |value|')],
    rows: row.order
      .slice(0, 8)
      .map((j) => [quoted(pieces, j), formatNumber(row.weights[j]), formatNumber(row.shares[j])]),
    weights: row.order
      .slice(0, 8)
      .map((j) => (state.show === 'share' ? row.shares[j] : row.weights[j])),
  }),
  rows: (numbers) => {
    const { map, n, pieces, state, first } = numbers;
    return [
      ['query', 'key', 'weight', 'share_by_value'],
      ...indices(n).flatMap((i) =>
        indices(n)
          .filter((j) => j <= i)
          .map((j) => [
            pieces[i],
            pieces[j],
            entryOf(map.weights, n, i, j),
            entryOf(map.shares, n, i, j),
          ]),
      ),
      ...headRows(numbers),
      ['layer', 'mean_weight_on_first_token'],
      ...Array.from(first.by_layer, (share, layer) => [layer, share]),
      ['equal_sharing', first.equal_share],
      ['rows_from_token', state.first_row],
    ];
  },
};

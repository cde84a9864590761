/**
 * Two heads of a trained model that seem to know grammar (slide 27b), in the recorded run of SmolLM2 on the sentence of the
 * trophy: one for a phrase, one for a pronoun. State in, numbers out, by the module `reading`, which also says what luck
 * gives. Layers, heads and tokens are counted from 0.
 */
import { msg, str } from '../../shared/language.js';
import { formatNumber } from '../../shared/number.js';
import { readable } from '../../shared/piece-text.js';
import { columnsOf, entryOf, indices, placeOf, rowOf } from '../../shared/pick.js';

const RECORDING = 'smollm2';
const TEXT = 'small';
/** Tokens of that text. */
const N = 16;
const SHUFFLES = 100;

/** What the two are found by: pairs of a query and its key, named by the grammar of the sentence. */
export const RELATIONS = [
  {
    id: 'syntax',
    get name() {
      return msg('Syntax');
    },
    get what() {
      return msg('the words of “in the brown suitcase” → “in”');
    },
    pairs: [
      [6, 5],
      [7, 5],
      [8, 5],
      [9, 5],
    ],
  },
  {
    id: 'coreference',
    get name() {
      return msg('Coreference');
    },
    get what() {
      return msg('“it” → “trophy”');
    },
    pairs: [[11, 1]],
  },
];
const IDS = RELATIONS.map(({ id }) => id);

const place = (max, name) => ({ kind: 'number', min: 0, max, integer: true, name });

const schema = {
  relation: { kind: 'choice', options: IDS, name: () => msg('the relation') },
  layer: place(29, () => msg('layer')),
  head: place(8, () => msg('head')),
  row: place(15, () => msg('query')),
};

const defaults = { relation: 'syntax', layer: 10, head: 1, row: 9 };

/** One search for each relation, kept while its instance lives. */
const kept = new WeakMap();

function searchOf(readings, reading, relation) {
  const found = kept.get(readings) ?? new Map();
  kept.set(readings, found);
  if (found.get(relation.id)?.reading !== reading) {
    const { n_layers, n_heads } = reading.model;
    const search = readings.findPairs({
      n_layers,
      n_heads,
      n: N,
      parts: reading.weights,
      pairs: Int32Array.from(relation.pairs.flat()),
      shuffles: SHUFFLES,
    });
    found.set(relation.id, { reading, search });
  }
  return found.get(relation.id).search;
}

const encoder = new TextEncoder();

function compute(readings, state) {
  const { model, readings: texts } = readings.opened(RECORDING);
  const reading = texts.find(({ id }) => id === TEXT);
  const { n_layers, n_heads, n_kv_heads } = model;
  const relation = RELATIONS.find(({ id }) => id === state.relation);
  const search = searchOf(readings, reading, relation);
  const { layer, head, row } = state;
  const ofLayer = (numbers) => rowOf(numbers, columnsOf(numbers, n_layers), layer);
  const map = readings.readMap({
    n_heads,
    n_kv_heads,
    n: N,
    parts: ofLayer(reading.weights),
    value_lengths: ofLayer(reading.value_lengths),
    head,
    row,
  });
  const [best] = search.ranked;
  return {
    state,
    model,
    relation,
    pieces: reading.tokens.map(({ text }) => readable(encoder.encode(text))),
    map,
    weights: rowOf(map.weights, N, row),
    shares: rowOf(map.shares, N, row),
    order: [...map.by_weight],
    pairs: relation.pairs.map(([query, key]) => ({
      query,
      key,
      weight: entryOf(map.weights, N, query, key),
    })),
    heads: search.ranked.length,
    score: entryOf(search.scores, n_heads, layer, head),
    bestPlace: placeOf(best, n_heads),
    best: search.scores[best],
    luck: search.shuffled_best[0],
    luckMean: search.shuffled_mean[0],
    isAbove: entryOf(search.above, n_heads, layer, head) === 1,
    aboveCount: search.above_count[0],
  };
}

/* ---- in words ---- */

const two = { decimals: 2 };
/** What two places would print as nothing. */
const SMALL = 0.005;
export const shareText = (value) =>
  value !== 0 && value < SMALL ? '≈0' : formatNumber(value, two);

function sentence({ state, pieces, weights, order, score, luck, isAbove, relation }) {
  const { layer, head, row } = state;
  const [most] = order;
  const [query, key] = [pieces[row], pieces[most]];
  const [share, value, by] = [weights[most], score, luck].map(shareText);
  const { what } = relation;
  return isAbove
    ? msg(
        str`Layer ${layer}, head ${head}: “${query}” puts ${share} on “${key}”; ${what}: ${value}, more than luck (${by}).`,
      )
    : msg(
        str`Layer ${layer}, head ${head}: “${query}” puts ${share} on “${key}”; ${what}: ${value}, within luck (${by}).`,
      );
}

const GUESSES = [
  {
    get label() {
      return msg('The first token');
    },
    isRight: ({ most }) => most === 0,
  },
  {
    get label() {
      return msg('“in”');
    },
    isRight: ({ most }) => most === 5,
  },
  {
    get label() {
      return msg('“trophy”');
    },
    isRight: ({ most }) => most === 1,
  },
  {
    get label() {
      return msg('Another one');
    },
    isRight: ({ most }) => ![0, 1, 5].includes(most),
  },
];

export const model = {
  tag: 'attn-trained-heads',
  module: 'reading',
  recordings: () => [RECORDING],
  get title() {
    return msg('Grammar in trained heads');
  },
  get summary() {
    return msg('Two heads of a trained model on one sentence: a phrase, a pronoun, and luck.');
  },
  schema,
  defaults,
  cases: [
    {
      id: 'syntax',
      get label() {
        return msg('Syntax');
      },
      state: {},
    },
    {
      id: 'coreference',
      get label() {
        return msg('Coreference');
      },
      state: { relation: 'coreference', layer: 13, head: 8, row: 11 },
    },
    {
      id: 'verb',
      get label() {
        return msg('The verb asks it too');
      },
      state: { relation: 'coreference', layer: 13, head: 8, row: 4 },
    },
    {
      id: 'rest',
      get label() {
        return msg('Another head');
      },
      state: { layer: 10, head: 7 },
    },
  ],
  predict: {
    get question() {
      return msg('On which token does this row put the most weight?');
    },
    options: () => GUESSES.map(({ label }) => label),
    isRight: ({ order }, choice) => GUESSES[choice].isRight({ most: order[0] }),
  },
  figures: ['deck.trained.syntax', 'deck.trained.coreference'],
  compute,
  sentence,
  picture: ({ pieces, order, weights, shares }) => ({
    head: [msg('key'), msg('weight'), msg('weight × |value|')],
    rows: order
      .slice(0, 8)
      .map((j) => [pieces[j], formatNumber(weights[j]), formatNumber(shares[j])]),
    weights: order.slice(0, 8).map((j) => weights[j]),
  }),
  rows: ({ state, pieces, map, relation, score, luck, luckMean }) => [
    ['layer', 'head', 'query', 'key', 'weight', 'share_by_value'],
    ...indices(N).flatMap((i) =>
      indices(N)
        .filter((j) => j <= i)
        .map((j) => [
          state.layer,
          state.head,
          pieces[i],
          pieces[j],
          entryOf(map.weights, N, i, j),
          entryOf(map.shares, N, i, j),
        ]),
    ),
    ['relation', 'score', 'shuffled_best', 'shuffled_mean'],
    [relation.id, score, luck, luckMean],
  ],
};

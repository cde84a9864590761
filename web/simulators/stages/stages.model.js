/**
 * The running sentence after some of the merges learnt from the lecture's corpus (slide 7). State in, numbers out, by
 * the module `tokens`.
 */
import { CORPUS, documentsOf } from '../../shared/corpus.js';
import { msg, str } from '../../shared/language.js';
import { afterMerges, learnt } from '../../shared/learnt.js';
import { UNKNOWN, readable, textParts, tokenBytes } from '../../shared/piece-text.js';
import { indices, lastOf, ordinal } from '../../shared/pick.js';

const STAGES = 5;

/** What the number of merges of a row is called. */
export const mergesOf = (place) => msg(str`merges of row ${place}`);

const schema = {
  sentence: { kind: 'text', longest: 200, name: () => msg('The sentence') },
  merges: {
    kind: 'vector',
    length: STAGES,
    min: 0,
    max: 1000,
    integer: true,
    name: (i) => mergesOf(ordinal(i)),
  },
};

const defaults = { sentence: 'the cat climbed the', merges: [0, 3, 8, 14, 40] };

function stageOf(corpus, sentence, wanted) {
  const text = (id) => readable(tokenBytes(corpus.table, id));
  const merges = corpus.left.subarray(0, wanted).length;
  const { ids, offsets } = afterMerges(corpus, sentence, merges);
  const last = lastOf(merges);
  return {
    merges,
    last:
      last < 0
        ? undefined
        : { pair: [text(corpus.left[last]), text(corpus.right[last])], count: corpus.count[last] },
    pieces: textParts(sentence, offsets).map((bytes, i) => ({
      text: readable(bytes),
      unknown: ids[i] === UNKNOWN,
    })),
  };
}

function compute(tokens, state) {
  const corpus = learnt(tokens, {
    documents: documentsOf(CORPUS),
    tie: 'first-seen',
    alphabet: 'characters',
  });
  return { state, stages: state.merges.map((merges) => stageOf(corpus, state.sentence, merges)) };
}

const spelled = (pieces) => pieces.map(({ text }) => text).join(' ');

export const model = {
  tag: 'attn-stages',
  get title() {
    return msg('A sentence after some merges');
  },
  get summary() {
    return msg('The same sentence after more and more merges: how many pieces are left?');
  },
  module: 'tokens',
  wholeNumbers: true,
  schema,
  defaults,
  cases: [
    {
      id: 'sentence',
      get label() {
        return msg('The sentence');
      },
      state: {},
    },
    { id: 'roof', label: '… roof.', state: { sentence: 'the cat climbed the roof.' } },
    {
      id: 'bird',
      get label() {
        return msg('The bird');
      },
      state: { sentence: 'the bird climbed the roof.' },
    },
  ],
  predict: {
    get question() {
      return msg('How does the sentence shrink from row to row?');
    },
    options: () => [
      msg('by about as many pieces each time'),
      msg('less and less, though merges are many'),
    ],
    isRight: (_, choice) => choice === 1,
  },
  figures: ['bpe.counts'],
  compute,
  sentence: ({ stages }) => {
    const counts = stages.map(({ pieces }) => pieces.length);
    const [from, to, all] = [counts[0], counts.at(-1), counts.join(' → ')];
    return msg(str`The sentence goes from ${from} symbols to ${to} pieces: ${all}.`);
  },
  picture: ({ stages }) => ({
    head: [msg('merges'), msg('pieces'), msg('count')],
    rows: stages.map(({ merges, pieces }) => [
      String(merges),
      spelled(pieces),
      String(pieces.length),
    ]),
  }),
  rows: ({ stages }) => [
    ['merges', 'last_left', 'last_right', 'last_count', 'count', 'pieces'],
    ...indices(stages.length).map((i) => {
      const { merges, last, pieces } = stages[i];
      const [left, right] = last?.pair ?? ['', ''];
      return [merges, left, right, last?.count ?? '', pieces.length, spelled(pieces)];
    }),
  ],
};

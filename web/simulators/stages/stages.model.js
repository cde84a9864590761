/**
 * The running sentence after some of the merges learnt from the lecture's corpus (slide 7). State in, numbers out, by
 * the module `tokens`.
 */
import { CORPUS, documentsOf } from '../../shared/corpus.js';
import { afterMerges, learnt } from '../../shared/learnt.js';
import { UNKNOWN, readable, textParts, tokenBytes } from '../../shared/piece-text.js';
import { indices, lastOf, ordinal } from '../../shared/pick.js';

const STAGES = 5;

const schema = {
  sentence: { kind: 'text', longest: 200, name: () => 'The sentence' },
  merges: {
    kind: 'vector',
    length: STAGES,
    min: 0,
    max: 1000,
    integer: true,
    name: (i) => `merges of row ${ordinal(i)}`,
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
  title: 'A sentence after some merges',
  summary: 'The same sentence after more and more merges: how many pieces are left?',
  module: 'tokens',
  wholeNumbers: true,
  schema,
  defaults,
  cases: [
    { id: 'sentence', label: 'The sentence', state: {} },
    { id: 'roof', label: '… roof.', state: { sentence: 'the cat climbed the roof.' } },
    { id: 'bird', label: 'The bird', state: { sentence: 'the bird climbed the roof.' } },
  ],
  predict: {
    question: 'How does the sentence shrink from row to row?',
    options: () => ['by about as many pieces each time', 'less and less, though merges are many'],
    isRight: (_, choice) => choice === 1,
  },
  figures: ['bpe.counts'],
  compute,
  sentence: ({ stages }) => {
    const counts = stages.map(({ pieces }) => pieces.length);
    return `The sentence goes from ${counts[0]} symbols to ${counts.at(-1)} pieces: ${counts.join(' → ')}.`;
  },
  picture: ({ stages }) => ({
    head: ['merges', 'pieces', 'count'],
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

/**
 * BPE, merge by merge (slide 8): merges learnt from a corpus and applied to a sentence, or GPT-2's own merges
 * replayed on it. State in, numbers out, by the module `tokens`; nothing is counted here.
 */
import { CORPUS, documentsOf } from '../../shared/corpus.js';
import { afterMerges, learnt } from '../../shared/learnt.js';
import { hexOf, readable, tokenBytes } from '../../shared/piece-text.js';
import { indices, lastOf, ordinal, partOf } from '../../shared/pick.js';

const MOST_MERGES = 1000;
/** More than the bytes of the longest sentence. */
const ALL = 4000;
const CANDIDATES = 8;
const GUESSES = 4;
/** A longer sentence is not spelled out again in the answer: it stands above, and nobody would hear it out. */
const SPELLED = 40;

const schema = {
  view: { kind: 'choice', options: ['corpus', 'gpt2'], name: () => 'merges of' },
  sentence: { kind: 'text', longest: 1000, name: () => 'The sentence' },
  corpus: { kind: 'text', longest: 20000, name: () => 'The corpus' },
  tie: { kind: 'choice', options: ['first-seen', 'lowest-bytes'], name: () => 'equal counts' },
  alphabet: { kind: 'choice', options: ['characters', 'bytes'], name: () => 'begins with' },
  merges: { kind: 'number', min: 0, max: MOST_MERGES, integer: true, name: () => 'merge' },
  replayed: { kind: 'number', min: 0, max: ALL, integer: true, name: () => 'merge' },
};

const defaults = {
  view: 'corpus',
  sentence: 'the cat climbed the',
  corpus: CORPUS,
  tie: 'first-seen',
  alphabet: 'characters',
  merges: 40,
  replayed: ALL,
};

/** The pieces of a text as the reader sees them. `halves` maps a token to the two it was made of. */
const drawnPieces = (ids, text, halves) =>
  ids.map((id, i) => ({ id, text: text(id, i), seam: halves?.get(i), unknown: id === -1 }));

const pair = (text, left, right) => [text(left), text(right)];

function inCorpus(tokens, state) {
  const { tie, alphabet } = state;
  const options = { documents: documentsOf(state.corpus), tie, alphabet };
  const corpus = learnt(tokens, options);
  const texts = indices(lastOf(corpus.table.offsets.length)).map((id) =>
    readable(tokenBytes(corpus.table, id)),
  );
  const text = (id) => texts[id];

  const trainer = tokens.train(options);
  trainer.step(state.merges);
  const now = trainer.state(CANDIDATES);
  trainer.close();
  const shown = now.merges;
  const { ids, start, met, offsets } = afterMerges(corpus, state.sentence, shown);
  const done = lastOf(shown);
  const last = corpus.result[done];
  const characters = new TextEncoder().encode(state.sentence);
  const bytesAt = (i) => characters.subarray(offsets.byte_begin[i], offsets.byte_end[i]);
  const halves = new Map(
    ids.flatMap((id, i) =>
      id === last ? [[i, pair(text, corpus.left[done], corpus.right[done])]] : [],
    ),
  );
  return {
    shown,
    total: corpus.left.length,
    baseCount: corpus.baseCount,
    steps: Array.from(corpus.left, (left, rank) => ({
      rank,
      pair: pair(text, left, corpus.right[rank]),
      result: text(corpus.result[rank]),
      count: corpus.count[rank],
      replaced: corpus.replaced[rank],
    })),
    candidates: Array.from(now.candidate_left, (left, i) => ({
      pair: pair(text, left, now.candidate_right[i]),
      count: now.candidate_count[i],
    })),
    words: Array.from(now.word_frequency, (frequency, i) => ({
      frequency,
      pieces: Array.from(partOf(now.pieces, now.word_begin, i), text),
    })),
    start,
    touched: Array.from(met, ordinal),
    pieces: drawnPieces(ids, (_, i) => readable(bytesAt(i)), halves),
    bytes: ids.map((_, i) => hexOf(bytesAt(i))),
    offsets,
  };
}

function inGpt2(tokens, state) {
  const gpt2 = tokens.opened('gpt2');
  const replay = gpt2.replay(state.sentence, { steps: state.replayed });
  const ids = [...replay.shown_ids];
  const offsets = gpt2.offsets(state.sentence, ids);
  const of = (id) => gpt2.decodeBytes([id]);
  const text = (id) => readable(of(id));
  const shown = replay.shown_steps;
  const done = lastOf(shown);
  const merged = new Set(shown > 0 ? partOf(replay.places, replay.place_begin, done) : []);
  const halves = new Map(
    [...replay.shown_begin].flatMap((begin, i) =>
      merged.has(begin) ? [[i, pair(text, replay.left[done], replay.right[done])]] : [],
    ),
  );
  return {
    shown,
    total: replay.rank.length,
    steps: Array.from(replay.rank, (rank, i) => ({
      rank,
      pair: pair(text, replay.left[i], replay.right[i]),
      result: text(replay.result[i]),
    })),
    start: replay.start.length,
    pieces: drawnPieces(ids, text, halves),
    bytes: ids.map((id) => hexOf(of(id))),
    offsets,
  };
}

function compute(tokens, state) {
  return { state, ...(state.view === 'gpt2' ? inGpt2(tokens, state) : inCorpus(tokens, state)) };
}

const joined = (parts) => parts.join(' + ');
const spelled = (pieces) => `“${pieces.map(({ text }) => text).join(' ')}”`;
const plural = (count, word) => `${count} ${word}${count === 1 ? '' : 's'}`;

function sentence({ state, shown, total, pieces, touched }) {
  if (pieces.length === 0) return 'There is nothing to cut yet: type a sentence.';
  const spelling = pieces.length > SPELLED ? '' : `: ${spelled(pieces)}`;
  const cut = `${plural(pieces.length, 'piece')}${spelling}`;
  if (state.view === 'gpt2') {
    return shown === total
      ? `GPT-2 reads ${plural(pieces.length, 'token')}${spelling}.`
      : `After ${shown} of the ${total} merges that GPT-2 applies here, the sentence is ${cut}.`;
  }
  if (total === 0) return 'There is no pair to merge in this corpus: type a longer one.';
  return `After ${shown} of ${plural(total, 'merge')}, ${touched.length} of them met here, the sentence is ${cut}.`;
}

/** The pairs that a reader may choose from, in an order that gives nothing away. */
const guesses = ({ candidates = [] }) =>
  candidates
    .slice(0, GUESSES)
    .map(({ pair: parts }, place) => ({ label: joined(parts), place }))
    .sort((a, b) => (a.label < b.label ? -1 : 1));

export const model = {
  tag: 'attn-bpe',
  title: 'BPE, merge by merge',
  summary: 'Which pair of neighbours is merged next, and what becomes of the sentence?',
  module: 'tokens',
  vocabularies: ({ view }) => (view === 'gpt2' ? ['gpt2'] : []),
  wholeNumbers: true,
  schema,
  defaults,
  cases: [
    { id: 'sentence', label: 'The sentence', state: {} },
    { id: 'roof', label: '… roof.', state: { sentence: 'the cat climbed the roof.' } },
    { id: 'bird', label: 'The bird', state: { sentence: 'the bird climbed the roof.' } },
    { id: 'portuguese', label: 'Português', state: { sentence: 'o gato subiu no telhado.' } },
    { id: 'gpt2', label: 'GPT-2', state: { view: 'gpt2' } },
  ],
  play: ({ state, shown, total }) => ({
    path: state.view === 'gpt2' ? 'replayed' : 'merges',
    value: shown,
    last: total,
  }),
  predict: {
    question: 'Which pair is merged next?',
    possible: ({ candidates = [] }) => candidates.length > 1,
    options: (numbers) => guesses(numbers).map(({ label }) => label),
    isRight: (numbers, choice) => guesses(numbers)[choice].place === 0,
  },
  figures: [
    'bpe.counts',
    'bpe.merges',
    'bpe.touch',
    'bpe.chars',
    'bpe.case0',
    'bpe.case1',
    'bpe.case2',
    'bpe.pt',
  ],
  compute,
  sentence,
  picture: ({ pieces, bytes, offsets }) => ({
    head: ['piece', 'id', 'bytes', 'from byte', 'to byte'],
    rows: pieces.map(({ text, id }, i) => [
      text,
      String(id),
      bytes[i],
      String(offsets.byte_begin[i]),
      String(offsets.byte_end[i]),
    ]),
  }),
  rows: ({ state, shown, steps, pieces, bytes, offsets }) => [
    ['piece', 'id', 'bytes', 'byte_begin', 'byte_end', 'utf16_begin', 'utf16_end'],
    ...pieces.map(({ text, id }, i) => [
      text,
      id,
      bytes[i],
      offsets.byte_begin[i],
      offsets.byte_end[i],
      offsets.utf16_begin[i],
      offsets.utf16_end[i],
    ]),
    ['merge', 'left', 'right', 'result', 'count', 'replaced'],
    ...indices(shown).map((i) => {
      const { rank, pair: parts, result, count = '', replaced = '' } = steps[i];
      return [state.view === 'gpt2' ? rank : ordinal(i), ...parts, result, count, replaced];
    }),
  ],
};

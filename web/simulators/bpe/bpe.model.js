/**
 * BPE, merge by merge (slide 8): merges learnt from a corpus and applied to a sentence, or GPT-2's own merges
 * replayed on it. State in, numbers out, by the module `tokens`; nothing is counted here.
 */
import { CORPUS, documentsOf } from '../../shared/corpus.js';
import { msg, str } from '../../shared/language.js';
import { MOST_MERGES, afterMerges, learnt } from '../../shared/learnt.js';
import { formatCount, many } from '../../shared/number.js';
import { UNKNOWN, hexOf, readable, textParts, tokenBytes } from '../../shared/piece-text.js';
import { indices, lastOf, ordinal, partOf } from '../../shared/pick.js';

/** More than the bytes of the longest sentence. */
const ALL = 4000;
const CANDIDATES = 8;
const GUESSES = 4;
/** Distinct words that are drawn; a long corpus has thousands. */
const WORDS = 60;
/** More pieces than these are not spelled out again in the answer: they stand above, and nobody would hear them out. */
const SPELLED = 12;
const SPELLED_LONGEST = 40;
const PAIR_LONGEST = 20;

const schema = {
  view: { kind: 'choice', options: ['corpus', 'gpt2'], name: () => msg('The choice of merges') },
  sentence: { kind: 'text', longest: 1000, name: () => msg('The sentence') },
  corpus: { kind: 'text', longest: MOST_MERGES, name: () => msg('The corpus') },
  tie: {
    kind: 'choice',
    options: ['first-seen', 'lowest-bytes'],
    name: () => msg('The rule for equal counts'),
  },
  alphabet: {
    kind: 'choice',
    options: ['characters', 'bytes'],
    name: () => msg('What words begin as'),
  },
  merges: { kind: 'number', min: 0, max: MOST_MERGES, integer: true, name: () => msg('merge') },
  replayed: { kind: 'number', min: 0, max: ALL, integer: true, name: () => msg('merge') },
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

const pair = (text, left, right) => [text(left), text(right)];

/** The tokens of a sentence as the reader sees them; `isFresh(i)`: whether the step just done joined its pair there. */
function drawn(sentence, ids, offsets, isFresh, step) {
  const parts = textParts(sentence, offsets);
  return {
    pieces: parts.map((bytes, i) => ({
      id: ids[i],
      text: readable(bytes),
      seam: isFresh(i) ? step.pair : undefined,
      unknown: ids[i] === UNKNOWN,
    })),
    bytes: parts.map(hexOf),
    offsets,
  };
}

/** @type {WeakMap<object, {texts: string[], steps: object[]}>} */
const spelledOut = new WeakMap();

/** The tokens and merges of a corpus as the reader sees them, spelled out once for each corpus. */
function inWords(corpus) {
  const known = spelledOut.get(corpus);
  if (known) return known;
  const texts = indices(lastOf(corpus.table.offsets.length)).map((id) =>
    readable(tokenBytes(corpus.table, id)),
  );
  const text = (id) => texts[id];
  const steps = Array.from(corpus.left, (left, rank) => ({
    rank,
    pair: pair(text, left, corpus.right[rank]),
    result: text(corpus.result[rank]),
    count: corpus.count[rank],
    replaced: corpus.replaced[rank],
  }));
  const made = { texts, steps };
  spelledOut.set(corpus, made);
  return made;
}

function inCorpus(tokens, state) {
  const { tie, alphabet } = state;
  const options = { documents: documentsOf(state.corpus), tie, alphabet };
  const corpus = learnt(tokens, options);
  const { texts, steps } = inWords(corpus);
  const text = (id) => texts[id];

  const trainer = tokens.train(options);
  trainer.step(state.merges);
  const now = trainer.state(CANDIDATES);
  trainer.close();
  const shown = now.merges;
  const { ids, start, met, offsets } = afterMerges(corpus, state.sentence, shown);
  const newest = corpus.result[lastOf(shown)];
  return {
    shown,
    total: corpus.left.length,
    baseCount: corpus.baseCount,
    steps,
    candidates: Array.from(now.candidate_left, (left, i) => ({
      pair: pair(text, left, now.candidate_right[i]),
      count: now.candidate_count[i],
    })),
    wordCount: now.word_frequency.length,
    words: Array.from(now.word_frequency.subarray(0, WORDS), (frequency, i) => ({
      frequency,
      pieces: Array.from(partOf(now.pieces, now.word_begin, i), text),
    })),
    start,
    touched: Array.from(met, ordinal),
    ...drawn(state.sentence, ids, offsets, (i) => ids[i] === newest, steps[lastOf(shown)]),
  };
}

function inGpt2(tokens, state) {
  const gpt2 = tokens.opened('gpt2');
  const replay = gpt2.replay(state.sentence, { steps: state.replayed });
  const shown = replay.shown_steps;
  const ids = [...replay.shown_ids];
  const text = (id) => readable(gpt2.decodeBytes([id]));
  const steps = Array.from(replay.rank, (rank, i) => ({
    rank,
    pair: pair(text, replay.left[i], replay.right[i]),
    result: text(replay.result[i]),
  }));
  const done = lastOf(shown);
  const merged = new Set(shown > 0 ? partOf(replay.places, replay.place_begin, done) : []);
  return {
    shown,
    total: steps.length,
    steps,
    start: replay.start.length,
    ...drawn(
      state.sentence,
      ids,
      gpt2.offsets(state.sentence, ids),
      (i) => merged.has(replay.shown_begin[i]),
      steps[done],
    ),
  };
}

function compute(tokens, state) {
  return { state, ...(state.view === 'gpt2' ? inGpt2(tokens, state) : inCorpus(tokens, state)) };
}

const joined = (parts) => parts.join(' + ');

/** The pieces themselves, while they are few and short. */
function spelling(pieces) {
  const text = pieces.map((piece) => piece.text).join(' ');
  return pieces.length > SPELLED || text.length > SPELLED_LONGEST ? '' : `: “${text}”`;
}

/** After some of the merges. A pair of long pieces is read in the line above; GPT-2's merges are all this text's own. */
function midway({ at, last, pair, cut, met }) {
  if (pair.length > PAIR_LONGEST) {
    return met === undefined
      ? msg(str`Merge ${at} of ${last}. The sentence is ${cut}.`)
      : msg(str`Merge ${at} of ${last}. The sentence is ${cut}; ${met} have met it.`);
  }
  return met === undefined
    ? msg(str`Merge ${at} of ${last} joined ${pair}. The sentence is ${cut}.`)
    : msg(str`Merge ${at} of ${last} joined ${pair}. The sentence is ${cut}; ${met} have met it.`);
}

function sentence({ state, shown, total, steps, pieces, touched }) {
  if (pieces.length === 0) return msg('There is nothing to cut yet: type a sentence.');
  const gpt2 = state.view === 'gpt2';
  if (total === 0 && !gpt2) {
    return msg('There is no pair to merge in this corpus: type a longer one.');
  }
  const cut = `${many(pieces.length, msg('piece'), msg('pieces'))}${spelling(pieces)}`;
  if (shown === 0) {
    const merges = many(total, msg('merge'), msg('merges'));
    return msg(str`Before the first of ${merges} the sentence is ${cut}.`);
  }
  if (gpt2 && shown === total) {
    const tokens = `${many(pieces.length, msg('token'), msg('tokens'))}${spelling(pieces)}`;
    return msg(str`GPT-2 reads ${tokens}.`);
  }
  return midway({
    at: formatCount(shown),
    last: formatCount(total),
    pair: joined(steps[lastOf(shown)].pair),
    cut,
    met: gpt2 ? undefined : formatCount(touched.length),
  });
}

/** The pairs that a reader may choose from, in an order that gives nothing away. */
const guesses = ({ candidates = [] }) =>
  candidates
    .slice(0, GUESSES)
    .map(({ pair: parts }, place) => ({ label: joined(parts), place }))
    .sort((a, b) => (a.label < b.label ? -1 : 1));

export const model = {
  tag: 'attn-bpe',
  get title() {
    return msg('BPE, merge by merge');
  },
  get summary() {
    return msg('Which pair of neighbours is merged next, and what becomes of the sentence?');
  },
  module: 'tokens',
  vocabularies: ({ view }) => (view === 'gpt2' ? ['gpt2'] : []),
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
    { id: 'portuguese', label: 'Português', state: { sentence: 'o gato subiu no telhado.' } },
    { id: 'gpt2', label: 'GPT-2', state: { view: 'gpt2' } },
  ],
  play: ({ state, shown, total }) => ({
    path: state.view === 'gpt2' ? 'replayed' : 'merges',
    value: shown,
    last: total,
  }),
  predict: {
    get question() {
      return msg('Which pair is merged next?');
    },
    possible: ({ candidates = [] }) => candidates.length > 1,
    options: (numbers) => guesses(numbers).map(({ label }) => label),
    isRight: (numbers, choice) => guesses(numbers)[choice].place === 0,
    tell: ({ candidates: [{ pair: parts, count }] }) => {
      const [next, times] = [joined(parts), formatCount(count)];
      return count === 1
        ? msg(str`It is ${next}, counted ${times} time.`)
        : msg(str`It is ${next}, counted ${times} times.`);
    },
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
    head: [msg('piece'), msg('id'), msg('bytes'), msg('from byte'), msg('to byte')],
    rows: pieces.map(({ text, id }, i) => [
      text,
      id === UNKNOWN ? msg('none', { id: 'noId' }) : String(id),
      bytes[i],
      String(offsets.byte_begin[i]),
      String(offsets.byte_end[i]),
    ]),
  }),
  rows: ({ state, shown, steps, pieces, bytes, offsets }) => [
    ['piece', 'id', 'bytes', 'byte_begin', 'byte_end', 'utf16_begin', 'utf16_end'],
    ...pieces.map(({ text, id }, i) => [
      text,
      id === UNKNOWN ? '' : id,
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

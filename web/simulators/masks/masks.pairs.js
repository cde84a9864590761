/** The first view in numbers: a row of tokens under four masks, and what a change or padding does to its outputs. */
import { msg, str } from '../../shared/language.js';
import { formatNumber } from '../../shared/number.js';
import { indices, ordinal, rowsOf } from '../../shared/pick.js';

/** The running sentence and a second document. */
const TOKENS = ['the', '␣cat', '␣climb', 'ed', '␣the', '␣roof', '.', '␣birds', '␣sing', '.'];
export const MOST = { tokens: TOKENS.length, pads: 6, rows: 16 };

const counted = (name, min, max) => ({ kind: 'number', min, max, integer: true, name });
const oneOf = (name, options) => ({ kind: 'choice', options, name });
const SWITCH = ['on', 'off'];

export const schema = {
  causal: oneOf(() => msg('The causal mask'), SWITCH),
  padding: oneOf(() => msg('The padding mask'), SWITCH),
  window: counted(() => msg('window'), 0, MOST.rows),
  document: oneOf(() => msg('The document mask'), SWITCH),
  tokens: counted(() => msg('tokens'), 1, MOST.tokens),
  pads: counted(() => msg('padding'), 0, MOST.pads),
  side: oneOf(() => msg('The side of the padding'), ['right', 'left']),
  first_document: counted(() => msg('tokens of the first document'), 0, MOST.tokens),
  asks: counted(() => msg('queries'), 0, MOST.rows),
  compare: oneOf(() => msg('What is compared'), ['token', 'nan', 'padding']),
  changed: counted(() => msg('row that changes'), 1, MOST.rows),
  positions: oneOf(() => msg('The positions'), ['none', 'row', 'real']),
  seed: counted(() => msg('seed'), 0, 1000000),
};

export const defaults = {
  causal: 'on',
  padding: 'off',
  window: 0,
  document: 'off',
  tokens: 6,
  pads: 0,
  side: 'right',
  first_document: 0,
  asks: 0,
  compare: 'token',
  changed: 3,
  positions: 'none',
  seed: 37,
};

export const count = (value) => formatNumber(value, { decimals: 0 });
export const two = (value) => formatNumber(value, { decimals: 2, trim: value === 0 });

const isOn = (value) => value === 'on';

/** A number of rows that the state asks for, as far as there are rows. */
const within = (wanted, rows) => (wanted > rows ? rows : wanted);

export function pairs(experiments, asked) {
  const { tokens, pads, compare } = asked;
  const scene = {
    seed: asked.seed,
    tokens,
    pads,
    pads_left: asked.side === 'left',
    first_document: asked.first_document,
    positions: asked.positions,
    causal: isOn(asked.causal),
    hides_padding: isOn(asked.padding),
    parts_documents: isOn(asked.document),
    ...(asked.window > 0 ? { window: asked.window } : {}),
  };
  const { length: rows } = [...indices(tokens), ...indices(pads)];
  // In a shorter row the last one stands for one that is no longer there.
  const changed = within(asked.changed, rows);
  const effect = experiments.maskEffect({
    ...scene,
    ...(asked.asks > 0 ? { asks: within(asked.asks, rows) } : {}),
    ...(compare === 'padding' ? {} : { changed, to_nan: compare === 'nan' }),
  });
  const { n, n_q } = effect;
  const side = (name) => ({
    weights: rowsOf(effect[`${name}_weights`], n_q, n),
    moved: [...effect[compare === 'padding' ? `${name}_padded_by` : `${name}_moved`]].map(
      (value) => (value === 0 ? 0 : 1),
    ),
    by: [...effect[compare === 'padding' ? `${name}_padded_by` : `${name}_moved_by`]],
    rows: effect[`${name}_moved_rows`],
    most: effect[`${name}_padded_most`],
  });
  const named = [...effect.token].map((token) => (token < 0 ? 'pad' : TOKENS[token]));
  const places = indices(n).toReversed().slice(0, n_q).toReversed();
  return {
    state: asked,
    changed,
    n,
    n_q,
    /** Of each query: its place in the row, its name, the keys left to it. */
    queries: places.map((place, i) => ({
      place,
      name: named[place],
      isPad: effect.token[place] < 0,
      isChanged: compare !== 'padding' && ordinal(place) === changed,
      seen: effect.seen[i],
    })),
    allowed: rowsOf(effect.allowed, n_q, n),
    blind: effect.seen.filter((keys) => keys === 0).length,
    open: side('open'),
    masked: side('masked'),
  };
}

/** Names of the masks that are on; no text where none is. */
function masksOn({ causal, padding, window, document: parted }) {
  const size = count(window);
  const names = [
    isOn(causal) && msg('causal'),
    isOn(padding) && msg('padding'),
    window > 0 && msg(str`window of ${size}`),
    isOn(parted) && msg('document'),
  ];
  return names.filter(Boolean).join(', ');
}

function paddingTold({ state, open, masked }) {
  const masks = masksOn(state);
  const pads = count(state.pads);
  const without = formatNumber(open.most, { decimals: 2, trim: open.most === 0 });
  const kept = masked.most === 0 ? msg('exactly 0') : two(masked.most);
  return masks === ''
    ? msg(
        str`${pads} rows of padding move the real outputs by up to ${without} without a mask; with none on: ${kept}.`,
      )
    : msg(
        str`${pads} rows of padding move the real outputs by up to ${without} without a mask; masked (${masks}): ${kept}.`,
      );
}

function changeTold({ state, changed, n_q, open, masked }) {
  const masks = masksOn(state);
  const [row, outputs, without, kept] = [changed, n_q, open.rows, masked.rows].map(count);
  if (state.compare === 'nan')
    return masks === ''
      ? msg(
          str`Row ${row} becomes NaN: without a mask ${without} of ${outputs} outputs move; with none on: ${kept}.`,
        )
      : msg(
          str`Row ${row} becomes NaN: without a mask ${without} of ${outputs} outputs move; masked (${masks}): ${kept}.`,
        );
  return masks === ''
    ? msg(
        str`Row ${row} changes: without a mask ${without} of ${outputs} outputs move; with none on: ${kept}.`,
      )
    : msg(
        str`Row ${row} changes: without a mask ${without} of ${outputs} outputs move; masked (${masks}): ${kept}.`,
      );
}

function queriesTold({ n, n_q, queries }) {
  const asking = count(n_q);
  return queries.at(-1).seen === n
    ? msg(str`The last ${asking} rows ask, and the last sees all.`)
    : msg(str`The last ${asking} rows ask.`);
}

export function pairsSentence(numbers) {
  const { state, n, n_q } = numbers;
  const blind = count(numbers.blind);
  const isPadding = state.compare === 'padding';
  const sentences = [
    isPadding ? paddingTold(numbers) : changeTold(numbers),
    !isPadding && n_q !== n && queriesTold(numbers),
    numbers.blind > 0 && msg(str`Rows that see nothing give zeros: ${blind}.`),
  ];
  return sentences.filter(Boolean).join(' ');
}

export const pairsPicture = ({ queries, open, masked }) => ({
  head: [msg('row'), msg('token'), msg('sees'), msg('moves without'), msg('moves with')],
  rows: queries.map(({ place, name, seen }, i) => [
    count(ordinal(place)),
    name,
    count(seen),
    two(open.by[i]),
    two(masked.by[i]),
  ]),
});

/** NaN that came out of NaN that was put in is an answer, and said in a word. */
const toldMove = (by) => (Number.isNaN(by) ? 'NaN' : by);

export const pairsRows = ({ queries, allowed, open, masked }) => [
  ['row', 'token', 'sees', 'moves_without', 'moves_with', 'allowed', 'weights'],
  ...queries.map(({ place, name, seen }, i) => [
    ordinal(place),
    name,
    seen,
    toldMove(open.by[i]),
    toldMove(masked.by[i]),
    allowed[i].join(' '),
    masked.weights[i].join(' '),
  ]),
];

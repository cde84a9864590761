/** The first view in numbers: a row of tokens under four masks, and what a change or padding does to its outputs. */
import { formatNumber } from '../../shared/number.js';
import { indices, ordinal, rowsOf } from '../../shared/pick.js';

/** The running sentence and a second document. */
const TOKENS = ['the', '␣cat', '␣climb', 'ed', '␣the', '␣roof', '.', '␣birds', '␣sing', '.'];
export const MOST = { tokens: TOKENS.length, pads: 6, rows: 16 };

const counted = (name, min, max) => ({ kind: 'number', min, max, integer: true, name: () => name });
const oneOf = (name, options) => ({ kind: 'choice', options, name: () => name });
const SWITCH = ['on', 'off'];

export const schema = {
  causal: oneOf('The causal mask', SWITCH),
  padding: oneOf('The padding mask', SWITCH),
  window: counted('window', 0, MOST.rows),
  document: oneOf('The document mask', SWITCH),
  tokens: counted('tokens', 1, MOST.tokens),
  pads: counted('padding', 0, MOST.pads),
  side: oneOf('The side of the padding', ['right', 'left']),
  first_document: counted('tokens of the first document', 0, MOST.tokens),
  asks: counted('queries', 0, MOST.rows),
  compare: oneOf('What is compared', ['token', 'nan', 'padding']),
  changed: counted('row that changes', 1, MOST.rows),
  positions: oneOf('The positions', ['none', 'row', 'real']),
  seed: counted('seed', 0, 1000000),
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

/** Names of the masks that are on. */
function masksOn({ causal, padding, window, document: parted }) {
  const names = [
    isOn(causal) && 'causal',
    isOn(padding) && 'padding',
    window > 0 && `window of ${count(window)}`,
    isOn(parted) && 'document',
  ].filter(Boolean);
  return names.length === 0 ? 'with none on' : `masked (${names.join(', ')})`;
}

export function pairsSentence({ state, changed, n, n_q, queries, open, masked, blind }) {
  const hides = blind > 0 ? ` Rows that see nothing give zeros: ${count(blind)}.` : '';
  if (state.compare === 'padding') {
    return `${count(state.pads)} rows of padding move the real outputs by up to ${formatNumber(open.most, { decimals: 2, trim: open.most === 0 })} without a mask; ${masksOn(state)}: ${masked.most === 0 ? 'exactly 0' : two(masked.most)}.${hides}`;
  }
  const what = state.compare === 'nan' ? 'becomes NaN' : 'changes';
  const asked =
    n_q === n
      ? ''
      : ` The last ${count(n_q)} rows ask${queries.at(-1).seen === n ? ', and the last sees all' : ''}.`;
  return `Row ${count(changed)} ${what}: without a mask ${count(open.rows)} of ${count(n_q)} outputs move; ${masksOn(state)}: ${count(masked.rows)}.${asked}${hides}`;
}

export const pairsPicture = ({ queries, open, masked }) => ({
  head: ['row', 'token', 'sees', 'moves without', 'moves with'],
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

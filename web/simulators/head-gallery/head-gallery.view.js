/** How it is drawn: five small maps to choose from, the chosen one with its numbers, and one query worked out. */
import { html, nothing, svg } from 'lit';
import { choice, select, shown, slider, withheld } from '../../shared/controls.js';
import { frame } from '../../shared/frame.js';
import { msg, str } from '../../shared/language.js';
import { matrixTable } from '../../shared/matrix-table.js';
import { between, formatExact, formatNumber, formatWeight } from '../../shared/number.js';
import { indices, ordinal } from '../../shared/pick.js';
import { stepsTable } from '../../shared/steps-table.js';
import { squares } from './head-gallery.layout.js';
import { COLUMNS, HEADS, N, WORDS, columnName, model } from './head-gallery.model.js';

const short = (value) => formatNumber(value, { decimals: 3, trim: true });
/** A weight: it is seen to change, and its exact value is one hover away. */
const weight = (value) =>
  html`<span class="num" data-num title=${String(value)}>${formatWeight(value)}</span>`;
const pair = (values) => `[${values.map(short).join(between())}]`;

/** A word and its place, as rows and columns are called. */
const named = (words, t) =>
  html`<span class="token">${words[t]}<span class="place">${ordinal(t)}</span></span>`;

/* ---- the gallery ---- */

const small = (map) =>
  html`<svg class="small-map" viewBox="-1 -1 52 52" aria-hidden="true">
    ${squares(map).map(
      ({ x, y, step }) =>
        svg`<rect class="small-${step}" x=${x} y=${y} width="9" height="9"></rect>`,
    )}
  </svg>`;

const tabs = ({ state, maps }, ui) =>
  html`<div class="gallery-tabs">
    ${choice(ui, {
      path: 'head',
      value: state.head,
      legend: msg('Head'),
      options: HEADS.map(({ id, name }, h) => ({
        value: id,
        label: html`<span class="gallery-tab"
          >${ui?.answerHidden ? nothing : small(maps[h])}${name}</span
        >`,
      })),
    })}
  </div>`;

/* ---- controls ---- */

const wordThere = (t) => {
  const place = ordinal(t);
  return msg(str`${place}, the word there`);
};

const sentenceOf = ({ words }, ui) =>
  html`<div class="gallery-words" role="group" aria-label=${msg('The sentence')}>
    ${words.map((text, t) =>
      select(ui, {
        path: `word_${ordinal(t)}`,
        value: text,
        label: String(ordinal(t)),
        name: wordThere(t),
        options: WORDS.map((value) => ({ value, label: value })),
      }),
    )}
  </div>`;

const controls = (numbers, ui) =>
  html`<div class="gallery-controls">
    ${sentenceOf(numbers, ui)}
    ${slider(ui, {
      path: 'row',
      value: numbers.state.row,
      label: msg('query'),
      name: msg('query token'),
      min: 1,
      max: N,
      step: 1,
      tone: 'q',
    })}
    ${slider(ui, {
      path: 'loud',
      value: numbers.state.loud,
      label: msg('loudness'),
      name: msg('loudness of the queries'),
      min: 0,
      max: 16,
      step: 0.5,
      tone: 'q',
    })}
  </div>`;

/* ---- the chosen head ---- */

const map = ({ words, weights, at }, ui) =>
  matrixTable({
    name: msg('A: its weights'),
    spoken: msg('queries down, keys across'),
    tone: 'w',
    rows: weights,
    rowNames: words.map((_, t) => named(words, t)),
    columnNames: words.map((_, t) => named(words, t)),
    corner: msg('query'),
    full: ui?.answerHidden ? undefined : 1,
    masked: (i, j) => j > i,
    now: at,
    cell: ui?.answerHidden ? () => withheld : weight,
  });

/** The columns of X that this head reads. */
function read({ words, X, head, at }) {
  const ids = [...head.q, ...head.k, ...head.v].map(([id]) => id);
  const columns = indices(COLUMNS.length).filter((c) => ids.includes(COLUMNS[c].id));
  return matrixTable({
    name: msg('X: what it reads'),
    rows: X.map((row) => columns.map((c) => row[c])),
    rowNames: words.map((_, t) => named(words, t)),
    columnNames: columns.map((c) => COLUMNS[c].name),
    corner: msg('token'),
    now: at,
    cell: (value) => html`<span class="num" data-num>${short(value)}</span>`,
  });
}

/** What the two numbers are, in words: [−clock y, clock x]. */
const readBy = (columns) => {
  const names = columns.map(([id, factor = 1]) => {
    if (factor === 1) return columnName(id);
    return factor === -1 ? `−${columnName(id)}` : `${short(factor)} × ${columnName(id)}`;
  });
  return `[${[...names, '0'].slice(0, 2).join(between())}]`;
};

const rule = ({ head, state }) =>
  html`<p class="gallery-rule">
    <span
      ><span class="tone-q">${msg('query')}</span> ${short(state.loud)} × ${readBy(head.q)}</span
    >
    <span><span class="tone-k">${msg('key')}</span> ${readBy(head.k)}</span>
    <span><span class="tone-v">${msg('value')}</span> ${readBy(head.v)}</span>
  </p>`;

/** One query over its keys, step by step. */
function steps({ words, q, k, v, scores, scaled, weights, outputs, at }, ui) {
  const answer = (template) => (ui?.answerHidden ? withheld : template);
  const exact = (value) =>
    ui?.exact ? html`<span class="num" data-num>${formatExact(value)}</span>` : weight(value);
  const vector = (values) => html`<span class="num" data-num>${pair(values)}</span>`;
  // Every digit takes the room of the steps in between.
  const inBetween = [
    {
      head: 'q·k',
      label: msg('score q·k'),
      tone: 's',
      cell: (j) => shown(scores[at][j], { decimals: 2 }),
    },
    {
      head: '÷ √2',
      label: '÷ √2',
      tone: 's',
      cell: (j) => shown(scaled[at][j], { decimals: 2 }),
    },
  ];
  const [word, place] = [words[at], ordinal(at)];
  return stepsTable({
    caption: msg(str`The query of ${word}, place ${place}, over the keys that it sees`),
    rows: indices(ordinal(at)),
    columns: [
      {
        head: html`<span class="tone-q gallery-q">q ${pair(q[at])}</span>`,
        label: msg('key token'),
        cell: (j) => named(words, j),
        foot: msg('output'),
      },
      { head: msg('key'), label: msg('key'), tone: 'k', cell: (j) => vector(k[j]) },
      ...(ui?.exact ? [] : inBetween),
      {
        head: msg('weight'),
        label: msg('weight'),
        tone: 'w',
        cell: (j) => answer(exact(weights[at][j])),
      },
      {
        head: msg('value'),
        label: msg('value'),
        tone: 'v',
        cell: (j) => vector(v[j]),
        foot: answer(
          html`<strong class="num out" data-num
            >[${outputs[at].map((value) => formatWeight(value)).join(between())}]</strong
          >`,
        ),
      },
    ],
  });
}

export const view = (numbers, ui) => {
  const output = numbers.outputs[numbers.at].map(formatExact).join(between());
  return frame({
    model,
    numbers,
    ui,
    body: html`<div class="main gallery">
      ${tabs(numbers, ui)} ${controls(numbers, ui)}
      <div class="gallery-said">
        ${rule(numbers)}
        ${ui?.answerHidden || ui?.exact ? nothing : html`<p class="gallery-why">${numbers.head.why}</p>`}
      </div>
      <div class="gallery-split ${ui?.exact ? 'gallery-exact' : ''}">
        ${ui?.exact ? nothing : html`<div class="gallery-x">${read(numbers)}</div>`}
        ${map(numbers, ui)} ${steps(numbers, ui)}
      </div>
      ${
        ui?.exact && !ui.answerHidden
          ? html`<p class="exact-output">${msg(str`output = [${output}]`)}</p>`
          : nothing
      }
    </div>`,
  });
};

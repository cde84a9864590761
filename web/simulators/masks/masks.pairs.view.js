/** How the first view is drawn: the four masks, one line each, beside the pairs that they leave. */
import { html, nothing } from 'lit';
import { choice, number, slider, withheld } from '../../shared/controls.js';
import { matrixTable } from '../../shared/matrix-table.js';
import { formatExact, formatWholePercent } from '../../shared/number.js';
import { indices, ordinal } from '../../shared/pick.js';
import { stepsTable } from '../../shared/steps-table.js';
import { MOST, count, two } from './masks.pairs.js';

const SWITCH = [
  { value: 'on', label: 'on' },
  { value: 'off', label: 'off' },
];

/* ---- the four masks ------------------------------------------------------------------------------------- */

const line = (control, use) =>
  html`<li class="masks-line">${control}<span class="masks-use">${use}</span></li>`;

const onOff = ({ state }, ui, path, legend) =>
  choice(ui, { path, value: state[path], legend, options: SWITCH });

const lines = (numbers, ui) =>
  html`<ul class="masks-lines">
    ${line(onOff(numbers, ui, 'causal', 'causal'), 'every decoder')}
    ${line(onOff(numbers, ui, 'padding', 'padding'), 'batches of texts')}
    ${line(
      slider(ui, {
        path: 'window',
        value: numbers.state.window,
        label: 'window',
        name: 'window, 0 for none',
        min: 0,
        max: 10,
        step: 1,
      }),
      'Mistral 7B, Gemma 3',
    )}
    ${line(onOff(numbers, ui, 'document', 'document'), 'packed training rows')}
  </ul>`;

/* ---- the row, and what is changed in it ----------------------------------------------------------------- */

function row({ state, changed, n }, ui) {
  const size = (path, label, name, min, max, value = state[path]) =>
    slider(ui, { path, value, label, name, min, max, step: 1 });
  return html`<div class="masks-row">
    <div class="masks-sizes">
      ${size('tokens', 'tokens', 'tokens', 1, MOST.tokens)}
      ${size('pads', 'padding', 'padding, rows of it', 0, MOST.pads)}
      ${size('first_document', 'first text', 'first text, its tokens; 0 for one text alone', 0, MOST.tokens)}
      ${size('asks', 'queries', 'queries, the last rows; 0 for all', 0, n)}
    </div>
    ${choice(ui, {
      path: 'side',
      value: state.side,
      legend: 'padded',
      options: [
        { value: 'left', label: 'left' },
        { value: 'right', label: 'right' },
      ],
    })}
    ${choice(ui, {
      path: 'positions',
      value: state.positions,
      legend: 'positions',
      options: [
        { value: 'none', label: 'none' },
        { value: 'row', label: 'by row' },
        { value: 'real', label: 'real' },
      ],
    })}
    ${choice(ui, {
      path: 'compare',
      value: state.compare,
      legend: 'compare',
      options: [
        { value: 'token', label: 'row + 1' },
        { value: 'nan', label: 'row = NaN' },
        { value: 'padding', label: 'unpadded' },
      ],
    })}
    ${state.compare === 'padding' ? nothing : size('changed', 'row', 'row that changes', 1, n, changed)}
  </div>`;
}

/* ---- what is left --------------------------------------------------------------------------------------- */

const move = (side, i, ui) =>
  side.moved[i] === 1
    ? html`<span class="mask-moves"
        >${number(ui?.exact ? formatExact(side.by[i]) : Number.isNaN(side.by[i]) ? 'NaN' : two(side.by[i]), ui?.answerHidden ? undefined : side.by[i])}</span
      >`
    : html`<span class="mask-stays">${number('0')}</span>`;

const told = ({ name, isChanged }) =>
  html`<span class="mask-token ${isChanged ? 'mask-changed' : ''}"
    >${name}${isChanged ? html`<span class="spoken"> changes</span>` : nothing}</span
  >`;

const LAST = [
  'sees',
  html`<span class="spoken">moves </span>without`,
  html`<span class="spoken">moves </span>with`,
];

function map({ n, queries, allowed, open, masked }, ui) {
  return html`<div class="masks-map" role="region" tabindex="0" aria-label="weights and moves">
    ${matrixTable({
      name: 'weights in %',
      spoken: 'and what moves without a mask and with them',
      tone: 'w',
      corner: 'query',
      rows: masked.weights.map((weights) => [...weights, ...LAST.map(() => undefined)]),
      rowNames: queries.map((query) => html`${count(ordinal(query.place))} ${told(query)}`),
      columnNames: [
        ...indices(n).map((j) => count(ordinal(j))),
        ...LAST.map((text) => html`<span class="mask-last">${text}</span>`),
      ],
      full: 1,
      masked: (i, j) => j < n && allowed[i][j] === 0,
      cell: (value, i, j) => {
        if (value !== undefined) return number(formatWholePercent(value), value);
        if (j === n) return number(count(queries[i].seen));
        if (j === ordinal(n)) return move(open, i, ui);
        return ui?.answerHidden ? withheld : move(masked, i, ui);
      },
    })}
  </div>`;
}

const exactMoves = ({ queries, open, masked }, ui) =>
  stepsTable({
    caption: 'How far each output moves, with every digit',
    rows: indices(queries.length),
    columns: [
      { head: 'row', label: 'row', cell: (i) => queries[i].name },
      { head: 'without a mask', label: 'without a mask', cell: (i) => move(open, i, ui) },
      { head: 'with the masks', label: 'with the masks', cell: (i) => move(masked, i, ui) },
    ],
  });

export const pairsBody = (numbers, ui) =>
  html`<div class="masks-split">
    <div class="masks-side">${lines(numbers, ui)} ${row(numbers, ui)}</div>
    ${ui?.exact && !ui.answerHidden ? exactMoves(numbers, ui) : map(numbers, ui)}
  </div>`;

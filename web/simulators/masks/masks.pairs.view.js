/** How the first view is drawn: the four masks, one line each, beside the pairs that they leave. */
import { html, nothing } from 'lit';
import { choice, number, onOff, slider, withheld } from '../../shared/controls.js';
import { msg } from '../../shared/language.js';
import { matrixTable } from '../../shared/matrix-table.js';
import { formatExact, formatWholePercent } from '../../shared/number.js';
import { indices, ordinal } from '../../shared/pick.js';
import { stepsTable } from '../../shared/steps-table.js';
import { MOST, count, two } from './masks.pairs.js';

/* ---- the four masks ------------------------------------------------------------------------------------- */

const line = (control, use) =>
  html`<li class="masks-line">${control}<span class="masks-use">${use}</span></li>`;

function lines({ state }, ui) {
  const mask = (path, legend) => onOff(ui, { path, value: state[path], legend });
  return html`<ul class="masks-lines">
    ${line(mask('causal', msg('causal')), msg('every decoder'))}
    ${line(mask('padding', msg('padding')), msg('batches of texts'))}
    ${line(
      slider(ui, {
        path: 'window',
        value: state.window,
        label: msg('window'),
        name: msg('window, 0 for none'),
        min: 0,
        max: 10,
        step: 1,
      }),
      'Mistral 7B, Gemma 3',
    )}
    ${line(mask('document', msg('document', { id: 'masksDocument' })), msg('packed training rows'))}
  </ul>`;
}

/* ---- the row, and what is changed in it ----------------------------------------------------------------- */

function row({ state, changed, n }, ui) {
  const size = (path, label, name, min, max, value = state[path]) =>
    slider(ui, { path, value, label, name, min, max, step: 1 });
  return html`<div class="masks-row">
    <div class="masks-sizes">
      ${size('tokens', msg('tokens'), msg('tokens'), 1, MOST.tokens)}
      ${size('pads', msg('padding'), msg('padding, rows of it'), 0, MOST.pads)}
      ${size('first_document', msg('first text'), msg('first text, its tokens; 0 for one text alone'), 0, MOST.tokens)}
      ${size('asks', msg('queries'), msg('queries, the last rows; 0 for all'), 0, n)}
    </div>
    ${choice(ui, {
      path: 'side',
      value: state.side,
      legend: msg('padded'),
      options: [
        { value: 'left', label: msg('left') },
        { value: 'right', label: msg('right') },
      ],
    })}
    ${choice(ui, {
      path: 'positions',
      value: state.positions,
      legend: msg('positions'),
      options: [
        { value: 'none', label: msg('none', { id: 'positions-none' }) },
        { value: 'row', label: msg('by row') },
        { value: 'real', label: msg('real') },
      ],
    })}
    ${choice(ui, {
      path: 'compare',
      value: state.compare,
      legend: msg('compare'),
      options: [
        { value: 'token', label: msg('row + 1') },
        { value: 'nan', label: msg('row = NaN') },
        { value: 'padding', label: msg('unpadded') },
      ],
    })}
    ${state.compare === 'padding' ? nothing : size('changed', msg('row'), msg('row that changes'), 1, n, changed)}
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
    ><span lang="en">${name}</span
    >${isChanged ? html`<span class="spoken"> ${msg('changes')}</span>` : nothing}</span
  >`;

const lastNames = () => [
  msg('sees'),
  msg(html`<span class="spoken">moves </span>without`),
  msg(html`<span class="spoken">moves </span>with`),
];

function map({ n, queries, allowed, open, masked }, ui) {
  const last = lastNames();
  return html`<div
    class="masks-map"
    role="region"
    tabindex="0"
    aria-label=${msg('weights and moves')}
  >
    ${matrixTable({
      name: msg('weights in %'),
      spoken: msg('and what moves without a mask and with them'),
      tone: 'w',
      corner: msg('query'),
      rows: masked.weights.map((weights) => [...weights, ...last.map(() => undefined)]),
      rowNames: queries.map((query) => html`${count(ordinal(query.place))} ${told(query)}`),
      columnNames: [
        ...indices(n).map((j) => count(ordinal(j))),
        ...last.map((text) => html`<span class="mask-last">${text}</span>`),
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
    caption: msg('How far each output moves, with every digit'),
    rows: indices(queries.length),
    columns: [
      {
        head: msg('row'),
        label: msg('row'),
        cell: (i) => html`<span lang="en">${queries[i].name}</span>`,
      },
      { head: msg('without a mask'), label: msg('without a mask'), cell: (i) => move(open, i, ui) },
      {
        head: msg('with the masks'),
        label: msg('with the masks'),
        cell: (i) => move(masked, i, ui),
      },
    ],
  });

export const pairsBody = (numbers, ui) =>
  html`<div class="masks-split">
    <div class="masks-side">${lines(numbers, ui)} ${row(numbers, ui)}</div>
    ${ui?.exact && !ui.answerHidden ? exactMoves(numbers, ui) : map(numbers, ui)}
  </div>`;

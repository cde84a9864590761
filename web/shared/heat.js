/**
 * A small matrix of scores as a heat map that is also its table of fields, with a frame that moves over it. Colours are
 * classes (heat.css has two scales of them), because the content policy refuses inline styles; every cell holds its
 * number, so no colour carries a meaning alone.
 */
import { html, nothing } from 'lit';
import { cell } from './controls.js';
import { msg, str } from './language.js';

const STEPS = 5;

/** The class of a score, `reach` being the magnitude that takes the full colour. */
function shade(score, reach) {
  if (!(reach > 0) || score === 0) return 'heat-0';
  const step = Math.max(1, Math.min(STEPS, Math.ceil((Math.abs(score) / reach) * STEPS)));
  return `heat-${score < 0 ? 'n' : 'p'}${step}`;
}

/** A frame over rows first to last − 1 and columns likewise; it glides when it is moved. */
const frameOver = ({ rows, columns, height, width, kind }) =>
  html`<svg
    class="heat-frame"
    viewBox="0 0 ${width} ${height}"
    preserveAspectRatio="none"
    aria-hidden="true"
    focusable="false"
  >
    <rect
      class="heat-tile heat-tile-${kind}"
      x=${columns[0]}
      y=${rows[0]}
      width=${columns[1] - columns[0]}
      height=${rows[1] - rows[0]}
    ></rect>
  </svg>`;

/**
 * @param {object|undefined} ui
 * @param {object} heat
 * @param {string} heat.label what the table is called
 * @param {number[][]} heat.scores
 * @param {string[]} heat.rowNames
 * @param {string[]} heat.columnNames
 * @param {(i: number, j: number) => {path: string, name: string, masked: boolean, now: boolean}} heat.cellAt
 * @param {{rows: number[], columns: number[], kind: string} | undefined} heat.frame
 * @param {{name: string, values: number[], cellAt: (j: number) => {path: string, name: string}}} heat.foot a row of
 *   values, one below each column
 */
export function heatMap(ui, { label, scores, rowNames, columnNames, cellAt, frame, foot }) {
  const reach = Math.max(...scores.flat().map(Math.abs));
  return html`<div class="heat" role="table" aria-label=${label}>
    <div class="heat-row" role="row">
      <span class="heat-corner" role="columnheader"
        ><span class="spoken">${msg('query')}</span></span
      >
      ${columnNames.map((name) => html`<span class="heat-head tone-k" role="columnheader">${name}</span>`)}
    </div>
    ${scores.map(
      (row, i) =>
        html`<div class="heat-row" role="row">
          <span class="heat-head tone-q" role="rowheader">${rowNames[i]}</span>
          ${row.map((score, j) => {
            const { path, name, masked, now } = cellAt(i, j);
            return html`<span
              class="heat-cell ${masked ? 'heat-masked' : shade(score, reach)} ${now ? 'heat-now' : ''}"
              role="cell"
              >${cell(ui, { path, value: score, label: masked ? msg(str`${name}, masked`) : name, step: 1 })}</span
            >`;
          })}
        </div>`,
    )}
    <div class="heat-row" role="row">
      <span class="heat-head tone-v" role="rowheader">${foot.name}</span>
      ${foot.values.map((value, j) => {
        const { path, name } = foot.cellAt(j);
        return html`<span class="heat-cell heat-value" role="cell"
          >${cell(ui, { path, value, label: name, tone: 'v', step: 1 })}</span
        >`;
      })}
    </div>
    ${frame ? frameOver({ ...frame, height: scores.length, width: columnNames.length }) : nothing}
  </div>`;
}

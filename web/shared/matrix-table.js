/**
 * A small matrix as a real table: its name above it, rows and columns named where they have names, every number
 * printed. With `full` its cells are shaded, and it is a map. Shades are classes (matrix-table.css), because the content
 * policy refuses inline styles.
 */
import { html, nothing } from 'lit';
import { shown } from './controls.js';
import { msg } from './language.js';

const STEPS = 10;

/** The class of a magnitude, `full` being the one that takes the whole colour. */
function shade(value, full) {
  if (!(full > 0) || !(value > 0)) return 'shade-0';
  return `shade-${Math.max(1, Math.min(STEPS, Math.round((value / full) * STEPS)))}`;
}

const hatched = () =>
  html`<span aria-hidden="true">·</span><span class="spoken">${msg('masked')}</span>`;

/**
 * @param {object} table
 * @param {unknown} table.name what stands above it
 * @param {string} [table.spoken] what a screen reader is told besides
 * @param {string} [table.tone] the hue of the name and of the numbers: q, k, v, s, w
 * @param {number[][]} table.rows
 * @param {unknown[]} [table.rowNames]
 * @param {unknown[]} [table.columnNames]
 * @param {string} [table.corner] what the rows are, where the columns have names too
 * @param {number} [table.full] the magnitude of the full shade; no shade without it
 * @param {(i: number, j: number) => boolean} [table.masked]
 * @param {number} [table.now] the row that is spoken of
 * @param {(value: number, i: number, j: number) => unknown} [table.cell] how a number is drawn
 */
export function matrixTable({
  name,
  spoken,
  tone = 'plain',
  rows,
  rowNames,
  columnNames,
  corner = '',
  full,
  masked = () => false,
  now,
  cell = (value) => shown(value, { decimals: 2 }),
}) {
  return html`<table class="matrix matrix-${tone} ${full === undefined ? '' : 'matrix-map'}">
    <caption>
      ${name}${spoken ? html`<span class="spoken">, ${spoken}</span>` : nothing}
    </caption>
    ${
      columnNames
        ? html`<thead>
            <tr>
              ${rowNames ? html`<td><span class="spoken">${corner}</span></td>` : nothing}
              ${columnNames.map((column) => html`<th scope="col">${column}</th>`)}
            </tr>
          </thead>`
        : nothing
    }
    <tbody>
      ${rows.map(
        (row, i) =>
          html`<tr class=${i === now ? 'matrix-now' : nothing}>
            ${rowNames ? html`<th scope="row">${rowNames[i]}</th>` : nothing}
            ${row.map((value, j) =>
              masked(i, j)
                ? html`<td class="matrix-masked">${hatched()}</td>`
                : html`<td class=${full === undefined ? nothing : shade(value, full)}>
                    ${cell(value, i, j)}
                  </td>`,
            )}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

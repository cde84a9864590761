/**
 * A table whose rows are tokens and whose columns are the steps of a computation. On a narrow screen each
 * row becomes a card; the roles are written out because a changed `display` takes them from the elements.
 */
import { html, nothing } from 'lit';

const tone = (column) => `tone-${column.tone ?? 'plain'}`;

/** The last row: what the columns come to, where they come to anything. */
const footOf = ([first, ...rest]) =>
  html`<tfoot role="rowgroup">
    <tr role="row">
      <th scope="row" role="rowheader">${first.foot}</th>
      ${rest.map(
        (column) =>
          html`<td
            role="cell"
            class="${tone(column)} ${column.foot === undefined ? 'blank' : ''}"
            data-label=${column.label}
          >
            ${column.foot ?? nothing}
          </td>`,
      )}
    </tr>
  </tfoot>`;

/**
 * @param {object} table
 * @param {string} table.caption
 * @param {{head: unknown, label: string, tone?: string, wide?: boolean, cell: (row: number) => unknown,
 *   foot?: unknown}[]} table.columns the first column names the row
 * @param {number[]} table.rows
 * @param {number} [table.current] the row that the working beside the table explains
 */
export function stepsTable({ caption, columns, rows, current }) {
  const [first, ...rest] = columns;
  return html`<table class="steps" role="table">
    <caption class="spoken">
      ${caption}
    </caption>
    <thead role="rowgroup">
      <tr role="row">
        ${columns.map(
          (column) =>
            html`<th scope="col" role="columnheader" class=${tone(column)}>${column.head}</th>`,
        )}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${rows.map(
        (row) =>
          html`<tr role="row" class=${row === current ? 'current' : nothing}>
            <th scope="row" role="rowheader">${first.cell(row)}</th>
            ${rest.map(
              (column) =>
                html`<td role="cell" class=${tone(column)} data-label=${column.label}>
                  ${column.cell(row)}
                </td>`,
            )}
          </tr>`,
      )}
    </tbody>
    ${columns.some((column) => column.foot !== undefined) ? footOf(columns) : nothing}
  </table>`;
}

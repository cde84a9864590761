/** How ids become vectors on the page: a row for each position, E + P = x, and GPT-2's sizes below. */
import { html } from 'lit';
import { cell, number, shown, withheld } from '../../shared/controls.js';
import { frame } from '../../shared/frame.js';
import { formatNumber } from '../../shared/number.js';
import { indices, ordinal } from '../../shared/pick.js';
import { pieceInline } from '../../shared/pieces.js';
import { stepsTable } from '../../shared/steps-table.js';
import { working } from '../../shared/working.js';
import { LIST, WIDTH, model, short, sizesOf } from './embedding.model.js';

const plain = { decimals: 6, trim: true };

function table({ state, X }, ui) {
  const four = (path, row, name, edited = ui) =>
    html`<span class="four"
      >${indices(WIDTH).map((j) =>
        cell(edited, {
          path: `${path}.${row}.${j}`,
          value: state[path][row][j],
          label: `${name}, component ${ordinal(j)}`,
          step: 0.5,
        }),
      )}</span
    >`;
  const columns = [
    {
      head: 'position',
      label: 'position',
      cell: (row) => html`<span class="num">${row}</span>`,
    },
    {
      head: 'token',
      label: 'token',
      cell: (row) => pieceInline(LIST[state.ids[row]]),
    },
    {
      head: 'id',
      label: 'id',
      cell: (row) =>
        cell(ui, {
          path: `ids.${row}`,
          value: state.ids[row],
          label: `id at position ${row}`,
          step: 1,
          min: 0,
        }),
    },
    {
      head: 'row of E for the id',
      label: 'row of E',
      cell: (row) =>
        // A row of E that stands at several positions is one row: it is edited where it first stands.
        four(
          'E',
          state.ids[row],
          `row of E for ${LIST[state.ids[row]]}, position ${row}`,
          state.ids.indexOf(state.ids[row]) === row ? ui : undefined,
        ),
    },
    {
      head: '+ row of P for the position',
      label: '+ row of P',
      cell: (row) => four('P', row, `row of P for position ${row}`),
    },
    {
      head: '= x',
      label: '= x',
      cell: (row) =>
        html`<span class="four four-out"
          >${X[row].map((value) => (ui?.answerHidden ? withheld : shown(value, short)))}</span
        >`,
    },
  ];
  return stepsTable({
    caption: 'For each position: the token’s row of E plus the position’s row of P is its vector x',
    columns,
    rows: indices(X.length),
  });
}

/** The second position's sum, as one would write it down. */
function arithmetic({ state, X }, ui) {
  const digits = (value) => formatNumber(value, plain);
  const bracket = (value) => (value < 0 ? `(${digits(value)})` : digits(value));
  const row = 1;
  return working(
    indices(WIDTH).map((j) => [
      `x, component ${ordinal(j)}`,
      ui?.answerHidden
        ? withheld
        : `${digits(state.E[state.ids[row]][j])} + ${bracket(state.P[row][j])} = ${digits(X[row][j])}`,
    ]),
  );
}

function sizes(numbers) {
  const of = sizesOf(numbers);
  return html`<p class="sizes">
    GPT-2 small, the same in full: E is ${number(of.vocab_size)} × ${number(of.d_model)}, that is
    ${number(of.token_table)} million numbers, ${number(of.percent)} % of its ${number(of.model)}
    million; P is ${number(of.n_positions)} × ${number(of.d_model)} = ${number(of.position_table)}.
  </p>`;
}

export const view = (numbers, ui) =>
  frame({
    model,
    numbers,
    ui,
    body: html`<div class="main embedding">
      ${table(numbers, ui)} ${arithmetic(numbers, ui)} ${sizes(numbers)}
    </div>`,
  });

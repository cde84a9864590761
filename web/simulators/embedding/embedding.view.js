/** How ids become vectors on the page: a row for each position, E + P = x, and GPT-2's sizes below. */
import { html } from 'lit';
import { cell, number, shown, withheld } from '../../shared/controls.js';
import { frame } from '../../shared/frame.js';
import { msg, str } from '../../shared/language.js';
import { formatNumber } from '../../shared/number.js';
import { indices, ordinal } from '../../shared/pick.js';
import { pieceInline } from '../../shared/pieces.js';
import { stepsTable } from '../../shared/steps-table.js';
import { working } from '../../shared/working.js';
import { LIST, WIDTH, idName, model, short, sizesOf } from './embedding.model.js';

const plain = { decimals: 6, trim: true };

function componentName(name, j) {
  const component = ordinal(j);
  return msg(str`${name}, component ${component}`);
}

function nameInE(state, row) {
  const piece = LIST[state.ids[row]];
  return msg(str`row of E for ${piece}, position ${row}`);
}

function xName(j) {
  const component = ordinal(j);
  return msg(str`x, component ${component}`);
}

const nameInP = (row) => msg(str`row of P for position ${row}`);

function table({ state, X }, ui) {
  const four = (path, row, name, edited = ui) =>
    html`<span class="four"
      >${indices(WIDTH).map((j) =>
        cell(edited, {
          path: `${path}.${row}.${j}`,
          value: state[path][row][j],
          label: componentName(name, j),
          step: 0.5,
        }),
      )}</span
    >`;
  const columns = [
    {
      head: msg('position'),
      label: msg('position'),
      cell: (row) => html`<span class="num">${row}</span>`,
    },
    {
      head: msg('token'),
      label: msg('token'),
      cell: (row) => pieceInline(LIST[state.ids[row]]),
    },
    {
      head: 'id',
      label: 'id',
      cell: (row) =>
        cell(ui, {
          path: `ids.${row}`,
          value: state.ids[row],
          label: idName(row),
          step: 1,
          min: 0,
        }),
    },
    {
      head: msg('row of E for the id'),
      label: msg('row of E'),
      cell: (row) =>
        // A row of E that stands at several positions is one row: it is edited where it first stands.
        four(
          'E',
          state.ids[row],
          nameInE(state, row),
          state.ids.indexOf(state.ids[row]) === row ? ui : undefined,
        ),
    },
    {
      head: msg('+ row of P for the position'),
      label: msg('+ row of P'),
      cell: (row) => four('P', row, nameInP(row)),
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
    caption: msg(
      'For each position: the token’s row of E plus the position’s row of P is its vector x',
    ),
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
      xName(j),
      ui?.answerHidden
        ? withheld
        : `${digits(state.E[state.ids[row]][j])} + ${bracket(state.P[row][j])} = ${digits(X[row][j])}`,
    ]),
  );
}

const shownSize = (size) => number(size);

function sizes(numbers) {
  const of = sizesOf(numbers);
  const [vocabulary, width, table] = [of.vocab_size, of.d_model, of.token_table].map(shownSize);
  const [percent, all] = [of.percent, of.model].map(shownSize);
  const [positions, widthAgain, product] = [of.n_positions, of.d_model, of.position_table].map(
    shownSize,
  );
  return html`<p class="sizes">
    ${msg(html`GPT-2 small, the same in full: E is ${vocabulary} × ${width}, that is ${table} million numbers, ${percent} % of its ${all} million; P is ${positions} × ${widthAgain} = ${product}.`)}
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

/** How it is drawn: one row's way back column by column, its sums below, and what comes back to every row. */
import { html, nothing } from 'lit';
import { bar } from '../../shared/bar.js';
import { cell, choice, numberIn, slider, withheld } from '../../shared/controls.js';
import { frame } from '../../shared/frame.js';
import { msg, str } from '../../shared/language.js';
import { formatExact, formatNumber } from '../../shared/number.js';
import { indices, ordinal } from '../../shared/pick.js';
import { stepsTable } from '../../shared/steps-table.js';
import { working } from '../../shared/working.js';
import { formatGradient, formatMagnitude, model } from './saturation.model.js';

const weigh = (value) => formatNumber(value);
const plain = { decimals: 4, trim: true };

const size = (ui, { path, value, label, min }) =>
  slider(ui, { path, value, label, name: label, min, max: 5, step: 1 });

/** The row that is worked out: chosen, where there are several. */
const chosenRow = (state, ui) =>
  state.rows === 1
    ? nothing
    : choice(ui, {
        path: 'row',
        value: state.row,
        legend: msg('Row'),
        options: indices(state.rows).map((value) => ({ value, label: `${ordinal(value)}` })),
      });

function controls({ state }, ui) {
  const { row, rows, keys } = state;
  return html`<div class="saturation-controls">
    ${size(ui, { path: 'keys', value: keys, label: msg('keys'), min: 2 })}
    ${size(ui, { path: 'rows', value: rows, label: msg('rows'), min: 1 })}
    ${indices(keys).map((j) =>
      slider(ui, {
        path: `S.${row}.${j}`,
        value: state.S[row][j],
        label: html`s<sub>${ordinal(j)}</sub>`,
        name: msg(str`s${ordinal(j)}, the score of its key`),
        min: -12,
        max: 12,
        step: 0.1,
        tone: 's',
      }),
    )}
    ${chosenRow(state, ui)}
  </div>`;
}

/** The sum of a row of dS: zero, and beside it what rounding made of it. */
function zeroSum(sum, ui) {
  const rounding = numberIn(sum, formatMagnitude, ui);
  return sum === 0
    ? numberIn(sum, weigh, ui)
    : html`<span class="num">0</span>
        <span class="rounding">${msg(html`by rounding ${rounding}`)}</span>`;
}

function table(numbers, ui) {
  const { state, A, products, deviations, dS, means, sums } = numbers;
  const { row, keys } = state;
  const answer = (template) => (ui?.answerHidden ? withheld : template);
  return stepsTable({
    caption: msg(
      str`Row ${ordinal(row)}: from the gradient of the weights to the gradient of the scores`,
    ),
    rows: indices(keys),
    columns: [
      { head: msg('key'), label: msg('key'), cell: (j) => `${ordinal(j)}`, foot: msg('sum') },
      {
        head: msg('weight a'),
        label: msg('weight a'),
        tone: 'w',
        cell: (j) =>
          html`<span class="weighed">${bar(A[row][j])}${numberIn(A[row][j], weigh, ui)}</span>`,
      },
      {
        head: 'dA',
        label: 'dA',
        cell: (j) =>
          cell(ui, {
            path: `dA.${row}.${j}`,
            value: state.dA[row][j],
            label: msg(str`gradient of weight ${ordinal(j)}`),
            step: 0.1,
          }),
      },
      {
        head: 'dA × a',
        label: 'dA × a',
        cell: (j) => numberIn(products[row][j], formatGradient, ui),
        foot: numberIn(means[row], formatGradient, ui),
      },
      {
        head: 'dA − Σ',
        label: 'dA − Σ',
        cell: (j) => numberIn(deviations[row][j], formatGradient, ui),
      },
      {
        head: 'dS = a × (dA − Σ)',
        label: 'dS',
        tone: 's',
        cell: (j) => answer(numberIn(dS[row][j], formatGradient, ui)),
        foot: answer(zeroSum(sums[row], ui)),
      },
    ],
  });
}

const SUMMARY = [
  {
    id: 'largest',
    get name() {
      return msg('largest weight');
    },
    format: weigh,
  },
  {
    id: 'norms',
    get name() {
      return msg('length of dS');
    },
    format: formatMagnitude,
    secret: true,
  },
];

/** What comes back to each row. */
const summary = (numbers, ui) =>
  stepsTable({
    caption: msg('The largest weight of each row and the length of the gradient of its scores'),
    rows: indices(SUMMARY.length),
    columns: [
      { head: msg('each row'), label: msg('each row'), cell: (line) => SUMMARY[line].name },
      ...indices(numbers.state.rows).map((i) => ({
        head: msg(str`row ${ordinal(i)}`),
        label: msg(str`row ${ordinal(i)}`),
        cell: (line) => {
          const { id, format, secret } = SUMMARY[line];
          return secret && ui?.answerHidden ? withheld : numberIn(numbers[id][i], format, ui);
        },
      })),
    ],
  });

/** The sum below the products, written out. */
function arithmetic({ state, A, means }, ui) {
  const { row, keys } = state;
  const terms = indices(keys).map(
    (j) => `${formatNumber(state.dA[row][j], plain)}\u00a0×\u00a0${formatNumber(A[row][j])}`,
  );
  const mean = ui?.exact ? formatExact(means[row]) : formatGradient(means[row]);
  return working([['Σ', `${terms.join(' + ')} = ${mean}`]]);
}

export const view = (numbers, ui) =>
  frame({
    model,
    numbers,
    ui,
    body: html`<div class="main scaling saturation">
      <div class="saturation-split">
        ${controls(numbers, ui)}
        <div>
          ${table(numbers, ui)} ${numbers.state.rows > 1 ? nothing : arithmetic(numbers, ui)}
        </div>
      </div>
      ${numbers.state.rows > 1 ? summary(numbers, ui) : nothing}
    </div>`,
  });

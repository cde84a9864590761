/** How “one query, three keys” is drawn; the same at build time and live. */
import { html, nothing } from 'lit';
import { bar } from '../../shared/bar.js';
import { cell, choice, number, shown, slider, withheld } from '../../shared/controls.js';
import { frame } from '../../shared/frame.js';
import { msg, str } from '../../shared/language.js';
import { canChange } from '../../shared/limits.js';
import { token } from '../../shared/mark.js';
import { between, formatExact, formatNumber, formatVector } from '../../shared/number.js';
import { indices } from '../../shared/pick.js';
import { plane } from '../../shared/plane.js';
import { stepsTable } from '../../shared/steps-table.js';
import { working } from '../../shared/working.js';
import { TOKENS, model } from './query.model.js';

const two = { decimals: 2 };
const plain = { decimals: 6, trim: true };

function controls({ state }, ui) {
  const query = (i, label) =>
    slider(ui, {
      path: `q.${i}`,
      value: state.q[i],
      label,
      name: msg(str`${label}, query component`),
      min: -3,
      max: 3,
      tone: 'q',
    });
  return html`<div class="controls">
    ${plane({
      query: state.q,
      keys: state.K,
      onMove: canChange(ui, 'q') && ((point) => ui.move(['q.0', 'q.1'], point)),
      onCommit: ui && (() => ui.moved()),
    })}
    ${query(0, 'q₁')} ${query(1, 'q₂')}
    ${slider(ui, {
      path: 'd_k',
      value: state.d_k,
      label: html`d<sub>k</sub>`,
      name: msg('d_k, the divisor alone'),
      min: 1,
      max: 64,
      step: 1,
    })}
  </div>`;
}

/** What a field of the table is called. */
const keyField = (token, j) =>
  j === 0 ? msg(str`key of ${token}, component 1`) : msg(str`key of ${token}, component 2`);
const valueField = (token, j) =>
  j === 0 ? msg(str`value of ${token}, river part`) : msg(str`value of ${token}, money part`);

function table(numbers, ui) {
  const { state } = numbers;
  const answer = (template) => (ui?.answerHidden ? withheld : template);
  const pair = (path, tone, labelOf) => (row) =>
    html`<span class="pair"
      >${indices(2).map((j) =>
        cell(ui, {
          path: `${path}.${row}.${j}`,
          value: state[path][row][j],
          label: labelOf(TOKENS[row], j),
          tone,
        }),
      )}</span
    >`;
  const columns = [
    {
      head: msg('token'),
      label: msg('token'),
      cell: (row) => token(TOKENS[row], row),
      foot: msg('sum'),
    },
    {
      head: msg('key'),
      label: msg('key'),
      tone: 'k',
      cell: pair('K', 'k', keyField),
    },
    {
      head: html`① q·k`,
      label: msg('① score q·k'),
      tone: 's',
      cell: (row) => shown(numbers.scores[row], two),
    },
    {
      head: html`② ÷ √${formatNumber(state.d_k, plain)}`,
      label: msg('② scaled'),
      tone: 's',
      cell: (row) => shown(numbers.scaled[row], two),
    },
    {
      head:
        numbers.shift === 0
          ? html`③ e<sup>②</sup>`
          : html`③ e<sup>② − ${formatNumber(numbers.shift, two)}</sup>`,
      label: msg('③ exponential'),
      cell: (row) => answer(shown(numbers.exponentials[row], two)),
      foot: answer(shown(numbers.sum, two)),
    },
    {
      head: msg('③ weight'),
      label: msg('③ weight'),
      tone: 'w',
      cell: (row) =>
        answer(
          html`<span class="weighed"
            >${bar(numbers.weights[row])}${shown(numbers.weights[row])}</span
          >`,
        ),
      foot: answer(shown(numbers.weightSum, { trim: true })),
    },
    {
      head: msg(html`value <span class="aside">[river, money]</span>`),
      label: msg('value [river, money]'),
      tone: 'v',
      cell: pair('V', 'v', valueField),
    },
    {
      head: msg('④ weight × value'),
      label: msg('④ weight × value'),
      cell: (row) => answer(number(formatVector(numbers.contributions[row], two))),
      foot: answer(
        html`<strong class="num out" data-num>${formatVector(numbers.output, two)}</strong>`,
      ),
    },
  ];
  return stepsTable({
    caption: msg('The four steps for the query of “bank” over the keys of sat, bank and river'),
    columns,
    rows: indices(3),
    current: state.row,
  });
}

const exactOutput = (output) => {
  const digits = output.map(formatExact).join(between());
  return msg(str`output = [${digits}]`);
};

function arithmetic(numbers, ui) {
  const { state } = numbers;
  const { row } = state;
  const show = ui?.exact ? formatExact : (value, options) => formatNumber(value, options);
  const number = (value) => formatNumber(value, plain);
  const hidden = ui?.answerHidden;
  const products = indices(2).map((j) => `${number(state.q[j])} × ${number(state.K[row][j])}`);
  const lines = [
    [msg('① score'), `${products.join(' + ')} = ${show(numbers.scores[row], two)}`],
    [
      msg('② scaled'),
      `${show(numbers.scores[row], two)} ÷ √${number(state.d_k)} = ${show(numbers.scaled[row], two)}`,
    ],
  ];
  if (!hidden) {
    const exponent =
      numbers.shift === 0
        ? show(numbers.scaled[row], two)
        : `${show(numbers.scaled[row], two)} − ${show(numbers.shift, two)}`;
    lines.push(
      [
        msg('③ exponential'),
        html`e<sup>${exponent}</sup> = ${show(numbers.exponentials[row], two)}`,
      ],
      [
        msg('③ weight'),
        `${show(numbers.exponentials[row], two)} ÷ ${show(numbers.sum, two)} = ${show(numbers.weights[row])}`,
      ],
      [
        msg('④ contribution'),
        `${show(numbers.weights[row])} × ${formatVector(state.V[row], plain)} = [${numbers.contributions[row].map((value) => show(value, two)).join(between())}]`,
      ],
    );
  }
  return html`<div class="workings">
    ${choice(ui, {
      path: 'row',
      value: row,
      legend: msg('Work out'),
      options: TOKENS.map((name, value) => ({ value, label: token(name, value) })),
    })}
    ${working(lines)}
    ${
      ui?.exact && !hidden
        ? html`<p class="exact-output">${exactOutput(numbers.output)}</p>`
        : nothing
    }
  </div>`;
}

export const view = (numbers, ui) =>
  frame({
    model,
    numbers,
    ui,
    body: html`<div class="split">
      ${controls(numbers, ui)}
      <div class="main">${table(numbers, ui)} ${arithmetic(numbers, ui)}</div>
    </div>`,
  });

/** How “one query, three keys” is drawn; the same at build time and live. */
import { html, nothing } from 'lit';
import { bar } from '../../shared/bar.js';
import { cell, choice, number, shown, slider, withheld } from '../../shared/controls.js';
import { frame } from '../../shared/frame.js';
import { token } from '../../shared/mark.js';
import { formatExact, formatNumber, formatVector } from '../../shared/number.js';
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
      name: `${label}, query component`,
      min: -3,
      max: 3,
      tone: 'q',
    });
  return html`<div class="controls">
    ${plane({
      query: state.q,
      keys: state.K,
      onMove: ui && ((point) => ui.move(['q.0', 'q.1'], point)),
      onCommit: ui && (() => ui.moved()),
    })}
    ${query(0, 'q₁')} ${query(1, 'q₂')}
    ${slider(ui, {
      path: 'd_k',
      value: state.d_k,
      label: html`d<sub>k</sub>`,
      name: 'd_k, the divisor alone',
      min: 1,
      max: 64,
      step: 1,
    })}
  </div>`;
}

function table(numbers, ui) {
  const { state } = numbers;
  const answer = (template) => (ui?.answerHidden ? withheld : template);
  const pair = (name, path, tone, what) => (row) =>
    html`<span class="pair"
      >${indices(2).map((j) =>
        cell(ui, {
          path: `${path}.${row}.${j}`,
          value: state[path][row][j],
          label: `${name} of ${TOKENS[row]}, ${what[j]}`,
          tone,
        }),
      )}</span
    >`;
  const columns = [
    { head: 'token', label: 'token', cell: (row) => token(TOKENS[row], row), foot: 'sum' },
    {
      head: 'key',
      label: 'key',
      tone: 'k',
      cell: pair('key', 'K', 'k', ['component 1', 'component 2']),
    },
    {
      head: html`① q·k`,
      label: '① score q·k',
      tone: 's',
      cell: (row) => shown(numbers.scores[row], two),
    },
    {
      head: html`② ÷ √${formatNumber(state.d_k, plain)}`,
      label: '② scaled',
      tone: 's',
      cell: (row) => shown(numbers.scaled[row], two),
    },
    {
      head:
        numbers.shift === 0
          ? html`③ e<sup>②</sup>`
          : html`③ e<sup>② − ${formatNumber(numbers.shift, two)}</sup>`,
      label: '③ exponential',
      cell: (row) => answer(shown(numbers.exponentials[row], two)),
      foot: answer(shown(numbers.sum, two)),
    },
    {
      head: '③ weight',
      label: '③ weight',
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
      head: html`value <span class="aside">[river, money]</span>`,
      label: 'value [river, money]',
      tone: 'v',
      cell: pair('value', 'V', 'v', ['river part', 'money part']),
    },
    {
      head: '④ weight × value',
      label: '④ weight × value',
      cell: (row) => answer(number(formatVector(numbers.contributions[row], two))),
      foot: answer(
        html`<strong class="num out" data-num>${formatVector(numbers.output, two)}</strong>`,
      ),
    },
  ];
  return stepsTable({
    caption: 'The four steps for the query of “bank” over the keys of sat, bank and river',
    columns,
    rows: indices(3),
    current: state.row,
  });
}

function arithmetic(numbers, ui) {
  const { state } = numbers;
  const { row } = state;
  const show = ui?.exact ? formatExact : (value, options) => formatNumber(value, options);
  const number = (value) => formatNumber(value, plain);
  const hidden = ui?.answerHidden;
  const products = indices(2).map((j) => `${number(state.q[j])} × ${number(state.K[row][j])}`);
  const lines = [
    ['① score', `${products.join(' + ')} = ${show(numbers.scores[row], two)}`],
    [
      '② scaled',
      `${show(numbers.scores[row], two)} ÷ √${number(state.d_k)} = ${show(numbers.scaled[row], two)}`,
    ],
  ];
  if (!hidden) {
    const exponent =
      numbers.shift === 0
        ? show(numbers.scaled[row], two)
        : `${show(numbers.scaled[row], two)} − ${show(numbers.shift, two)}`;
    lines.push(
      ['③ exponential', html`e<sup>${exponent}</sup> = ${show(numbers.exponentials[row], two)}`],
      [
        '③ weight',
        `${show(numbers.exponentials[row], two)} ÷ ${show(numbers.sum, two)} = ${show(numbers.weights[row])}`,
      ],
      [
        '④ contribution',
        `${show(numbers.weights[row])} × ${formatVector(state.V[row], plain)} = [${numbers.contributions[row].map((value) => show(value, two)).join(', ')}]`,
      ],
    );
  }
  return html`<div class="workings">
    ${choice(ui, {
      path: 'row',
      value: row,
      legend: 'Work out',
      options: TOKENS.map((name, value) => ({ value, label: token(name, value) })),
    })}
    ${working(lines)}
    ${
      ui?.exact && !hidden
        ? html`<p class="exact-output">output = [${numbers.output.map(formatExact).join(', ')}]</p>`
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

/** How “the cat sat” is drawn: each step once, exact above what the pencil gets, the differences marked. */
import { html } from 'lit';
import { bar } from '../../shared/bar.js';
import { cell, choice, slider, withheld } from '../../shared/controls.js';
import { frame } from '../../shared/frame.js';
import { msg, str } from '../../shared/language.js';
import { token } from '../../shared/mark.js';
import { formatExact, formatNumber } from '../../shared/number.js';
import { indices } from '../../shared/pick.js';
import { stepsTable } from '../../shared/steps-table.js';
import { working } from '../../shared/working.js';
import { TOKENS, both, model } from './by-hand.model.js';

const plain = { decimals: 6, trim: true };

/** A number both ways, one above the other; said to a screen reader with their names. */
function pair(exact, hand, decimals) {
  const { exact: one, hand: other, differ } = both(exact, hand, decimals);
  return html`<span class="twice">
    <span class="num" data-num title=${String(exact)}>${one}</span>
    <span class="num hand ${differ ? 'differs' : ''}" data-num
      ><span class="spoken">${msg('by hand')} </span>${other}</span
    >
  </span>`;
}

/** The name of a row, and below it what its second line is. */
const named = (name) =>
  html`<span class="twice twice-name">${name}<span class="hand">${msg('by hand')}</span></span>`;

function controls({ state }, ui) {
  const query = (i, label) =>
    slider(ui, {
      path: `q.${i}`,
      value: state.q[i],
      label,
      name: msg(str`${label}, query of sat`),
      min: -3,
      max: 3,
      tone: 'q',
    });
  return html`<div class="controls controls-row">
    ${query(0, 'q₁')} ${query(1, 'q₂')}
    ${slider(ui, {
      path: 'decimals',
      value: state.decimals,
      label: msg('places'),
      name: msg('places kept by hand'),
      min: 1,
      max: 8,
      step: 1,
    })}
  </div>`;
}

/** What a field of the table is called. */
const keyField = (token, j) =>
  j === 0 ? msg(str`key of ${token}, component one`) : msg(str`key of ${token}, component two`);
const valueField = (token, j) =>
  j === 0 ? msg(str`value of ${token}, component one`) : msg(str`value of ${token}, component two`);

function table(numbers, ui) {
  const { exact, hand, state } = numbers;
  const { decimals } = state;
  const answer = (template) => (ui?.answerHidden ? withheld : template);
  const fields = (path, tone, labelOf) => (row) =>
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
  const step = (name) => (row) => pair(exact[name][row], hand[name][row], decimals);
  const vector = (of) =>
    html`<span class="pair-wide"
      >${indices(2).map((j) => pair(of(exact)[j], of(hand)[j], decimals))}</span
    >`;
  const columns = [
    {
      head: msg('token'),
      label: msg('token'),
      cell: (row) => named(token(TOKENS[row], row)),
      foot: named(msg('sum')),
    },
    { head: msg('key'), label: msg('key'), tone: 'k', cell: fields('K', 'k', keyField) },
    { head: '① q·k', label: msg('① score q·k'), tone: 's', cell: step('scores') },
    { head: html`② ÷ √2`, label: msg('② scaled'), tone: 's', cell: step('scaled') },
    {
      head: html`③ e<sup>②</sup>`,
      label: msg('③ exponential'),
      cell: (row) => answer(step('exponentials')(row)),
      foot: answer(pair(exact.sum, hand.sum, decimals)),
    },
    {
      head: msg('③ weight'),
      label: msg('③ weight'),
      tone: 'w',
      cell: (row) =>
        answer(
          html`<span class="weighed">${bar(exact.weights[row])}${step('weights')(row)}</span>`,
        ),
    },
    { head: msg('value'), label: msg('value'), tone: 'v', cell: fields('V', 'v', valueField) },
    {
      head: msg('④ weight × value'),
      label: msg('④ weight × value'),
      cell: (row) => answer(vector((way) => way.contributions[row])),
      foot: answer(vector((way) => way.output)),
    },
  ];
  return stepsTable({
    caption: msg(
      'The four steps for the query of “sat”; in every cell the exact number, and below it the number by hand',
    ),
    columns,
    rows: indices(3),
    current: state.row,
  });
}

/** The chosen token's sum as the pencil writes it: each number rounded before the next step uses it. */
function arithmetic(numbers, ui) {
  const { exact, hand, state } = numbers;
  const { row, decimals } = state;
  const places = { decimals };
  const number = (value) => formatNumber(value, plain);
  const rounded = (value) => formatNumber(value, places);
  const exactly = (value) => {
    const exact = formatExact(value);
    return ui?.exact ? `; ${msg(str`exactly ${exact}`)}` : '';
  };
  const parts = [msg('④ part one'), msg('④ part two')];
  const products = indices(2).map((j) => `${number(state.q[j])} × ${number(state.K[row][j])}`);
  const terms = hand.terms[row].map(rounded);
  const lines = [
    [
      msg('① score'),
      `${products.join(' + ')} = ${terms.join(' + ')} = ${rounded(hand.scores[row])}`,
    ],
    [
      msg('② scaled'),
      `${rounded(hand.scores[row])} ÷ ${rounded(hand.divisor)} = ${rounded(hand.scaled[row])}`,
    ],
  ];
  if (!ui?.answerHidden) {
    const exponent =
      hand.shift === 0
        ? rounded(hand.scaled[row])
        : `${rounded(hand.scaled[row])} − ${rounded(hand.shift)}`;
    lines.push(
      [
        msg('③ exponential'),
        html`e<sup>${exponent}</sup> =
          ${rounded(hand.exponentials[row])}${exactly(exact.exponentials[row])}`,
      ],
      [
        msg('③ weight'),
        `${rounded(hand.exponentials[row])} ÷ ${rounded(hand.sum)} = ${rounded(hand.weights[row])}${exactly(exact.weights[row])}`,
      ],
      ...indices(2).map((j) => [
        parts[j],
        `${rounded(hand.weights[row])} × ${number(state.V[row][j])} = ${rounded(hand.contributions[row][j])}${exactly(exact.contributions[row][j])}`,
      ]),
    );
  }
  return html`<div class="workings ${ui?.exact ? 'workings-exact' : ''}">
    ${choice(ui, {
      path: 'row',
      value: row,
      legend: msg('By hand'),
      options: TOKENS.map((name, value) => ({ value, label: token(name, value) })),
    })}
    ${working(lines)}
  </div>`;
}

export const view = (numbers, ui) =>
  frame({
    model,
    numbers,
    ui,
    body: html`<div class="main">
      ${controls(numbers, ui)} ${table(numbers, ui)} ${arithmetic(numbers, ui)}
    </div>`,
  });

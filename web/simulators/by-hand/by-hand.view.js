/** How “the cat sat” is drawn: each step once, exact above what the pencil gets, the differences marked. */
import { html } from 'lit';
import { bar } from '../../shared/bar.js';
import { cell, choice, slider, withheld } from '../../shared/controls.js';
import { frame } from '../../shared/frame.js';
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
      ><span class="spoken">by hand </span>${other}</span
    >
  </span>`;
}

/** The name of a row, and below it what its second line is. */
const named = (name) =>
  html`<span class="twice twice-name">${name}<span class="hand">by hand</span></span>`;

function controls({ state }, ui) {
  const query = (i, label) =>
    slider(ui, {
      path: `q.${i}`,
      value: state.q[i],
      label,
      name: `${label}, query of sat`,
      min: -3,
      max: 3,
      tone: 'q',
    });
  return html`<div class="controls controls-row">
    ${query(0, 'q₁')} ${query(1, 'q₂')}
    ${slider(ui, {
      path: 'decimals',
      value: state.decimals,
      label: 'places',
      name: 'places kept by hand',
      min: 1,
      max: 8,
      step: 1,
    })}
  </div>`;
}

function table(numbers, ui) {
  const { exact, hand, state } = numbers;
  const { decimals } = state;
  const answer = (template) => (ui?.answerHidden ? withheld : template);
  const fields = (name, path, tone) => (row) =>
    html`<span class="pair"
      >${indices(2).map((j) =>
        cell(ui, {
          path: `${path}.${row}.${j}`,
          value: state[path][row][j],
          label: `${name} of ${TOKENS[row]}, component ${['one', 'two'][j]}`,
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
      head: 'token',
      label: 'token',
      cell: (row) => named(token(TOKENS[row], row)),
      foot: named('sum'),
    },
    { head: 'key', label: 'key', tone: 'k', cell: fields('key', 'K', 'k') },
    { head: '① q·k', label: '① score q·k', tone: 's', cell: step('scores') },
    { head: html`② ÷ √2`, label: '② scaled', tone: 's', cell: step('scaled') },
    {
      head: html`③ e<sup>②</sup>`,
      label: '③ exponential',
      cell: (row) => answer(step('exponentials')(row)),
      foot: answer(pair(exact.sum, hand.sum, decimals)),
    },
    {
      head: '③ weight',
      label: '③ weight',
      tone: 'w',
      cell: (row) =>
        answer(
          html`<span class="weighed">${bar(exact.weights[row])}${step('weights')(row)}</span>`,
        ),
    },
    { head: 'value', label: 'value', tone: 'v', cell: fields('value', 'V', 'v') },
    {
      head: '④ weight × value',
      label: '④ weight × value',
      cell: (row) => answer(vector((way) => way.contributions[row])),
      foot: answer(vector((way) => way.output)),
    },
  ];
  return stepsTable({
    caption:
      'The four steps for the query of “sat”; in every cell the exact number, and below it the number by hand',
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
  const exactly = (value) => (ui?.exact ? `; exactly ${formatExact(value)}` : '');
  const products = indices(2).map((j) => `${number(state.q[j])} × ${number(state.K[row][j])}`);
  const terms = hand.terms[row].map(rounded);
  const lines = [
    ['① score', `${products.join(' + ')} = ${terms.join(' + ')} = ${rounded(hand.scores[row])}`],
    [
      '② scaled',
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
        '③ exponential',
        html`e<sup>${exponent}</sup> =
          ${rounded(hand.exponentials[row])}${exactly(exact.exponentials[row])}`,
      ],
      [
        '③ weight',
        `${rounded(hand.exponentials[row])} ÷ ${rounded(hand.sum)} = ${rounded(hand.weights[row])}${exactly(exact.weights[row])}`,
      ],
      ...indices(2).map((j) => [
        `④ part ${['one', 'two'][j]}`,
        `${rounded(hand.weights[row])} × ${number(state.V[row][j])} = ${rounded(hand.contributions[row][j])}${exactly(exact.contributions[row][j])}`,
      ]),
    );
  }
  return html`<div class="workings">
    ${choice(ui, {
      path: 'row',
      value: row,
      legend: 'By hand',
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

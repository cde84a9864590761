/** How it is drawn: three maps of one head side by side, the chosen row worked out, and the heads taken away. */
import { html } from 'lit';
import { bar } from '../../shared/bar.js';
import { cell, choice, onOff, shown, slider, withheld } from '../../shared/controls.js';
import { frame } from '../../shared/frame.js';
import { msg, str } from '../../shared/language.js';
import { token } from '../../shared/mark.js';
import { matrixTable } from '../../shared/matrix-table.js';
import { formatExact } from '../../shared/number.js';
import { indices, ordinal } from '../../shared/pick.js';
import { stepsTable } from '../../shared/steps-table.js';
import { PLACES, TOKENS, model } from './influence.model.js';
import { reachOf } from './influence.layout.js';

const two = { decimals: 2 };
const three = { decimals: 3 };
const rowNames = TOKENS.map((name, i) => token(name, i));

const controls = ({ state, h }, ui) =>
  html`<div class="influence-controls">
    ${choice(ui, {
      path: 'head',
      value: state.head,
      legend: msg('Head'),
      options: indices(PLACES.length).map((at) => ({
        value: ordinal(at),
        label: String(ordinal(at)),
      })),
    })}
    ${choice(ui, {
      path: 'row',
      value: state.row,
      legend: msg('Query'),
      options: TOKENS.map((name, value) => ({ value, label: token(name, value) })),
    })}
    ${onOff(ui, { path: 'causal', value: state.causal, legend: msg('Causal'), usual: 'off' })}
    ${PLACES[h].map((c, k) =>
      slider(ui, {
        path: `V.0.${c}`,
        value: state.V[0][c],
        label: msg(html`sat’s v<sub>${ordinal(k)}</sub>`),
        name: msg(str`sat’s v${ordinal(k)}, its value’s component in this head`),
        min: -2,
        max: 2,
        tone: 'v',
      }),
    )}
  </div>`;

const mapsNamed = () => [
  { id: 'weights', name: msg('weight'), tone: 'w' },
  { id: 'weighted', name: msg('weight × |value|'), tone: 'v' },
  { id: 'hidden', name: msg('moves when hidden'), tone: 's' },
];

const maps = (numbers, ui) =>
  html`<div class="influence-maps">
    ${mapsNamed().map(({ id, name, tone }) => {
      const secret = id === 'hidden' && ui?.answerHidden;
      return matrixTable({
        name,
        spoken: msg(str`head ${numbers.state.head}, queries down, keys across`),
        tone,
        rows: numbers[id],
        rowNames,
        columnNames: TOKENS,
        corner: msg('query'),
        full: secret ? undefined : id === 'weights' ? 1 : reachOf(numbers[id]),
        masked: (i, j) => !numbers.sees(i, j),
        now: numbers.state.row,
        cell: secret ? () => withheld : (value) => shown(value, two),
      });
    })}
  </div>`;

function table(numbers, ui) {
  const { state, h, weights, norms, weighted, hidden, everywhere } = numbers;
  const { row } = state;
  const answer = (template) => (ui?.answerHidden ? withheld : template);
  const exact = (value) =>
    ui?.exact ? html`<span class="num" data-num>${formatExact(value)}</span>` : shown(value, three);
  const values = (j) =>
    html`<span class="pair"
      >${PLACES[h].map((c, k) =>
        cell(ui, {
          path: `V.${j}.${c}`,
          value: state.V[j][c],
          label: msg(str`value of ${TOKENS[j]}, component ${ordinal(k)} of head ${state.head}`),
          tone: 'v',
        }),
      )}</span
    >`;
  return stepsTable({
    caption: msg(
      str`Head ${state.head}, query ${TOKENS[row]}: its keys by weight, by what arrives, and by what moves`,
    ),
    rows: indices(TOKENS.length),
    columns: [
      { head: msg('key'), label: msg('key'), cell: (j) => token(TOKENS[j], j) },
      { head: msg('value'), label: msg('value'), tone: 'v', cell: values },
      {
        head: msg('|value|'),
        label: msg('|value|'),
        tone: 'v',
        cell: (j) => shown(norms[j], three),
      },
      {
        head: msg('weight'),
        label: msg('weight'),
        tone: 'w',
        cell: (j) =>
          html`<span class="weighed">${bar(weights[row][j])}${exact(weights[row][j])}</span>`,
      },
      {
        head: msg('weight × |value|'),
        label: msg('weight × |value|'),
        tone: 'v',
        cell: (j) => exact(weighted[row][j]),
      },
      {
        head: msg('hidden here'),
        label: msg('moves, hidden here'),
        tone: 's',
        cell: (j) => answer(exact(hidden[row][j])),
      },
      {
        head: msg('in both heads'),
        label: msg('moves, both heads'),
        tone: 's',
        cell: (j) => answer(exact(everywhere[row][j])),
      },
    ],
  });
}

const heads = ({ without, h }) =>
  matrixTable({
    name: msg('moves without a head'),
    spoken: msg('heads down, queries across'),
    tone: 's',
    rows: without,
    rowNames: without.map((_, at) => msg(str`head ${ordinal(at)}`)),
    columnNames: TOKENS,
    corner: msg('head'),
    full: reachOf(without),
    now: h,
    cell: (value) => shown(value, two),
  });

export const view = (numbers, ui) =>
  frame({
    model,
    numbers,
    ui,
    body: html`<div class="main influence">
      ${controls(numbers, ui)}
      <div class="influence-top">${maps(numbers, ui)} ${heads(numbers)}</div>
      ${table(numbers, ui)}
    </div>`,
  });

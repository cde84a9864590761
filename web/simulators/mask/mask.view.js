/** How it is drawn: scores, mask and weights side by side; or the weights without and with it, and what a change moves. */
import { html, nothing } from 'lit';
import { cell, choice, number, onOff, slider, withheld } from '../../shared/controls.js';
import { frame } from '../../shared/frame.js';
import { msg, str } from '../../shared/language.js';
import { matrixTable } from '../../shared/matrix-table.js';
import { formatExact, formatNumber } from '../../shared/number.js';
import { indices, ordinal } from '../../shared/pick.js';
import { stepsTable } from '../../shared/steps-table.js';
import { working } from '../../shared/working.js';
import { N, TOKENS, count, model, two } from './mask.model.js';

const placesOf = () => indices(N).map((i) => count(ordinal(i)));
const plain = (value) => formatNumber(value, { decimals: 6, trim: true });

const viewChoice = ({ state }, ui) =>
  choice(ui, {
    path: 'view',
    value: state.view,
    legend: html`<span class="spoken">${msg('What is shown')}</span>`,
    options: [
      { value: 'add', label: msg('the matrix that is added') },
      { value: 'change', label: msg('what a change reaches') },
    ],
  });

/* ---- the matrix that is added --------------------------------------------------------------------------- */

const addControls = ({ state }, ui) =>
  html`${onOff(ui, { path: 'causal', value: state.causal, legend: msg('causal mask') })}
  ${slider(ui, {
    path: 'row',
    value: state.row,
    label: msg('row'),
    name: msg('row that is worked out'),
    min: 1,
    max: N,
    step: 1,
  })}`;

function matrices({ state, allowed, weights }, ui) {
  const now = indices(N).find((i) => ordinal(i) === state.row);
  const places = placesOf();
  const named = { rowNames: places, columnNames: places, corner: msg('query') };
  return html`<div class="mask-sum">
    ${matrixTable({
      ...named,
      name: msg('scores'),
      spoken: msg('one row for each query, one column for each key'),
      tone: 's',
      rows: state.S,
      now,
      cell: (value, i, j) =>
        cell(ui, {
          path: `S.${i}.${j}`,
          value,
          label: msg(str`score of query ${ordinal(i)} and key ${ordinal(j)}`),
          step: 0.1,
        }),
    })}
    <span class="mask-sign" aria-hidden="true">+</span>
    ${matrixTable({
      ...named,
      name: msg('mask'),
      rows: allowed,
      now,
      cell: (value) =>
        value === 1 ? number('0') : html`<span class="num mask-minus" data-num>−∞</span>`,
    })}
    <span class="mask-sign" aria-hidden="true">→</span>
    ${matrixTable({
      ...named,
      name: msg('weights'),
      spoken: msg('the softmax of each row'),
      tone: 'w',
      rows: weights,
      full: 1,
      masked: (i, j) => allowed[i][j] === 0,
      now,
      cell: (value) => (ui?.answerHidden ? withheld : number(two(value), value)),
    })}
  </div>`;
}

/** The chosen row, term by term. */
function rowWorked({ state, allowed, shift, exponentials, sums, weights }, ui) {
  const i = indices(N).find((place) => ordinal(place) === state.row);
  const shown = ui?.exact ? formatExact : (value) => formatNumber(value, { trim: value === 0 });
  const power = (j) => {
    if (allowed[i][j] === 0) return html`e<sup>−∞</sup>`;
    const score = plain(state.S[i][j]);
    return html`e<sup>${shift[i] === 0 ? score : `${score} − ${plain(shift[i])}`}</sup>`;
  };
  const sum = msg('sum');
  return working(
    indices(N).map((j) => [
      msg(str`key ${ordinal(j)}`),
      html`${power(j)} ÷ ${sum} = ${shown(exponentials[i][j])} ÷ ${shown(sums[i])} =
      ${ui?.answerHidden ? withheld : html`<strong>${shown(weights[i][j])}</strong>`}`,
    ]),
  );
}

function exactWeights({ weights }) {
  const places = placesOf();
  return stepsTable({
    caption: msg('The weights with every digit'),
    rows: indices(N),
    columns: [
      { head: msg('query'), label: msg('query'), cell: (i) => places[i] },
      ...indices(N).map((j) => ({
        head: msg(str`key ${ordinal(j)}`),
        label: msg(str`key ${ordinal(j)}`),
        tone: 'w',
        cell: (i) => number(formatExact(weights[i][j])),
      })),
    ],
  });
}

const addBody = (numbers, ui) =>
  ui?.exact && !ui.answerHidden
    ? html`${exactWeights(numbers)} ${rowWorked(numbers, ui)}`
    : html`${matrices(numbers, ui)} ${rowWorked(numbers, ui)}`;

/* ---- what a change reaches ------------------------------------------------------------------------------ */

const changeControls = ({ state, changed }, ui) =>
  html`${slider(ui, {
    path: 'changed',
    value: changed,
    label: msg('change token'),
    name: msg('change token'),
    min: 1,
    max: state.tokens,
    step: 1,
  })}
  ${slider(ui, {
    path: 'tokens',
    value: state.tokens,
    label: msg('tokens'),
    name: msg('tokens'),
    min: 1,
    max: TOKENS.slice(1).length,
    step: 1,
  })}
  ${slider(ui, {
    path: 'seed',
    value: state.seed,
    label: msg('seed'),
    name: msg('seed of the layer'),
    min: 1,
    max: 100,
    step: 1,
  })}`;

/** How far an output moved: in words as well, because 0.00 may be rounded. */
const move = (side, i, ui) =>
  side.moved[i] === 1
    ? html`<span class="mask-moves"
        >${number(ui?.exact ? formatExact(side.by[i]) : two(side.by[i]), side.by[i])}</span
      >`
    : html`<span class="mask-stays">${msg('stays')}</span>`;

/** Columns beside the weights are further places of each row, which `cell` draws. */
function changeMap(
  { state, changed, allowed, examples },
  { name, side, isMasked, last, lastName, extra },
) {
  const tokens = count(state.tokens);
  return html`<div class="mask-map" role="region" tabindex="0" aria-label=${name}>
    ${matrixTable({
      name,
      spoken: msg(str`weights of ${tokens} tokens, and what the change moves`),
      tone: 'w',
      corner: msg('token'),
      rows: side.weights.map((row) => [...row, ...lastName.map(() => undefined)]),
      rowNames: examples.map(
        ({ token }, i) =>
          html`<span class="mask-token ${ordinal(i) === changed ? 'mask-changed' : ''}"
            ><span lang="en">${token}</span
            >${ordinal(i) === changed ? html`<span class="spoken"> ${msg('changes')}</span>` : nothing}</span
          >`,
      ),
      columnNames: [
        ...examples.map((_, j) => count(ordinal(j))),
        ...lastName.map((text) => html`<span class="mask-last">${text}</span>`),
      ],
      full: 1,
      masked: (i, j) => isMasked && j < state.tokens && allowed[i][j] === 0,
      cell: (value, i, j) => {
        if (value !== undefined) return number(two(value), value);
        return j === state.tokens ? last(i) : extra(i);
      },
    })}
  </div>`;
}

function changeMaps(numbers, ui) {
  const { open, masked, examples } = numbers;
  return html`<div class="mask-pair">
    ${changeMap(numbers, {
      name: msg('without a mask'),
      side: open,
      isMasked: false,
      lastName: [msg('moves')],
      last: (i) => move(open, i, ui),
    })}
    ${changeMap(numbers, {
      name: msg('with the causal mask'),
      side: masked,
      isMasked: true,
      lastName: [msg('moves'), msg('must say')],
      last: (i) => (ui?.answerHidden ? withheld : move(masked, i, ui)),
      extra: (i) => html`<span class="mask-next" lang="en">${examples[i].next}</span>`,
    })}
  </div>`;
}

const exactMoves = ({ examples, open, masked }, ui) =>
  stepsTable({
    caption: msg('How far each output moves, with every digit'),
    rows: indices(examples.length),
    columns: [
      {
        head: msg('token'),
        label: msg('token'),
        cell: (i) => html`<span lang="en">${examples[i].token}</span>`,
      },
      { head: msg('without a mask'), label: msg('without a mask'), cell: (i) => move(open, i, ui) },
      { head: msg('with the mask'), label: msg('with the mask'), cell: (i) => move(masked, i, ui) },
    ],
  });

/* ---- either of them ------------------------------------------------------------------------------------- */

export const view = (numbers, ui) => {
  const isAdd = numbers.state.view === 'add';
  const change = () =>
    ui?.exact && !ui.answerHidden ? exactMoves(numbers, ui) : changeMaps(numbers, ui);
  return frame({
    model,
    numbers,
    ui,
    body: html`<div class="main mask">
      <div class="mask-controls ${isAdd ? '' : 'mask-change'}">
        ${viewChoice(numbers, ui)} ${isAdd ? addControls(numbers, ui) : changeControls(numbers, ui)}
      </div>
      ${isAdd ? addBody(numbers, ui) : change()}
    </div>`,
  });
};

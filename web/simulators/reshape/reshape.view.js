/** How it is drawn: the width cut into heads, the shape of every step, and the parameters for several numbers of heads. */
import { html, svg } from 'lit';
import { logSlider, slider, withheld } from '../../shared/controls.js';
import { frame } from '../../shared/frame.js';
import { formatCount } from '../../shared/number.js';
import { slices } from './reshape.layout.js';
import {
  HEADS,
  HEAD_STOPS,
  NOT_POSSIBLE,
  STEPS,
  WIDTHS,
  model,
  shapeText,
} from './reshape.model.js';

const controls = ({ state }, ui) =>
  html`<div class="controls controls-row">
    ${slider(ui, {
      path: 'n',
      value: state.n,
      label: 'n',
      name: 'n, tokens',
      min: 1,
      max: 64,
      step: 1,
    })}
    ${logSlider(ui, {
      path: 'n_heads',
      value: state.n_heads,
      label: 'h',
      name: 'h, heads',
      stops: HEAD_STOPS,
      say: (heads) => `${formatCount(heads)} heads`,
    })}
    ${logSlider(ui, {
      path: 'd_model',
      value: state.d_model,
      label: 'd',
      name: 'd, numbers per token',
      stops: WIDTHS,
      say: (width) => `${formatCount(width)} numbers per token`,
    })}
  </div>`;

/** One token's query as a strip, cut where the heads are. */
const strip = ({ state, shapes }) =>
  html`<div class="strip">
    <svg viewBox="0 0 960 40" preserveAspectRatio="none" aria-hidden="true">
      ${slices(state.n_heads).map(
        ({ x, width }) => svg`<rect x=${x} width=${width} height="40"></rect>`,
      )}
    </svg>
    <p>
      A token’s query, <span class="num" data-num>${formatCount(state.d_model)}</span> numbers, cut:
      <span class="num" data-num>${formatCount(state.n_heads)}</span> ×
      <span class="num" data-num>${formatCount(shapes.head_dim)}</span>
    </p>
  </div>`;

const steps = ({ shapes }) =>
  html`<table class="list reshape-steps">
    <caption class="spoken">
      The shape of every step of multi-head attention
    </caption>
    <thead>
      <tr>
        <th scope="col">step</th>
        <th scope="col">shape</th>
        <th scope="col">what it is</th>
      </tr>
    </thead>
    <tbody>
      ${STEPS.map(
        ({ name, symbol, tone, what, cut }) =>
          html`<tr class=${cut ? 'reshape-cut' : ''}>
            <th scope="row" class="tone-${tone}">${symbol}</th>
            <td><span class="num" data-num>${shapeText(shapes[name])}</span></td>
            <td class="what">${what}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;

const parameters = (numbers, ui) =>
  html`<table class="list reshape-parameters">
    <caption>
      Parameters at d =
      <span class="num" data-num>${formatCount(numbers.state.d_model)}</span
      >, with biases
    </caption>
    <thead>
      <tr>
        <th scope="col">heads</th>
        <th scope="col" class="n">4d² + 4d</th>
      </tr>
    </thead>
    <tbody>
      ${HEADS.map((heads, k) => {
        const { parameters: count } = numbers.parameters[k];
        const said = count === undefined ? NOT_POSSIBLE : formatCount(count);
        return html`<tr class=${heads === numbers.state.n_heads ? 'reshape-now' : ''}>
          <th scope="row">${formatCount(heads)}</th>
          <td class="n">
            ${ui?.answerHidden ? withheld : html`<span class="num" data-num>${said}</span>`}
          </td>
        </tr>`;
      })}
    </tbody>
  </table>`;

export const view = (numbers, ui) =>
  frame({
    model,
    numbers,
    ui,
    body: html`<div class="main reshape">
      ${controls(numbers, ui)} ${strip(numbers)}
      <div class="reshape-split">${steps(numbers)} ${parameters(numbers, ui)}</div>
    </div>`,
  });

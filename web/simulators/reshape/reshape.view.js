/** How it is drawn: the width cut into heads, the shape of every step, and the parameters for several numbers of heads. */
import { html, svg } from 'lit';
import { logSlider, slider, withheld } from '../../shared/controls.js';
import { frame } from '../../shared/frame.js';
import { msg, str } from '../../shared/language.js';
import { formatCount } from '../../shared/number.js';
import { slices } from './reshape.layout.js';
import {
  HEADS,
  HEAD_STOPS,
  STEPS,
  WIDTHS,
  model,
  notPossible,
  shapeText,
} from './reshape.model.js';

const headsSaid = (value) => {
  const heads = formatCount(value);
  return msg(str`${heads} heads`);
};

const widthSaid = (value) => {
  const width = formatCount(value);
  return msg(str`${width} numbers per token`);
};

const controls = ({ state }, ui) =>
  html`<div class="controls controls-row">
    ${slider(ui, {
      path: 'n',
      value: state.n,
      label: 'n',
      name: msg('n, tokens'),
      min: 1,
      max: 64,
      step: 1,
    })}
    ${logSlider(ui, {
      path: 'n_heads',
      value: state.n_heads,
      label: 'h',
      name: msg('h, heads'),
      stops: HEAD_STOPS,
      say: headsSaid,
    })}
    ${logSlider(ui, {
      path: 'd_model',
      value: state.d_model,
      label: 'd',
      name: msg('d, numbers per token'),
      stops: WIDTHS,
      say: widthSaid,
    })}
  </div>`;

/** One token's query as a strip, cut where the heads are. */
function strip({ state, shapes }) {
  const [width, heads, size] = [state.d_model, state.n_heads, shapes.head_dim].map(
    (value) => html`<span class="num" data-num>${formatCount(value)}</span>`,
  );
  return html`<div class="strip">
    <svg viewBox="0 0 960 40" preserveAspectRatio="none" aria-hidden="true">
      ${slices(state.n_heads).map(
        (slice) => svg`<rect x=${slice.x} width=${slice.width} height="40"></rect>`,
      )}
    </svg>
    <p>${msg(html`A token’s query, ${width} numbers, cut: ${heads} × ${size}`)}</p>
  </div>`;
}

const steps = ({ shapes }) =>
  html`<table class="list reshape-steps">
    <caption class="spoken">
      ${msg('The shape of every step of multi-head attention')}
    </caption>
    <thead>
      <tr>
        <th scope="col">${msg('step')}</th>
        <th scope="col">${msg('shape')}</th>
        <th scope="col">${msg('what it is')}</th>
      </tr>
    </thead>
    <tbody>
      ${STEPS.map(
        ({ name, symbol, tone, what, cut }) =>
          html`<tr class=${cut ? 'reshape-cut' : ''}>
            <th scope="row" class="tone-${tone}">${symbol}</th>
            <td><span class="num" data-num>${shapeText(shapes[name])}</span></td>
            <td class="what">${what()}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;

function parameters(numbers, ui) {
  const width = formatCount(numbers.state.d_model);
  return html`<table class="list reshape-parameters">
    <caption>
      ${msg(html`Parameters at d = <span class="num" data-num>${width}</span>, with biases`)}
    </caption>
    <thead>
      <tr>
        <th scope="col">${msg('heads')}</th>
        <th scope="col" class="n">4d² + 4d</th>
      </tr>
    </thead>
    <tbody>
      ${HEADS.map((heads, k) => {
        const { parameters: count } = numbers.parameters[k];
        const said = count === undefined ? notPossible() : formatCount(count);
        return html`<tr class=${heads === numbers.state.n_heads ? 'reshape-now' : ''}>
          <th scope="row">${formatCount(heads)}</th>
          <td class="n">
            ${ui?.answerHidden ? withheld : html`<span class="num" data-num>${said}</span>`}
          </td>
        </tr>`;
      })}
    </tbody>
  </table>`;
}

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

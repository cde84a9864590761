/** How the shapes are drawn: sizes to choose, every matrix as a block, and the same as a table. */
import { html } from 'lit';
import { number, slider } from '../../shared/controls.js';
import { frame } from '../../shared/frame.js';
import { msg } from '../../shared/language.js';
import { TENSORS, model } from './shapes.model.js';
import { block, largestOf } from './shapes.layout.js';

const sizes = () => [
  { path: 'n', label: 'n', name: msg('n, tokens'), max: 64 },
  { path: 'd_model', label: 'd', name: msg('d, numbers per token'), max: 64 },
  {
    path: 'd_k',
    label: html`d<sub>k</sub>`,
    name: msg('d_k, numbers per query and key'),
    max: 64,
    tone: 'k',
  },
  {
    path: 'd_v',
    label: html`d<sub>v</sub>`,
    name: msg('d_v, numbers per value'),
    max: 64,
    tone: 'v',
  },
];

const symbol = (name) => {
  const [letter, index] = name.split('_');
  return index ? html`<i>${letter}</i><sub>${index}</sub>` : html`<i>${letter}</i>`;
};

const tensor = ({ name, tone, what }, shape, largest) => {
  const { width, height, top } = block(shape, largest);
  return html`<tr role="row">
    <td role="cell" class="block-cell" aria-hidden="true">
      <svg class="block block-${tone}" viewBox="0 0 76 76" aria-hidden="true">
        <rect y=${top} width=${width} height=${height}></rect>
      </svg>
    </td>
    <th scope="row" role="rowheader" class="tone-${tone}">${symbol(name)}</th>
    <td role="cell">${number(model.shapeText(shape))}</td>
    <td role="cell" class="what">${what()}</td>
  </tr>`;
};

export const view = (numbers, ui) => {
  const { state, shapes } = numbers;
  const largest = largestOf(Object.values(state));
  return frame({
    model,
    numbers,
    ui,
    body: html`<div class="main">
      <div class="controls controls-row">
        ${sizes().map((size) => slider(ui, { min: 1, step: 1, ...size, value: state[size.path] }))}
      </div>
      <table class="blocks" role="table">
        <caption class="spoken">
          ${msg('Every matrix of attention and its shape, rows by columns')}
        </caption>
        <tbody role="rowgroup">
          ${TENSORS.map((item) => tensor(item, shapes[item.name], largest))}
        </tbody>
      </table>
    </div>`,
  });
};

/** How the live row is drawn: the plane that the query moves in, and a column for each weight. */
import { html, nothing } from 'lit';
import { column } from '../../shared/column.js';
import { shown, slider } from '../../shared/controls.js';
import { noticeOf } from '../../shared/frame.js';
import { msg, str } from '../../shared/language.js';
import { canChange, hides } from '../../shared/limits.js';
import { token } from '../../shared/mark.js';
import { indices } from '../../shared/pick.js';
import { plane } from '../../shared/plane.js';
import { KEYS, TOKENS, model } from './live-row.model.js';

const two = { decimals: 2 };

export const view = (numbers, ui) => {
  const { state, weights } = numbers;
  const query = (i, label) =>
    slider(ui, {
      path: `q.${i}`,
      value: state.q[i],
      label,
      name: msg(str`${label}, query component`),
      min: -2,
      max: 2,
      tone: 'q',
    });
  return html`<div class="simulator" part="simulator">
    <div class="split">
      <div class="controls">
        ${plane({
          query: state.q,
          keys: KEYS,
          reach: 2.4,
          onMove: canChange(ui, 'q') && ((point) => ui.move(['q.0', 'q.1'], point)),
          onCommit: ui && (() => ui.moved()),
        })}
        ${query(0, 'q₁')} ${query(1, 'q₂')}
      </div>
      <table class="row-of-weights" part="figure">
        <caption class="spoken">
          ${msg('The weight of each token for the query of “bank”')}
        </caption>
        <tbody>
          <tr>
            ${indices(TOKENS.length).map((i) => html`<td>${column(weights[i])}${shown(weights[i], two)}</td>`)}
          </tr>
        </tbody>
        <thead>
          <tr>
            ${TOKENS.map((name, i) => html`<th scope="col">${token(name, i)}</th>`)}
          </tr>
        </thead>
      </table>
    </div>
    ${
      hides(ui, 'sentence')
        ? nothing
        : html`<p class="sentence" part="sentence">${model.sentence(numbers)}</p>`
    }
    ${noticeOf(ui)}
  </div>`;
};

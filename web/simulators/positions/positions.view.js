/** How it is drawn: the sentence twice, and under it the five schemes side by side. */
import { html, nothing } from 'lit';
import { choice, numberIn, slider, withheld } from '../../shared/controls.js';
import { frame } from '../../shared/frame.js';
import { msg, str } from '../../shared/language.js';
import { canChange } from '../../shared/limits.js';
import { token } from '../../shared/mark.js';
import { formatNumber } from '../../shared/number.js';
import { offsetPlot } from '../../shared/offset-plot.js';
import { textField } from '../../shared/text-field.js';
import { HEADS, REACH, SCHEMES, amount, count, model } from './positions.model.js';

const number = (value, ui) => numberIn(value, amount, ui);

/** Between two words: they change places. */
function swap(numbers, i, ui) {
  const [one, other] = numbers.shuffled.slice(i);
  return html`<button
    type="button"
    class="positions-swap"
    aria-label=${msg(str`exchange ${one} and ${other}`)}
    ?disabled=${!canChange(ui, 'arrangement')}
    @click=${ui ? () => ui.choose('arrangement', numbers.swaps[i]) : nothing}
  >
    ⇄
  </button>`;
}

/** A word keeps its mark wherever it stands. */
const sentences = (numbers, ui) =>
  html`<div class="positions-sentences">
    ${textField(ui, { path: 'text', value: numbers.state.text, label: msg('Sentence'), hint: msg('two to seven words') })}
    <p class="positions-words">
      <span class="positions-label">${msg('shuffled')}</span>
      ${numbers.order.map(
        (from, i) =>
          html`<span class="positions-word">${token(numbers.words[from], from)}</span>${
              i < numbers.swaps.length ? swap(numbers, i, ui) : nothing
            }`,
      )}
    </p>
  </div>`;

function controls({ state, last }, ui) {
  const [now, end] = [count(state.arrangement), count(last)];
  return html`<div class="positions-controls">
    ${slider(ui, {
      path: 'arrangement',
      value: state.arrangement,
      label: msg('order'),
      name: msg('order of the words'),
      min: 0,
      max: last,
      step: 1,
      valueText: msg(str`order ${now} of ${end}`),
    })}
    ${slider(ui, {
      path: 'query_at',
      value: state.query_at,
      label: msg('query at token'),
      name: msg('query at token'),
      min: REACH,
      max: 511,
      step: 1,
      tone: 'q',
    })}
    ${slider(ui, {
      path: 'alibi_head',
      value: state.alibi_head,
      label: msg('ALiBi head'),
      name: msg('ALiBi head'),
      min: 1,
      max: HEADS,
      step: 1,
    })}
    ${choice(ui, {
      path: 'mask',
      value: state.mask,
      legend: msg('Mask'),
      options: [
        { value: 'none', label: msg('none', { id: 'mask-none' }) },
        { value: 'causal', label: msg('causal') },
      ],
    })}
  </div>`;
}

const verdict = (notices) => (notices === 1 ? msg('sees the order') : msg('sees no order'));
const steady = (moves) => (moves === 1 ? msg('asks the place') : msg('distance only'));

function scheme(numbers, { id, label, does, used }, s, ui) {
  const slope = formatNumber(numbers.slope, { decimals: 6, trim: true });
  const hidden = ui?.answerHidden;
  return html`<div class="positions-card" role="group" aria-label=${label}>
    <p class="positions-name">${label}</p>
    <p class="positions-does">
      ${id === 'alibi' ? msg(html`each token back costs <span class="num" data-num>${slope}</span>`) : does}
    </p>
    ${offsetPlot({
      size: 'small',
      from: 0,
      ticks: [0, 16, 32, 48],
      series: [
        { values: numbers.startScores[s], tone: 'plain', kind: 'before' },
        { values: numbers.scores[s], tone: 's', kind: 'now' },
      ],
    })}
    <dl class="positions-facts">
      <div>
        <dt>${hidden ? msg('outputs differ') : verdict(numbers.notices[s])}</dt>
        <dd>${hidden ? withheld : number(numbers.change[s], ui)}</dd>
      </div>
      <div>
        <dt>${steady(numbers.moves[s])}</dt>
        <dd>${number(numbers.moved[s], ui)}</dd>
      </div>
    </dl>
    ${ui?.exact ? nothing : html`<p class="positions-used">${used}</p>`}
  </div>`;
}

export const view = (numbers, ui) => {
  const [query, start] = [count(numbers.state.query_at), count(REACH)];
  return frame({
    model,
    numbers,
    ui,
    body: html`<div class="main positions ${ui?.exact ? 'positions-exact' : ''}">
      ${sentences(numbers, ui)} ${controls(numbers, ui)}
      <p class="positions-legend">
        ${msg(html`Score by tokens back: <span class="positions-now">solid</span>, the query at token ${query}; <span class="positions-before">dotted</span>, at ${start}.`)}
      </p>
      <div class="positions-cards">${SCHEMES.map((each, s) => scheme(numbers, each, s, ui))}</div>
    </div>`,
  });
};

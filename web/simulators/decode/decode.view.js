/** How it is drawn: a triangle of steps and tokens for either way, and beside them what a step costs. */
import { html, nothing, svg } from 'lit';
import { logSlider, number, withheld } from '../../shared/controls.js';
import { frame } from '../../shared/frame.js';
import { msg, str } from '../../shared/language.js';
import { linePlot } from '../../shared/line-plot.js';
import { measureButton } from '../../shared/measure-button.js';
import {
  formatCount as count,
  formatShortTime,
  formatTimes as times,
  many,
} from '../../shared/number.js';
import { indices, ordinal } from '../../shared/pick.js';
import { stepsTable } from '../../shared/steps-table.js';
import { sayProblem } from '../../shared/timed-kernels.js';
import { transport } from '../../shared/transport.js';
import { cell, foot, row, size } from './decode.layout.js';
import { STEPS, STOPS, model, timesOf } from './decode.model.js';

/** A cell of a step: computed for the first time, computed again, or kept. */
function drawn(step, token, again) {
  const { x, y, width, half, lower, again: strokes } = cell(step, token);
  const isNew = ordinal(token) === step;
  const kind = isNew ? 'new' : again ? 'again' : 'kept';
  return svg`<g class="decode-${kind}">
    <rect class="decode-key" x=${x} y=${y} width=${width} height=${half}></rect>
    <rect class="decode-value" x=${x} y=${lower} width=${width} height=${half}></rect>
    ${kind === 'again' ? svg`<path class="decode-strokes" d=${strokes}></path>` : nothing}
  </g>`;
}

function triangle({ done, read }, { again }) {
  const { width, height } = size(STEPS);
  return html`<svg
    class="decode-triangle"
    viewBox="0 0 ${width} ${height}"
    aria-hidden="true"
    focusable="false"
  >
    ${indices(STEPS).map((i) => {
      const step = ordinal(i);
      const { x, y, line } = row(step);
      return svg`<text class="decode-step" x=${x} y=${y}>${step}</text>
        ${
          done[i]
            ? indices(step).map((token) => drawn(step, token, again))
            : svg`<path class="decode-ahead" d=${line}></path>`
        }`;
    })}
    ${read.map((token, i) => {
      const { x, y } = foot(STEPS, i);
      return svg`<text
        class="decode-token ${i === done.length ? 'decode-newest' : ''}"
        x=${x}
        y=${y}
      >${token}</text>`;
    })}
  </svg>`;
}

const soFar = (each, total) => msg(html`this step ${each}, so far <strong>${total}</strong>`);

const panel = (numbers, { head, key, again, total, each }) =>
  html`<div class="decode-panel">
    <p class="decode-head">${head}</p>
    ${triangle(numbers, { again })}
    <p class="decode-total">${key}<br />${soFar(number(count(each)), number(count(total)))}</p>
  </div>`;

function plot({ state, passes }, measured) {
  const way = (name, tone, points) => ({ name, tone, points });
  if (measured.length > 0) {
    return linePlot({
      title: msg('Measured here: time of one step'),
      series: [
        way(
          msg('without the cache'),
          's',
          measured.map(({ without: { tokens, ms } }) => ({ x: tokens, y: ms })),
        ),
        way(
          msg('with the cache'),
          'q',
          measured.map(({ with: { tokens, ms } }) => ({ x: tokens, y: ms })),
        ),
      ],
      sayX: count,
      sayY: formatShortTime,
      xName: msg('tokens so far'),
    });
  }
  const n = passes.with_cache;
  return linePlot({
    title: msg('Counted: token passes of one step'),
    series: [
      way(msg('without the cache'), 's', [
        { x: 1, y: 1 },
        { x: n, y: n },
      ]),
      way(msg('with the cache'), 'q', [
        { x: 1, y: 1 },
        { x: state.n, y: 1 },
      ]),
    ],
    sayX: count,
    sayY: count,
    xName: msg('tokens so far'),
  });
}

/** What both ways came to, and from where on nothing was timed. */
function sayMeasured(last, late) {
  const without = many(last.passes_without, msg('pass'), msg('passes'));
  const kept = count(last.passes_with);
  const said = last.same_tokens
    ? msg(str`${without} against ${kept}, the same tokens`)
    : msg(str`${without} against ${kept}, other tokens`);
  if (!late) return said;
  const problem = sayProblem(late.problem);
  const tokens = many(late.n, msg('token'), msg('tokens'));
  return msg(str`${said}; ${problem} from ${tokens} on`);
}

/** The passes of the longest text are the answer for another n. */
function measuring(ui) {
  const measured = ui?.measured ?? [];
  const last = timesOf(measured).at(-1);
  const late = measured.find(({ problem }) => problem);
  return measureButton(ui, {
    label: msg('Measure here'),
    done:
      last && !ui.answerHidden
        ? html`<span class="measure-what">${sayMeasured(last, late)}</span>`
        : nothing,
  });
}

function sayTotals({ passes }, ui) {
  const kept = number(count(passes.with_cache));
  if (ui?.answerHidden) {
    return msg(html`without: ${withheld}; with: n = <strong>${kept}</strong>; ${withheld} times`);
  }
  const ratio = number(times(passes.ratio));
  const without = number(count(passes.without_cache));
  return msg(
    html`without: n (n + 1) ÷ 2 = <strong>${without}</strong>; with: n = <strong>${kept}</strong>;
      ${ratio} times`,
  );
}

const totals = (numbers, ui) =>
  html`<div class="decode-totals">
    ${logSlider(ui, {
      path: 'n',
      value: numbers.state.n,
      label: html`<i>n</i>`,
      name: msg('n, tokens to write'),
      stops: STOPS,
      say: (value) => many(value, msg('token'), msg('tokens')),
    })}
    <p>${sayTotals(numbers, ui)}</p>
  </div>`;

const spoken = ({ done, written: tokens }) =>
  html`<div class="spoken">
    ${stepsTable({
      caption: msg('Token passes of each step'),
      columns: [
        { head: msg('step'), label: msg('step'), cell: (i) => ordinal(i) },
        { head: msg('token written'), label: msg('token written'), cell: (i) => tokens[i] },
        {
          head: msg('without the cache'),
          label: msg('without the cache'),
          cell: (i) => done[i].anew.passes,
        },
        {
          head: msg('with the cache'),
          label: msg('with the cache'),
          cell: (i) => done[i].kept.passes,
        },
      ],
      rows: indices(done.length),
    })}
  </div>`;

export const view = (numbers, ui) => {
  const { now } = numbers;
  return frame({
    model,
    numbers,
    ui,
    body: html`<div class="main decode">
      ${totals(numbers, ui)}
      <div class="decode-split">
        ${panel(numbers, {
          head: msg('Without: every token again'),
          key: msg('hatched: computed again'),
          again: true,
          total: now?.passes_without ?? 0,
          each: now?.anew.passes ?? 0,
        })}
        ${panel(numbers, {
          head: msg('With the cache: each once'),
          key: msg('outlined: kept'),
          again: false,
          total: now?.passes_with ?? 0,
          each: now?.kept.passes ?? 0,
        })}
        <div class="decode-times">
          ${plot(numbers, timesOf(ui?.measured ?? []))} ${measuring(ui)}
        </div>
      </div>
      ${transport(ui, { path: 'step', value: numbers.state.step, last: STEPS, what: msg('step') })}
      ${spoken(numbers)}
    </div>`,
  });
};

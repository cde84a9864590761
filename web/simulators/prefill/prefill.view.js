/** How it is drawn: the two kinds of work against the length, and three prompts as bars with their numbers. */
import { html, nothing, svg } from 'lit';
import { choice, logSlider, number, withheld } from '../../shared/controls.js';
import { frame } from '../../shared/frame.js';
import { msg, str } from '../../shared/language.js';
import { logPlot } from '../../shared/log-plot.js';
import {
  formatCount as count,
  formatNumber,
  formatOperations,
  formatTimes,
  many,
  plural,
} from '../../shared/number.js';
import { indices } from '../../shared/pick.js';
import { stepsTable } from '../../shared/steps-table.js';
import { parts } from './prefill.layout.js';
import { MODELS, STOPS, TICKS, model, names } from './prefill.model.js';

const tokens = (value) => many(value, msg('token'), msg('tokens'));

const controls = ({ state }, ui) =>
  html`<div class="prefill-controls">
    ${choice(ui, {
      path: 'model',
      value: state.model,
      legend: msg('Model'),
      options: MODELS.map(({ id, label }) => ({ value: id, label })),
    })}
    ${logSlider(ui, {
      path: 'tokens',
      value: state.tokens,
      label: msg('prompt'),
      name: msg('prompt in tokens'),
      stops: STOPS,
      say: tokens,
    })}
    ${logSlider(ui, {
      path: 'kept',
      value: state.kept,
      label: msg('retrieved instead'),
      name: msg('retrieved instead, in tokens'),
      stops: STOPS,
      say: tokens,
    })}
  </div>`;

const SHORT = {
  256: '256',
  1024: '1k',
  4096: '4k',
  16384: '16k',
  65536: '64k',
  262144: '256k',
  1048576: '1M',
};

const equalAt = (crossing) => {
  const tokens = count(crossing.tokens);
  return msg(str`equal at ${tokens}`);
};

const plot = ({ series, crossing, state }) =>
  logPlot({
    title: msg('Operations to read a prompt'),
    xs: TICKS,
    sayX: (n) => SHORT[n],
    xName: msg('tokens of the prompt'),
    sayY: formatOperations,
    base: 1000,
    series: [
      {
        name: msg('linear'),
        tone: 'plain',
        points: TICKS.map((x, i) => ({ x, y: series.linear[i] })),
      },
      {
        name: msg('attention'),
        tone: 's',
        points: TICKS.map((x, i) => ({ x, y: series.attention[i] })),
      },
    ],
    notes: [
      ...(crossing ? [{ x: crossing.tokens, y: crossing.flops, text: equalAt(crossing) }] : []),
    ],
    here: { x: state.tokens },
  });

const bar = (row, rows) => {
  const { linear, attention } = parts(row, rows);
  return html`<svg
    class="prefill-bar"
    viewBox="0 0 100 10"
    preserveAspectRatio="none"
    aria-hidden="true"
  >
    ${svg`<rect class="prefill-linear" width=${linear} height="10"></rect>
    <rect class="prefill-attention" x=${linear} width=${attention} height="10"></rect>`}
  </svg>`;
};

/** How a row compares with this prompt: less by a division, more by a factor. */
const against = ({ id, growth }, part) =>
  growth
    ? html`<span class="prefill-times"
        >${id === 'kept' ? '÷' : '×'} ${number(formatTimes(growth[part]))}</span
      >`
    : nothing;

const shareOfIt = (percent) => {
  const share = number(formatNumber(percent, { decimals: 0 }));
  return msg(html`${share} % of it`);
};

function table({ prompts }, ui) {
  const hides = (row) => ui?.answerHidden && row.id === 'doubled';
  const work = (part, share) => (i) => {
    const row = prompts[i];
    if (hides(row)) return withheld;
    return html`<span class="prefill-work"
      >${number(formatOperations(row[part]))}${
        row.growth
          ? against(row, part)
          : html`<span class="prefill-times">${share ? shareOfIt(row[share]) : nothing}</span>`
      }</span
    >`;
  };
  return stepsTable({
    caption: msg('The work of three prompts, in operations, and against this prompt'),
    rows: indices(prompts.length),
    current: 1,
    columns: [
      {
        head: msg('prompt'),
        label: msg('prompt'),
        cell: (i) =>
          html`<span class="prefill-prompt"
            >${names()[prompts[i].id]}<span class="prefill-tokens"
              >${number(count(prompts[i].tokens))}
              ${plural(prompts[i].tokens, msg('token'), msg('tokens'))}</span
            >${hides(prompts[i]) ? nothing : bar(prompts[i], ui?.answerHidden ? prompts.slice(0, 2) : prompts)}</span
          >`,
      },
      { head: msg('linear'), label: msg('linear'), cell: work('linear', 'linear_percent') },
      {
        head: msg('attention'),
        label: msg('attention'),
        tone: 's',
        cell: work('attention', 'attention_percent'),
      },
      { head: msg('total'), label: msg('total'), cell: work('total') },
    ],
  });
}

export const view = (numbers, ui) =>
  frame({
    model,
    numbers,
    ui,
    body: html`<div class="main prefill">
      ${controls(numbers, ui)}
      <div class="prefill-split">${plot(numbers)} ${table(numbers, ui)}</div>
    </div>`,
  });

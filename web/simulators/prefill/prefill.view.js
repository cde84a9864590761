/** How it is drawn: the two kinds of work against the length, and three prompts as bars with their numbers. */
import { html, nothing, svg } from 'lit';
import { choice, logSlider, number, withheld } from '../../shared/controls.js';
import { frame } from '../../shared/frame.js';
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
import { MODELS, NAMES, STOPS, TICKS, model } from './prefill.model.js';

const tokens = (value) => many(value, 'token');

const controls = ({ state }, ui) =>
  html`<div class="prefill-controls">
    ${choice(ui, {
      path: 'model',
      value: state.model,
      legend: 'Model',
      options: MODELS.map(({ id, label }) => ({ value: id, label })),
    })}
    ${logSlider(ui, {
      path: 'tokens',
      value: state.tokens,
      label: 'prompt',
      name: 'prompt in tokens',
      stops: STOPS,
      say: tokens,
    })}
    ${logSlider(ui, {
      path: 'kept',
      value: state.kept,
      label: 'retrieved instead',
      name: 'retrieved instead, in tokens',
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

const plot = ({ series, crossing, state }) =>
  logPlot({
    title: 'Operations to read a prompt',
    xs: TICKS,
    sayX: (n) => SHORT[n],
    xName: 'tokens of the prompt',
    sayY: formatOperations,
    base: 1000,
    series: [
      { name: 'linear', tone: 'plain', points: TICKS.map((x, i) => ({ x, y: series.linear[i] })) },
      {
        name: 'attention',
        tone: 's',
        points: TICKS.map((x, i) => ({ x, y: series.attention[i] })),
      },
    ],
    notes: [
      ...(crossing
        ? [{ x: crossing.tokens, y: crossing.flops, text: `equal at ${count(crossing.tokens)}` }]
        : []),
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

function table({ prompts }, ui) {
  const hides = (row) => ui?.answerHidden && row.id === 'doubled';
  const work = (part, share) => (i) => {
    const row = prompts[i];
    if (hides(row)) return withheld;
    return html`<span class="prefill-work"
      >${number(formatOperations(row[part]))}${
        row.growth
          ? against(row, part)
          : html`<span class="prefill-times"
              >${share ? html`${number(formatNumber(row[share], { decimals: 0 }))} % of it` : nothing}</span
            >`
      }</span
    >`;
  };
  return stepsTable({
    caption: 'The work of three prompts, in operations, and against this prompt',
    rows: indices(prompts.length),
    current: 1,
    columns: [
      {
        head: 'prompt',
        label: 'prompt',
        cell: (i) =>
          html`<span class="prefill-prompt"
            >${NAMES[prompts[i].id]}<span class="prefill-tokens"
              >${number(count(prompts[i].tokens))} ${plural(prompts[i].tokens, 'token')}</span
            >${hides(prompts[i]) ? nothing : bar(prompts[i], ui?.answerHidden ? prompts.slice(0, 2) : prompts)}</span
          >`,
      },
      { head: 'linear', label: 'linear', cell: work('linear', 'linear_percent') },
      {
        head: 'attention',
        label: 'attention',
        tone: 's',
        cell: work('attention', 'attention_percent'),
      },
      { head: 'total', label: 'total', cell: work('total') },
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

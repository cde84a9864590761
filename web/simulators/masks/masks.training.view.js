/** How the second view is drawn: two losses and a third that nobody watched, and where each model looks. */
import { html } from 'lit';
import { cell, number } from '../../shared/controls.js';
import { msg } from '../../shared/language.js';
import { linePlot, seriesMark } from '../../shared/line-plot.js';
import { matrixTable } from '../../shared/matrix-table.js';
import { formatExact, formatNumber, formatWholePercent } from '../../shared/number.js';
import { indices, ordinal } from '../../shared/pick.js';
import { stepsTable } from '../../shared/steps-table.js';
import { transport } from '../../shared/transport.js';
import { LINES, ROUNDS, WINDOW } from './masks.training.js';

const tick = (value) => formatNumber(value, { decimals: 1, trim: true });
const two = (value) => formatNumber(value, { decimals: 2 });

const plot = ({ state, lines }) =>
  linePlot({
    title: msg('Loss in nats'),
    series: LINES.map(({ id, name, tone }) => ({
      name,
      tone,
      points: lines[id].curve.map((y, x) => ({ x, y })),
    })),
    sayX: tick,
    sayY: tick,
    xName: msg('rounds of training'),
    names: false,
    every: 6,
    here: state.round,
  });

const table = ({ lines }, ui) =>
  stepsTable({
    caption: msg('The losses after this round, and what each model writes'),
    rows: indices(LINES.length),
    columns: [
      {
        head: msg('trained'),
        label: msg('trained'),
        cell: (i) =>
          html`<span class="masks-series">${seriesMark(i, LINES[i].tone)}${LINES[i].name}</span>`,
      },
      {
        head: msg('loss'),
        label: msg('loss'),
        cell: (i) => {
          const { loss } = lines[LINES[i].id];
          return number(ui?.exact ? formatExact(loss) : two(loss), loss);
        },
      },
    ],
  });

const map = ({ maps }, run, name) =>
  html`<div class="masks-map" role="region" tabindex="0" aria-label=${name}>
    ${matrixTable({
      name,
      spoken: msg('where each word looks'),
      tone: 'w',
      corner: msg('word'),
      rows: maps[run],
      rowNames: WINDOW.map((word) => html`<span lang="en">${word}</span>`),
      columnNames: WINDOW.map(
        (word, j) =>
          html`<span aria-hidden="true">${ordinal(j)}</span
            ><span class="spoken" lang="en">${word}</span>`,
      ),
      full: 1,
      masked: (i, j) => run === 'with' && j > i,
      cell: (weight) => number(formatWholePercent(weight), weight),
    })}
  </div>`;

const writes = ({ written }, run) =>
  html`<p class="masks-writes">
    ${msg(html`writes: <span class="masks-words" lang="en">${written[run]}</span>`)}
  </p>`;

export const trainingBody = (numbers, ui) => {
  const { state } = numbers;
  return html`<div class="masks-training">
      <div class="masks-losses">${plot(numbers)} ${table(numbers, ui)}</div>
      <div class="masks-looks">
        ${map(numbers, 'with', msg('with the mask, weights in %'))} ${writes(numbers, 'with')}
      </div>
      <div class="masks-looks">
        ${map(numbers, 'without', msg('without it'))} ${writes(numbers, 'without')}
      </div>
    </div>
    <div class="masks-run">
      ${transport(ui, { path: 'round', value: state.round, last: ROUNDS, what: msg('round') })}
      <span class="masks-seed"
        ><span aria-hidden="true">${msg('seed')}</span> ${cell(ui, {
          path: 'training_seed',
          value: state.training_seed,
          label: msg('seed of training'),
          step: 1,
          min: 0,
        })}</span
      >
    </div>`;
};

/** How it is drawn: three histograms over one axis, and beside them the variance in theory and as measured. */
import { html, nothing } from 'lit';
import { numberIn, slider, withheld } from '../../shared/controls.js';
import { frame } from '../../shared/frame.js';
import { histogram } from '../../shared/histogram.js';
import { lengthSlider } from '../../shared/length-slider.js';
import { msg, str } from '../../shared/language.js';
import { indices } from '../../shared/pick.js';
import { formatWeight } from '../../shared/scaling.js';
import { stepsTable } from '../../shared/steps-table.js';
import { KEYS, count, formatVariance, model, namesOf } from './dot-product.model.js';

const TONES = ['s', 'q', 'plain'];

const controls = ({ state }, ui) =>
  html`<div class="scaling-controls">
    ${lengthSlider(ui, state.d_k)}
    ${slider(ui, {
      path: 'seed',
      value: state.seed,
      label: msg('seed'),
      name: msg('seed'),
      min: 0,
      max: 200,
      step: 1,
    })}
  </div>`;

const plot = (numbers) =>
  histogram({
    xName: msg('score'),
    reach: numbers.reach,
    series: numbers.divided.map(({ histogram: counts }, k) => ({
      name: namesOf(numbers)[k],
      tone: TONES[k],
      counts,
    })),
  });

function table(numbers, ui) {
  const keys = count(KEYS);
  const largest = msg(str`largest of ${keys} weights`);
  return stepsTable({
    caption: msg(
      'The variance of the scores, in theory and measured, and the largest weight of a row',
    ),
    rows: indices(3),
    columns: [
      {
        head: msg('score'),
        label: msg('score'),
        cell: (row) => html`<span class="tone-${TONES[row]}">${namesOf(numbers)[row]}</span>`,
      },
      {
        head: msg('variance'),
        label: msg('variance in theory'),
        cell: (row) =>
          ui?.answerHidden ? withheld : numberIn(numbers.expected[row], formatVariance, ui),
      },
      {
        head: msg('measured'),
        label: msg('variance measured'),
        cell: (row) =>
          ui?.answerHidden ? withheld : numberIn(numbers.divided[row].variance, formatVariance, ui),
      },
      {
        head: largest,
        label: largest,
        tone: 'w',
        cell: (row) => numberIn(numbers.divided[row].largest, formatWeight, ui),
      },
    ],
  });
}

export const view = (numbers, ui) =>
  frame({
    model,
    numbers,
    ui,
    body: html`<div class="main scaling">
      ${controls(numbers, ui)}
      <div class="scaling-split ${ui?.exact ? 'scaling-exact' : ''}">
        ${ui?.exact || ui?.answerHidden ? nothing : plot(numbers)} ${table(numbers, ui)}
      </div>
    </div>`,
  });

/** How it is drawn: three histograms over one axis, and beside them the variance in theory and as measured. */
import { html, nothing } from 'lit';
import { logSlider, numberIn, slider, withheld } from '../../shared/controls.js';
import { frame } from '../../shared/frame.js';
import { histogram } from '../../shared/histogram.js';
import { indices } from '../../shared/pick.js';
import { formatWeight } from '../../shared/scaling.js';
import { stepsTable } from '../../shared/steps-table.js';
import { KEYS, STOPS, count, formatVariance, model, namesOf } from './dot-product.model.js';

const TONES = ['s', 'q', 'plain'];

const controls = ({ state }, ui) =>
  html`<div class="scaling-controls">
    ${logSlider(ui, {
      path: 'd_k',
      value: state.d_k,
      label: html`d<sub>k</sub>`,
      name: 'd_k',
      stops: STOPS,
      say: (d_k) => `vectors of length ${count(d_k)}`,
    })}
    ${slider(ui, {
      path: 'seed',
      value: state.seed,
      label: 'seed',
      name: 'seed',
      min: 0,
      max: 200,
      step: 1,
    })}
  </div>`;

const plot = (numbers) =>
  histogram({
    xName: 'score',
    reach: numbers.reach,
    series: numbers.divided.map(({ histogram: counts }, k) => ({
      name: namesOf(numbers)[k],
      tone: TONES[k],
      counts,
    })),
  });

const table = (numbers, ui) =>
  stepsTable({
    caption: 'The variance of the scores, in theory and measured, and the largest weight of a row',
    rows: indices(3),
    columns: [
      {
        head: 'score',
        label: 'score',
        cell: (row) => html`<span class="tone-${TONES[row]}">${namesOf(numbers)[row]}</span>`,
      },
      {
        head: 'variance',
        label: 'variance in theory',
        cell: (row) =>
          ui?.answerHidden ? withheld : numberIn(numbers.expected[row], formatVariance, ui),
      },
      {
        head: 'measured',
        label: 'variance measured',
        cell: (row) =>
          ui?.answerHidden ? withheld : numberIn(numbers.divided[row].variance, formatVariance, ui),
      },
      {
        head: html`largest of ${count(KEYS)} weights`,
        label: `largest of ${count(KEYS)} weights`,
        tone: 'w',
        cell: (row) => numberIn(numbers.divided[row].largest, formatWeight, ui),
      },
    ],
  });

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

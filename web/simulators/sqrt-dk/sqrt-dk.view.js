/** How it is drawn: the spread of the scores with and without the division, and what each does to the rows as a table. */
import { html, nothing } from 'lit';
import { numberIn, slider, withheld } from '../../shared/controls.js';
import { frame } from '../../shared/frame.js';
import { histogram } from '../../shared/histogram.js';
import { lengthSlider } from '../../shared/length-slider.js';
import { msg, str } from '../../shared/language.js';
import { measureButton } from '../../shared/measure-button.js';
import { indices } from '../../shared/pick.js';
import { DIVISORS, SEEDS, formatDead, formatGradient, formatWeight } from '../../shared/scaling.js';
import { stepsTable } from '../../shared/steps-table.js';
import { count, model, namesOf } from './sqrt-dk.model.js';

const controls = ({ state }, ui) =>
  html`<div class="scaling-controls">
    ${lengthSlider(ui, state.d_k)}
    ${slider(ui, {
      path: 'keys',
      value: state.keys,
      label: msg('keys'),
      name: msg('keys'),
      min: 2,
      max: 32,
      step: 1,
    })}
    ${slider(ui, {
      path: 'rows',
      value: state.rows,
      label: msg('rows'),
      name: msg('rows'),
      min: 10,
      max: 500,
      step: 10,
    })}
    ${slider(ui, {
      path: 'seed',
      value: state.seed,
      label: msg('seed'),
      name: msg('seed'),
      min: 0,
      max: 100000,
      step: 1,
    })}
  </div>`;

const plot = (numbers) =>
  histogram({
    xName: msg('scores that enter the softmax'),
    reach: numbers.reach,
    series: [
      { name: msg('not divided'), tone: 's', counts: numbers.divided[DIVISORS.none].histogram },
      { name: namesOf(numbers)[1], tone: 'q', counts: numbers.divided[DIVISORS.root].histogram },
    ],
  });

/** A number of the run, and below it where 95 of 100 seeds lie, once they were run. */
function measured(value, { format, spread, ui, hidden }) {
  if (hidden) return withheld;
  const own = numberIn(value, format, ui);
  if (!spread) return own;
  const [low, high] = [spread.low, spread.high].map(format);
  const told = msg(html`<span class="spoken">95 % of the seeds: </span>${low} to ${high}`);
  return html`<span class="twice">${own}<span class="scaling-spread">${told}</span></span>`;
}

function table(numbers, ui) {
  const spread = ui?.measured.at(-1)?.spread;
  const column = (head, field, format) => ({
    head,
    label: head,
    cell: (row) =>
      measured(numbers.divided[row][field], {
        format,
        spread: spread?.[row][field],
        ui,
        hidden: Boolean(ui?.answerHidden) && row === DIVISORS.none,
      }),
  });
  return stepsTable({
    caption: msg(
      'Medians over the rows, for scores that are not divided, divided by the root of d_k, and divided by d_k',
    ),
    rows: indices(3),
    columns: [
      { head: msg('scores'), label: msg('scores'), cell: (row) => namesOf(numbers)[row] },
      column(msg('largest weight'), 'largest', formatWeight),
      column(msg('gradient'), 'gradient', formatGradient),
      column(msg('dead rows, %'), 'dead', formatDead),
    ],
  });
}

function spreadButton(ui) {
  const seeds = ui?.measured.at(-1)?.seeds;
  const last = count(SEEDS);
  const note = () => {
    const run = count(seeds);
    return msg(str`below each number: 95 % of ${run} seeds`);
  };
  return measureButton(ui, {
    label: msg(str`Run seeds 1 to ${last}`),
    done: seeds ? html`<span class="scaling-note">${note()}</span>` : nothing,
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
        ${ui?.exact ? nothing : plot(numbers)}
        <div>${table(numbers, ui)} ${ui?.answerHidden ? nothing : spreadButton(ui)}</div>
      </div>
    </div>`,
  });

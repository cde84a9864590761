/** How it is drawn: what is left of the gradient against distance, and at the far end of three lengths as a table. */
import { html, nothing } from 'lit';
import { logSlider, numberIn, slider, withheld } from '../../shared/controls.js';
import { frame } from '../../shared/frame.js';
import { msg, str } from '../../shared/language.js';
import { formatCount as count, formatMagnitude } from '../../shared/number.js';
import { indices } from '../../shared/pick.js';
import { reachPlot } from '../../shared/reach-plot.js';
import { stepsTable } from '../../shared/steps-table.js';
import { PATHS, STOPS, model, short, tokens } from './gradient.model.js';

function controls({ state }, ui) {
  const scale = short(state.scale);
  return html`<div class="gradient-controls">
    ${logSlider(ui, {
      path: 'n',
      value: state.n,
      label: msg('tokens'),
      name: msg('tokens'),
      stops: STOPS,
      say: tokens,
    })}
    ${slider(ui, {
      path: 'scale',
      value: state.scale,
      label: msg('weight scale'),
      name: msg('weight scale'),
      min: 0.5,
      max: 2,
      step: 0.05,
      valueText: msg(str`weights times ${scale}`),
    })}
    ${slider(ui, {
      path: 'seed',
      value: state.seed,
      label: msg('seed'),
      name: msg('seed'),
      min: 1,
      max: 100,
      step: 1,
    })}
    ${slider(ui, {
      path: 'forget_bias',
      value: state.forget_bias,
      label: msg('forget bias'),
      name: msg('forget bias'),
      min: 1,
      max: 5,
      step: 0.25,
      tone: 'q',
    })}
  </div>`;
}

/** What a guess is about. */
const SECRET = ['plain', 'upper', 'median', 'lower'];
const isHidden = (id, ui) => Boolean(ui?.answerHidden) && SECRET.includes(id);

const plot = ({ state, curves }, ui) =>
  reachPlot({
    title: msg('Gradient that is left'),
    xName: msg('tokens back from the last'),
    n: state.n,
    series: PATHS.filter(({ id, mark }) => mark !== undefined && !isHidden(id, ui)).map(
      ({ id, name, tone, mark }) => ({
        name: id === 'plain' ? msg('plain RNN') : name(state),
        tone,
        mark,
        values: curves[id],
        band: id === 'plain' ? curves : undefined,
      }),
    ),
  });

const number = (value, ui) => numberIn(value, formatMagnitude, ui);

const cellOf = (end, id, ui) => (isHidden(id, ui) ? withheld : number(end[id], ui));

function lengthNow(end) {
  const length = count(end.length);
  return msg(str`now: ${length}`);
}

function table({ state, ends }, ui) {
  return stepsTable({
    caption: msg('What is left of the gradient after n tokens, for three lengths'),
    rows: indices(PATHS.length),
    columns: [
      {
        head: msg(html`after <i>n</i> tokens`),
        label: msg('path'),
        cell: (row) => html`<span class="tone-${PATHS[row].tone}">${PATHS[row].name(state)}</span>`,
      },
      ...ends.map((end, k) => ({
        head: k === 2 ? lengthNow(end) : tokens(end.length),
        label: k === 2 ? lengthNow(end) : tokens(end.length),
        cell: (row) => cellOf(end, PATHS[row].id, ui),
      })),
    ],
  });
}

export const view = (numbers, ui) =>
  frame({
    model,
    numbers,
    ui,
    body: html`<div class="main gradient">
      ${controls(numbers, ui)}
      <div class="gradient-split ${ui?.exact ? 'gradient-exact' : ''}">
        ${ui?.exact ? nothing : plot(numbers, ui)} ${table(numbers, ui)}
      </div>
    </div>`,
  });

/** How it is drawn: one of its two views in the frame of every simulator. */
import { html } from 'lit';
import { choice } from '../../shared/controls.js';
import { frame } from '../../shared/frame.js';
import { model } from './masks.model.js';
import { pairsBody } from './masks.pairs.view.js';
import { trainingBody } from './masks.training.view.js';

const BODIES = { pairs: pairsBody, training: trainingBody };

const viewChoice = ({ state }, ui) =>
  choice(ui, {
    path: 'view',
    value: state.view,
    legend: html`<span class="spoken">What is shown</span>`,
    options: [
      { value: 'pairs', label: 'four masks' },
      { value: 'training', label: 'training without the causal mask' },
    ],
  });

export const view = (numbers, ui) =>
  frame({
    model,
    numbers,
    ui,
    body: html`<div class="main masks">
      ${viewChoice(numbers, ui)} ${BODIES[numbers.state.view](numbers, ui)}
    </div>`,
  });

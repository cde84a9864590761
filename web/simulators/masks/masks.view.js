/** How it is drawn: one of its two views in the frame of every simulator. */
import { html } from 'lit';
import { frame } from '../../shared/frame.js';
import { model } from './masks.model.js';
import { pairsBody } from './masks.pairs.view.js';
import { trainingBody } from './masks.training.view.js';

const BODIES = { pairs: pairsBody, training: trainingBody };

export const view = (numbers, ui) =>
  frame({
    model,
    numbers,
    ui,
    // Its cases lead from one view to the other.
    body: html`<div class="main masks">${BODIES[numbers.state.view](numbers, ui)}</div>`,
  });

/** How the cache on one accelerator is drawn: one of its three views in the frame of every simulator. */
import { html, nothing } from 'lit';
import { frame } from '../../shared/frame.js';
import {
  fillControls,
  planControls,
  published,
  schemeChoice,
  viewChoice,
} from './kv-cache.controls.js';
import { fillingBody } from './kv-cache.filling.view.js';
import { memoryBody } from './kv-cache.memory.view.js';
import { model } from './kv-cache.model.js';
import { speedBody } from './kv-cache.speed.view.js';

const BODIES = { memory: memoryBody, roofline: speedBody, filling: fillingBody };

export const view = (numbers, ui) => {
  const { state } = numbers;
  const filling = state.view === 'filling';
  return frame({
    model,
    numbers,
    ui,
    // The choice of the view stays the same element in every one, so that it keeps the focus.
    body: html`<div class="main kv">
      <div class="kv-controls">
        ${viewChoice(numbers, ui)}
        ${filling ? fillControls(numbers, ui) : html`${published(numbers, ui)} ${schemeChoice(numbers, ui)}`}
      </div>
      ${filling ? nothing : planControls(numbers, ui)} ${BODIES[state.view](numbers, ui)}
    </div>`,
  });
};

/** Arithmetic written out line by line, with the numbers in it: the name of a step, then the sum itself. */
import { html } from 'lit';

/** @param {[string, unknown][]} lines */
export const working = (lines) =>
  html`<dl class="working">
    ${lines.map(
      ([name, sum]) =>
        html`<div class="working-line">
          <dt>${name}</dt>
          <dd>${sum}</dd>
        </div>`,
    )}
  </dl>`;

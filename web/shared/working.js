/** Arithmetic written out line by line, with the numbers in it: the name of a step, then the sum itself. */
import { html } from 'lit';

/** Lines that two short columns take. */
const FEW = 4;

/** @param {[string, unknown][]} lines */
export const working = (lines) =>
  html`<dl class="working ${lines.length > FEW ? '' : 'working-short'}">
    ${lines.map(
      ([name, sum]) =>
        html`<div class="working-line">
          <dt>${name}</dt>
          <dd>${sum}</dd>
        </div>`,
    )}
  </dl>`;

/** A weight between 0 and 1 as a standing column; the number stands below it. */
import { html } from 'lit';

const HEIGHT = 100;

export const column = (weight) => {
  const filled = Number.isFinite(weight) ? HEIGHT * weight : 0;
  return html`
    <svg class="column" viewBox="0 0 40 100" preserveAspectRatio="none" aria-hidden="true">
      <rect class="bar-track" width="40" height="100"></rect>
      <rect
        class="bar-fill"
        width="40"
        y=${(HEIGHT - filled).toFixed(2)}
        height=${filled.toFixed(2)}
      ></rect>
    </svg>
  `;
};

/** A weight between 0 and 1 as a bar; the number stands beside it, so the drawing is hidden from readers. */
import { html } from 'lit';

const WIDTH = 100;

export const bar = (weight) => html`
  <svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
    <rect class="bar-track" width="100" height="10"></rect>
    <rect
      class="bar-fill"
      width=${Number.isFinite(weight) ? (WIDTH * weight).toFixed(2) : '0'}
      height="10"
    ></rect>
  </svg>
`;

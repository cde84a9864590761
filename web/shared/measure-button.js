/** The button that times something on the reader's machine, how far it is, and what is said when it is done. */
import { html, nothing } from 'lit';
import { msg } from './language.js';
import { hides } from './limits.js';

/**
 * @param {object|undefined} ui
 * @param {{label: string, done?: unknown}} button `done`: what stands beside it while nothing runs
 */
export function measureButton(ui, { label, done = nothing }) {
  if (hides(ui, 'controls')) return nothing;
  const progress = ui?.measuring;
  return html`<div class="measure">
    <button
      type="button"
      class="case"
      ?disabled=${!ui}
      @click=${ui ? () => ui.toggleMeasure() : nothing}
    >
      ${progress ? msg('Cancel') : label}
    </button>
    ${
      progress
        ? html`<progress
              max=${progress.total}
              .value=${progress.done}
              aria-label=${msg('Tasks done')}
            ></progress>
            <span class="measure-what">${progress.what}</span>`
        : done
    }
  </div>`;
}

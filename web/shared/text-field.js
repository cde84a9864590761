/** A text of the reader's own, in one line or several; it computes while they type. */
import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { canChange, hides } from './limits.js';

/**
 * @param {object|undefined} ui the element's side, or nothing for the static figure
 * @param {{path: string, value: string, label: string, lines?: number, hint?: string}} field
 */
export function textField(ui, { path, value, label, lines = 1, hint }) {
  if (hides(ui, 'controls')) return nothing;
  const locked = !canChange(ui, path);
  const problem = ui?.problems.get(path);
  const given = ui?.drafts.get(path) ?? value;
  const describedBy = problem ? `problem-${path}` : nothing;
  const input = (event) => ui.type(path, event.target.value);
  const change = (event) => ui.commit(path, event.target.value);
  let box;
  if (!ui) {
    // A textarea holds no text when it is drawn at build time; a still box of the same size does.
    box = html`<span class="text-box ${lines === 1 ? '' : 'text-lines'}">${value}</span>`;
  } else if (lines === 1) {
    box = html`<input
      class="text-box"
      type="text"
      autocomplete="off"
      spellcheck="false"
      ?readonly=${locked}
      data-path=${path}
      placeholder=${hint ?? nothing}
      aria-describedby=${describedBy}
      aria-invalid=${problem ? 'true' : nothing}
      .value=${live(given)}
      @input=${input}
      @change=${change}
    />`;
  } else {
    box = html`<textarea
      class="text-box text-lines"
      spellcheck="false"
      ?readonly=${locked}
      data-path=${path}
      placeholder=${hint ?? nothing}
      aria-describedby=${describedBy}
      aria-invalid=${problem ? 'true' : nothing}
      .value=${live(given)}
      @input=${input}
      @change=${change}
    ></textarea>`;
  }
  return html`<label class="text-field ${lines === 1 ? 'text-field-line' : ''}">
    <span class="text-label">${label}</span>${box}
    ${problem ? html`<span class="problem" id="problem-${path}" part="problem">${problem}</span>` : nothing}
  </label>`;
}

/**
 * A file of the reader's own: a button that opens it (it may be dropped on the simulator as well), what was made of it,
 * and the reading itself, which takes no more of the file than is asked for. Nothing leaves the page.
 */
import { html, nothing } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { msg } from './language.js';
import { hides } from './limits.js';

/** What is read at first: the whole of most configurations, and the header of most models. */
const FIRST_BYTES = 4 * 2 ** 20;

/**
 * Reads the beginning of a file, and more of it as long as `read` says how much it needs.
 * @template T
 * @param {Blob} file
 * @param {(bytes: Uint8Array) => (T & { needs?: number }) | Promise<T & { needs?: number }>} read
 * @returns {Promise<T>}
 */
export async function readUntil(file, read) {
  let length = Math.min(FIRST_BYTES, file.size);
  for (;;) {
    const bytes = new Uint8Array(await file.slice(0, length).arrayBuffer());
    const answer = await read(bytes);
    if (answer.needs === undefined) return answer;
    if (!(answer.needs > length) || length >= file.size) {
      throw new Error(msg('The file ends before all is told that is needed.'));
    }
    length = Math.min(answer.needs, file.size);
  }
}

/**
 * @param {object|undefined} ui
 * @param {{label: string, accept: string, hint: string}} drop `hint`: what may be dropped
 */
export function fileDrop(ui, { label, accept, hint }) {
  if (hides(ui, 'controls')) return nothing;
  const take = (event) => {
    const [file] = event.target.files;
    // The same file once more is a change too.
    if (file) ui.takeFile(file);
    event.target.value = '';
  };
  return html`<label class="file-drop"
    ><input
      type="file"
      accept=${accept}
      aria-label="${label}: ${hint}"
      ?disabled=${!ui || ui.locksAll}
      @change=${ui ? take : nothing}
    /><span class="file-button">${label}</span> <span class="file-hint">${hint}</span></label
  >`;
}

/**
 * What was made of the last file, beside the button. A refusal is an alert, and another element than what stood there
 * before: so it is spoken. What went well is spoken by the simulator, before its answer.
 */
export const fileSays = (ui) =>
  ui?.file
    ? keyed(
        ui.file,
        html`<div
          class="file-says file-${ui.file.kind}"
          tabindex="0"
          role=${ui.file.kind === 'error' ? 'alert' : 'group'}
          aria-label=${msg('The file')}
        >
          <strong>${ui.file.name}</strong>
          ${ui.file.lines.map((line) => html`<span lang=${ui.file.lang ?? nothing}>${line}</span> `)}
        </div>`,
      )
    : nothing;

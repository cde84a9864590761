/** The box with what is copied into somebody's slides, below the toolbar while it is open. */
import { html } from 'lit';
import { msg } from './language.js';

// As text, so that the bundler does not look for the file that it is about to write.
const { url: here } = import.meta;

/** The folder that holds attention-deck.js, from where this script came; undefined where no server gave it. */
export const site = /^https?:/.test(here) ? new URL('../', here) : undefined;

const lines = () => [
  {
    kind: 'tag',
    rows: 3,
    label: msg('One tag, with its script'),
    copy: msg('Copy the tag'),
    done: msg('The tag is on the clipboard.'),
  },
  {
    kind: 'frame',
    rows: 4,
    label: msg('A frame, where a page takes no script'),
    copy: msg('Copy the frame'),
    done: msg('The frame is on the clipboard.'),
  },
  {
    kind: 'link',
    rows: 1,
    label: msg('A link'),
    copy: msg('Copy the link'),
    done: msg('The link is on the clipboard.'),
  },
];

/**
 * @param {object} ui
 * @param {{tag: string, frame: string, link: string}} texts
 */
export function embedBox(ui, texts) {
  const copy = async (event, { kind, done }) => {
    const field = event.currentTarget.closest('.embed-line').querySelector('textarea');
    try {
      await navigator.clipboard.writeText(texts[kind]);
      ui.tellEmbed(done);
    } catch {
      // A frame may be kept from the clipboard: the text is marked, one key away from it.
      field.focus();
      field.select();
      ui.tellEmbed(msg('The text is marked: copy it with Ctrl+C, or ⌘C.'));
    }
  };
  return html`<div
    class="embed-box"
    role="group"
    aria-label=${msg('Put this in your slides')}
    part="embed"
  >
    <p class="embed-title" aria-hidden="true">${msg('Put this in your slides')}</p>
    ${lines().map(
      (line) =>
        html`<div class="embed-line">
          <span class="embed-label" aria-hidden="true">${line.label}</span>
          <button
            type="button"
            class="case"
            aria-label=${line.copy}
            @click=${(event) => copy(event, line)}
          >
            ${msg('Copy')}
          </button>
          <textarea
            class="embed-text"
            readonly
            rows=${line.rows}
            spellcheck="false"
            aria-label=${line.label}
            .value=${texts[line.kind]}
            @focus=${(event) => event.target.select()}
          ></textarea>
        </div>`,
    )}
    <p class="embed-done" role="status">${ui.embedSays}</p>
  </div>`;
}

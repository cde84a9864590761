/**
 * The box with what is copied into somebody's slides, below the toolbar while it is open. Fetched when it is asked for: few of those who
 * see a simulator take it along.
 */
import { html, nothing } from 'lit';
import { COLUMNS } from './embed-text.js';
import { msg } from './language.js';

export { COLUMNS, embedTexts, frameHeight } from './embed-text.js';

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

const columnNames = () => [msg('960 px, a slide'), msg('700 px, a text'), msg('360 px, a phone')];

/** For which column the frame is high enough. */
const columnChoice = (ui) =>
  html`<label class="embed-column"
    >${msg('High enough for a column of')}
    <select class="select" @change=${({ target }) => ui.setEmbedColumn(Number(target.value))}>
      ${columnNames().map(
        (name, at) =>
          html`<option value=${COLUMNS[at]} .selected=${COLUMNS[at] === ui.embedColumn}>
            ${name}
          </option>`,
      )}
    </select></label
  >`;

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
    <div class="embed-head">
      <p class="embed-title" aria-hidden="true">${msg('Put this in your slides')}</p>
      <p class="embed-done" role="status">${ui.embedSays}</p>
      <button
        type="button"
        class="embed-close"
        aria-label=${msg('Close')}
        title=${msg('Close')}
        @click=${() => ui.closeEmbed()}
      >
        <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
          <path d="M6 6 18 18M18 6 6 18" />
        </svg>
      </button>
    </div>
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
          ${line.kind === 'frame' ? columnChoice(ui) : nothing}
        </div>`,
    )}
  </div>`;
}

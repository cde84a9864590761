/** Pieces of markup that several sections have. */
import { html, nothing } from 'lit';
import { msg } from '../../shared/language.js';
import { formatNumber, formatPercent } from '../../shared/number.js';
import { pieceInline } from '../../shared/pieces.js';

/** @param {string} id @param {string} title @param {unknown} body */
export const section = (id, title, body) =>
  html`<section class="model-part" id=${id} aria-labelledby="${id}-title">
    <h2 id="${id}-title">${title}</h2>
    ${body}
  </section>`;

/** @param {import('./app.js').Problem | undefined} problem */
export const problemView = (problem) =>
  problem
    ? html`<p class="model-problem" role="alert" lang=${problem.lang ?? nothing}>
        ${problem.message}
      </p>`
    : nothing;

/**
 * A button that starts a section's work, and stops it: it keeps the focus when its word changes.
 * @param {import('./app.js').App} app
 * @param {object} who
 * @param {string} word
 * @param {() => void} start
 */
export function runButton(app, who, word, start) {
  const isOurs = app.busy?.who === who;
  return html`<button
    type="button"
    class="page-button page-button-main"
    ?disabled=${app.busy && !isOurs}
    @click=${() => (isOurs ? app.busy.stop.abort() : start())}
  >
    ${isOurs ? msg('Stop') : word}
  </button>`;
}

/** A probability as a number and a bar. */
export const bar = (probability) =>
  html`<span class="model-bar" aria-hidden="true"
    ><svg viewBox="0 0 100 8" preserveAspectRatio="none">
      <rect width=${100 * probability} height="8"></rect></svg
  ></span>`;

/** @param {number} probability */
export const percent = (probability) => formatPercent(probability, probability < 0.001 ? 3 : 1);

/** A loss in nats. @param {number} loss */
export const nats = (loss) => formatNumber(loss, { decimals: 2 });

/**
 * The most probable next tokens.
 * @param {string} caption
 * @param {{ id: number, text: string, probability: number }[]} candidates
 */
export const candidatesTable = (caption, candidates) =>
  html`<table class="model-table">
    <caption>
      ${caption}
    </caption>
    <thead>
      <tr>
        <th scope="col">${msg('Token')}</th>
        <th scope="col">id</th>
        <th scope="col">${msg('Probability')}</th>
        <td></td>
      </tr>
    </thead>
    <tbody>
      ${candidates.map(
        ({ id, text, probability }) =>
          html`<tr>
            <th scope="row">${pieceInline(text)}</th>
            <td>${id}</td>
            <td>${percent(probability)}</td>
            <td>${bar(probability)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;

/**
 * A number that is typed; one that is not allowed is not taken.
 * @param {{ id: string, label: string, value: number, min: number, max: number, step: number }} field
 * @param {(value: number) => void} set
 */
export const numberField = ({ id, label, value, min, max, step }, set) =>
  html`<label class="model-number" for=${id}
    >${label}
    <input
      id=${id}
      class="model-field"
      type="number"
      inputmode="decimal"
      required
      min=${min}
      max=${max}
      step=${step}
      .value=${String(value)}
      @change=${({ target }) => {
        if (target.reportValidity()) set(target.valueAsNumber);
        else target.value = String(value);
      }}
  /></label>`;

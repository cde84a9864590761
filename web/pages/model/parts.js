/** Pieces of markup that several sections have. */
import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { msg, str } from '../../shared/language.js';
import { formatNumber, formatPercent } from '../../shared/number.js';
import { pieceInline } from '../../shared/pieces.js';

/** @param {string} id @param {string} title @param {unknown} body */
export const section = (id, title, body) =>
  html`<section class="model-part" id=${id} aria-labelledby="${id}-title">
    <h2 id="${id}-title" tabindex="-1">${title}</h2>
    ${body}
  </section>`;

/** @param {import('./app.js').Problem | undefined} problem */
export const problemView = (problem) =>
  problem
    ? html`<p class="model-problem" role="alert">
        ${problem.lead ? html`<strong>${problem.lead}</strong>` : nothing}
        <span lang=${problem.lang ?? nothing}>${problem.message}</span>
      </p>`
    : nothing;

/**
 * A button that starts a section's work, and stops it: it keeps the focus when its word changes. Beside it stands how far
 * the work is.
 * @param {import('./app.js').App} app
 * @param {{ message: string }} who
 * @param {string} word
 * @param {() => void} start
 */
export function runLine(app, who, word, start) {
  const isOurs = app.busy?.who === who;
  // A step that has begun comes to its end first.
  const isStopping = isOurs && app.busy.stop.signal.aborted;
  const press = () => {
    if (isOurs) app.stop();
    else start();
  };
  return html`<div class="model-line model-run">
    <button
      type="button"
      class="page-button page-button-main"
      ?disabled=${app.busy && !isOurs}
      aria-disabled=${isStopping ? 'true' : nothing}
      @click=${press}
    >
      ${isStopping ? msg('Stopping…') : isOurs ? msg('Stop') : word}
    </button>
    <p class="model-status" role="status">${who.message}</p>
  </div>`;
}

/** Above what was computed of another text than the one that stands in the field now. @param {import('./app.js').App} app */
export function staleNote({ sentence }) {
  if (!sentence.isStale) return nothing;
  const read = html`<q lang="">${sentence.reading.text}</q>`;
  return html`<p class="model-stale">
    ${msg(html`This is of the sentence that was read last, not of what the field holds now: ${read}`)}
  </p>`;
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
 * Fields of numbers: what is not allowed stays as it was typed, with what is wrong under it.
 * @param {import('./numbers.js').Numbers} numbers
 */
export const numberFields = (numbers) => numbers.fields.map((field) => numberField(numbers, field));

function numberField(numbers, { field, id, name, min, max, integer, hint, text, problem }) {
  const [least, most] = [min, max].map((end) => formatNumber(end, { trim: true }));
  return html`<div class="model-number">
    <label for=${id}>${name}</label>
    <input
      id=${id}
      class="model-field"
      type="text"
      inputmode=${integer ? 'numeric' : 'decimal'}
      autocomplete="off"
      spellcheck="false"
      aria-invalid=${problem ? 'true' : nothing}
      aria-describedby="${problem ? `${id}-problem ` : ''}${id}-range"
      .value=${live(text)}
      @input=${({ target }) => numbers.type(field, target.value)}
      @blur=${({ relatedTarget }) => {
        // That button looks at all of them. A sentence that came before the click is over would move it away.
        if (!relatedTarget?.closest('.model-run')) numbers.check(field);
      }}
      @keydown=${({ key }) => {
        if (key === 'Enter') numbers.check(field);
      }}
    />
    <span class="model-range" id="${id}-range"
      >${msg(str`From ${least} to ${most}`)}${hint ? html`; ${hint}` : nothing}</span
    >
    ${problem ? html`<span class="model-wrong" id="${id}-problem">${problem}</span>` : nothing}
  </div>`;
}

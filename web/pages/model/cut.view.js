/** The grid of heads and the row of tokens that may be cut, and both answers side by side. */
import { html, nothing } from 'lit';
import { msg, str } from '../../shared/language.js';
import { many } from '../../shared/number.js';
import { pieceInline } from '../../shared/pieces.js';
import { bar, nats, percent, problemView, section, staleNote } from './parts.js';

const MOVES = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function keyOf(cut, event) {
  const move = MOVES[event.key];
  if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  const { layer, head } = cut.at;
  cut.moveTo(layer + move[0], head + move[1]);
  const grid = event.currentTarget;
  // Drawn in a moment; then the cell is there to be focused.
  requestAnimationFrame(() => grid.querySelector('[data-head][tabindex="0"]')?.focus());
}

function headCell(cut, layer, head) {
  const isHere = cut.at.layer === layer && cut.at.head === head;
  return html`<td>
    <button
      type="button"
      class="model-head"
      data-head="${layer}.${head}"
      tabindex=${isHere ? '0' : '-1'}
      aria-pressed=${cut.heads.has(`${layer}.${head}`) ? 'true' : 'false'}
      aria-label=${msg(str`Layer ${layer}, head ${head}`)}
      @click=${() => cut.toggleHead(layer, head)}
    ></button>
  </td>`;
}

function grid(cut, { n_layers, n_heads }) {
  const layers = Array.from({ length: n_layers }, (_, layer) => layer);
  const heads = Array.from({ length: n_heads }, (_, head) => head);
  return html`<div
    class="model-scroll"
    role="region"
    aria-label=${msg('Heads to cut')}
    tabindex="0"
  >
    <table class="model-heads" aria-describedby="cut-grid" @keydown=${(event) => keyOf(cut, event)}>
      <thead>
        <tr>
          <td></td>
          ${layers.map(
            (layer) =>
              html`<th scope="col">
                <button
                  type="button"
                  class="model-layer"
                  tabindex="-1"
                  aria-label=${msg(str`All heads of layer ${layer}`)}
                  @click=${() => cut.toggleLayer(layer)}
                >
                  ${layer}
                </button>
              </th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${heads.map(
          (head) =>
            html`<tr>
              <th scope="row">${head}</th>
              ${layers.map((layer) => headCell(cut, layer, head))}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

const positions = (cut) =>
  html`<div
    class="model-positions"
    role="group"
    aria-label=${msg('Tokens that nobody else may see')}
  >
    ${cut.before.tokens.map(
      ({ text }, at) =>
        html`<button
          type="button"
          class="model-token"
          aria-pressed=${cut.positions.has(at) ? 'true' : 'false'}
          aria-label=${msg(str`Token ${at}: ${text}`)}
          @click=${() => cut.togglePosition(at)}
        >
          ${text}
        </button>`,
    )}
  </div>`;

function whatIsCut({ heads, positions: tokens }) {
  const [cutHeads, cutTokens] = [
    many(heads.size, msg('head'), msg('heads')),
    many(tokens.size, msg('token'), msg('tokens')),
  ];
  return msg(str`Cut: ${cutHeads}, ${cutTokens}.`);
}

const comparison = ({ before, after }) =>
  html`<table class="model-table model-compared">
    <caption>
      ${msg('What may come next, before and after')}
    </caption>
    <thead>
      <tr>
        <th scope="col">${msg('Token')}</th>
        <th scope="col" colspan="2">${msg('Whole model')}</th>
        <th scope="col" colspan="2">${msg('With the cut')}</th>
      </tr>
    </thead>
    <tbody>
      ${after.rows.map(
        ({ text, before: whole, after: cut }) =>
          html`<tr>
            <th scope="row">${pieceInline(text)}</th>
            <td>${percent(whole)}</td>
            <td>${bar(whole)}</td>
            <td>${percent(cut)}</td>
            <td>${bar(cut)}</td>
          </tr>`,
      )}
    </tbody>
    ${
      before.mean_loss === undefined
        ? nothing
        : html`<tfoot>
            <tr>
              <th scope="row">${msg('Mean loss of the sentence (nats)')}</th>
              <td>${nats(before.mean_loss)}</td>
              <td></td>
              <td>${nats(after.mean_loss)}</td>
              <td></td>
            </tr>
          </tfoot>`
    }
  </table>`;

/**
 * @param {import('./cut.js').Cut} cut
 * @param {import('./app.js').App} app
 */
export function cutView(cut, app) {
  if (!cut.before) return nothing;
  return section(
    'cut',
    msg('Cut a head, or hide a token'),
    html`${staleNote(app)}
      <p class="model-hint">
        ${msg('A weight shows where a head looked, not that it mattered. Press a cell: the head’s output becomes 0. The number of a layer cuts all of its heads. Press a token: no other token sees it, in any layer.')}
      </p>
      <p class="model-hint model-caption" id="cut-grid">
        ${msg('Columns are layers, rows are heads, both from 0.')}
      </p>
      ${grid(cut, app.about)} ${positions(cut)}
      <div class="model-line">
        <p class="model-status" role="status">${whatIsCut(cut)}</p>
        <button
          type="button"
          class="page-button"
          ?disabled=${cut.isEmpty}
          @click=${() => cut.clear()}
        >
          ${msg('Make it whole again')}
        </button>
      </div>
      ${problemView(cut.problem)} ${cut.after ? comparison(cut) : nothing}`,
  );
}

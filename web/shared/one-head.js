/** One head of a trained model: which it is, and its map over the tokens of a text. */
import { html, nothing, svg } from 'lit';
import { slider, withheld } from './controls.js';
import { msg } from './language.js';
import { spokenPiece } from './piece-text.js';
import { entryOf, indices, lastOf } from './pick.js';
import { mapKey, mapPicture, shadeOf } from './weight-map.js';

/** Tokens of a map whose cells are drawn one by one; more of them are painted. */
const DRAWN = 40;
/** More tokens than that leave no room for a name in each row. */
const NAMED = 18;

/** Layer, head and query, in the fields of a state that are called so. */
export const headSliders = ({ state, n_layers, n_heads, pieces }, ui) => html`
  ${slider(ui, {
    path: 'layer',
    value: state.layer,
    label: msg('layer'),
    name: msg('layer, counted from 0'),
    min: 0,
    max: lastOf(n_layers),
    step: 1,
  })}
  ${slider(ui, {
    path: 'head',
    value: state.head,
    label: msg('head'),
    name: msg('head, counted from 0'),
    min: 0,
    max: lastOf(n_heads),
    step: 1,
  })}
  ${slider(ui, {
    path: 'row',
    value: state.row,
    label: msg('query'),
    name: msg('query token, counted from 0'),
    min: 0,
    max: lastOf(pieces.length),
    step: 1,
    tone: 'q',
    valueText: spokenPiece(pieces[state.row]),
  })}
`;

/** The cells of a map that no causal head sees, as flags. */
const hiddenOf = (n) =>
  Uint8Array.from({ length: n * n }, (_, at) => (at % n > Math.floor(at / n) ? 1 : 0));

/** The map before the page is live, and on paper: a square for each pair that is seen. */
const squares = (values, n) =>
  svg`<svg class="map-squares" viewBox="0 0 ${n} ${n}" aria-hidden="true">
    ${indices(n).map((i) =>
      indices(n)
        .filter((j) => j <= i)
        .map(
          (j) =>
            svg`<rect class=${shadeOf(entryOf(values, n, i, j))} x=${j} y=${i} width="1" height="1"></rect>`,
        ),
    )}
  </svg>`;

/**
 * Names of the tokens beside their rows, and the map, in which a cell can be pointed at and a row be chosen.
 * @param {object} what
 * @param {string[]} what.pieces
 * @param {number} what.row the chosen one, the state's `row`
 * @param {number} what.key the heaviest of that row, which is pointed at until the reader points elsewhere
 * @param {ArrayLike<number>} what.values [n, n] in rows
 * @param {string} what.describedBy the id of what says a row in words
 */
export function headMap({ pieces, row, key, values, describedBy }, ui) {
  const n = pieces.length;
  const at = ui?.pointed ?? [row, key];
  const chooseRow = (to) => {
    ui.move(['row'], [to]);
    ui.moved();
  };
  const classesOf = (i) =>
    [
      'large-name',
      i === row ? 'large-at' : '',
      i === at[1] && !ui?.answerHidden ? 'large-key' : '',
    ].join(' ');
  return html`<div class="large-map ${n > NAMED ? 'large-map-dense' : ''}">
    <div class="large-rows" aria-hidden="true">
      ${pieces.map(
        (piece, i) =>
          html`<span class=${classesOf(i)} lang="en" @click=${ui ? () => chooseRow(i) : nothing}
            >${piece}</span
          >`,
      )}
    </div>
    <div class="large-key-of-shades">${mapKey(false, false)}</div>
    ${
      ui?.answerHidden
        ? html`<div class="large-hidden">${withheld}</div>`
        : mapPicture({
            label: msg('Its weights: queries down, keys across'),
            n,
            at,
            pointed: at,
            values,
            hidden: hiddenOf(n),
            drawn: n > DRAWN ? undefined : squares(values, n),
            describedBy,
            on: ui && {
              point: (cell) => ui.point(cell),
              choose: (i, j) => {
                chooseRow(i);
                ui.point([i, j]);
              },
            },
          })
    }
  </div>`;
}

/**
 * All weights of one head: a table with its numbers while it is small, one picture when it is large. In both a cell is
 * chosen by pointer or arrow keys; hovering shows it without choosing it. Shades are classes (weight-map.css), because the
 * content policy refuses inline styles; a masked cell is hatched.
 */
import { html, nothing, svg } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { shown } from './controls.js';
import { msg } from './language.js';
import { formatNumber } from './number.js';
import { paintMap } from './paint-map.js';

export const STEPS = 20;
/**
 * From which step on black text reads better in the dark scheme, and white in the light one: the hues differ in how
 * bright they are. Between the two black reads in both. See tests/node/shared.test.js.
 */
const TURNS = { weight: [11, 13], above: [11, 13], below: [10, 15] };
/** Columns that leave room for one more. */
const WIDE = 6;
/** Rows of which each is many pixels high. */
const FINE = 64;
const SUM = { decimals: 3, trim: true };
const clamp = (value, most) => Math.min(most, Math.max(0, value));

/** The classes of a step of the scale of `weight`, or of scores `above` or `below` 0. */
export function shadeOfStep(step, hue) {
  const [middle, strong] = TURNS[hue];
  const ink = step >= strong ? 'map-strong' : step >= middle ? 'map-middle' : 'map-weak';
  return `map-shade map-${step} map-${hue} ${ink}`;
}

/** The classes of a weight from 0 to 1, or of a score, `reach` being the magnitude that takes the full colour. */
export function shadeOf(value, reach) {
  if (reach === undefined) return shadeOfStep(Math.round(STEPS * clamp(value, 1)), 'weight');
  const share = reach > 0 ? Math.abs(value) / reach : 0;
  return shadeOfStep(Math.round(STEPS * clamp(share, 1)), value < 0 ? 'below' : 'above');
}

/** Where an arrow key leads from a cell; nothing for another key. */
function stepTo({ key, ctrlKey }, [i, j], [rows, columns]) {
  const to = {
    ArrowUp: [i - 1, j],
    ArrowDown: [i + 1, j],
    ArrowLeft: [i, j - 1],
    ArrowRight: [i, j + 1],
    Home: [ctrlKey ? 0 : i, 0],
    End: [ctrlKey ? rows - 1 : i, columns - 1],
  }[key];
  return to && [clamp(to[0], rows - 1), clamp(to[1], columns - 1)];
}

/**
 * A small one, as a table whose cells print their numbers.
 * @param {object} map
 * @param {string} map.label
 * @param {string[]} map.names of rows and columns alike
 * @param {number[]} map.at the row and column that is chosen
 * @param {number[]} map.pointed the one that is looked at now
 * @param {(i: number, j: number) => {text: unknown, shade: string, masked: boolean, said: string}} map.cell
 * @param {{choose: (i: number, j: number) => void, point: (at?: number[]) => void}} [map.on] nothing at build time
 * @param {ArrayLike<number>} [map.sums] of the rows, in a last column where there is room
 * @param {boolean} [map.holdsFields] the cells hold fields, which take the keys themselves
 */
export function mapTable({ label, names, at, pointed, cell, on, sums, holdsFields = false }) {
  const n = names.length;
  const roving = on && !holdsFields;
  const hasSums = sums && n <= WIDE;
  const key = (event, i, j) => {
    const to = stepTo(event, [i, j], [n, n]);
    if (!to) return;
    event.preventDefault();
    on.choose(...to);
    event.currentTarget
      .closest('table')
      .querySelector(`[data-at="${to.join('.')}"]`)
      .focus();
  };
  const isAt = ([row, column], i, j) => row === i && column === j;
  return html`<table
    class="map-table ${n > WIDE ? 'map-tight' : ''} ${holdsFields ? 'map-fields' : ''}"
    role=${holdsFields ? nothing : 'grid'}
    aria-label=${label}
    @pointerleave=${on ? () => on.point() : nothing}
  >
    <thead>
      <tr>
        <td class="map-corner"><span class="spoken">${msg('query, then keys')}</span></td>
        ${names.map(
          (name, j) =>
            html`<th scope="col" class="tone-k ${j === pointed[1] ? 'map-lit' : ''}">
              <span class="map-name" lang="en" title=${name}>${name}</span>
            </th>`,
        )}
        ${hasSums ? html`<th scope="col">${msg('sum')}</th>` : nothing}
      </tr>
    </thead>
    <tbody>
      ${names.map(
        (name, i) =>
          html`<tr>
            <th scope="row" class="tone-q ${i === pointed[0] ? 'map-lit' : ''}">
              <span class="map-name" lang="en" title=${name}>${name}</span>
            </th>
            ${names.map((_, j) => {
              const { text, shade, masked, said } = cell(i, j);
              const classes = [
                masked ? 'map-masked' : shade,
                isAt(at, i, j) ? 'map-at' : '',
                isAt(pointed, i, j) ? 'map-pointed' : '',
              ];
              return html`<td
                class=${classes.join(' ')}
                data-at="${i}.${j}"
                tabindex=${roving ? (isAt(at, i, j) ? '0' : '-1') : nothing}
                aria-selected=${roving ? String(isAt(at, i, j)) : nothing}
                @pointerenter=${on ? () => on.point([i, j]) : nothing}
                @click=${on ? () => on.choose(i, j) : nothing}
                @focusin=${on && holdsFields ? () => on.choose(i, j) : nothing}
                @keydown=${roving ? (event) => key(event, i, j) : nothing}
              >
                ${text}${said ? html`<span class="spoken">${said}</span>` : nothing}
              </td>`;
            })}
            ${hasSums ? html`<td class="map-sum">${shown(sums[i], SUM)}</td>` : nothing}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/** The cell under a pointer. */
function cellUnder(event, n) {
  const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
  const part = (from, size, value) => clamp(Math.floor((n * (value - from)) / size), n - 1);
  return [part(top, height, event.clientY), part(left, width, event.clientX)];
}

/** The row and the column of a cell, and the cell itself. */
const cross = ([i, j], n) =>
  svg`<svg class="map-cross" viewBox="0 0 ${n} ${n}" preserveAspectRatio="none" aria-hidden="true">
    <rect class="map-band" x="0" y=${i} width=${n} height="1"></rect>
    <rect class="map-band" x=${j} y="0" width="1" height=${n}></rect>
    <rect class="map-here" x=${j} y=${i} width="1" height="1"></rect>
  </svg>`;

/**
 * A large one, as one picture that arrow keys and the pointer walk over; what it holds is told beside it.
 * @param {object} map
 * @param {string} map.label
 * @param {number} map.n rows and columns
 * @param {number[]} map.at
 * @param {number[]} map.pointed
 * @param {ArrayLike<number>} map.values [n, n]
 * @param {ArrayLike<number>} map.hidden [n, n] 0 where not masked
 * @param {number} [map.reach] of scores; weights without it
 * @param {unknown} [map.drawn] the picture, where it is not to be painted
 * @param {string} [map.spoken] the cell at `at`, in words: said when it changes, as shades are not heard; without it
 *   something else says it
 * @param {string} map.describedBy the id of the words beside it
 * @param {{choose: (i: number, j: number) => void, point: (at?: number[]) => void}} [map.on]
 */
export function mapPicture({
  label,
  n,
  at,
  pointed,
  values,
  hidden,
  reach,
  drawn,
  spoken,
  describedBy,
  on,
}) {
  const key = (event) => {
    const to = stepTo(event, at, [n, n]);
    if (!to) return;
    event.preventDefault();
    on.choose(...to);
  };
  const choose = (event) => on.choose(...cellUnder(event, n));
  const point = (event) => event.pointerType !== 'touch' && on.point(cellUnder(event, n));
  return html`<div
    class="map-picture ${n > FINE ? 'map-fine' : ''}"
    role="application"
    aria-label=${label}
    aria-describedby=${describedBy}
    tabindex=${on ? '0' : nothing}
    @pointermove=${on ? point : nothing}
    @pointerleave=${on ? () => on.point() : nothing}
    @click=${on ? choose : nothing}
    @keydown=${on ? key : nothing}
  >
    ${
      drawn ??
      html`<canvas
        aria-hidden="true"
        ${on ? ref((canvas) => canvas && paintMap(canvas, { n, values, hidden, reach })) : nothing}
      ></canvas>`
    }
    ${cross(pointed, n)}${
      spoken === undefined ? nothing : html`<span class="spoken" role="status">${spoken}</span>`
    }
  </div>`;
}

/** What the shades mean, and the hatching where there is any. */
export const mapKey = (scores, hatched = true) =>
  html`<p class="map-key">
    ${
      scores
        ? html`<span class="map-swatch ${shadeOf(-1, 1)}"></span>${msg('below 0')}
            <span class="map-swatch ${shadeOf(1, 1)}"></span>${msg('above 0')}`
        : html`<span>0</span>${[0, 5, 10, 15, 20].map(
              (step) => html`<span class="map-swatch ${shadeOf(step / STEPS)}"></span>`,
            )}<span>1</span>`
    }
    ${hatched ? html`<span class="map-swatch map-masked"></span>${msg('masked')}` : nothing}
  </p>`;

/** The greatest magnitude of some scores: the one that takes the full colour. */
export function reachOf(scores) {
  let reach = 0;
  for (const score of scores) reach = Math.max(reach, Math.abs(score));
  return reach;
}

const WEIGHT = { decimals: 2 };
const SMALL = 0.005;

/** A weight where there is little room: one that two places would print as nothing is said to be almost that. */
export const printedWeight = (weight) =>
  weight !== 0 && weight < SMALL ? '≈0' : formatNumber(weight, WEIGHT);

/**
 * A plane with a query as an arrow and keys as marked points: the dot product seen. The numbers stand in
 * the fields and the table beside it, so the picture is hidden from screen readers; the query can be
 * dragged, and each of its components also has a slider and a box.
 */
import { html, svg } from 'lit';
import { markShape } from './mark.js';

const HALF = 100;
const EDGE = 4;
const MARGIN = 0.35;

/** The whole number of units that shows every point: at least 2, and steady while a point moves inside. */
function reachOf(points) {
  const largest = Math.max(...points.flat().map(Math.abs));
  return Math.max(2, Math.ceil(largest - 1e-9)) + MARGIN;
}

const place = (value, reach) => Number(((value / reach) * (HALF - EDGE)).toFixed(2));

/** The point of the plane under the pointer, in the plane's own units, rounded to tenths. */
function pointUnder(event, reach) {
  const box = event.currentTarget.ownerSVGElement.getBoundingClientRect();
  const unit = (share) => {
    const value = ((share - 0.5) * 2 * HALF * reach) / (HALF - EDGE);
    return Math.round(Math.max(-reach, Math.min(reach, value)) * 10) / 10;
  };
  return [
    unit((event.clientX - box.left) / box.width),
    -unit((event.clientY - box.top) / box.height),
  ].map((value) => (value === 0 ? 0 : value));
}

function dragging({ reach, onMove, onCommit }) {
  const move = (event) => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) onMove(pointUnder(event, reach));
  };
  return {
    down: (event) => {
      event.currentTarget.setPointerCapture(event.pointerId);
      event.preventDefault();
    },
    move,
    up: (event) => {
      if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
      event.currentTarget.releasePointerCapture(event.pointerId);
      onCommit();
    },
  };
}

const ticks = (reach) => {
  const step = reach > 10 ? 10 ** Math.ceil(Math.log10(reach / 5)) : 1;
  const lines = [];
  for (let at = -Math.floor(reach / step) * step; at <= reach; at += step) lines.push(at);
  return lines;
};

/**
 * @param {object} drawing
 * @param {number[]} drawing.query two components
 * @param {number[][]} drawing.keys points with two components
 * @param {number} [drawing.reach] units from the middle to the edge; else the least that shows all
 * @param {false | ((point: number[]) => void)} [drawing.onMove] while the query is dragged; false where it may not be
 * @param {() => void} [drawing.onCommit] when it is let go
 */
export function plane({ query, keys, reach, onMove, onCommit }) {
  const units = reach ?? reachOf([query, ...keys]);
  const x = (value) => place(value, units);
  const y = (value) => -place(value, units);
  const drag = onMove && dragging({ reach: units, onMove, onCommit });
  const [tipX, tipY] = [x(query[0]), y(query[1])];
  const angle = (Math.atan2(tipY, tipX) * 180) / Math.PI;
  const atOrigin = query[0] === 0 && query[1] === 0;
  return html`
    <svg
      class="plane"
      viewBox="${-HALF} ${-HALF} ${2 * HALF} ${2 * HALF}"
      aria-hidden="true"
      focusable="false"
    >
      <rect class="plane-ground" x=${-HALF} y=${-HALF} width=${2 * HALF} height=${2 * HALF}></rect>
      ${ticks(units).map(
        (at) => svg`
          <path class=${at === 0 ? 'plane-axis' : 'plane-grid'}
            d="M${x(at)} ${-HALF}V${HALF}M${-HALF} ${y(at)}H${HALF}"></path>`,
      )}
      ${keys.map(
        (key, index) => svg`
          <path class="plane-key-line" d="M0 0L${x(key[0])} ${y(key[1])}"></path>
          <g class="plane-key" transform="translate(${x(key[0])} ${y(key[1])}) scale(1.15) translate(-6 -6)">
            ${markShape(index)}
          </g>`,
      )}
      ${
        atOrigin
          ? ''
          : svg`
        <path class="plane-query" d="M0 0L${tipX} ${tipY}"></path>
        <path class="plane-query-head" d="M1 0L-9 -5V5Z"
          transform="translate(${tipX} ${tipY}) rotate(${angle.toFixed(2)})"></path>`
      }
      ${
        onMove === false
          ? ''
          : svg`
        <circle
          class="plane-handle"
          cx=${tipX}
          cy=${tipY}
          r="14"
          @pointerdown=${drag?.down}
          @pointermove=${drag?.move}
          @pointerup=${drag?.up}
          @pointercancel=${drag?.up}
        ></circle>`
      }
    </svg>
  `;
}

/**
 * How some values are spread: a row of bars for each series, one below the other over one axis from −reach to reach, each
 * as high as its own fullest bin. What they show is told in numbers beside it, so the picture is hidden from screen readers.
 */
import { html, svg } from 'lit';
import { formatExact } from './number.js';

const [WIDTH, HEIGHT] = [400, 282];
const [LEFT, RIGHT, TOP, BOTTOM] = [8, 8, 4, 46];
const NAME = 30;

/** −reach, its half, 0 and so on, rounded for the eye. */
const ticksOf = (reach) =>
  [-1, -0.5, 0, 0.5, 1].map((share) => ({
    at: share,
    text: formatExact(Number((share * reach).toPrecision(3))),
  }));

/** The outline of bars of some counts, from the left to the right. */
function outline(counts, { x, floor, height }) {
  const most = Math.max(...counts, 1);
  const steps = Array.from(counts, (count, i) => {
    const y = Number((floor - (height * count) / most).toFixed(1));
    return `V${y}H${x((2 * (i + 1)) / counts.length - 1)}`;
  });
  return `M${x(-1)} ${floor}${steps.join('')}V${floor}Z`;
}

/**
 * @param {object} plot
 * @param {string} plot.xName
 * @param {number} plot.reach
 * @param {{name: string, tone: string, counts: ArrayLike<number>}[]} plot.series
 */
export function histogram({ xName, reach, series }) {
  const x = (share) => Number((LEFT + ((WIDTH - LEFT - RIGHT) * (share + 1)) / 2).toFixed(1));
  const row = (HEIGHT - TOP - BOTTOM) / series.length;
  return html`<svg
    class="log-plot histogram"
    viewBox="0 0 ${WIDTH} ${HEIGHT}"
    aria-hidden="true"
    focusable="false"
  >
    ${series.map(({ name, tone, counts }, i) => {
      const floor = TOP + row * (i + 1);
      return svg`<g class="log-plot-series log-plot-${tone}">
        <path class="log-plot-grid" d="M${x(0)} ${floor - row + NAME}V${floor}"></path>
        <path class="histogram-bars" d=${outline(counts, { x, floor, height: row - NAME - 6 })}></path>
        <path class="histogram-floor" d="M${x(-1)} ${floor}H${x(1)}"></path>
        <text class="log-plot-name" x=${LEFT} y=${floor - row + NAME - 3}>${name}</text>
      </g>`;
    })}
    ${ticksOf(reach).map(
      ({ at, text }) =>
        svg`<text
          class="log-plot-x histogram-${at === -1 ? 'first' : at === 1 ? 'last' : 'tick'}"
          x=${x(at)} y=${HEIGHT - BOTTOM + 20}>${text}</text>`,
    )}
    <text class="log-plot-x" x=${WIDTH / 2} y=${HEIGHT - 5}>${xName}</text>
  </svg>`;
}

/**
 * A plot with plain axes from zero, for what grows or stays. The numbers stand beside it as well, so the picture is
 * hidden from screen readers. Series differ by mark and by name, not by colour alone.
 */
import { html, nothing, svg } from 'lit';

const [WIDTH, HEIGHT] = [400, 262];
const [LEFT, RIGHT, TOP, BOTTOM] = [74, 22, 34, 46];

const MARKS = [
  svg`<path d="M-4.4 -4.4H4.4V4.4H-4.4Z"></path>`,
  svg`<circle r="4.8"></circle>`,
  svg`<path d="M0 -6.4L6.4 0L0 6.4L-6.4 0Z"></path>`,
];

/** The mark of a series in a line of text, where a table beside the plot names it. */
export const seriesMark = (kind, tone) =>
  html`<svg class="series-mark log-plot-${tone}" viewBox="-8 -8 16 16" aria-hidden="true">
    <g class="log-plot-mark">${MARKS[kind % MARKS.length]}</g>
  </svg>`;

/** Round numbers from 0 to at least a value, about four steps apart. */
function ticksTo(most) {
  const power = 10 ** Math.floor(Math.log10(most / 4));
  const step = power * [1, 2, 2.5, 5, 10].find((factor) => factor * power >= most / 4);
  return Array.from({ length: Math.ceil(most / step - 1e-9) + 1 }, (_, i) =>
    Number((i * step).toPrecision(12)),
  );
}

/**
 * @param {object} plot
 * @param {string} plot.title
 * @param {{name: string, tone: string, points: {x: number, y: number}[]}[]} plot.series
 * @param {(x: number) => string} plot.sayX
 * @param {(y: number) => string} plot.sayY
 * @param {string} plot.xName
 * @param {boolean} [plot.names] whether the series are named in the plot; a table beside it may do so instead
 * @param {number} [plot.every] a mark at every so manieth point
 * @param {number} [plot.here] where the reader stands on the x axis
 */
export function linePlot({ title, series, sayX, sayY, xName, names = true, every = 1, here }) {
  const all = series.flatMap(({ points }) => points);
  const largest = (axis) => Math.max(...all.map((point) => point[axis]), Number.MIN_VALUE);
  const [xTicks, yTicks] = [ticksTo(largest('x')), ticksTo(largest('y'))];
  const at = (number) => Number(number.toFixed(1));
  const x = (value) => at(LEFT + ((WIDTH - LEFT - RIGHT) * value) / xTicks.at(-1));
  const y = (value) => at(HEIGHT - BOTTOM - ((HEIGHT - TOP - BOTTOM) * value) / yTicks.at(-1));
  return html`<svg
    class="log-plot"
    viewBox="0 0 ${WIDTH} ${HEIGHT}"
    aria-hidden="true"
    focusable="false"
  >
    <text class="log-plot-title" x="4" y="16">${title}</text>
    ${yTicks.map(
      (tick) =>
        svg`<path class="log-plot-grid" d="M${LEFT} ${y(tick)}H${WIDTH - RIGHT}"></path>
          <text class="log-plot-y" x=${LEFT - 8} y=${y(tick) + 5}>${sayY(tick)}</text>`,
    )}
    ${xTicks.map(
      (tick) =>
        svg`<text class="log-plot-x" x=${x(tick)} y=${HEIGHT - BOTTOM + 20}>${sayX(tick)}</text>`,
    )}
    <text class="log-plot-x" x=${(LEFT + WIDTH - RIGHT) / 2} y=${HEIGHT - 5}>${xName}</text>
    ${
      here === undefined
        ? nothing
        : svg`<path class="log-plot-here" d="M${x(here)} ${TOP}V${HEIGHT - BOTTOM}"></path>`
    }
    ${series.map(
      ({ name, tone, points }, i) =>
        svg`<g class="log-plot-series log-plot-${tone}">
          <path class="log-plot-line" d=${points.map((point, k) => `${k === 0 ? 'M' : 'L'}${x(point.x)} ${y(point.y)}`).join('')}></path>
          ${points
            .filter((_, k) => k % every === 0)
            .map(
              (point) =>
                svg`<g class="log-plot-mark" transform="translate(${x(point.x)} ${y(point.y)})">${MARKS[i % MARKS.length]}</g>`,
            )}
          ${
            names
              ? svg`<g class="log-plot-mark" transform="translate(${LEFT + 18} ${TOP + 20 + 24 * i})">${MARKS[i % MARKS.length]}</g>
                <text class="log-plot-name" x=${LEFT + 32} y=${TOP + 26 + 24 * i}>${name}</text>`
              : nothing
          }
        </g>`,
    )}
  </svg>`;
}

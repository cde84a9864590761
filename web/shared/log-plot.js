/**
 * A plot with both axes logarithmic: a power of n is a straight line, and its slope is the exponent. The numbers stand
 * in the table beside it, so the picture is hidden from screen readers. Series differ by mark and by name, not by
 * colour alone.
 */
import { html, nothing, svg } from 'lit';

const [WIDTH, HEIGHT] = [400, 310];
const [LEFT, RIGHT, TOP, BOTTOM] = [78, 26, 38, 52];
/** Names stand at the lower right: what grows with x leaves that corner free. */
const NAMES_LEFT = 226;

const MARKS = {
  square: svg`<path d="M-5 -5H5V5H-5Z"></path>`,
  circle: svg`<circle r="5.4"></circle>`,
  diamond: svg`<path d="M0 -7L7 0L0 7L-7 0Z"></path>`,
  triangle: svg`<path d="M0 -6.5L6.5 5.5H-6.5Z"></path>`,
};
const NAMES = Object.keys(MARKS);

/** The powers of a base just below the least of some values and just above the most. */
export function powersAround(values, base) {
  const exponent = (value) => Math.log(value) / Math.log(base);
  const from = Math.floor(exponent(Math.min(...values)) + 1e-9);
  const to = Math.ceil(exponent(Math.max(...values)) - 1e-9);
  return [base ** from, base ** Math.max(to, from + 1)];
}

/** The powers of a base from one to another. */
export function powers([least, most], base) {
  const ticks = [];
  for (let tick = least; tick <= most * 1.001; tick *= base) ticks.push(tick);
  return ticks;
}

/**
 * Where a pair of values stands between the first and the last tick of each axis, and both axes drawn.
 * @param {object} axes
 * @param {number[]} axes.xs
 * @param {number[]} axes.ys
 * @param {(x: number) => string} axes.sayX
 * @param {(y: number) => string} axes.sayY
 * @param {string} axes.xName
 * @param {string} axes.title
 */
export function logAxes({ xs, ys, sayX, sayY, xName, title }) {
  const share = (value, from, to) => Math.log(value / from) / Math.log(to / from);
  const at = (number) => Number(number.toFixed(1));
  const x = (value) => at(LEFT + (WIDTH - LEFT - RIGHT) * share(value, xs[0], xs.at(-1)));
  const y = (value) =>
    at(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share(value, ys[0], ys.at(-1)));
  const drawn = svg`<text class="log-plot-title" x="4" y="16">${title}</text>
    ${ys.map(
      (tick) =>
        svg`<path class="log-plot-grid" d="M${LEFT} ${y(tick)}H${WIDTH - RIGHT}"></path>
          <text class="log-plot-y" x=${LEFT - 8} y=${y(tick) + 5}>${sayY(tick)}</text>`,
    )}
    ${xs.map(
      (tick, i) =>
        svg`<path class="log-plot-grid" d="M${x(tick)} ${TOP}V${HEIGHT - BOTTOM}"></path>
          <text class="log-plot-x ${i % 2 === 1 ? 'log-plot-between' : ''}" x=${x(tick)} y=${HEIGHT - BOTTOM + 24}>${sayX(tick)}</text>`,
    )}
    <text class="log-plot-x" x=${(LEFT + WIDTH - RIGHT) / 2} y=${HEIGHT - 6}>${xName}</text>`;
  return { x, y, drawn };
}

/** A line through points of the plane, as the data of a path. */
export const lineThrough = (points, { x, y }) =>
  points.map((point, i) => `${i === 0 ? 'M' : 'L'}${x(point.x)} ${y(point.y)}`).join('');

/** One mark; `kind` counts through the shapes. */
export const markAt = (left, top, kind) =>
  svg`<g class="log-plot-mark" transform="translate(${left} ${top})">${MARKS[NAMES[kind % NAMES.length]]}</g>`;

/** The picture around what is drawn. */
export const plotFrame = (drawn) =>
  html`<svg class="log-plot" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true" focusable="false">
    ${drawn}
  </svg>`;

/**
 * @param {object} plot
 * @param {string} plot.title
 * @param {{name: string, tone: string, mark?: number, points: {x: number, y: number}[]}[]} plot.series `mark` where a
 *   table beside the plot shows it, else one after another
 * @param {number[]} plot.xs the ticks of the x axis, its ends among them
 * @param {(x: number) => string} plot.sayX
 * @param {(y: number) => string} plot.sayY
 * @param {string} plot.xName
 * @param {boolean} [plot.names] whether the series are named in the plot; a table beside it may do so instead
 * @param {number} [plot.base] between two ticks of the y axis
 * @param {{x: number, y: number, text: string}[]} [plot.notes] places to point out
 * @param {{x: number}} [plot.here] where the reader stands on the x axis
 */
export function logPlot({ series, names = true, base = 10, notes = [], here, ...rest }) {
  const drawn = series.filter(({ points }) => points.length > 0);
  const values = drawn.flatMap(({ points }) => points.map(({ y }) => y));
  const ends = powersAround(values.length > 0 ? values : [1, base], base);
  const axes = logAxes({ ...rest, ys: powers(ends, base) });
  const nameY = (i) => HEIGHT - BOTTOM - 18 - 22 * (drawn.length - 1 - i);
  const isInside = (value) => value >= rest.xs[0] && value <= rest.xs.at(-1);
  return plotFrame(svg`${axes.drawn}
    ${
      here && isInside(here.x)
        ? svg`<path class="log-plot-here" d="M${axes.x(here.x)} ${TOP}V${HEIGHT - BOTTOM}"></path>`
        : nothing
    }
    ${drawn.map(
      ({ name, tone, mark, points }, i) =>
        svg`<g class="log-plot-series log-plot-${tone}">
          <path class="log-plot-line" d=${lineThrough(points, axes)}></path>
          ${points.map((point) => markAt(axes.x(point.x), axes.y(point.y), mark ?? i))}
          ${
            names
              ? svg`${markAt(NAMES_LEFT, nameY(i), mark ?? i)}
                <text class="log-plot-name" x=${NAMES_LEFT + 14} y=${nameY(i) + 6}>${name}</text>`
              : nothing
          }
        </g>`,
    )}
    ${notes
      .filter((note) => isInside(note.x))
      .map(
        (note) =>
          svg`<circle class="log-plot-ring" cx=${axes.x(note.x)} cy=${axes.y(note.y)} r="9"></circle>
          <text class="log-plot-note" x=${axes.x(note.x) - 14} y=${axes.y(note.y) - 12}>${note.text}</text>`,
      )}`);
}

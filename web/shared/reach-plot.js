/**
 * What is left of something, token after token: its size on a logarithmic axis against plain distance, so that whatever
 * loses the same share at every step is a straight line. One series may have a band around it. The numbers stand in a
 * table beside it, so the picture is hidden from screen readers; series differ by mark and name, not by colour alone.
 */
import { html, nothing, svg } from 'lit';
import { markAt } from './log-plot.js';
import { formatPowerOfTen } from './number.js';

const [WIDTH, HEIGHT] = [400, 280];
const [LEFT, RIGHT, TOP, BOTTOM] = [58, 16, 30, 48];
/** So many points draw a line as well as all do. */
const POINTS = 96;
const MARKS = 4;

/** The exponents of round powers of ten around some sizes, at most six steps of one width. */
function decades(values) {
  const exponents = values.filter((value) => value > 0).map(Math.log10);
  const least = Math.min(-1, ...exponents.map(Math.floor));
  const most = Math.max(0, ...exponents.map(Math.ceil));
  const step = [1, 2, 3, 5, 10, 15, 20, 30, 50].find((width) => most - least <= 6 * width) ?? 100;
  const ticks = [];
  for (let tick = Math.floor(least / step) * step; tick < most + step; tick += step)
    ticks.push(tick);
  return ticks;
}

/** Round distances from 0 to n, four or five of them. */
function distances(n) {
  const step = 2 ** Math.max(0, Math.ceil(Math.log2(n / 5)));
  return Array.from({ length: Math.floor(n / step) + 1 }, (_, i) => i * step);
}

/** The places of a list that are drawn: evenly apart, its first and its last among them. */
function places(length, most) {
  const count = Math.min(length, most);
  return Array.from({ length: count }, (_, i) =>
    Math.round((i * (length - 1)) / Math.max(1, count - 1)),
  );
}

/**
 * @param {object} plot
 * @param {string} plot.title
 * @param {string} plot.xName
 * @param {number} plot.n how far the x axis goes
 * @param {{name: string, tone: string, mark: number, values: ArrayLike<number>,
 *   band?: {lower: ArrayLike<number>, upper: ArrayLike<number>}}[]} plot.series place d of `values` is at distance d
 */
export function reachPlot({ title, xName, n, series }) {
  const all = series.flatMap(({ values, band }) => [
    ...values,
    ...(band ? [...band.lower, ...band.upper] : []),
  ]);
  const ys = decades(all);
  const at = (number) => Number(number.toFixed(1));
  const x = (distance) => at(LEFT + ((WIDTH - LEFT - RIGHT) * distance) / n);
  const share = (exponent) => (exponent - ys[0]) / (ys.at(-1) - ys[0]);
  const y = (exponent) => at(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share(exponent));
  const height = (value) => y(Math.max(ys[0], Math.log10(value)));
  const point = (values) => (i) => `${x(i)} ${height(values[i])}`;
  const line = (values) => `M${places(values.length, POINTS).map(point(values)).join('L')}`;
  const around = ({ lower, upper }) => {
    const there = places(lower.length, POINTS);
    return `M${there.map(point(upper)).join('L')}L${there.toReversed().map(point(lower)).join('L')}Z`;
  };
  const nameY = (i) => HEIGHT - BOTTOM - 8 - 20 * (series.length - 1 - i);
  return html`<svg
    class="log-plot reach-plot"
    viewBox="0 0 ${WIDTH} ${HEIGHT}"
    aria-hidden="true"
    focusable="false"
  >
    <text class="log-plot-title" x="4" y="16">${title}</text>
    ${ys.map(
      (tick) =>
        svg`<path class="log-plot-grid" d="M${LEFT} ${y(tick)}H${WIDTH - RIGHT}"></path>
          <text class="log-plot-y" x=${LEFT - 7} y=${y(tick) + 6}>${tick === 0 ? '1' : formatPowerOfTen(tick)}</text>`,
    )}
    ${distances(n).map(
      (tick) =>
        svg`<path class="log-plot-grid" d="M${x(tick)} ${TOP}V${HEIGHT - BOTTOM}"></path>
          <text class="log-plot-x" x=${x(tick)} y=${HEIGHT - BOTTOM + 20}>${tick}</text>`,
    )}
    <text class="log-plot-x" x=${(LEFT + WIDTH - RIGHT) / 2} y=${HEIGHT - 6}>${xName}</text>
    ${series.map(({ tone, mark, values, band }) => {
      const marked = places(values.length, MARKS + 1).slice(1);
      return svg`<g class="log-plot-series log-plot-${tone}">
        ${band ? svg`<path class="reach-band" d=${around(band)}></path>` : nothing}
        <path class="log-plot-line" d=${line(values)}></path>
        ${marked.map((i) => markAt(x(i), height(values[i]), mark))}
      </g>`;
    })}
    ${series.map(
      ({ name, tone, mark }, i) =>
        svg`<g class="log-plot-series log-plot-${tone}">
          ${markAt(LEFT + 14, nameY(i) - 6, mark)}
          <text class="log-plot-name" x=${LEFT + 26} y=${nameY(i)}>${name}</text>
        </g>`,
    )}
  </svg>`;
}

/**
 * Scores by offset: straight axes, the y axis wherever the scores lie, zero marked when it is among them. What is said in
 * numbers stands beside it, so the picture is hidden from screen readers; series differ by stroke and name, not by
 * colour alone.
 */
import { html, nothing, svg } from 'lit';
import { formatExact } from './number.js';

const SIZES = {
  wide: { width: 400, height: 260, left: 58, right: 16, top: 34, bottom: 54, steps: 4 },
  small: { width: 216, height: 128, left: 50, right: 14, top: 10, bottom: 28, steps: 3 },
};

/** The line with the names of the series. */
const KEY = 20;

/** Round numbers around some values, about so many steps apart. */
export function ticksAround(values, steps) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const span = high - low < 1e-6 ? 2 : high - low;
  const middle = (low + high) / 2;
  const [from, to] = [middle - span / 2, middle + span / 2];
  const power = 10 ** Math.floor(Math.log10(span / steps));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= span / steps);
  const first = Math.floor(from / step + 1e-9);
  const last = Math.ceil(to / step - 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) =>
    Number(((first + i) * step).toPrecision(12)),
  );
}

/**
 * @param {object} plot
 * @param {'wide'|'small'} [plot.size]
 * @param {string} [plot.title]
 * @param {string} [plot.xName]
 * @param {number} plot.from the offset of the first value of every series
 * @param {number[]} plot.ticks of the x axis
 * @param {{values: ArrayLike<number>, tone: string, kind: 'now'|'before'|'plain', name?: string}[]} plot.series one
 *   value an offset
 * @param {{offset: number, value: number}} [plot.here] a place to point out, where it lies on the plot
 */
export function offsetPlot({ size = 'wide', title, xName, from, ticks, series, here }) {
  const { width, height, left, right, bottom, steps, ...rest } = SIZES[size];
  const named = series.filter(({ name }) => name);
  const top = rest.top + (named.length > 0 ? KEY : 0);
  const ys = ticksAround(
    series.flatMap(({ values }) => [...values]),
    steps,
  );
  const last = from + series[0].values.length - 1;
  const at = (number) => Number(number.toFixed(1));
  const x = (offset) => at(left + ((width - left - right) * (offset - from)) / (last - from));
  const y = (value) =>
    at(height - bottom - ((height - top - bottom) * (value - ys[0])) / (ys.at(-1) - ys[0]));
  const line = (values) =>
    Array.from(values, (value, i) => `${i === 0 ? 'M' : 'L'}${x(from + i)} ${y(value)}`).join('');
  const isHere = here && here.offset >= from && here.offset <= last;
  const nameX = (i) => left + 6 + ((width - left - right) / named.length) * i;
  return html`<svg
    class="log-plot offset-plot offset-plot-${size}"
    viewBox="0 0 ${width} ${height}"
    aria-hidden="true"
    focusable="false"
  >
    ${title ? svg`<text class="log-plot-title" x="4" y="16">${title}</text>` : nothing}
    ${ys.map(
      (tick) =>
        svg`<path class=${tick === 0 ? 'offset-plot-zero' : 'log-plot-grid'} d="M${left} ${y(tick)}H${width - right}"></path>
          <text class="log-plot-y" x=${left - 7} y=${y(tick) + 6}>${formatExact(tick)}</text>`,
    )}
    ${ticks.map(
      (tick) =>
        svg`<path class="log-plot-grid" d="M${x(tick)} ${top}V${height - bottom}"></path>
          <text class="log-plot-x" x=${x(tick)} y=${height - bottom + 24}>${formatExact(tick)}</text>`,
    )}
    ${xName ? svg`<text class="log-plot-x" x=${(left + width - right) / 2} y=${height - 6}>${xName}</text>` : nothing}
    ${series.map(
      ({ values, tone, kind }) =>
        svg`<g class="log-plot-series log-plot-${tone}">
          <path class="log-plot-line offset-plot-${kind}" d=${line(values)}></path>
        </g>`,
    )}
    ${named.map(
      ({ tone, kind, name }, i) =>
        svg`<g class="log-plot-series log-plot-${tone}">
          <path class="log-plot-line offset-plot-${kind}" d="M${nameX(i)} ${top - 13}h20"></path>
          <text class="log-plot-name" x=${nameX(i) + 26} y=${top - 8}>${name}</text>
        </g>`,
    )}
    ${
      isHere
        ? svg`<path class="log-plot-here" d="M${x(here.offset)} ${top}V${height - bottom}"></path>
          <circle class="log-plot-ring" cx=${x(here.offset)} cy=${y(here.value)} r="7"></circle>`
        : nothing
    }
  </svg>`;
}

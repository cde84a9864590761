/**
 * A roofline (Williams et al. 2009): what a machine attains at each number of operations a byte, on logarithmic axes.
 * Below the ridge the bytes decide, above it the operations. The numbers stand beside it, so the picture is hidden from
 * screen readers; points differ by mark and name, not by colour alone.
 */
import { svg } from 'lit';
import { lineThrough, logAxes, markAt, plotFrame, powers, powersAround } from './log-plot.js';

const BASE = 10;

/** Where a name stands beside its point: how far to the right and down, and which of its ends is there. */
const SIDES = {
  right: [12, 6, ''],
  below: [8, 26, 'roofline-end'],
  above: [-11, -6, 'roofline-end'],
};

/** The two roofs between the ends of the x axis: in proportion to the intensity up to the ridge, flat behind it. */
export function roofOf({ peak, ridge }, [from, to]) {
  const at = (intensity) => ({ x: intensity, y: peak * Math.min(1, intensity / ridge) });
  return from < ridge && ridge < to ? [at(from), at(ridge), at(to)] : [at(from), at(to)];
}

/**
 * @param {object} plot
 * @param {string} plot.title
 * @param {number} plot.ridge
 * @param {number} plot.peak of the flat roof
 * @param {string} plot.ridgeName
 * @param {[string, string]} plot.roofNames of the slope and of the flat roof
 * @param {{name: string, tone: string, side: 'right' | 'below' | 'above', points: {x: number, y: number}[], path?: boolean}[]}
 *   plot.series points on the roof; a `path` is a line with its first and last point marked
 * @param {(x: number) => string} plot.sayX
 * @param {(y: number) => string} plot.sayY
 * @param {string} plot.xName
 */
export function rooflinePlot({
  title,
  peak,
  ridge,
  ridgeName,
  roofNames,
  series,
  sayX,
  sayY,
  xName,
}) {
  const points = series.flatMap((each) => each.points);
  const xs = powers(powersAround([1, ridge * 8, ...points.map(({ x }) => x)], BASE), BASE);
  const roof = roofOf({ peak, ridge }, [xs[0], xs.at(-1)]);
  const ys = powers(
    powersAround([...points.map(({ y }) => y), ...roof.map(({ y }) => y * 1.6)], BASE),
    BASE,
  );
  const axes = logAxes({ title, xs, ys, sayX, sayY, xName });
  const { x, y } = axes;
  const top = roof.at(-1);
  const low = roof[0];
  return plotFrame(svg`${axes.drawn}
    <path class="roofline-roof" d=${lineThrough(roof, axes)}></path>
    <path class="roofline-ridge" d="M${x(ridge)} ${y(top.y)}V${y(ys[0])}"></path>
    <text class="roofline-name roofline-end" x=${x(xs.at(-1)) - 4} y=${y(top.y) - 9}>${roofNames[1]}</text>
    <text class="roofline-name" x=${x(low.x) + 8} y=${y(ys.at(-1)) + 18}>${roofNames[0]}</text>
    <text class="roofline-name roofline-soft" x=${x(ridge) + 6} y=${y(ys[0]) - 8}>${ridgeName}</text>
    ${series.map(({ name, tone, side, points: own, path }, i) => {
      const last = own.at(-1);
      const [left, down, end] = SIDES[side];
      return svg`<g class="log-plot-series log-plot-${tone}">
        ${
          path
            ? svg`<path class="roofline-path" d=${lineThrough(own, axes)}></path>
                ${own.map((point) => svg`<circle class="log-plot-mark" r="3" cx=${x(point.x)} cy=${y(point.y)}></circle>`)}`
            : own.map((point) => markAt(x(point.x), y(point.y), i))
        }
        <text
          class="log-plot-name ${end}"
          x=${x(last.x) + left}
          y=${y(last.y) + down}
        >${name}</text>
      </g>`;
    })}`);
}

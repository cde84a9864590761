/** The roofline as a drawing: how much is computed for each byte against how much a second, both in powers of ten. */
import { svg } from 'lit';
import { msg, str } from '../../shared/language.js';
import { forTheEye } from '../../shared/number.js';
import { gigaflops, intensity, roofAt } from './roof.js';
import { shapeName } from './shapes.js';
import { short } from './words.js';

const MARGIN = { left: 62, right: 24, top: 14, bottom: 56 };
const TEXT = 16;
/** Where there is room for a name beside a number. */
const ROOMY = 640;

/** Marks differ in form, not in colour: colours mean queries, keys and values here. */
const MARKS = [
  (x, y) => svg`<path d="M${x} ${y - 7}l7 12h-14z"></path>`,
  (x, y) => svg`<rect x=${x - 5.5} y=${y - 5.5} width="11" height="11"></rect>`,
  (x, y) => svg`<circle cx=${x} cy=${y} r="6"></circle>`,
  (x, y) => svg`<path d="M${x} ${y - 8}l8 8-8 8-8-8z"></path>`,
];

/** @param {number} index  Of the contestant, in the order of the table. */
export const markOf = (index) => MARKS[index % MARKS.length];

const logScale = ([low, high], [from, to]) => {
  const [first, last] = [Math.log10(low), Math.log10(high)];
  return (value) => from + ((Math.log10(value) - first) / (last - first)) * (to - from);
};

const decades = ([low, high]) => {
  const ticks = [];
  for (let power = Math.ceil(Math.log10(low)); 10 ** power <= high; power += 1) {
    ticks.push(10 ** power);
  }
  return ticks;
};

const tickText = (value) =>
  value >= 1 ? String(value) : forTheEye(value.toFixed(-Math.log10(value)));

/** What there is to draw, in its own units. */
function pointsOf(rows, contestants) {
  return rows.flatMap((row, index) => {
    const timed = row.results.filter(({ fastest, wrong }) => fastest !== undefined && !wrong);
    const best = Math.min(...timed.map(({ fastest }) => fastest));
    return timed.map(({ name, fastest }) => ({
      intensity: intensity(row),
      speed: gigaflops(row.flops, fastest),
      mark: markOf(contestants.indexOf(name)),
      isBest: fastest === best,
      number: index + 1,
      name: shapeName(row.shape),
    }));
  });
}

const overlap = (a, b) =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** A place for each label near its point that covers neither a point, another label nor what is `covered`; without one, none. */
function placeLabels(points, area, { roomy, covered }) {
  const marks = points.map(({ x, y }) => ({
    left: x - 7,
    right: x + 7,
    top: y - 7,
    bottom: y + 7,
  }));
  const taken = [...covered, ...marks];
  return points
    .filter(({ isBest }) => isBest)
    .flatMap(({ x, y, number, name }) => {
      const text = roomy ? `${number}: ${name}` : String(number);
      const width = 0.55 * TEXT * text.length;
      for (let ring = 0; ring < 6; ring += 1) {
        const away = 11 + 20 * ring;
        const places = [
          [x + away, y],
          [x - away - width, y],
          [x - width / 2, y - away - 4],
          [x - width / 2, y + away + 4],
          [x + away * 0.7, y - away * 0.8 - 3],
          [x + away * 0.7, y + away * 0.8 + 3],
          [x - away * 0.7 - width, y - away * 0.8 - 3],
          [x - away * 0.7 - width, y + away * 0.8 + 3],
        ];
        for (const [left, middle] of places) {
          const box = { left, right: left + width, top: middle - 9, bottom: middle + 9 };
          const isInside =
            box.left > area.left &&
            box.right < area.right &&
            box.top > area.top &&
            box.bottom < area.bottom;
          if (!isInside || taken.some((other) => overlap(box, other))) continue;
          taken.push(box);
          return [{ text, left, middle, x, y, far: ring > 0 }];
        }
      }
      return [];
    });
}

/** The corners of the roof on the page: where memory binds, where both do, where computing does. */
function roofCorners(limits, [low, high], x, y) {
  const ridge = limits.multiply_add_gflops / limits.stream_gb_s;
  return [low, Math.min(Math.max(ridge, low), high), high].map((value) => [
    x(value),
    y(roofAt(limits, value).gflops),
  ]);
}

/** What the flat part of the roof and its number cover. */
const roofBox = ([, [left, top], [right]]) => ({ left, right, top: top - 28, bottom: top + 4 });

/** The two roofs with their numbers beside them. */
function drawRoofs(limits, corners) {
  const [[left, bottom], , [right, top]] = corners;
  const [computing, streaming] = [limits.multiply_add_gflops, limits.stream_gb_s].map(short);
  return svg`<polyline class="roof" points=${corners.map((corner) => corner.join()).join(' ')}></polyline>
    <text x=${right} y=${top - 8} text-anchor="end">${msg(str`${computing} GFLOP/s: computing`)}</text>
    <text x=${left + 8} y=${bottom + 24}>${msg(str`${streaming} GB/s: memory`)}</text>`;
}

/**
 * @param {{ rows: object[], contestants: string[], limits?: import('./roof.js').Limits, width: number }} what
 *   `width` in pixels of the page, so that text has the size that it has elsewhere.
 */
export function drawRoofline({ rows, contestants, limits, width }) {
  const height = Math.round(Math.min(520, Math.max(360, width * 0.5)));
  const area = {
    left: MARGIN.left,
    right: width - MARGIN.right,
    top: MARGIN.top,
    bottom: height - MARGIN.bottom,
  };
  const found = pointsOf(rows, contestants);
  const speeds = found.map(({ speed }) => speed);
  const sides = [0.2, ...found.map((point) => point.intensity)];
  const domain = {
    x: [Math.min(...sides), 2 * Math.max(10, ...sides)],
    y: [
      Math.min(1, ...speeds) / 2,
      2.5 * Math.max(10, ...speeds, limits?.multiply_add_gflops ?? 0),
    ],
  };
  const x = logScale(domain.x, [area.left, area.right]);
  const y = logScale(domain.y, [area.bottom, area.top]);
  const points = found.map((point) => ({ ...point, x: x(point.intensity), y: y(point.speed) }));
  const corners = limits && roofCorners(limits, domain.x, x, y);
  const covered = corners ? [roofBox(corners)] : [];
  const labels = placeLabels(points, area, { roomy: width >= ROOMY, covered });
  // The fastest lie on top.
  points.sort((a, b) => a.isBest - b.isBest);
  return svg`<svg class="roofline" width=${width} height=${height} viewBox="0 0 ${width} ${height}" role="img"
      aria-label=${msg('Roofline: GFLOP/s against FLOPs for each byte; the table holds the same numbers')}>
    ${decades(domain.x).map(
      (
        tick,
      ) => svg`<line class="grid" x1=${x(tick)} x2=${x(tick)} y1=${area.top} y2=${area.bottom}></line>
        <text x=${x(tick)} y=${area.bottom + 20} text-anchor="middle">${tickText(tick)}</text>`,
    )}
    ${decades(domain.y).map(
      (
        tick,
      ) => svg`<line class="grid" x1=${area.left} x2=${area.right} y1=${y(tick)} y2=${y(tick)}></line>
        <text x=${area.left - 8} y=${y(tick) + 5} text-anchor="end">${tickText(tick)}</text>`,
    )}
    <text x=${(area.left + area.right) / 2} y=${height - 8} text-anchor="middle">${msg('FLOPs for each byte of Q, K, V and output')}</text>
    <text transform="translate(${TEXT} ${(area.top + area.bottom) / 2}) rotate(-90)" text-anchor="middle">GFLOP/s</text>
    ${corners ? drawRoofs(limits, corners) : ''}
    ${labels
      .filter(({ far }) => far)
      .map(
        (label) => svg`<line class="leader" x1=${label.x} y1=${label.y}
          x2=${Math.max(label.left, Math.min(label.x, label.left + 0.55 * TEXT * label.text.length))} y2=${label.middle}></line>`,
      )}
    ${points.map(
      ({ mark, isBest, ...point }) =>
        svg`<g class=${isBest ? 'point best' : 'point'}>${mark(point.x, point.y)}</g>`,
    )}
    ${labels.map(
      (label) =>
        svg`<text class="label" x=${label.left} y=${label.middle + 5}>${label.text}</text>`,
    )}
  </svg>`;
}

/** A matrix of weights or scores painted into a canvas: one colour a cell, masked cells hatched. */
import { keepPainted } from './painted.js';
import { paletteOf, shadeAt } from './palette.js';

/** Pixels of a side, at least; a cell is a whole number of them. */
const SIDE = 512;
/** Pixels from one stroke of the hatching to the next. */
const HATCH = 8;

/** What a canvas shows, to paint it once. */
const shown = new WeakMap();

function paint(canvas, { n, values, hidden, reach }, scheme) {
  const palette = paletteOf(scheme);
  const size = Math.max(1, Math.floor(SIDE / n));
  const side = n * size;
  if (canvas.width !== side) canvas.width = side;
  if (canvas.height !== side) canvas.height = side;
  const context = canvas.getContext('2d');
  const image = context.createImageData(side, side);
  const pixels = new Uint32Array(image.data.buffer);
  const shadeOf = (value) =>
    reach === undefined
      ? shadeAt(palette.weights, value)
      : shadeAt(palette.scores, reach > 0 ? (value / reach + 1) / 2 : 0.5);
  for (let i = 0; i < n; i += 1) {
    for (let j = 0; j < n; j += 1) {
      const masked = hidden[i * n + j] !== 0;
      const colour = masked ? palette.ground : shadeOf(values[i * n + j]);
      // Written one by one: a call of `fill` for two pixels takes longer than both.
      for (let y = i * size; y < (i + 1) * size; y += 1) {
        for (let x = j * size; x < (j + 1) * size; x += 1) {
          pixels[y * side + x] = masked && (x + y) % HATCH < 2 ? palette.stroke : colour;
        }
      }
    }
  }
  context.putImageData(image, 0, 0);
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {{n: number, values: ArrayLike<number>, hidden: ArrayLike<number>, reach?: number}} what values [n, n] in rows;
 *   `reach`, the magnitude of the full colour, is of scores; weights go without
 */
export function paintMap(canvas, what) {
  const before = shown.get(canvas);
  shown.set(canvas, what);
  const same =
    before?.values === what.values && before.hidden === what.hidden && before.reach === what.reach;
  keepPainted(canvas, (scheme) => paint(canvas, what, scheme), same);
}

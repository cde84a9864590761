/**
 * Many small maps of weights in one canvas, side by side: a browser gives each canvas a layer of its own, and hundreds
 * of them take longer to hand over than to paint.
 */
import { keepPainted } from './painted.js';
import { paletteOf, shadeAt } from './palette.js';

/** Pixels of a small map's side, at most: of more tokens, a pixel shows the largest weight of those that it stands for. */
const MOST = 64;

function paint(canvas, { n, values, whole, columns, rows, place }, scheme) {
  const { weights, ground } = paletteOf(scheme);
  const side = Math.min(n, MOST);
  // With an edge of one pixel, which nothing is painted on.
  const pitch = side + 2;
  canvas.width = columns * pitch;
  canvas.height = rows * pitch;
  const context = canvas.getContext('2d');
  const image = context.createImageData(canvas.width, canvas.height);
  const pixels = new Uint32Array(image.data.buffer);
  const pixelOf = Uint16Array.from({ length: n }, (_, i) => Math.floor((i * side) / n));
  const largest = new Float32Array(side * side);
  for (let map = 0; map < columns * rows; map += 1) {
    largest.fill(0);
    for (let i = 0; i < n; i += 1) {
      const row = map * n * n + i * n;
      const y = pixelOf[i] * side;
      for (let j = 0; j <= i; j += 1) {
        const at = y + pixelOf[j];
        if (values[row + j] > largest[at]) largest[at] = values[row + j];
      }
    }
    const [column, line] = place(map);
    const from = (line * pitch + 1) * canvas.width + column * pitch + 1;
    for (let y = 0; y < side; y += 1) {
      for (let x = 0; x < side; x += 1) {
        const colour = x > y ? ground : shadeAt(weights, largest[y * side + x] / whole);
        pixels[from + y * canvas.width + x] = colour;
      }
    }
  }
  context.putImageData(image, 0, 0);
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {{n: number, values: ArrayLike<number>, whole: number, columns: number, rows: number,
 *   place: (map: number) => [number, number]}} what values [columns × rows, n, n], causal: nothing is right of a
 *   diagonal; `whole` is what a weight of one is written as; `place` says in which column and row a map stands
 */
export const paintMaps = (canvas, what) =>
  keepPainted(canvas, (scheme) => paint(canvas, what, scheme));

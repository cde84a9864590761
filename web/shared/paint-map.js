/** A matrix of weights or scores painted into a canvas: one colour a cell, masked cells hatched. */
import { scoreColour, weightColour } from './scale.js';
import { schemeOf } from './scheme.js';

/** Pixels of a side, at least; a cell is a whole number of them. */
const SIDE = 512;
const SHADES = 256;
/** Pixels from one stroke of the hatching to the next. */
const HATCH = 8;

const rgba = (colour) => {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  // As a canvas keeps it in memory, on the little-endian machines that browsers run on.
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
};

const palettes = new Map();

/** Shades of 0 to 1, then of scores from −1 to 1, the colours of hatching last. */
function paletteOf(scheme) {
  if (!palettes.has(scheme)) {
    const shares = Array.from({ length: SHADES }, (_, k) => k / (SHADES - 1));
    palettes.set(scheme, {
      weights: Uint32Array.from(shares, (share) => rgba(weightColour(share, scheme))),
      scores: Uint32Array.from(shares, (share) => rgba(scoreColour(2 * share - 1, 1, scheme))),
      stroke: rgba(scheme === 'dark' ? '#5a6170' : '#b9b2a2'),
      ground: rgba(scheme === 'dark' ? '#1a1d24' : '#ffffff'),
    });
  }
  return palettes.get(scheme);
}

/** Canvases that stand in a page, with what they show: other colours need them painted anew. */
const painted = new Map();

/** Those that left the page are not held back here. */
function forgetGone() {
  for (const canvas of painted.keys()) if (!canvas.isConnected) painted.delete(canvas);
}

/** Colours are read before anything is painted: a size that is set makes styles stale, and reading them again takes longer than a small map. */
function paintAll(canvases) {
  const schemes = canvases.map((canvas) => schemeOf(getComputedStyle(canvas)));
  canvases.forEach((canvas, i) => paint(canvas, painted.get(canvas), schemes[i]));
}

export function repaint() {
  forgetGone();
  paintAll([...painted.keys()]);
}

/** Those that a drawing asked for, until it is in the page. */
const due = new Set();

function paintDue() {
  const canvases = [...due].filter((canvas) => painted.has(canvas));
  due.clear();
  paintAll(canvases);
  forgetGone();
}

let watching = false;

function watchColours() {
  if (watching) return;
  watching = true;
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', repaint);
  matchMedia('print').addEventListener('change', repaint);
  new MutationObserver(repaint).observe(document.documentElement, {
    attributeFilter: ['data-theme'],
  });
}

function paint(canvas, { n, values, hidden, reach, whole = 1, small = false }, scheme) {
  const palette = paletteOf(scheme);
  const size = small ? 1 : Math.max(1, Math.floor(SIDE / n));
  const side = n * size;
  if (canvas.width !== side) canvas.width = side;
  if (canvas.height !== side) canvas.height = side;
  const context = canvas.getContext('2d');
  const image = context.createImageData(side, side);
  const pixels = new Uint32Array(image.data.buffer);
  const shades = reach === undefined ? palette.weights : palette.scores;
  const shadeOf = (value) => {
    const share = reach === undefined ? value / whole : reach > 0 ? (value / reach + 1) / 2 : 0.5;
    return shades[Math.round((SHADES - 1) * Math.min(1, Math.max(0, share)))];
  };
  for (let i = 0; i < n; i += 1) {
    for (let j = 0; j < n; j += 1) {
      const masked = hidden[i * n + j] !== 0;
      const colour = masked ? palette.ground : shadeOf(values[i * n + j]);
      // Written one by one: a call of `fill` for two pixels takes longer than both.
      for (let y = i * size; y < (i + 1) * size; y += 1) {
        for (let x = j * size; x < (j + 1) * size; x += 1) {
          pixels[y * side + x] = masked && !small && (x + y) % HATCH < 2 ? palette.stroke : colour;
        }
      }
    }
  }
  context.putImageData(image, 0, 0);
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {{n: number, values: ArrayLike<number>, hidden: ArrayLike<number>, reach?: number, whole?: number,
 *   small?: boolean}} what values [n, n] in rows; `reach`, the magnitude of the full colour, is of scores; weights go without;
 *   `whole` is what a weight of one is written as; a small one has a pixel a cell, and no hatching
 */
export function paintMap(canvas, what) {
  watchColours();
  const before = painted.get(canvas);
  painted.set(canvas, what);
  const same =
    before?.values === what.values && before.hidden === what.hidden && before.reach === what.reach;
  // A template that is drawn for the first time is not in the page yet, and has no colours.
  if (same) return;
  if (due.size === 0) queueMicrotask(paintDue);
  due.add(canvas);
}

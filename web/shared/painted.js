/**
 * Canvases that show numbers: each is painted once it stands in the page, as only then it has colours, and again when
 * the colours change.
 */
import { schemeOf } from './scheme.js';

/** Canvases that stand in a page, with how each is painted. */
const painted = new Map();

/** Those that left the page are not held back here. */
function forgetGone() {
  for (const canvas of painted.keys()) if (!canvas.isConnected) painted.delete(canvas);
}

/** Colours are read before anything is painted: a size that is set makes styles stale. */
function paintAll(canvases) {
  const schemes = canvases.map((canvas) => schemeOf(getComputedStyle(canvas)));
  canvases.forEach((canvas, i) => painted.get(canvas)(schemes[i]));
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

/**
 * Paints a canvas as soon as it stands in the page, and keeps it painted.
 * @param {HTMLCanvasElement} canvas
 * @param {(scheme: 'light' | 'dark') => void} paint
 * @param {boolean} [same] it shows already what this would paint
 */
export function keepPainted(canvas, paint, same = false) {
  watchColours();
  painted.set(canvas, paint);
  if (same) return;
  // A template that is drawn for the first time is not in the page yet, and has no colours.
  if (due.size === 0) queueMicrotask(paintDue);
  due.add(canvas);
}

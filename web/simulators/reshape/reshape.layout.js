/** Where the slices of the strip stand: geometry only, no result is computed here. */

const WIDTH = 960;
const GAP = 6;
const MOST = 64;

/** As many slices of equal width as there are heads; of very many only so many as the eye can tell. */
export function slices(heads) {
  const shown = Math.min(heads, MOST);
  const width = (WIDTH - GAP * (shown - 1)) / shown;
  return Array.from({ length: shown }, (_, h) => ({
    x: (h * (width + GAP)).toFixed(1),
    width: width.toFixed(1),
  }));
}

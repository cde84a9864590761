/** Where the blocks of the picture stand: geometry only, no result is computed here. */

const SMALLEST = 5;
const LARGEST = 76;

/**
 * Side lengths of a block standing on the ground, so that the largest size fills its place and sizes far apart stay visible:
 * proportional to the square root of a size.
 * @param {[number, number]} shape rows and columns
 * @param {number} largest the largest of all sizes shown
 */
export function block([rows, columns], largest) {
  const side = (size) => Math.max(SMALLEST, LARGEST * Math.sqrt(size / largest));
  const height = side(rows);
  return {
    width: side(columns).toFixed(1),
    height: height.toFixed(1),
    top: (LARGEST - height).toFixed(1),
  };
}

/** The largest of all sizes. */
export const largestOf = (sizes) => Math.max(...sizes);

/** Rows of numbers: drawn by the module, and multiplied where a check repeats what a student does. */

/**
 * Matrices of N(0, 1) numbers from one stream of a seed, as lists of rows.
 * @param {import('../runtime/core.js').Core} core
 * @param {number} seed
 * @param {Record<string, [number, number]>} shapes  The rows and columns of each, in the order in which they are drawn.
 */
export function drawn(core, seed, shapes) {
  const count = Object.values(shapes).reduce((sum, [rows, columns]) => sum + rows * columns, 0);
  const numbers = core.randomNormals({ seed, count });
  let at = 0;
  return Object.fromEntries(
    Object.entries(shapes).map(([name, [rows, columns]]) => {
      const matrix = inRows(numbers.subarray(at, at + rows * columns), columns);
      at += rows * columns;
      return [name, matrix];
    }),
  );
}

/** Whole numbers from `least` to `most` from a seed: as many as are asked for. */
export function wholeNumbers(core, seed, count, [least, most]) {
  return [...core.randomNormals({ seed, count })].map(
    (number) => least + (Math.floor(Math.abs(number) * 1e6) % (most - least + 1)),
  );
}

/** A flat matrix as a list of rows. */
export const inRows = (numbers, columns) =>
  Array.from({ length: numbers.length / columns }, (_, row) => [
    ...numbers.slice(row * columns, (row + 1) * columns),
  ]);

/** The product of lists of rows. */
export const product = (A, B) =>
  A.map((row) =>
    B[0].map((_, column) => row.reduce((sum, value, k) => sum + value * B[k][column], 0)),
  );

export const transposed = (A) => A[0].map((_, column) => A.map((row) => row[column]));

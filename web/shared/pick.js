/** Rows out of the flat, row-major arrays that the C++ returns: picking only, no arithmetic on values. */

/** [rows, columns] flat → rows of numbers. */
export const rowsOf = (flat, rows, columns) =>
  Array.from({ length: rows }, (_, i) => Array.from(flat.subarray(i * columns, (i + 1) * columns)));

/** [planes, rows, columns] flat → planes of rows of numbers. */
export const planesOf = (flat, planes, rows, columns) =>
  Array.from({ length: planes }, (_, h) =>
    rowsOf(flat.subarray(h * rows * columns, (h + 1) * rows * columns), rows, columns),
  );

/** Rows of numbers → the flat array that the C++ takes. */
export const flatOf = (rows) => Float64Array.from(rows.flat());

/** 0, 1, …, count − 1. */
export const indices = (count) => Array.from({ length: count }, (_, i) => i);

/** So many whole numbers from one on. */
export const countedFrom = (first, count) => indices(count).map((i) => first + i);

/** A position as people count it: from one. */
export const ordinal = (index) => index + 1;

/** The entries of a list whose flag is set. */
export const flagged = (list, flags) => list.filter((_, i) => flags[i] === 1);

/** The index of the last of so many; −1 when there is none. */
export const lastOf = (count) => count - 1;

/** Part i of a flat array whose parts begin at the given places, the last of which is its end. */
export const partOf = (flat, begins, i) => flat.subarray(begins[i], begins[i + 1]);

/** The columns of a flat array of so many rows. */
export const columnsOf = (flat, rows) => flat.length / rows;

/** Row i of a flat array of so many columns. */
export const rowOf = (flat, columns, i) => flat.subarray(i * columns, (i + 1) * columns);

/** The entry in row i and column j of the same. */
export const entryOf = (flat, columns, i, j) => flat[i * columns + j];

/** The names whose bits are set: bit b is the name at place b. */
export const namesOfBits = (bits, names) => names.filter((_, b) => (bits >> b) % 2 === 1);

/** The index itself, or the last of so many where there is none of that number. */
export const within = (index, count) => Math.min(index, count - 1);

/** The same for a place on a ring: one step beyond the last is the first. */
export const around = (index, count) => (index === count ? 0 : within(index, count));

/** Row and column of an entry of a flat array of so many columns. */
export const placeOf = (at, columns) => [Math.floor(at / columns), at % columns];

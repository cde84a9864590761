/** Between results of float32 from numbers near 1: what is further off than this is wrong. */
export const BOUND = 1e-4;

/**
 * Infinite when anything is not a number, or when there are not as many.
 * @param {ArrayLike<number>} numbers
 * @param {ArrayLike<number>} right
 */
export function largestDifference(numbers, right) {
  if (numbers.length !== right.length) return Infinity;
  let largest = 0;
  for (let i = 0; i < numbers.length; i += 1) {
    const difference = Math.abs(numbers[i] - right[i]);
    if (!(difference <= largest)) largest = Number.isNaN(difference) ? Infinity : difference;
  }
  return largest;
}

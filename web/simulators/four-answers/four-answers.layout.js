/** Where the cells of a map stand: geometry only, no result is computed here. */

/** Steps of darkness. */
export const STEPS = 5;

const stepOf = (left) => Math.ceil(left * STEPS);

/**
 * The cells of a map of n × n as one path for each step of darkness: cells of a row that are equally dark are one box.
 * @param {ArrayLike<number>} left [n, n]
 * @param {number} n
 */
export function paths(left, n) {
  const drawn = Array.from({ length: STEPS }, () => []);
  for (let i = 0; i < n; i += 1) {
    for (let j = 0; j <= i;) {
      const step = stepOf(left[i * n + j]);
      let end = j + 1;
      while (end <= i && stepOf(left[i * n + end]) === step) end += 1;
      if (step > 0) drawn[step - 1].push(`M${j} ${i}h${end - j}v1h${j - end}z`);
      j = end;
    }
  }
  return drawn.map((boxes) => boxes.join(''));
}

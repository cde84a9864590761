/** Where the squares of the small maps stand: geometry only, no result is computed here. */

const SIDE = 10;
const STEPS = 5;

/** One square for each pair that a causal mask leaves, with the class of its weight. */
export const squares = (map) =>
  map.flatMap((weights, i) =>
    weights.slice(0, i + 1).map((weight, j) => ({
      x: j * SIDE,
      y: i * SIDE,
      step: Math.round(weight * STEPS),
    })),
  );

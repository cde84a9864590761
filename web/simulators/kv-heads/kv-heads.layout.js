/** Where heads stand and how long bars are: geometry only, no result is computed here. */

const [WIDTH, GAP] = [1152, 4];

/** The heads of queries, and below each group the heads of K and V that it shares: boxes as {x, width}. */
export function heads(queries, kv) {
  const each = WIDTH / queries;
  const group = WIDTH / kv;
  return {
    width: WIDTH,
    queries: Array.from({ length: queries }, (_, i) => ({ x: i * each + 1.5, width: each - 3 })),
    groups: Array.from({ length: kv }, (_, i) => {
      const [left, right] = [i * group + GAP / 2, (i + 1) * group - GAP / 2];
      const middle = (left + right) / 2;
      // One head under few queries is as wide as they are, one under many no wider than its words need.
      const half = Math.min((right - left) / 2, 150);
      return { left, right, middle, x: middle - half, width: 2 * half };
    }),
  };
}

/** A bar 100 long for the most of a column. */
export const share = (value, most) => Number(((100 * value) / most).toFixed(2));

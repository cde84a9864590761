/** Known answers of the module `reading`, asked of every fresh instance as core-self-test.js asks the core's. */

/**
 * @param {import('./reading.js').Readings} readings
 * @returns {string | null} What came out wrong, or null.
 */
export function selfTestReadings(readings) {
  const sizes = { n_heads: 1, n: 2, parts: [255, 0, 51, 204] };
  const { by_weight, moved } = readings.readMap({
    ...sizes,
    n_kv_heads: 1,
    value_lengths: [4, 1],
    row: 1,
  });
  // 0.2 x 4 and 0.8 x 1 are the same share.
  if (!(by_weight[0] === 1 && Math.abs(moved - 0.3) < 1e-6)) return 'a row of a map';
  const { mean, equal_share } = readings.firstTokenShare({ ...sizes, n_layers: 1 });
  return Math.abs(mean - 0.6) < 1e-6 && equal_share === 0.75 ? null : 'the first token’s share';
}

/**
 * Known answers, asked of every fresh instance. A probe for SIMD says that the engine accepts the
 * instructions, not that it computes them rightly (some engines on old iPads did not), and a wrong
 * number in a lecture is worse than a slow one.
 */

/** The lecture's bank in float64: the worked examples' path. */
const bank = {
  Q: [1, 2],
  K: [1, 0, 1, 1, 0, 2],
  V: [1, 0, 0.5, 0.5, 1, 0],
  n_q: 1,
  n_k: 3,
  d_k: 2,
  d_v: 2,
};
const bankWeights = [0.07431963111601946, 0.3056952508389744, 0.619985118045006];
const bankOutput = [0.8471523745805127, 0.1528476254194872];

/** No length below is a multiple of a vector's width, so that the ends of loops are met as well. */
const odd = { n_q: 3, n_k: 7, d_k: 19, d_v: 11 };

/**
 * Equal keys give equal weights whatever the query, so each output is a plain mean: of j + c over
 * the rows j = 0..6, that is, 3 + c. All sums are small integers, exact in float32.
 */
const equalKeys = {
  ...odd,
  dtype: /** @type {const} */ ('float32'),
  Q: Float32Array.from({ length: odd.n_q * odd.d_k }, (_, i) => (i % odd.d_k) + 1),
  K: new Float32Array(odd.n_k * odd.d_k).fill(1),
  V: Float32Array.from(
    { length: odd.n_k * odd.d_v },
    (_, i) => Math.floor(i / odd.d_v) + (i % odd.d_v),
  ),
};
const equalKeysScore = (odd.d_k * (odd.d_k + 1)) / 2;

/**
 * @param {import('./core.js').Core} core
 * @returns {string | null} What came out wrong, or null.
 */
export function selfTestCore(core) {
  const exact = core.attention(bank);
  if (!near(exact.weights, (i) => bankWeights[i], 1e-12)) return 'weights in float64';
  if (!near(exact.output, (i) => bankOutput[i], 1e-12)) return 'output in float64';
  const single = core.attention(equalKeys);
  if (!near(single.scores, () => equalKeysScore, 0)) return 'scores in float32';
  if (!near(single.weights, () => 1 / odd.n_k, 1e-6)) return 'weights in float32';
  if (!near(single.output, (i) => 3 + (i % odd.d_v), 1e-4)) return 'output in float32';
  return null;
}

/**
 * @param {Float64Array | Float32Array} values
 * @param {(index: number) => number} expected
 * @param {number} tolerance
 */
function near(values, expected, tolerance) {
  // Written so that NaN, and an empty answer, fail.
  return values.length > 0 && values.every((v, i) => Math.abs(v - expected(i)) <= tolerance);
}

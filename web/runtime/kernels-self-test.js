/** Known answers of the module `kernels`, asked of every fresh instance as core-self-test.js asks the core's. */

/** The lecture's bank: every back end has to find its numbers to float32's precision. */
const bank = {
  Q: [1, 2],
  K: [1, 0, 1, 1, 0, 2],
  V: [1, 0, 0.5, 0.5, 1, 0],
  n_q: 1,
  n_k: 3,
  d_k: 2,
  d_v: 2,
};
const bankOutput = [0.8471523745805127, 0.1528476254194872];

/** No length is a multiple of a vector's width; equal keys give each query the mean of what it may see. */
const odd = { n_heads: 2, n_kv_heads: 1, n_q: 13, n_k: 37, d_k: 19, d_v: 11 };
const equalKeys = {
  ...odd,
  Q: Float32Array.from(
    { length: odd.n_heads * odd.n_q * odd.d_k },
    (_, i) => (i % odd.d_k) / odd.d_k,
  ),
  K: new Float32Array(odd.n_k * odd.d_k).fill(1),
  V: Float32Array.from(
    { length: odd.n_k * odd.d_v },
    (_, i) => Math.floor(i / odd.d_v) + (i % odd.d_v),
  ),
  mask: { causal: true },
};

/**
 * Query i sees the keys up to i + n_k − n_q, whose values are j + c.
 * @param {number} index of a number of the output
 */
function meanOfSeen(index) {
  const column = index % odd.d_v;
  const i = Math.floor(index / odd.d_v) % odd.n_q;
  return (i + odd.n_k - odd.n_q) / 2 + column;
}

/**
 * @param {import('./kernels.js').Kernels} kernels
 * @returns {string | null} What came out wrong, or null.
 */
export function selfTestKernels(kernels) {
  for (const backend of kernels.backends()) {
    const { output } = kernels.attention({ ...bank, backend });
    if (!near(output, (i) => bankOutput[i], 1e-6)) return `attention of one query, ${backend}`;
    const masked = kernels.attention({ ...equalKeys, backend });
    if (!near(masked.output, meanOfSeen, 1e-4)) return `attention under a mask, ${backend}`;
  }
  return null;
}

/**
 * @param {Float32Array | undefined} values
 * @param {(index: number) => number} expected
 * @param {number} tolerance
 */
function near(values, expected, tolerance) {
  // Written so that NaN, and an empty answer, fail.
  return (
    values !== undefined &&
    values.length > 0 &&
    values.every((v, i) => Math.abs(v - expected(i)) <= tolerance)
  );
}

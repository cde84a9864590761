/** Known answers of the module `cache`, asked of every fresh instance as core-self-test.js asks the core's. */

/**
 * Equal keys weigh alike whatever the query, so an output is the mean of the values: 0 to 4, and one more in each place. No
 * length is a multiple of a vector's width.
 */
const tokens = 5;
const width = 7;
const K = new Float32Array(tokens * width).fill(1);
const V = Float32Array.from(
  { length: tokens * width },
  (_, i) => Math.floor(i / width) + (i % width),
);
const q = Float32Array.from({ length: width }, (_, i) => i / width);

/**
 * @param {import('./cache.js').Cache} cache
 * @returns {string | null} What came out wrong, or null.
 */
export function selfTestCache(cache) {
  const kept = cache.open({ d_k: width, layout: 'paged' });
  const sequence = kept.sequence();
  const { needed_bytes } = sequence.append({ count: tokens, K, V });
  const { output } = sequence.attend({ q });
  kept.close();
  if (needed_bytes !== kept.token_bytes * tokens) return 'bytes of the cache';
  // Written so that NaN, and an empty answer, fail.
  const isRight = output.length === width && output.every((o, i) => Math.abs(o - 2 - i) <= 1e-5);
  return isRight ? null : 'attention over a cache';
}

/** Decoding from a KV cache that stays in the module. */

/** Layouts of a cache, as ways of computing: `paged` has pages of 16 tokens. */
export const CACHE_WAYS = ['contiguous', 'paged'];

/** [heads, n, d], as kernels have it, to [n, heads, d], as tokens are appended. */
function byToken(from, heads, n, d) {
  const to = new Float32Array(from.length);
  for (let head = 0; head < heads; head += 1) {
    for (let t = 0; t < n; t += 1) {
      const row = (head * n + t) * d;
      to.set(from.subarray(row, row + d), (t * heads + head) * d);
    }
  }
  return to;
}

/**
 * @param {import('../../web/runtime/cache.js').Cache} module
 * @param {string} way
 * @param {import('../../web/pages/bench/shapes.js').Shape} shape
 * @param {{ Q: Float32Array, K: Float32Array, V: Float32Array }} inputs
 */
export function cacheTask(module, way, { n_heads, n_kv_heads, n_k, d }, { Q, K, V }) {
  const room = way === 'paged' ? { layout: 'paged', page_tokens: 16 } : { capacity: n_k };
  const cache = module.open({ n_heads, n_kv_heads, d_k: d, ...room });
  const sequence = cache.sequence();
  sequence.append({
    count: n_k,
    K: byToken(K, n_kv_heads, n_k, d),
    V: byToken(V, n_kv_heads, n_k, d),
  });
  return {
    /** @type {import('../../web/pages/bench/sampling.js').Run} */
    run: (repeat) => sequence.attend({ q: Q, repeat }).compute_ms,
    output: () => sequence.attend({ q: Q }).output,
    close: () => cache.close(),
  };
}

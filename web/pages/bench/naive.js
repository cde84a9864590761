/**
 * Attention as one writes it in JavaScript: three loops, one row of scores, nothing clever and nothing silly. What
 * the kernels are measured against; no number of the lecture comes from here.
 */

/**
 * @param {import('./shapes.js').Shape} shape
 * @param {{ Q: Float32Array, K: Float32Array, V: Float32Array }} inputs
 */
export function naiveAttention(shape, { Q, K, V }) {
  const { n_heads, n_kv_heads, n_q, n_k, d, causal } = shape;
  const scale = 1 / Math.sqrt(d);
  const output = new Float32Array(n_heads * n_q * d);
  const row = new Float32Array(n_k);

  function compute() {
    for (let head = 0; head < n_heads; head += 1) {
      const kv = Math.floor((head * n_kv_heads) / n_heads) * n_k * d;
      for (let i = 0; i < n_q; i += 1) {
        const q = (head * n_q + i) * d;
        const seen = causal ? i + n_k - n_q + 1 : n_k;
        let most = -Infinity;
        for (let j = 0; j < seen; j += 1) {
          const k = kv + j * d;
          let score = 0;
          for (let c = 0; c < d; c += 1) score += Q[q + c] * K[k + c];
          row[j] = score * scale;
          if (row[j] > most) most = row[j];
        }
        let sum = 0;
        for (let j = 0; j < seen; j += 1) {
          row[j] = Math.exp(row[j] - most);
          sum += row[j];
        }
        for (let c = 0; c < d; c += 1) output[q + c] = 0;
        for (let j = 0; j < seen; j += 1) {
          const weight = row[j] / sum;
          const v = kv + j * d;
          for (let c = 0; c < d; c += 1) output[q + c] += weight * V[v + c];
        }
      }
    }
  }

  return { compute, output };
}

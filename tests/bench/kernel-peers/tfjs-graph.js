/** Attention in TensorFlow.js, whichever back end: the tensors are made beforehand, the steps in between freed after. */

/**
 * @param {typeof import('@tensorflow/tfjs-core')} tf
 * @param {import('../../../web/pages/bench/shapes.js').Shape} shape
 * @param {{ Q: Float32Array, K: Float32Array, V: Float32Array }} inputs
 */
export function attentionOf(tf, shape, inputs) {
  const { n_heads, n_kv_heads, n_q, n_k, d, causal } = shape;
  // Heads that share keys are the rows of one product, as in the graphs of onnxruntime.
  const rows = (n_heads / n_kv_heads) * n_q;
  const Q = tf.tensor(inputs.Q, [n_kv_heads, rows, d]);
  const K = tf.tensor(inputs.K, [n_kv_heads, n_k, d]);
  const V = tf.tensor(inputs.V, [n_kv_heads, n_k, d]);
  const mask = causal
    ? tf.tidy(() => {
        const [queries, keys] = [tf.expandDims(tf.range(n_k - n_q, n_k), 1), tf.range(0, n_k)];
        return tf.mul(tf.cast(tf.greater(keys, queries), 'float32'), -1e30);
      })
    : undefined;
  return {
    compute: () =>
      tf.tidy(() => {
        // Q is smaller than the scores: scaling it is less work.
        const scores = tf.matMul(tf.mul(Q, 1 / Math.sqrt(d)), K, false, true);
        return tf.matMul(tf.softmax(mask ? tf.add(scores, mask) : scores), V);
      }),
    close: () => tf.dispose([Q, K, V, ...(mask ? [mask] : [])]),
  };
}

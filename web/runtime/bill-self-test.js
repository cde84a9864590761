/** Known answers of the module `bill`, asked of every fresh instance as core-self-test.js asks the core's. */

/** Llama 3 8B, 32,768 tokens, 8 requests. */
const lecture = {
  model: {
    n_layers: 32,
    n_heads: 32,
    d_model: 4096,
    full_layers: 32,
    n_kv_heads: 8,
    d_k: 128,
    d_v: 128,
    parameters: 8e9,
    active_parameters: 8e9,
  },
  tokens: 32_768,
  sequences: 8,
  memory_bytes: 80e9,
  bandwidth_bytes_s: 2e12,
  flops_s: 3e14,
};

/**
 * @param {import('./bill.js').Bills} bills
 * @returns {string | null} What came out wrong, or null.
 */
export function selfTestBill(bills) {
  const { token_bytes, needed_bytes, memory } = bills.bill(lecture);
  if (token_bytes !== 131_072) return 'bytes of one token';
  if (needed_bytes !== 34_359_738_368) return 'bytes of the cache';
  return memory.weight_bytes === 16e9 ? null : 'bytes of the weights';
}

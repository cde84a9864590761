/**
 * Published models by the fields that their caches and weights depend on, each with its source, and the accelerator
 * that a bill is asked for where none is chosen.
 */

/** Grattafiori et al. (2024), arXiv:2407.21783, and the configurations published with the weights. */
export const LLAMA_3_8B = {
  n_layers: 32,
  n_heads: 32,
  d_model: 4096,
  full_layers: 32,
  n_kv_heads: 8,
  d_k: 128,
  d_v: 128,
  parameters: 8030261248,
  active_parameters: 8030261248,
};

export const LLAMA_3_70B = {
  n_layers: 80,
  n_heads: 64,
  d_model: 8192,
  full_layers: 80,
  n_kv_heads: 8,
  d_k: 128,
  d_v: 128,
  parameters: 70553706496,
  active_parameters: 70553706496,
};

/** Gemma Team (2025), arXiv:2503.19786: five layers with a window for one without; the language model alone. */
export const GEMMA_3_27B = {
  n_layers: 62,
  n_heads: 32,
  d_model: 5376,
  full_layers: 10,
  n_kv_heads: 16,
  d_k: 128,
  d_v: 128,
  local_layers: 52,
  window: 1024,
  local_n_kv_heads: 16,
  local_d_k: 128,
  local_d_v: 128,
  parameters: 27009346304,
  active_parameters: 27009346304,
};

/** NVIDIA H100 SXM: 80 GB, 3.35 TB/s, 989.4 TFLOP/s in bfloat16 without sparsity (its data sheet). */
export const H100 = { memory_bytes: 80e9, bandwidth_bytes_s: 3.35e12, flops_s: 989.4e12 };

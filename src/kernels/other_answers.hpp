#pragma once

// What the kernels of the answers to n^2 are asked, over row-major float32 arrays. The caller has checked that every size
// is at least 1 and that none overflows.

#include <cstddef>
#include <cstdint>

namespace attn::kernels {

/// phi, applied to each number of a query and of a key: attn::FeatureMap in efficient/linear_attention.hpp.
enum class Features : std::uint8_t { elu_plus_one, relu, identity };

/// Causal linear attention for n_heads heads: o_i = sum_(j <= i) w_ij v_j with w_ij = g_(j+1) ... g_i phi(q_i) . phi(k_j),
/// over their sum where `normalize` (Katharopoulos et al. 2020, equations 8 to 12; the gates of Dao and Gu 2024).
/// q, k [n_heads, n, d_k], v [n_heads, n, d_v]; gates [n_heads, n] from 0 to 1, or null for none.
struct LinearProblem {
  std::size_t n_heads = 1, n = 0, d_k = 0, d_v = 0;
  Features features = Features::elu_plus_one;
  bool normalize = true;
  const float* q = nullptr;
  const float* k = nullptr;
  const float* v = nullptr;
  const float* gates = nullptr;
};

/// What linear attention has kept of all tokens before the first: read, then written as it is after the last. With it a
/// long text is fed in pieces.
struct LinearState {
  float* state =
      nullptr;  ///< [n_heads, d_k, d_v] sum_j decay phi(k_j) v_j^T; null for nothing before, and not kept
  float* sums = nullptr;  ///< [n_heads, d_k] sum_j decay phi(k_j); both or none
};

/// h_t = e^(delta_t A) o h_(t-1) + delta_t x_t B_t, y_t = C_t . h_t + skip x_t (Gu and Dao 2023, equation 2), for
/// `channels` channels with `state_size` numbers each.
/// x, delta [n, channels], A [channels, state_size], B, C [n, state_size], skip [channels] or null.
struct ScanProblem {
  std::size_t n = 0, channels = 0, state_size = 0;
  const float* x = nullptr;
  const float* delta = nullptr;
  const float* A = nullptr;
  const float* B = nullptr;
  const float* C = nullptr;
  const float* skip = nullptr;
};

/// Causal attention of n_heads heads in which query i sees its own block of keys, `first_blocks` at the start, and as many
/// earlier ones as make up top_k, those whose mean key it multiplies to the largest score, of equal ones the earlier; and
/// the last `window` tokens (attn::block_sparse_attention in efficient/block_sparse.hpp).
/// q [n_heads, n, d_k], k [n_kv_heads, n, d_k], v [n_kv_heads, n, d_v]; scale above 0.
struct SparseProblem {
  std::size_t n_heads = 1, n_kv_heads = 1, n = 0, d_k = 0, d_v = 0;
  std::size_t block = 64, top_k = 1, first_blocks = 0, window = 0;
  float scale = 1;
  const float* q = nullptr;
  const float* k = nullptr;
  const float* v = nullptr;

  std::size_t blocks() const { return n / block + (n % block != 0); }
  std::size_t heads_per_kv_head() const { return n_heads / n_kv_heads; }
};

}  // namespace attn::kernels

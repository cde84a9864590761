#pragma once

// Attention whose weights are products of features, so that all of the past fits into one matrix of fixed size.

#include <cstddef>
#include <cstdint>

#include "core/error.hpp"
#include "core/matrix.hpp"

namespace attn {

/// phi, applied to each number of a query and of a key, so that phi(q) . phi(k) stands where e^(q . k) stood.
enum class FeatureMap : std::uint8_t {
  elu_plus_one,  ///< elu(x) + 1, which is x + 1 from 0 on and e^x below: always above 0 (Katharopoulos et al. 2020)
  relu,  ///< max(x, 0): a pair may have no weight at all
  identity,  ///< x itself, as in retention (Sun et al. 2023); weights may be below 0
};

/// Three ways to the same numbers.
enum class LinearForm : std::uint8_t {
  quadratic,  ///< every pair, as a softmax would have it: n^2 of them
  recurrent,  ///< token by token, with a state of d_k x d_v numbers
  chunked,  ///< pairs within a chunk, the state between chunks: what runs fast on real machines
};

struct LinearAttentionOptions {
  FeatureMap feature_map = FeatureMap::elu_plus_one;

  /// Whether a row is divided by the sum of its weights, as a softmax does. Not with the identity, whose sums may be 0.
  bool normalize = true;

  /// [n] from 0 to 1, or empty for none: what is left of the state when token t arrives, before it is added. With gates
  /// it is the gated form (one gate a token, as in Mamba-2, Dao and Gu 2024, and, constant, in retention).
  Vector<double> gates = {};

  /// Tokens of a chunk, at least 1; read by the chunked form alone.
  std::size_t chunk = 64;
};

struct LinearAttention {
  Matrix<double> output;  ///< [n, d_v]
  Matrix<double>
      state;  ///< [d_k, d_v] what is kept after the last token: sum_j decay phi(k_j) v_j^T
  Vector<double> sums;  ///< [d_k] sum_j decay phi(k_j); zeros unless `normalize`
  Matrix<double>
      weights;  ///< [n, n] what each row gives to each token, by the quadratic form alone; else [0, 0]
};

/// Causal linear attention (Katharopoulos et al. 2020, equations 8 to 12): o_i = sum_(j <= i) w_ij v_j with
/// w_ij = g_(j+1) ... g_i phi(q_i) . phi(k_j), over their sum where `normalize`. Queries are not divided by the root of
/// d_k. Q [n, d_k], K [n, d_k], V [n, d_v].
/// Errors: shape_mismatch naming "K", "V" or "gates"; out_of_range for an empty matrix, a gate outside [0, 1] or a
/// chunk of 0; bad_argument naming "normalize" with the identity; not_finite naming "Q", "K" or "V"; too_large or
/// out_of_memory, before anything is allocated.
/// Promise: the forms agree to the rounding of double, whatever the chunk; row i does not depend on what comes after
/// it; a row whose weights are all 0 gives zeros.
Expected<LinearAttention> linear_attention(const Matrix<double>& Q, const Matrix<double>& K,
                                           const Matrix<double>& V,
                                           const LinearAttentionOptions& options, LinearForm form);

}  // namespace attn

#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "attention/mask.hpp"
#include "core/error.hpp"
#include "core/matrix.hpp"

namespace attn {

/// The learned part of one layer. Every token is a row, so a projection is X W + b.
/// kv_width = n_kv_heads x head_dim, where head_dim = d_model / n_heads.
template <class T>
struct MultiHeadWeights {
  Matrix<T> W_Q;  ///< [d_model, d_model]
  Matrix<T> W_K;  ///< [d_model, kv_width]
  Matrix<T> W_V;  ///< [d_model, kv_width]
  Matrix<T> W_O;  ///< [d_model, d_model]
  Vector<T> b_Q = {};  ///< [d_model], or empty for none; so are the others.
  Vector<T> b_K = {};  ///< [kv_width]
  Vector<T> b_V = {};  ///< [kv_width]
  Vector<T> b_O = {};  ///< [d_model]
};

struct MultiHeadOptions {
  std::size_t n_heads = 1;
  /// Query heads share them in groups of n_heads / n_kv_heads: n_heads of them is the plain
  /// multi-head attention, 1 is multi-query (Shazeer 2019), between is grouped (Ainslie et al. 2023).
  std::size_t n_kv_heads = 1;
  Mask mask = {};  ///< The same for every head.
  bool require_finite = true;
};

/// One line of the computation: what it is called, its shape, and its numbers in row-major order.
template <class T>
struct Step {
  std::string_view name;
  std::vector<std::size_t> shape;
  std::vector<T> data;
};

template <class T>
struct MultiHeadTrace {
  /// In order: X, Q, K, V, Q_heads, K_heads, V_heads, scores, scaled, weights, head_outputs,
  /// concat, output.
  std::vector<Step<T>> steps;
  Tensor3<T> weights;  ///< [n_heads, n, n]
  Matrix<T> output;  ///< [n, d_model]
  std::uint64_t parameters;  ///< of the weights and of the biases that are there
};

/// Multi-head self-attention (Vaswani et al. 2017, section 3.2.2) of X [n, d_model], every step
/// kept. Query head h reads key head h / (n_heads / n_kv_heads), rounded down.
/// Errors: shape_mismatch naming the matrix, or "n_heads" when it does not divide d_model, or
/// "n_kv_heads" when it does not divide n_heads; out_of_range and too_large for sizes; those of
/// check_mask; not_finite naming the first matrix that holds NaN or infinity, or "scores", if
/// `require_finite`; too_large with the bytes asked for; out_of_memory.
/// Promise: with n_heads = 1, no biases and W_O the identity it is scaled_dot_product.
template <class T>
Expected<MultiHeadTrace<T>> multi_head(const Matrix<T>& X, const MultiHeadWeights<T>& weights,
                                       const MultiHeadOptions& options);

/// The parameters of such a layer: d_model x (2 d_model + 2 kv_width), and with biases
/// 2 d_model + 2 kv_width more. Does not depend on n, nor on n_heads while n_kv_heads = n_heads.
/// Errors: as multi_head for the sizes.
Expected<std::uint64_t> multi_head_parameters(std::uint64_t d_model, std::uint64_t n_heads,
                                              std::uint64_t n_kv_heads, bool biases);

}  // namespace attn

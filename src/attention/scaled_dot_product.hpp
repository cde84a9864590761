#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "attention/mask.hpp"
#include "core/error.hpp"
#include "core/matrix.hpp"

namespace attn {

struct AttentionOptions {
  /// Whether scores are divided by the root of d_k.
  bool divide = true;

  /// The d_k under the root, any positive finite number; the real one unless set. Slide 15 turns
  /// this alone.
  std::optional<double> divisor_d_k = {};

  Mask mask = {};

  /// Whether every intermediate is kept. Without, the result holds weights and output, and takes
  /// n_q x n_k numbers instead of n_q x n_k x (d_k + d_v + 4).
  bool trace = true;

  /// Whether NaN and infinity are refused where they would reach the output. Without, they
  /// propagate as floating-point numbers do.
  bool require_finite = true;
};

/// Scaled dot-product attention with every intermediate, in the order in which they arise.
/// Without `AttentionOptions::trace` all arrays but `weights` and `output` are empty.
template <class T>
struct Trace {
  std::size_t n_q, n_k, d_k, d_v;
  double divisor;                ///< sqrt(d_k), or 1 when nothing is divided.
  Tensor3<T> score_terms;        ///< [n_q, n_k, d_k] q_c k_c
  Matrix<T> scores;              ///< [n_q, n_k] their sums
  Matrix<T> scaled;              ///< [n_q, n_k] scores / divisor
  Matrix<std::uint8_t> allowed;  ///< [n_q, n_k] 1 where the mask lets the pair count
  Vector<T> shift;               ///< [n_q] subtracted before exponentiating; see softmax
  Matrix<T> exponentials;        ///< [n_q, n_k] 0 where masked
  Vector<T> sums;                ///< [n_q]
  Matrix<T> weights;             ///< [n_q, n_k]
  Vector<T> weight_sums;         ///< [n_q] 1 up to rounding; 0 in an empty row
  Matrix<std::uint8_t> largest;  ///< [n_q, n_k] 1 where a weight is its row's maximum
  Tensor3<T> contributions;      ///< [n_q, n_k, d_v] weight x value; 0 where masked
  Matrix<T> output;              ///< [n_q, d_v] their sums
};

/// softmax(Q K^T / sqrt(d_k) + M) V (Vaswani et al. 2017, equation 1).
/// Q [n_q, d_k], K [n_k, d_k], V [n_k, d_v]; T is double, or float with sums kept in double.
///
/// Errors: shape_mismatch naming "K" or "V"; those of check_mask; out_of_range for an empty matrix
/// or a divisor_d_k that is not positive; not_finite naming "Q", "K", "V" or "scores" and the
/// entry, if `require_finite`; too_large with the bytes asked for, before anything is allocated;
/// out_of_memory.
/// Promise: a query with nothing left to see gives zeros; the output does not depend on what is
/// masked, NaN included; with and without `trace` the weights and the output are the same bits.
template <class T>
Expected<Trace<T>> scaled_dot_product(const Matrix<T>& Q, const Matrix<T>& K, const Matrix<T>& V,
                                      const AttentionOptions& options = {});

/// The gradients of a loss L, given dO = dL/dO.
template <class T>
struct AttentionGradients {
  Matrix<T> dA;  ///< [n_q, n_k] dO V^T; 0 where masked
  Matrix<T> dS;  ///< [n_q, n_k] with respect to the scores that enter the softmax, after scaling
  Matrix<T> dQ;  ///< [n_q, d_k] dS K / divisor
  Matrix<T> dK;  ///< [n_k, d_k] dS^T Q / divisor
  Matrix<T> dV;  ///< [n_k, d_v] A^T dO
};

/// The way back through scaled_dot_product for dO [n_q, d_v] (dS as in softmax_backward; the rest
/// is the product rule, as in Dao et al. 2022, appendix B.2).
/// Errors: as scaled_dot_product, and shape_mismatch or not_finite naming "dO".
/// Promise: a query with nothing left to see passes nothing back and receives nothing; what is
/// masked receives exactly 0 and leaves the other gradients finite, whatever it holds.
template <class T>
Expected<AttentionGradients<T>> scaled_dot_product_backward(const Matrix<T>& Q, const Matrix<T>& K,
                                                            const Matrix<T>& V, const Matrix<T>& dO,
                                                            const AttentionOptions& options = {});

/// The bytes that scaled_dot_product allocates for these sizes.
/// Errors: out_of_range and too_large for the sizes themselves.
template <class T>
Expected<std::uint64_t> scaled_dot_product_bytes(std::size_t n_q, std::size_t n_k, std::size_t d_k,
                                                 std::size_t d_v, bool trace);

}  // namespace attn

#pragma once

#include <cstdint>

#include "attention/mask.hpp"
#include "core/error.hpp"
#include "core/matrix.hpp"

namespace attn {

/// What a softmax does to each row, step by step. The last step gives `weights`.
template <class T>
struct SoftmaxTrace {
  Matrix<std::uint8_t> allowed;  ///< [n, m] 1 where the mask lets the entry count.
  Vector<T> shift;               ///< [n] what is subtracted before exponentiating; see softmax.
  Matrix<T> exponentials;        ///< [n, m] e^(x - shift); 0 where masked.
  Vector<T> sums;                ///< [n] of the exponentials.
  Matrix<T> weights;             ///< [n, m] exponentials / sums.
  Vector<T> weight_sums;         ///< [n] 1 up to rounding; 0 in an empty row.
  Matrix<std::uint8_t> largest;  ///< [n, m] 1 where a weight is its row's maximum, within 4 ulp.
};

/// The softmax of each row of x [n, m], w_j = e^(x_j) / sum_k e^(x_k) over the allowed k
/// (Vaswani et al. 2017, equation 1). Rows are queries and columns keys, as far as masks go.
///
/// `shift` is 0 while all allowed entries of a row lie in [-30, 30], so that the exponentials are
/// the textbook's, and the row's maximum otherwise, so that none overflows. An entry of minus
/// infinity is masked, in effect: it is how a mask is added to scores.
/// Errors: those of check_mask; not_finite naming "x" and the entry, when an allowed entry is NaN
/// or plus infinity and `require_finite` is set; out_of_range, too_large, out_of_memory for sizes.
/// Promise: each row of weights sums to 1 within 1e-15 x m in float64; a row with nothing left to
/// see is all zeros (its sum, its shift and its weight_sum too); what is masked changes nothing,
/// whatever it holds.
template <class T>
Expected<SoftmaxTrace<T>> softmax(const Matrix<T>& x, const Mask& mask = {},
                                  bool require_finite = true);

/// The gradient with respect to what entered the softmax: dS = A o (dA - rowsum(dA o A)), where
/// A = softmax(S). A [n, m], dA [n, m]; returns dS [n, m].
/// Errors: shape_mismatch naming "dA"; not_finite naming "A" or "dA", when `require_finite` is set
/// and an entry of A, or an entry of dA whose weight is not 0, is NaN or infinite.
/// Promise: each row sums to 0 up to rounding; where a weight is exactly 0 the gradient is exactly
/// 0 and dA is not read, so an empty row returns zeros.
template <class T>
Expected<Matrix<T>> softmax_backward(const Matrix<T>& A, const Matrix<T>& dA,
                                     bool require_finite = true);

}  // namespace attn

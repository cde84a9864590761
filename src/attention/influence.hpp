#pragma once

#include <cstddef>

#include "attention/multi_head.hpp"
#include "core/error.hpp"
#include "core/matrix.hpp"

namespace attn {

/// Each key is hidden in turn, so that the work grows with n cubed.
inline constexpr std::size_t max_influence_tokens = 64;
inline constexpr std::size_t max_influence_width = 256;

/// What the weights of a layer do not say: how far its output moves. All distances are Euclidean, in the layer's output.
struct Influence {
  Tensor3<double> weights;      ///< [n_heads, n, n]
  Matrix<double> output;        ///< [n, d_model]
  Matrix<double> value_norms;   ///< [n_heads, n] |f_h(x_j)|, the value of token j as it enters the output
  Tensor3<double> weighted;     ///< [n_heads, n, n] |A_ij f_h(x_j)|: what token i gets of token j
  Matrix<double> head_changes;  ///< [n_heads, n] how far output i moves when head h gives 0
  Tensor3<double> hidden_in_head;  ///< [n_heads, n, n] and when head h alone may not see token j
  Matrix<double> hidden;           ///< [n, n] and when no head may see token j as a key
};

/// Weight against influence in multi-head self-attention of X [n, d_model]; arguments as of multi_head.
/// f_h(x_j) = v_j W_O^h with the rows of W_O that head h meets (Kobayashi et al. 2020, equations 3 and 4), so that
/// `weighted` is how far output i moves when the value of token j becomes 0 in head h and the weights stay. A hidden
/// token is masked and the softmax done anew over the others: their weights grow. A query that has no key left gives 0.
/// Errors: too_large naming "n" or "d_model" above the limits here; those of multi_head; not_finite naming "output" when
/// a distance leaves the range of a double.
/// Promise: with W_O the identity `value_norms` are the lengths of the rows of V.
Expected<Influence> influence(const Matrix<double>& X, const MultiHeadWeights<double>& weights,
                              const MultiHeadOptions& options);

}  // namespace attn

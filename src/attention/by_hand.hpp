#pragma once

#include "attention/scaled_dot_product.hpp"

namespace attn {

/// The most decimal places that by_hand keeps.
inline constexpr int max_decimals = 8;

/// `value` to `decimals` places, halves away from zero, as a pencil rounds: a value that is a half
/// but for binary's error (0.35 x 0.1 is 0.034999...) counts as a half.
double round_decimal(double value, int decimals);

/// scaled_dot_product as a student does it with a pencil: sqrt(d_k), the scaled scores, the
/// exponentials, their sum, the weights, the contributions and the output are each rounded to
/// `decimals` places before the next step uses them. Products and sums of the given numbers
/// (`score_terms`, `scores`) stay exact, as they do on paper.
/// Q [n_q, d_k], K [n_k, d_k], V [n_k, d_v]. `options.trace` is not read: every step is kept.
///
/// `shift` is as in softmax, except that the row's maximum is subtracted also when every
/// exponential would round to 0.
/// Errors: as scaled_dot_product; out_of_range naming "decimals" outside [0, max_decimals], or
/// "divisor_d_k" when its root rounds to 0.
/// Promise: each rounded number is the double nearest to the decimal that the student writes.
Expected<Trace<double>> scaled_dot_product_by_hand(const Matrix<double>& Q, const Matrix<double>& K,
                                                   const Matrix<double>& V,
                                                   const AttentionOptions& options, int decimals);

}  // namespace attn

#pragma once

// Attention for a batch of heads, one query at a time: the back end `scalar`, and the oracle of the fast ones.
//
// Ladder
//   plain   For each query its scores, their softmax and the weighted sum of the values, in double. It keeps one row
//           of scores, never the matrix.

#include <cstddef>

#include "kernels/attention_problem.hpp"

namespace attn::kernels {

/// Whether query i may see key j.
bool is_allowed_scalar(const AttentionProblem& problem, std::size_t i, std::size_t j);

/// output = softmax(scale q k^T + mask) v for every head of the problem.
/// output [n_heads, n_q, d_v]; scores [n_k] is working memory; log_sum_exp [n_heads, n_q] or null takes the logarithm
/// of each row's sum of exponentials of the scaled scores, minus infinity where nothing is allowed.
/// Promise: sums in double, rounded once. What is masked is not read, so NaN there reaches nothing; a row with nothing
/// left, or with minus infinity everywhere, gives 0; NaN or plus infinity in an allowed score makes its row NaN.
void attention_heads_scalar(const AttentionProblem& problem, float* output, double* scores,
                            float* log_sum_exp);

}  // namespace attn::kernels

#pragma once

// The way back through attention for a batch of heads.
//
// Ladder
//   plain   Query by query: weights, then the gradient of each score, added to what it reaches. All
//           in double. The oracle that later versions are compared with.

#include <cstddef>

#include "kernels/attention_problem.hpp"

namespace attn::kernels {

/// Where the gradients go: d_q [n_heads, n_q, d_k], d_k [n_kv_heads, n_k, d_k], d_v [n_kv_heads,
/// n_k, d_v], all dense.
struct AttentionGradients {
  float* d_q = nullptr;
  float* d_k = nullptr;
  float* d_v = nullptr;
};

/// Doubles that attention_backward_scalar needs as scratch.
std::size_t attention_backward_scalar_scratch(const AttentionProblem& problem);

/// The gradients of sum_ij d_output_ij output_ij with respect to q, k and v, where output is that
/// of attention_heads_scalar; d_k and d_v are summed over the query heads that share a KV head.
/// d_output [n_heads, n_q, d_v], scratch [attention_backward_scalar_scratch(problem)].
/// Promise: in double, rounded once; masked pairs are not read and get no gradient, nor does a row
/// with nothing allowed.
void attention_backward_scalar(const AttentionProblem& problem, const float* d_output,
                               const AttentionGradients& gradients, double* scratch);

}  // namespace attn::kernels

#pragma once

// The way back through attention in tiles (FlashAttention-2: Dao 2023, algorithm 2): weights are
// computed anew from the log-sum-exp that the way forward left, and no matrix of them is kept.
//
// Ladder (Chromium, relaxed, n = 512, d = 64, share of the multiply-add peak of the same run,
// counting the five products that are needed)
//   tiles   48 queries x 96 keys: both products of a row with panels, weights and their gradients,
//           then three products into sums that stay in the scratch. Every operand is filled up to
//           whole panels, so that no product has an edge: 83 % (simd128 85 %); 63 % causal at n =
//           256, as blocks on the diagonal are computed whole and then hidden in part.

#include <cstddef>

#include "kernels/attention_problem.hpp"
#include "kernels/scalar/attention_backward.hpp"

namespace attn::kernels {

/// Floats that attention_backward_simd needs as scratch: O(n) a KV head, of which one is held at a
/// time.
std::size_t attention_backward_simd_scratch(const AttentionProblem& problem);

/// The gradients of sum_ij d_output_ij output_ij, as attention_backward_scalar; d_k and d_v are
/// summed over the query heads that share a KV head.
/// output and d_output [n_heads, n_q, d_v] and lse [n_heads, n_q] as attention_simd left them,
/// scratch [attention_backward_simd_scratch(problem)].
/// Promise: with u = 2^-24, the largest error of a gradient is below 8 (n_q + n_k + d_k + d_v + s)
/// u times the largest sum of absolute terms of its array, where s is the largest sum_c scale |q_ic
/// k_jc|. Masked pairs get exactly no gradient, whatever they hold; a row with nothing allowed
/// gives 0. NaN reaches only what an allowed pair connects it to.
void attention_backward_simd(const AttentionProblem& problem, const float* output,
                             const float* d_output, const float* lse,
                             const AttentionGradients& gradients, float* scratch);

}  // namespace attn::kernels

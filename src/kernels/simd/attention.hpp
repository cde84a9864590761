#pragma once

// Tiled attention with an online softmax (FlashAttention: Dao et al. 2022; Milakov and Gimelshein 2018): no matrix of scores.
//
// LADDER_PLACEHOLDER

#include <cstddef>

#include "kernels/attention_problem.hpp"

namespace attn::kernels {

/// How attention_simd goes about it. Every choice gives the same numbers to the promised bound.
struct AttentionTiling {
  /// Rows of a register tile: 4, 6, or 0 for what suits this build: 6 with relaxed multiply-add, 4 without.
  std::size_t rows = 0;
  /// Follow the running maximum even where scores are known to be small.
  bool always_running_maximum = false;
  /// Tiles also where a small problem would go pair by pair.
  bool always_tiles = false;
};

/// Floats that attention_simd needs as scratch: O(n) a head, of which one is held at a time. The packed keys are most of it.
std::size_t attention_simd_scratch(const AttentionProblem& problem);

/// output = softmax(scale q k^T + mask) v for every head of the problem, whose shapes are said there.
/// output [n_heads, n_q, d_v], scratch [attention_simd_scratch(problem)], lse [n_heads, n_q] or null.
/// lse_i = log sum over the allowed j of exp(scale q_i . k_j), which the way back needs.
/// Promise: with u = 2^-24 and e = (d_k + 4) u max_j sum_c scale |q_ic k_jc|, an entry is within
/// (2 e + (n_k + 12) u) sum_j a_ij |v_jc| + 1e-32 of the exact one, and lse within e + 4 u (|lse| + 1) + n_k u. Masked
/// pairs weigh nothing, whatever they hold. A row with nothing allowed gives exactly 0 and an lse of minus infinity.
/// NaN or plus infinity among the allowed scores make that row NaN, and no other.
void attention_simd(const AttentionProblem& problem, float* output, float* scratch,
                    float* lse = nullptr, const AttentionTiling& tiling = {});

}  // namespace attn::kernels

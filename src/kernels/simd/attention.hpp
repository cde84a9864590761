#pragma once

// Tiled attention with an online softmax (FlashAttention: Dao et al. 2022; Milakov and Gimelshein
// 2018): no matrix of scores.
//
// Ladder (Chromium, relaxed, n = 512, d = 64, as a share of the multiply-add peak measured in the
// same run; others were working on the machine, so the least times of many interleaved runs)
//   pairs    Query by query, pair by pair, vectors along d: attend_row. At n = 12 27 % of the peak,
//            where tiles have 37 %; but it alone reads no masked pair, and NaN still goes there, as
//            do problems of fewer than 8 keys.
//   tiles    Keys packed in panels of 8 and queries in tiles of 4 or 6, both once, so that the
//            inner loop knows no d and every head size runs like 64; scores, running maximum,
//            values for 128 keys and 24 queries at a time: 78 % with 6 x 2 tiles, 74 % with 4 x 2.
//   bounded  No maximum where |q| |k| (from the packing) shows that no score leaves 30, and the
//            exponential before the scores are stored: 87 %, 81 %.
//   ranges   A causal or windowed block is split into panels seen whole, which go the fast way, and
//            the one or two that are seen in part: causal 83 % (n = 1024: 86 %).
//   checked  V may hold NaN where it is masked, and 0 x NaN would spoil a tile. Rows that come out
//            finite are right; only others are done again pair by pair, and no pass over V is
//            needed.
//   by address   The inner loops are functions that neither LLVM nor Binaryen can inline. In Node
//            20 84 % instead of 58 % (simd128); Chromium does not mind.
// Lost: clearing with std::fill, which in a module linked for size is a loop over bytes: 62 %
// instead of 76 % at n = 64. 6 x 2 without relaxed instructions: 57 %, where 4 x 2 has 83 %; 6 x 2
// in Node 20 with them: 54 %, where 4 x 2 has 86 %, hence AttentionTiling.

#include <cstddef>

#include "kernels/attention_problem.hpp"

namespace attn::kernels {

/// How attention_simd goes about it. Every choice gives the same numbers to the promised bound.
struct AttentionTiling {
  /// Rows of a register tile: 4, 6, or 0 for what suits this build: 6 with relaxed multiply-add, 4
  /// without.
  std::size_t rows = 0;
  /// Follow the running maximum even where scores are known to be small.
  bool always_running_maximum = false;
  /// Tiles also where a small problem would go pair by pair.
  bool always_tiles = false;
};

/// Floats that attention_simd needs as scratch: O(n) a head, of which one is held at a time. The
/// packed keys are most of it.
std::size_t attention_simd_scratch(const AttentionProblem& problem);

/// output = softmax(scale q k^T + mask) v for every head of the problem, whose shapes are said
/// there.
/// output [n_heads, n_q, d_v], scratch [attention_simd_scratch(problem)], lse [n_heads, n_q] or
/// null.
/// lse_i = log sum over the allowed j of exp(scale q_i . k_j), which the way back needs.
/// Promise: with u = 2^-24 and e = (d_k + 4) u max_j sum_c scale |q_ic k_jc|, an entry is within (2
/// e + (n_k + 12) u) sum_j a_ij |v_jc| + 1e-32 of the exact one, and lse within e + 4 u (|lse| + 1)
/// + n_k u. Masked pairs weigh nothing, whatever they hold. A row with nothing allowed gives
/// exactly 0 and an lse of minus infinity. NaN or plus infinity among the allowed scores make that
/// row NaN, and no other.
void attention_simd(const AttentionProblem& problem, float* output, float* scratch,
                    float* lse = nullptr, const AttentionTiling& tiling = {});

}  // namespace attn::kernels

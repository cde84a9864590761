#pragma once

// Causal linear attention in chunks: within a chunk pair by pair, everything before it through the state. The two products
// of a chunk and the two with the state are tiles, as in tiled attention.
//
// Ladder (Chromium, relaxed, d = 64, elu(x) + 1, as a share of the multiply-add peak of the same run, of what
// linear_attention_flops counts; Node 20, simd128, in brackets)
//   recurrent   Token by token: the state is read and written once a token, and no tile forms. The plain kernel.
//   chunks      The four products in register tiles, of 48 tokens: a tile of outputs takes the state's part and the chunk's
//               part before it is written once. 6 x 2 67 %, 4 x 2 61 % (6 x 2 70 %, 4 x 2 81 %). Without the exponentials of
//               the features 77 %.
//   chunk       24 tokens 62 %, 96 tokens 71 %. More of the work are then pairs, which the tiles like; by the clock 24 take
//               8 % less than 48, at d = 128 5 % less, and 96 a fifth more.
//   by address  The inner loops cannot be inlined: see MicroKernels in attention.cpp.
//   products    The gates between two tokens are a running product, row by row of the chunk, and no difference of
//               logarithms: a gate of 0 is nothing special, and costs no exponential. With gates 62 %.

#include "kernels/other_answers.hpp"

namespace attn::kernels {

/// How linear_attention_simd goes about it; every choice gives the same numbers to the promised bound.
struct LinearTiling {
  /// Rows of a register tile: 4, 6, or 0 for what suits this build.
  std::size_t rows = 0;
  /// Tokens of a chunk, up to 128; 0 for 48.
  std::size_t chunk = 0;
};

/// Floats that linear_attention_simd needs as scratch: the state of one head and a few chunks, whatever n is.
std::size_t linear_attention_simd_scratch(const LinearProblem& problem,
                                          const LinearTiling& tiling = {});

/// output [n_heads, n, d_v], scratch [linear_attention_simd_scratch(problem)].
/// Promise: with u = 2^-24, c the chunk and m = n + the tokens that `kept` stands for, an entry is within
/// (2 (m / c + c + d_k) + 40) u sum_j |w_ij v_jc|, over sum_j w_ij where it is divided by that, of the exact one, |w_ij| being
/// the sum of the absolute values that make it; with gates 2 m u more. A row whose weights add up to 0 gives zeros where it is
/// divided by them. NaN and infinity reach no row before their token.
void linear_attention_simd(const LinearProblem& problem, const LinearState& kept, float* output,
                           float* scratch, const LinearTiling& tiling = {});

/// Operations of the chunked form as it stands: 2 for each multiply-add of the pairs up to the diagonal and of the state,
/// read and written. Feature maps, gates and divisions are not counted.
double linear_attention_flops(const LinearProblem& problem, const LinearTiling& tiling = {});

}  // namespace attn::kernels

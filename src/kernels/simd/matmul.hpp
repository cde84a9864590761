#pragma once

// Matrix products in register tiles.
//
// Ladder (Chromium, relaxed, 256 x 256 x 256, share of the multiply-add peak of the same run)
//   tiles   48 rows of a packed for 128 steps on the stack, then panels of 8 columns: read where
//           they lie in b (90 %; simd128 81 %), packed on the stack for b^T (80 %; 84 %).
//   matvec  Four rows and two sums for each: 68 %, from the cache; from memory its bandwidth
//            decides.
//
// Each matrix is row-major and dense; `out` is written whole and overlaps no operand.

#include <cstddef>

namespace attn::kernels {

/// out = a b.
/// a [n, k], b [k, m], out [n, m].
/// Promise: each entry is within (k + 2) 2^-24 sum_c |a_ic b_cj| of the exact one.
void matmul_simd(const float* a, const float* b, float* out, std::size_t n, std::size_t k,
                 std::size_t m);

/// out = a b^T, both operands read along their rows.
/// a [n, k], b [m, k], out [n, m].
/// Promise: as matmul_simd.
void matmul_transposed_simd(const float* a, const float* b, float* out, std::size_t n,
                            std::size_t k, std::size_t m);

/// out = a x: a model's step for one token, which reads each weight once.
/// a [n, k], x [k], out [n].
/// Promise: as matmul_simd.
void matvec_simd(const float* a, const float* x, float* out, std::size_t n, std::size_t k);

}  // namespace attn::kernels

#pragma once

// Root-mean-square normalisation of rows, in vectors.
//
// Ladder
//   vectors  Four sums of squares a row, then one factor. The division and the root are once a row.

#include <cstddef>

namespace attn::kernels {

/// As rms_norm_scalar: out_i = gain_i x_i / sqrt(mean_j x_j^2 + epsilon).
/// x [n, d], gain [d] or null for ones, out [n, d], which may be x.
/// Promise: relative error at most (d / 2 + 6) 2^-24, at every size of x: a row whose squares leave
/// the range of float is done in double.
void rms_norm_simd(const float* x, const float* gain, float epsilon, std::size_t n, std::size_t d,
                   float* out);

}  // namespace attn::kernels

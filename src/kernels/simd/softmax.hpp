#pragma once

// The softmax of rows, in vectors.
//
// Ladder
//   vectors  Maximum, exponential and its sum, division: the passes of the plain one, four entries
//            at a time, with exp2.hpp. Attention does not call it: it never has a whole row.

#include <cstddef>
#include <cstdint>

namespace attn::kernels {

/// weights = softmax of each row of x over its allowed entries.
/// x [n, m], allowed [n, m] or null for all, weights [n, m], which may be x.
/// Promise: relative error at most (|x_j - max| + m + 8) 2^-24, and weights below 2^-126 are 0.
/// Masked entries get exactly 0; a row with nothing left gets zeros; NaN and plus infinity in an
/// allowed entry make the row's allowed weights NaN.
void softmax_rows_simd(const float* x, const std::uint8_t* allowed, std::size_t n, std::size_t m,
                       float* weights);

}  // namespace attn::kernels

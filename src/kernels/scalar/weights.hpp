#pragma once

// Weights as a file holds them: unpacked, and their products with rows of activations.
//
// Ladder
//   plain   Block by block into floats; each sum is kept in double and rounded once. The oracle that the vector kernel
//           is compared with, and the back end where there are no vectors.

#include "kernels/weight_blocks.hpp"

namespace attn::kernels {

/// Row `row` of the matrix as floats: the numbers that weight_blocks.hpp defines.
/// out [columns].
void unpack_weights_scalar(const WeightMatrix& weights, std::size_t row, float* out);

/// out = x W^T: what a linear layer computes of each row of x.
/// weights [rows, columns], x [n, columns], out [n, rows], which overlaps nothing.
/// Promise: each entry is the sum over the columns in ascending order, in double, of exactly what unpack_weights_scalar
/// gives, rounded once.
void weights_times_scalar(const WeightMatrix& weights, const float* x, std::size_t n, float* out);

}  // namespace attn::kernels

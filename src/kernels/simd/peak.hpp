#pragma once

// The two roofs of a machine, measured where the kernels run, so that a share of them means
// something.
//
// Ladder
//   12 chains  As many as a 6 x 2 tile has; with relaxed instructions 59 GFLOP/s where 48 are
//            reached without.

#include <cstddef>

namespace attn::kernels {

/// What a loop did, and a value that depends on all of it, so that no compiler can leave it out.
struct PeakWork {
  double flops = 0;
  float value = 0;
};

/// Multiply-adds on registers alone, in 12 independent chains, as in a 6 x 2 tile: enough to hide
/// their latency. Counts 2 floating-point operations for each of the 48 entries and each of the
/// iterations.
PeakWork peak_multiply_add_simd(std::size_t iterations);

/// The sum of values [n], read once as fast as memory gives them; 4 n bytes.
/// Promise: eight sums of vectors and a tail, in float.
float stream_sum_simd(const float* values, std::size_t n);

}  // namespace attn::kernels

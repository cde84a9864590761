#pragma once

// Sums over rows of numbers where clearness counts: loops that are timed are in src/kernels.

#include <cstddef>

namespace attn {

/// The sum of a[c] b[c], in the order of c.
inline double product(const double* a, const double* b, std::size_t length) {
  double sum = 0;
  for (std::size_t c = 0; c < length; ++c) sum += a[c] * b[c];
  return sum;
}

/// to += factor * from.
inline void add_scaled(double factor, const double* from, std::size_t length, double* to) {
  for (std::size_t c = 0; c < length; ++c) to[c] += factor * from[c];
}

}  // namespace attn

#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>

namespace attn {

/// What every network here has in common, so that their gradients may be held against each other.
struct RecurrenceSizes {
  static constexpr std::size_t hidden = 8;    ///< H, numbers in a state
  static constexpr double input_scale = 0.2;  ///< s, what an input x_t in N(0, I) is multiplied by
};

/// (1, ..., 1) / sqrt(H), of norm 1: the gradient that every way back starts with.
inline std::array<double, RecurrenceSizes::hidden> equal_parts() {
  std::array<double, RecurrenceSizes::hidden> g;
  g.fill(1 / std::sqrt(static_cast<double>(RecurrenceSizes::hidden)));
  return g;
}

/// The Euclidean norm, of numbers whose squares a double does not hold too: gradients here come down to 1e-160.
inline double norm_of(std::span<const double> values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::fabs(value));
  if (largest == 0) return 0;
  double squares = 0;
  for (const double value : values) squares += (value / largest) * (value / largest);
  return largest * std::sqrt(squares);
}

}  // namespace attn

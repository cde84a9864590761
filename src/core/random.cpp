#include "core/random.hpp"

#include <cmath>
#include <numbers>

#include "core/limits.hpp"

namespace attn {

std::uint64_t SplitMix64::next() {
  state_ += 0x9E3779B97F4A7C15;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

double Normals::next() {
  if (sine_) {
    const double kept = *sine_;
    sine_.reset();
    return kept;
  }
  // The 53 upper bits; u1 starts at 2^-53 instead of 0, so that its logarithm exists.
  const double u1 = static_cast<double>((bits_.next() >> 11) + 1) * 0x1p-53;
  const double u2 = static_cast<double>(bits_.next() >> 11) * 0x1p-53;
  const double radius = std::sqrt(-2.0 * std::log(u1));
  const double angle = 2.0 * std::numbers::pi * u2;
  sine_ = radius * std::sin(angle);
  return radius * std::cos(angle);
}

Expected<Vector<double>> random_normals(std::uint64_t seed, std::uint64_t count) {
  ATTN_CHECK(check_count("count", count, 1, max_bytes / sizeof(double)));
  ATTN_CHECK(check_bytes("count", count * sizeof(double)));
  Vector<double> numbers = make_vector<double>(static_cast<std::size_t>(count));
  Normals normals(seed);
  for (double& number : numbers) number = normals.next();
  return numbers;
}

}  // namespace attn

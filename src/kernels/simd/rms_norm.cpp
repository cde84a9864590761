#include "kernels/simd/rms_norm.hpp"

#include <cmath>

#include "kernels/scalar/rms_norm.hpp"
#include "kernels/simd/vector.hpp"

namespace attn::kernels {
namespace {

using namespace simd;

/// Between these the sum of squares has lost nothing to overflow, and nothing that counts to
/// underflow.
constexpr float least_sum = 1e-25F;
constexpr float largest_sum = 1e37F;

float sum_of_squares(const float* x, std::size_t d) {
  Float4 sums[4] = {zero(), zero(), zero(), zero()};
  std::size_t j = 0;
  for (; j + 4 * lanes <= d; j += 4 * lanes) {
    for (std::size_t s = 0; s < 4; ++s) {
      const Float4 entry = load(x + j + s * lanes);
      sums[s] = multiply_add(entry, entry, sums[s]);
    }
  }
  float sum = sum_of(add(add(sums[0], sums[1]), add(sums[2], sums[3])));
  for (; j < d; ++j) sum += x[j] * x[j];
  return sum;
}

}  // namespace

void rms_norm_simd(const float* x, const float* gain, float epsilon, std::size_t n, std::size_t d,
                   float* out) {
  for (std::size_t i = 0; i < n; ++i) {
    const float* row = x + i * d;
    float* const to = out + i * d;
    const float sum = sum_of_squares(row, d);
    if (!(sum >= least_sum && sum <= largest_sum)) {
      rms_norm_scalar(row, gain, epsilon, 1, d, to);
      continue;
    }
    const float factor = 1 / std::sqrt(sum / static_cast<float>(d) + epsilon);
    const Float4 factors = splat(factor);
    std::size_t j = 0;
    for (; j + lanes <= d; j += lanes) {
      const Float4 scaled = multiply(load(row + j), factors);
      store(to + j, gain == nullptr ? scaled : multiply(scaled, load(gain + j)));
    }
    for (; j < d; ++j) {
      const float scaled = row[j] * factor;
      to[j] = gain == nullptr ? scaled : scaled * gain[j];
    }
  }
}

}  // namespace attn::kernels

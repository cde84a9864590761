#include "kernels/simd/softmax.hpp"

#include <cmath>
#include <limits>

#include "kernels/simd/exp2.hpp"

namespace attn::kernels {
namespace {

using namespace simd;

constexpr float minus_infinity = -std::numeric_limits<float>::infinity();

/// The largest of n entries; NaN among them may come out or not.
float largest_entry(const float* x, std::size_t n) {
  Float4 largest = splat(minus_infinity);
  std::size_t j = 0;
  for (; j + lanes <= n; j += lanes) largest = maximum(largest, load(x + j));
  float result = largest_of(largest);
  for (; j < n; ++j) result = result < x[j] ? x[j] : result;
  return result;
}

/// Each of n entries to e^(x - largest); returns their sum.
float exponentiate(float* x, std::size_t n, float largest) {
  const Float4 shift = splat(largest);
  Float4 sums = zero();
  std::size_t j = 0;
  for (; j + lanes <= n; j += lanes) {
    // Subtracted before it is scaled: the difference of near numbers is exact.
    const Float4 power = exp2_below(multiply(subtract(load(x + j), shift), splat(log2_e)));
    store(x + j, power);
    sums = add(sums, power);
  }
  float sum = sum_of(sums);
  for (; j < n; ++j) {
    x[j] = first(exp2_below(splat((x[j] - largest) * log2_e)));
    sum += x[j];
  }
  return sum;
}

}  // namespace

void softmax_rows_simd(const float* x, const std::uint8_t* allowed, std::size_t n, std::size_t m,
                       float* weights) {
  for (std::size_t i = 0; i < n; ++i) {
    float* const row = weights + i * m;
    const auto hidden = [&](std::size_t j) {
      return allowed != nullptr && allowed[i * m + j] == 0;
    };
    bool whole = true;
    for (std::size_t j = 0; j < m; ++j) {
      row[j] = hidden(j) ? minus_infinity : x[i * m + j];
      // NaN fails the comparison too.
      whole = whole && row[j] < std::numeric_limits<float>::infinity();
    }
    if (!whole) {
      for (std::size_t j = 0; j < m; ++j) {
        row[j] = hidden(j) ? 0 : std::numeric_limits<float>::quiet_NaN();
      }
      continue;
    }
    const float largest = largest_entry(row, m);
    if (largest == minus_infinity) {
      clear(row, m);
      continue;
    }
    const float sum = exponentiate(row, m, largest);
    const Float4 sums = splat(1 / sum);
    std::size_t j = 0;
    for (; j + lanes <= m; j += lanes) store(row + j, multiply(load(row + j), sums));
    for (; j < m; ++j) row[j] *= 1 / sum;
  }
}

}  // namespace attn::kernels

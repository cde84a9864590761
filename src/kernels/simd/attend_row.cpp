#include "kernels/simd/attend_row.hpp"

#include <cmath>
#include <limits>

#include "kernels/simd/exp2.hpp"
#include "kernels/visible_keys.hpp"

namespace attn::kernels::simd {
namespace {

/// What stands for the weight of a masked pair: no weight is negative.
constexpr float masked = -1.0F;
constexpr float minus_infinity = -std::numeric_limits<float>::infinity();

float dot(const float* a, const float* b, std::size_t n) {
  Float4 even = zero();
  Float4 odd = zero();
  std::size_t c = 0;
  for (; c + 2 * lanes <= n; c += 2 * lanes) {
    even = multiply_add(load(a + c), load(b + c), even);
    odd = multiply_add(load(a + c + lanes), load(b + c + lanes), odd);
  }
  if (c + lanes <= n) {
    even = multiply_add(load(a + c), load(b + c), even);
    c += lanes;
  }
  float sum = sum_of(add(even, odd));
  for (; c < n; ++c) sum += a[c] * b[c];
  return sum;
}

/// Each of the n scores to 2^(score - largest); returns their sum.
float exponentiate(float* scores, std::size_t n, float largest) {
  const Float4 shift = splat(largest);
  Float4 sums = zero();
  std::size_t j = 0;
  for (; j + lanes <= n; j += lanes) {
    const Float4 power = exp2_below(subtract(load(scores + j), shift));
    store(scores + j, power);
    sums = add(sums, power);
  }
  float sum = sum_of(sums);
  for (; j < n; ++j) {
    scores[j] = first(exp2_below(splat(scores[j] - largest)));
    sum += scores[j];
  }
  return sum;
}

/// output = the sum of the n rows of v, weighed; masked rows are left out.
void weigh(const float* weights, std::size_t n, const float* v, std::size_t d_v, float* output) {
  std::size_t c = 0;
  for (; c + 2 * lanes <= d_v; c += 2 * lanes) {
    Float4 low = zero();
    Float4 high = zero();
    for (std::size_t j = 0; j < n; ++j) {
      if (weights[j] < 0) continue;
      const Float4 weight = load_splat(weights + j);
      low = multiply_add(weight, load(v + j * d_v + c), low);
      high = multiply_add(weight, load(v + j * d_v + c + lanes), high);
    }
    store(output + c, low);
    store(output + c + lanes, high);
  }
  for (; c < d_v; ++c) {
    float sum = 0;
    for (std::size_t j = 0; j < n; ++j) {
      if (weights[j] >= 0) sum += weights[j] * v[j * d_v + c];
    }
    output[c] = sum;
  }
}

float fill(float* output, std::size_t n, float value, float log_sum) {
  for (std::size_t c = 0; c < n; ++c) output[c] = value;
  return log_sum;
}

}  // namespace

float attend_row(const AttentionProblem& problem, std::size_t head, std::size_t i, float* weights,
                 float* output) {
  const std::size_t kv_head = head / problem.heads_per_kv_head();
  const float* q = problem.q + (head * problem.n_q + i) * problem.d_k;
  const float* k = problem.k + kv_head * problem.k_stride();
  const float* v = problem.v + kv_head * problem.v_stride();
  const KeyRange range = visible_range(problem, i);
  const bool holes = has_holes(problem.mask);
  const float to_log2 = problem.scale * log2_e;
  float largest = minus_infinity;
  for (std::size_t j = range.first; j < range.last; ++j) {
    if (holes && !allows_inside(problem.mask, i, j)) continue;
    weights[j] = dot(q, k + j * problem.d_k, problem.d_k) * to_log2;
    if (std::isnan(weights[j]) || weights[j] == std::numeric_limits<float>::infinity()) {
      constexpr float nan = std::numeric_limits<float>::quiet_NaN();
      return fill(output, problem.d_v, nan, nan);
    }
    if (weights[j] > largest) largest = weights[j];
  }
  if (largest == minus_infinity) return fill(output, problem.d_v, 0, minus_infinity);
  const std::size_t count = range.last - range.first;
  float* seen = weights + range.first;
  if (holes) {
    for (std::size_t j = range.first; j < range.last; ++j) {
      if (!allows_inside(problem.mask, i, j)) weights[j] = minus_infinity;
    }
  }
  const float sum = exponentiate(seen, count, largest);
  for (std::size_t j = 0; j < count; ++j) seen[j] /= sum;
  if (holes) {
    for (std::size_t j = range.first; j < range.last; ++j) {
      if (!allows_inside(problem.mask, i, j)) weights[j] = masked;
    }
  }
  weigh(seen, count, v + range.first * problem.d_v, problem.d_v, output);
  return (largest + std::log2(sum)) * ln_2;
}

}  // namespace attn::kernels::simd

#include "kernels/scalar/decode_segments.hpp"

#include <cmath>
#include <limits>

#include "kernels/scalar/stored_rows.hpp"

namespace attn::kernels {
namespace {

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

/// The keys of one KV head, one after the other: use(j, k, v) with rows as floats.
template <class Use>
void each_key(const SegmentsProblem& problem, std::size_t kv_head, bool values, float* numbers,
              const Use& use) {
  std::size_t j = 0;
  const bool from_keys = !values || problem.values_in_keys;
  for (std::size_t s = 0; s < problem.n_segments; ++s) {
    const KvSegment& segment = problem.segments[s];
    for (std::size_t r = 0; r < segment.count; ++r) {
      if (from_keys) {
        decode_rows_scalar(problem.k_row(),
                           segment.k + kv_head * segment.k_head_stride + r * segment.k_stride, 0, 1,
                           numbers);
      } else {
        decode_rows_scalar(problem.v_row(),
                           segment.v + kv_head * segment.v_head_stride + r * segment.v_stride, 0, 1,
                           numbers);
      }
      use(j++, numbers);
    }
  }
}

/// weights [n_keys], sums [d_v]; returns the lse.
double attend(const SegmentsProblem& problem, std::size_t head, double* weights, double* sums,
              float* numbers, float* out) {
  const std::size_t kv_head = head / problem.heads_per_kv_head();
  const float* q = problem.q + head * problem.d_k;
  double largest = minus_infinity;
  each_key(problem, kv_head, false, numbers, [&](std::size_t j, const float* k) {
    double score = 0;
    for (std::size_t c = 0; c < problem.d_k; ++c) {
      score += static_cast<double>(q[c]) * static_cast<double>(k[c]);
    }
    weights[j] = score * static_cast<double>(problem.scale);
    if (std::isnan(weights[j]) || weights[j] > largest) largest = weights[j];
  });
  double total = 0;
  for (std::size_t c = 0; c < problem.d_v; ++c) sums[c] = 0;
  if (largest != minus_infinity) {
    each_key(problem, kv_head, true, numbers, [&](std::size_t j, const float* v) {
      const double weight = std::exp(weights[j] - largest);
      total += weight;
      for (std::size_t c = 0; c < problem.d_v; ++c) sums[c] += weight * static_cast<double>(v[c]);
    });
  }
  for (std::size_t c = 0; c < problem.d_v; ++c) {
    out[c] = total == 0 ? 0.0F : static_cast<float>(sums[c] / total);
  }
  return total == 0 ? minus_infinity : largest + std::log(total);
}

}  // namespace

std::size_t decode_segments_scalar_row(const SegmentsProblem& problem) {
  return problem.n_keys() + problem.d_v;
}

std::size_t decode_segments_scalar_numbers(const SegmentsProblem& problem) {
  return problem.d_k > problem.d_v ? problem.d_k : problem.d_v;
}

void decode_segments_scalar(const SegmentsProblem& problem, float* output, double* row,
                            float* numbers, float* lse) {
  double* const sums = row + problem.n_keys();
  for (std::size_t head = 0; head < problem.n_heads; ++head) {
    const double log_sum = attend(problem, head, row, sums, numbers, output + head * problem.d_v);
    if (lse != nullptr) lse[head] = static_cast<float>(log_sum);
  }
}

}  // namespace attn::kernels

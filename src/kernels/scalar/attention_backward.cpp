#include "kernels/scalar/attention_backward.hpp"

#include <cmath>
#include <limits>

#include "kernels/visible_keys.hpp"

namespace attn::kernels {
namespace {

double dot(const float* a, const float* b, std::size_t n) {
  double sum = 0;
  for (std::size_t c = 0; c < n; ++c) sum += static_cast<double>(a[c]) * static_cast<double>(b[c]);
  return sum;
}

struct Sums {
  double* weights;          // [n_k]
  double* weight_gradient;  // [n_k]
  double* d_q;              // [d_k]
  double* d_k;              // [n_k, d_k]
  double* d_v;              // [n_k, d_v]
};

/// Adds what query i of one head contributes; d_q is its alone.
void add_query(const AttentionProblem& problem, std::size_t i, const float* q, const float* k,
               const float* v, const float* d_output, const Sums& sums) {
  const KeyRange range = visible_range(problem, i);
  const auto scale = static_cast<double>(problem.scale);
  double largest = -std::numeric_limits<double>::infinity();
  double total = 0;
  double mean = 0;
  for (std::size_t c = 0; c < problem.d_k; ++c) sums.d_q[c] = 0;
  for (std::size_t j = range.first; j < range.last; ++j) {
    if (!allows_inside(problem.mask, i, j)) continue;
    sums.weights[j] = dot(q, k + j * problem.d_k, problem.d_k) * scale;
    if (std::isnan(sums.weights[j]) || sums.weights[j] > largest) largest = sums.weights[j];
  }
  if (largest == -std::numeric_limits<double>::infinity()) return;
  for (std::size_t j = range.first; j < range.last; ++j) {
    if (!allows_inside(problem.mask, i, j)) continue;
    sums.weights[j] = std::exp(sums.weights[j] - largest);
    total += sums.weights[j];
  }
  for (std::size_t j = range.first; j < range.last; ++j) {
    if (!allows_inside(problem.mask, i, j)) continue;
    sums.weights[j] /= total;
    sums.weight_gradient[j] = dot(d_output, v + j * problem.d_v, problem.d_v);
    mean += sums.weights[j] * sums.weight_gradient[j];
  }
  for (std::size_t j = range.first; j < range.last; ++j) {
    if (!allows_inside(problem.mask, i, j)) continue;
    const double score_gradient = sums.weights[j] * (sums.weight_gradient[j] - mean) * scale;
    for (std::size_t c = 0; c < problem.d_k; ++c) {
      sums.d_q[c] += score_gradient * static_cast<double>(k[j * problem.d_k + c]);
      sums.d_k[j * problem.d_k + c] += score_gradient * static_cast<double>(q[c]);
    }
    for (std::size_t c = 0; c < problem.d_v; ++c) {
      sums.d_v[j * problem.d_v + c] += sums.weights[j] * static_cast<double>(d_output[c]);
    }
  }
}

}  // namespace

std::size_t attention_backward_scalar_scratch(const AttentionProblem& problem) {
  return problem.n_k * (2 + problem.d_k + problem.d_v) + problem.d_k;
}

void attention_backward_scalar(const AttentionProblem& problem, const float* d_output,
                               const AttentionGradients& gradients, double* scratch) {
  const std::size_t n_k = problem.n_k;
  const std::size_t group = problem.heads_per_kv_head();
  Sums sums{};
  sums.weights = scratch;
  sums.weight_gradient = sums.weights + n_k;
  sums.d_k = sums.weight_gradient + n_k;
  sums.d_v = sums.d_k + n_k * problem.d_k;
  sums.d_q = sums.d_v + n_k * problem.d_v;
  for (std::size_t kv_head = 0; kv_head < problem.n_kv_heads; ++kv_head) {
    for (std::size_t x = 0; x < n_k * (problem.d_k + problem.d_v); ++x) sums.d_k[x] = 0;
    for (std::size_t row = kv_head * group * problem.n_q; row < (kv_head + 1) * group * problem.n_q;
         ++row) {
      add_query(problem, row % problem.n_q, problem.q + row * problem.d_k,
                problem.k + kv_head * problem.k_stride(), problem.v + kv_head * problem.v_stride(),
                d_output + row * problem.d_v, sums);
      for (std::size_t c = 0; c < problem.d_k; ++c) {
        gradients.d_q[row * problem.d_k + c] = static_cast<float>(sums.d_q[c]);
      }
    }
    for (std::size_t x = 0; x < n_k * problem.d_k; ++x) {
      gradients.d_k[kv_head * n_k * problem.d_k + x] = static_cast<float>(sums.d_k[x]);
    }
    for (std::size_t x = 0; x < n_k * problem.d_v; ++x) {
      gradients.d_v[kv_head * n_k * problem.d_v + x] = static_cast<float>(sums.d_v[x]);
    }
  }
}

}  // namespace attn::kernels

#include "kernels/scalar/attention_heads.hpp"

#include <cmath>
#include <limits>

namespace attn::kernels {
namespace {

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

struct Row {
  double largest = minus_infinity;
  bool broken = false;
};

Row score_row(const AttentionProblem& problem, std::size_t i, const float* q, const float* k,
              double* scores) {
  Row row;
  for (std::size_t j = 0; j < problem.n_k; ++j) {
    scores[j] = minus_infinity;
    if (!is_allowed_scalar(problem, i, j)) continue;
    double sum = 0;
    for (std::size_t c = 0; c < problem.d_k; ++c) {
      sum += static_cast<double>(q[c]) * static_cast<double>(k[j * problem.d_k + c]);
    }
    scores[j] = sum * static_cast<double>(problem.scale);
    if (scores[j] > row.largest) row.largest = scores[j];
    if (std::isnan(scores[j])) row.broken = true;
  }
  if (row.largest == std::numeric_limits<double>::infinity()) row.broken = true;
  return row;
}

void fill(float* row, std::size_t d, float value) {
  for (std::size_t c = 0; c < d; ++c) row[c] = value;
}

}  // namespace

bool is_allowed_scalar(const AttentionProblem& problem, std::size_t i, std::size_t j) {
  const AttentionMask& mask = problem.mask;
  // The position of a query is below 0 when queries outnumber keys, so both sides are moved by n_q.
  const std::size_t p = i + problem.n_k;
  const std::size_t key = j + problem.n_q;
  if ((mask.causal || mask.window > 0) && key > p) return false;
  if (mask.window > 0 && p - key >= mask.window) return false;
  if (mask.key_valid != nullptr && mask.key_valid[j] == 0) return false;
  return mask.query_document == nullptr || mask.query_document[i] == mask.key_document[j];
}

void attention_heads_scalar(const AttentionProblem& problem, float* output, double* scores,
                            float* log_sum_exp) {
  for (std::size_t row = 0; row < problem.n_heads * problem.n_q; ++row) {
    const std::size_t kv_head = row / problem.n_q / problem.heads_per_kv_head();
    const std::size_t i = row % problem.n_q;
    const float* v = problem.v + kv_head * problem.v_stride();
    float* out = output + row * problem.d_v;
    const Row found = score_row(problem, i, problem.q + row * problem.d_k,
                                problem.k + kv_head * problem.k_stride(), scores);
    double sum = 0;
    if (!found.broken && found.largest > minus_infinity) {
      for (std::size_t j = 0; j < problem.n_k; ++j) {
        scores[j] = std::exp(scores[j] - found.largest);
        sum += scores[j];
      }
    }
    if (log_sum_exp != nullptr) {
      const double value = found.broken ? std::numeric_limits<double>::quiet_NaN()
                           : sum > 0    ? found.largest + std::log(sum)
                                        : minus_infinity;
      log_sum_exp[row] = static_cast<float>(value);
    }
    if (found.broken || sum == 0) {
      fill(out, problem.d_v, found.broken ? std::numeric_limits<float>::quiet_NaN() : 0);
      continue;
    }
    for (std::size_t c = 0; c < problem.d_v; ++c) {
      double total = 0;
      for (std::size_t j = 0; j < problem.n_k; ++j) {
        // 0 x NaN is NaN, so what is masked, or weighs nothing at all, is not read.
        if (scores[j] > 0) total += scores[j] * static_cast<double>(v[j * problem.d_v + c]);
      }
      out[c] = static_cast<float>(total / sum);
    }
  }
}

}  // namespace attn::kernels

#include "kernels/scalar/attention.hpp"

#include <cmath>
#include <limits>

#include "kernels/scalar/softmax.hpp"
#include "kernels/visible_keys.hpp"

namespace attn::kernels {
namespace {

bool counts(const std::uint8_t* allowed, std::size_t pair) {
  return allowed == nullptr || allowed[pair] != 0;
}

/// One query of attention_heads_scalar; returns its lse. weights [n_k], sums [d_v].
double attend_query(const AttentionProblem& problem, std::size_t i, const float* q, const float* k,
                    const float* v, double* weights, double* sums, float* out) {
  constexpr double minus_infinity = -std::numeric_limits<double>::infinity();
  const KeyRange range = visible_range(problem, i);
  double largest = minus_infinity;
  for (std::size_t j = range.first; j < range.last; ++j) {
    if (!allows_inside(problem.mask, i, j)) continue;
    double score = 0;
    for (std::size_t c = 0; c < problem.d_k; ++c) {
      score += static_cast<double>(q[c]) * static_cast<double>(k[j * problem.d_k + c]);
    }
    weights[j] = score * static_cast<double>(problem.scale);
    // Once NaN it stays: no comparison with it holds.
    if (std::isnan(weights[j]) || weights[j] > largest) largest = weights[j];
  }
  double total = 0;
  for (std::size_t c = 0; c < problem.d_v; ++c) sums[c] = 0;
  if (largest != minus_infinity) {
    for (std::size_t j = range.first; j < range.last; ++j) {
      if (!allows_inside(problem.mask, i, j)) continue;
      const double weight = std::exp(weights[j] - largest);
      total += weight;
      for (std::size_t c = 0; c < problem.d_v; ++c) {
        sums[c] += weight * static_cast<double>(v[j * problem.d_v + c]);
      }
    }
  }
  for (std::size_t c = 0; c < problem.d_v; ++c) {
    out[c] = total == 0 ? 0.0F : static_cast<float>(sums[c] / total);
  }
  return total == 0 ? minus_infinity : largest + std::log(total);
}

}  // namespace

template <class T>
void weigh_rows_scalar(const T* weights, const std::uint8_t* allowed, const T* v, T* out,
                       std::size_t n, std::size_t m, std::size_t d) {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t c = 0; c < d; ++c) {
      double sum = 0;
      for (std::size_t j = 0; j < m; ++j) {
        if (!counts(allowed, i * m + j)) continue;
        sum += static_cast<double>(weights[i * m + j]) * static_cast<double>(v[j * d + c]);
      }
      out[i * d + c] = static_cast<T>(sum);
    }
  }
}

template <class T>
void weigh_columns_scalar(const T* weights, const std::uint8_t* allowed, const T* u, T* out,
                          std::size_t n, std::size_t m, std::size_t d) {
  for (std::size_t j = 0; j < m; ++j) {
    for (std::size_t c = 0; c < d; ++c) {
      double sum = 0;
      for (std::size_t i = 0; i < n; ++i) {
        if (!counts(allowed, i * m + j)) continue;
        sum += static_cast<double>(weights[i * m + j]) * static_cast<double>(u[i * d + c]);
      }
      out[j * d + c] = static_cast<T>(sum);
    }
  }
}

template <class T>
void dot_rows_scalar(const T* a, const T* b, const std::uint8_t* allowed, T* out, std::size_t n,
                     std::size_t m, std::size_t d) {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < m; ++j) {
      double sum = 0;
      if (counts(allowed, i * m + j)) {
        for (std::size_t c = 0; c < d; ++c) {
          sum += static_cast<double>(a[i * d + c]) * static_cast<double>(b[j * d + c]);
        }
      }
      out[i * m + j] = static_cast<T>(sum);
    }
  }
}

template <class T>
void attention_scalar(const T* q, const T* k, const T* v, const std::uint8_t* allowed, T divisor,
                      T* weights, T* output, std::size_t n_q, std::size_t n_k, std::size_t d_k,
                      std::size_t d_v) {
  for (std::size_t i = 0; i < n_q; ++i) {
    const std::uint8_t* row_allowed = allowed == nullptr ? nullptr : allowed + i * n_k;
    T* row = weights + i * n_k;
    dot_rows_scalar(q + i * d_k, k, row_allowed, row, 1, n_k, d_k);
    for (std::size_t j = 0; j < n_k; ++j) row[j] /= divisor;
    T shift;
    T sum;
    softmax_rows_scalar(row, row_allowed, 1, n_k, &shift, row, &sum, row);
    weigh_rows_scalar(row, row_allowed, v, output + i * d_v, 1, n_k, d_v);
  }
}

std::size_t attention_heads_scalar_row(const AttentionProblem& problem) {
  return problem.n_k + problem.d_v;
}

void attention_heads_scalar(const AttentionProblem& problem, float* output, double* row,
                            float* lse) {
  for (std::size_t head = 0; head < problem.n_heads; ++head) {
    const std::size_t kv_head = head / problem.heads_per_kv_head();
    const float* k = problem.k + kv_head * problem.k_stride();
    const float* v = problem.v + kv_head * problem.v_stride();
    for (std::size_t i = 0; i < problem.n_q; ++i) {
      const std::size_t query = head * problem.n_q + i;
      const double log_sum = attend_query(problem, i, problem.q + query * problem.d_k, k, v, row,
                                          row + problem.n_k, output + query * problem.d_v);
      if (lse != nullptr) lse[query] = static_cast<float>(log_sum);
    }
  }
}

#define ATTN_INSTANTIATE(T)                                                                       \
  template void weigh_rows_scalar<T>(const T*, const std::uint8_t*, const T*, T*, std::size_t,    \
                                     std::size_t, std::size_t);                                   \
  template void weigh_columns_scalar<T>(const T*, const std::uint8_t*, const T*, T*, std::size_t, \
                                        std::size_t, std::size_t);                                \
  template void dot_rows_scalar<T>(const T*, const T*, const std::uint8_t*, T*, std::size_t,      \
                                   std::size_t, std::size_t);                                     \
  template void attention_scalar<T>(const T*, const T*, const T*, const std::uint8_t*, T, T*, T*, \
                                    std::size_t, std::size_t, std::size_t, std::size_t);

ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)

#undef ATTN_INSTANTIATE

}  // namespace attn::kernels

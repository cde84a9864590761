#include "attention/by_hand.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "attention/prepare.hpp"
#include "attention/steps.hpp"
#include "kernels/scalar/matmul.hpp"
#include "kernels/scalar/softmax.hpp"

namespace attn {
namespace {

/// Steps 2 and 3 of one row: fills exponentials, shift and sum from the rounded scaled scores.
void exponentiate_row(Trace<double>& trace, std::size_t i, double shift, int decimals) {
  double sum = 0;
  for (std::size_t j = 0; j < trace.n_k; ++j) {
    const bool counts = trace.allowed(i, j) != 0;
    trace.exponentials(i, j) =
        counts ? round_decimal(std::exp(trace.scaled(i, j) - shift), decimals) : 0;
    sum += trace.exponentials(i, j);
  }
  trace.shift(i) = shift;
  trace.sums(i) = round_decimal(sum, decimals);
}

double largest_allowed(const Trace<double>& trace, std::size_t i) {
  double largest = -std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < trace.n_k; ++j) {
    if (trace.allowed(i, j) != 0) largest = std::max(largest, trace.scaled(i, j));
  }
  return largest;
}

/// Steps 3 and 4 of one row: weights, contributions and their sum.
void weigh_row(Trace<double>& trace, const Matrix<double>& V, std::size_t i, int decimals) {
  for (std::size_t j = 0; j < trace.n_k; ++j) {
    const bool counts = trace.allowed(i, j) != 0;
    const double weight =
        counts ? round_decimal(trace.exponentials(i, j) / trace.sums(i), decimals) : 0;
    trace.weights(i, j) = weight;
    for (std::size_t c = 0; c < trace.d_v; ++c) {
      trace.contributions(i, j, c) = counts ? round_decimal(weight * V(j, c), decimals) : 0;
    }
  }
  for (std::size_t c = 0; c < trace.d_v; ++c) {
    double sum = 0;
    for (std::size_t j = 0; j < trace.n_k; ++j) sum += trace.contributions(i, j, c);
    trace.output(i, c) = round_decimal(sum, decimals);
  }
}

}  // namespace

double round_decimal(double value, int decimals) {
  const double power = std::pow(10.0, decimals);
  const double magnitude = std::fabs(value) * power;
  // From 2^52 on a double holds no halves: there is nothing to round.
  if (!(magnitude < 0x1p52)) return value;
  // Binary's error is far below this, and a product of two numbers of 8 places far above it.
  const double slack = std::max(1e-9, magnitude * 4 * std::numeric_limits<double>::epsilon());
  const double rounded = std::floor(magnitude + 0.5 + slack) / power;
  // Zero loses its sign: nobody writes -0.000.
  return value < 0 && rounded > 0 ? -rounded : rounded;
}

Expected<Trace<double>> scaled_dot_product_by_hand(const Matrix<double>& Q, const Matrix<double>& K,
                                                   const Matrix<double>& V,
                                                   const AttentionOptions& options, int decimals) {
  if (decimals < 0 || decimals > max_decimals) {
    return fail(ErrorCode::out_of_range, "decimals",
                {"decimals must lie between 0 and ", max_decimals, "; it is ", decimals, "."});
  }
  auto prepared = prepare(Q, K, V, options, true);
  ATTN_CHECK(prepared);
  const double divisor = round_decimal(prepared->divisor, decimals);
  if (divisor == 0) {
    return fail(ErrorCode::out_of_range, "divisor_d_k",
                {"The root of divisor_d_k rounds to 0 at ", decimals,
                 " decimals; choose a larger divisor_d_k or more decimals."});
  }

  const auto& [n_q, n_k, d_k, d_v, exact_divisor, allowed, sees] = *prepared;
  Trace<double> trace{
      .n_q = n_q,
      .n_k = n_k,
      .d_k = d_k,
      .d_v = d_v,
      .divisor = divisor,
      .score_terms = terms_of(Q, K),
      .scores = make_matrix<double>(n_q, n_k),
      .scaled = make_matrix<double>(n_q, n_k),
      .allowed = allowed,
      .shift = make_vector<double>(n_q),
      .exponentials = make_matrix<double>(n_q, n_k),
      .sums = make_vector<double>(n_q),
      .weights = make_matrix<double>(n_q, n_k),
      .weight_sums = {},
      .largest = {},
      .contributions = make_tensor3<double>(n_q, n_k, d_v),
      .output = make_matrix<double>(n_q, d_v),
  };
  kernels::matmul_transposed_scalar(Q.data(), K.data(), trace.scores.data(), n_q, d_k, n_k);
  for (std::size_t i = 0; i < n_q; ++i) {
    for (std::size_t j = 0; j < n_k; ++j) {
      trace.scaled(i, j) = round_decimal(trace.scores(i, j) / divisor, decimals);
    }
    const double shift = kernels::row_shift_scalar(&trace.scaled(i, 0), &trace.allowed(i, 0), n_k);
    exponentiate_row(trace, i, shift, decimals);
    if (sees[i] != 0 && trace.sums(i) == 0) {
      exponentiate_row(trace, i, largest_allowed(trace, i), decimals);
    }
    if (options.require_finite && !std::isfinite(trace.sums(i))) return scores_overflow(i);
    weigh_row(trace, V, i, decimals);
  }
  trace.weight_sums = row_sums(trace.weights);
  trace.largest = mark_largest(trace.weights);
  return trace;
}

}  // namespace attn

#include "efficient/linear_attention.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/finite.hpp"
#include "core/limits.hpp"
#include "core/text.hpp"

namespace attn {
namespace {

double feature(FeatureMap map, double x) {
  switch (map) {
    case FeatureMap::elu_plus_one:
      return x >= 0 ? x + 1 : std::exp(x);
    case FeatureMap::relu:
      return std::max(x, 0.0);
    case FeatureMap::identity:
      break;
  }
  return x;
}

Matrix<double> features(FeatureMap map, const Matrix<double>& x) {
  Matrix<double> mapped = make_matrix<double>(x.shape(0), x.shape(1));
  std::transform(x.begin(), x.end(), mapped.begin(),
                 [map](double value) { return feature(map, value); });
  return mapped;
}

/// What all three forms work on. Queries and keys are features already.
struct Problem {
  std::size_t n, d_k, d_v;
  Matrix<double> Q, K;
  const Matrix<double>& V;
  const LinearAttentionOptions& options;

  double gate(std::size_t t) const { return options.gates.size() == 0 ? 1 : options.gates(t); }

  double product(std::size_t i, std::size_t j) const {
    double sum = 0;
    for (std::size_t c = 0; c < d_k; ++c) sum += Q(i, c) * K(j, c);
    return sum;
  }

  /// Row i of the output from the weighed values and the sum of the weights.
  void finish(std::size_t i, double total, Matrix<double>& output) const {
    if (!options.normalize) return;
    for (std::size_t c = 0; c < d_v; ++c) output(i, c) = total == 0 ? 0 : output(i, c) / total;
  }
};

/// Row i over the tokens from `first` to i, walked backwards so that the decay is a running product: its weights times
/// the values are added to the output, and the sum of the weights is returned.
double add_pairs(const Problem& problem, std::size_t i, std::size_t first, LinearAttention& made) {
  double total = 0;
  double decay = 1;
  for (std::size_t j = i + 1; j-- > first;) {
    const double weight = decay * problem.product(i, j);
    total += weight;
    if (made.weights.size() != 0) made.weights(i, j) = weight;
    for (std::size_t c = 0; c < problem.d_v; ++c) made.output(i, c) += weight * problem.V(j, c);
    decay *= problem.gate(j);
  }
  return total;
}

/// The state takes token t in: decays, then adds.
void take_in(const Problem& problem, std::size_t t, LinearAttention& made) {
  const double gate = problem.gate(t);
  for (std::size_t a = 0; a < problem.d_k; ++a) {
    const double key = problem.K(t, a);
    if (problem.options.normalize) made.sums(a) = gate * made.sums(a) + key;
    for (std::size_t c = 0; c < problem.d_v; ++c) {
      made.state(a, c) = gate * made.state(a, c) + key * problem.V(t, c);
    }
  }
}

/// What the state answers query i, times `decay`, is added to the output; returns the sum of the weights.
double ask(const Problem& problem, std::size_t i, double decay, LinearAttention& made) {
  double total = 0;
  for (std::size_t a = 0; a < problem.d_k; ++a) {
    const double query = decay * problem.Q(i, a);
    total += query * made.sums(a);
    for (std::size_t c = 0; c < problem.d_v; ++c) made.output(i, c) += query * made.state(a, c);
  }
  return total;
}

/// The state takes in the tokens first to last - 1 at once; `decay` is the product of their gates.
void take_in_chunk(const Problem& problem, std::size_t first, std::size_t last, double decay,
                   LinearAttention& made) {
  for (double& entry : made.state) entry *= decay;
  for (double& sum : made.sums) sum *= decay;
  double after = 1;
  for (std::size_t t = last; t-- > first;) {
    for (std::size_t a = 0; a < problem.d_k; ++a) {
      const double key = after * problem.K(t, a);
      if (problem.options.normalize) made.sums(a) += key;
      for (std::size_t c = 0; c < problem.d_v; ++c) made.state(a, c) += key * problem.V(t, c);
    }
    after *= problem.gate(t);
  }
}

void run_quadratic(const Problem& problem, LinearAttention& made) {
  for (std::size_t i = 0; i < problem.n; ++i) {
    const double total = add_pairs(problem, i, 0, made);
    problem.finish(i, total, made.output);
    for (std::size_t j = 0; problem.options.normalize && j <= i; ++j) {
      made.weights(i, j) = total == 0 ? 0 : made.weights(i, j) / total;
    }
  }
  for (std::size_t t = 0; t < problem.n; ++t) take_in(problem, t, made);
}

void run_recurrent(const Problem& problem, LinearAttention& made) {
  for (std::size_t t = 0; t < problem.n; ++t) {
    take_in(problem, t, made);
    problem.finish(t, ask(problem, t, 1, made), made.output);
  }
}

void run_chunked(const Problem& problem, LinearAttention& made) {
  for (std::size_t first = 0; first < problem.n;) {
    const std::size_t last = first + std::min(problem.options.chunk, problem.n - first);
    double decay = 1;
    for (std::size_t i = first; i < last; ++i) {
      decay *= problem.gate(i);
      const double past = ask(problem, i, decay, made);
      problem.finish(i, past + add_pairs(problem, i, first, made), made.output);
    }
    take_in_chunk(problem, first, last, decay, made);
    first = last;
  }
}

Expected<void> check(const Matrix<double>& Q, const Matrix<double>& K, const Matrix<double>& V,
                     const LinearAttentionOptions& options) {
  const std::size_t n = Q.shape(0);
  ATTN_CHECK(check_count("n", n, 1, max_tokens));
  ATTN_CHECK(check_count("d_k", Q.shape(1), 1, max_width));
  ATTN_CHECK(check_count("d_v", V.shape(1), 1, max_width));
  if (K.shape(0) != n || K.shape(1) != Q.shape(1)) {
    return fail(ErrorCode::shape_mismatch, "K",
                {"K must have the shape of Q, [", n, ", ", Q.shape(1), "]: it is [", K.shape(0),
                 ", ", K.shape(1), "]."});
  }
  if (V.shape(0) != n) {
    return fail(ErrorCode::shape_mismatch, "V",
                {"V must have one row for each of the ", n, " tokens: it has ", V.shape(0), "."});
  }
  if (options.gates.size() != 0 && options.gates.size() != n) {
    return fail(ErrorCode::shape_mismatch, "gates",
                {"gates must be one number for each of the ", n, " tokens, or none: there are ",
                 options.gates.size(), "."});
  }
  for (const double gate : options.gates) ATTN_CHECK(check_between("gates", gate, 0, 1));
  ATTN_CHECK(check_count("chunk", options.chunk, 1, max_tokens));
  if (options.normalize && options.feature_map == FeatureMap::identity) {
    return fail(ErrorCode::bad_argument, "normalize",
                {"Weights that may be below 0 cannot be divided by their sum: with the identity, "
                 "set normalize to false."});
  }
  return {};
}

}  // namespace

Expected<LinearAttention> linear_attention(const Matrix<double>& Q, const Matrix<double>& K,
                                           const Matrix<double>& V,
                                           const LinearAttentionOptions& options, LinearForm form) {
  ATTN_CHECK(check(Q, K, V, options));
  const std::size_t n = Q.shape(0), d_k = Q.shape(1), d_v = V.shape(1);
  const std::size_t shown = form == LinearForm::quadratic ? n : 0;
  // Within the limits above nothing here exceeds 2^37.
  const std::uint64_t numbers = std::uint64_t{n} * (2 * std::uint64_t{d_k} + d_v) +
                                std::uint64_t{d_k} * (d_v + 1) + std::uint64_t{shown} * shown;
  ATTN_CHECK(check_bytes("n", numbers * sizeof(double)));
  ATTN_CHECK(check_finite("Q", Q));
  ATTN_CHECK(check_finite("K", K));
  ATTN_CHECK(check_finite("V", V));

  LinearAttention made{make_matrix<double>(n, d_v), make_matrix<double>(d_k, d_v),
                       make_vector<double>(d_k), make_matrix<double>(shown, shown)};
  made.output.fill(0);
  made.state.fill(0);
  made.sums.fill(0);
  made.weights.fill(0);
  const FeatureMap map = options.feature_map;
  const Problem problem{n, d_k, d_v, features(map, Q), features(map, K), V, options};
  switch (form) {
    case LinearForm::quadratic:
      run_quadratic(problem, made);
      break;
    case LinearForm::recurrent:
      run_recurrent(problem, made);
      break;
    case LinearForm::chunked:
      run_chunked(problem, made);
      break;
  }
  return made;
}

}  // namespace attn

#include "attention/way_back.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "attention/softmax.hpp"
#include "core/finite.hpp"
#include "core/limits.hpp"
#include "core/random.hpp"

namespace attn {
namespace {

Matrix<double> drawn(Normals& normals, std::size_t rows, std::size_t columns) {
  Matrix<double> numbers = make_matrix<double>(rows, columns);
  for (double& number : numbers) number = normals.next();
  return numbers;
}

}  // namespace

Expected<WayBack> way_back_through_softmax(const Matrix<double>& S, const Matrix<double>& dA) {
  ATTN_CHECK(check_finite("S", S));
  ATTN_CHECK(check_finite("dA", dA));
  ATTN_CHECK(check_count("n", S.shape(0), 1, max_tokens));
  ATTN_CHECK(check_count("m", S.shape(1), 1, max_tokens));
  // Exponentials, weights, dS, products and deviations, and two bytes a weight of the softmax's own.
  ATTN_CHECK(check_bytes("m", std::uint64_t{S.shape(0)} * S.shape(1) * (5 * sizeof(double) + 2)));
  auto trace = softmax(S);
  ATTN_CHECK(trace);
  auto dS = softmax_backward(trace->weights, dA);
  ATTN_CHECK(dS);
  const auto [n, m] = std::pair(S.shape(0), S.shape(1));
  WayBack back{
      .weights = std::move(trace->weights),
      .largest_weight = make_vector<double>(n),
      .products = make_matrix<double>(n, m),
      .means = make_vector<double>(n),
      .deviations = make_matrix<double>(n, m),
      .dS = std::move(*dS),
      .sums = make_vector<double>(n),
      .norms = make_vector<double>(n),
  };
  for (std::size_t i = 0; i < n; ++i) {
    double largest = 0;
    double mean = 0;
    double sum = 0;
    double squares = 0;
    for (std::size_t j = 0; j < m; ++j) {
      largest = std::max(largest, back.weights(i, j));
      back.products(i, j) = dA(i, j) * back.weights(i, j);
      mean += back.products(i, j);
      sum += back.dS(i, j);
      squares += back.dS(i, j) * back.dS(i, j);
    }
    for (std::size_t j = 0; j < m; ++j) back.deviations(i, j) = dA(i, j) - mean;
    back.largest_weight(i) = largest;
    back.means(i) = mean;
    back.sums(i) = sum;
    back.norms(i) = std::sqrt(squares);
  }
  return back;
}

Expected<DrawnScores> drawn_scores(std::uint64_t seed, std::size_t n, std::size_t d_k,
                                   double factor) {
  ATTN_CHECK(check_count("n", n, 1, 64));
  ATTN_CHECK(check_count("d_k", d_k, 1, 4096));
  if (!(factor >= 0 && factor <= 10000)) {
    return fail(ErrorCode::out_of_range, "factor", {"factor must be a number from 0 to 10,000."});
  }
  Normals normals(seed);
  const Matrix<double> Q = drawn(normals, n, d_k);
  const Matrix<double> K = drawn(normals, n, d_k);
  DrawnScores found{make_matrix<double>(n, n), drawn(normals, n, n)};
  const double root = std::sqrt(static_cast<double>(d_k));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      double score = 0;
      for (std::size_t c = 0; c < d_k; ++c) score += factor * Q(i, c) * K(j, c);
      found.S(i, j) = score / root;
    }
  }
  return found;
}

}  // namespace attn

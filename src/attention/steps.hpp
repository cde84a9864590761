#pragma once

// Small steps that the ways through attention share.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/error.hpp"
#include "core/matrix.hpp"

namespace attn {

/// The terms of every dot product of a row of Q and a row of K, before they are summed.
/// Q [n_q, d_k], K [n_k, d_k]; returns [n_q, n_k, d_k].
template <class T>
Tensor3<T> terms_of(const Matrix<T>& Q, const Matrix<T>& K) {
  Tensor3<T> terms = make_tensor3<T>(Q.shape(0), K.shape(0), Q.shape(1));
  for (std::size_t i = 0; i < Q.shape(0); ++i) {
    for (std::size_t j = 0; j < K.shape(0); ++j) {
      for (std::size_t c = 0; c < Q.shape(1); ++c) terms(i, j, c) = Q(i, c) * K(j, c);
    }
  }
  return terms;
}

/// The sum of each row, in double, rounded once. weights [n, m]; returns [n].
template <class T>
Vector<T> row_sums(const Matrix<T>& weights) {
  Vector<T> sums = make_vector<T>(weights.shape(0));
  for (std::size_t i = 0; i < weights.shape(0); ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < weights.shape(1); ++j) sum += static_cast<double>(weights(i, j));
    sums(i) = static_cast<T>(sum);
  }
  return sums;
}

/// 1 where a weight is its row's largest, or within 4 units in the last place of it, so that equal
/// keys tie although their scores were rounded apart; a row of zeros has none.
/// weights [n, m]; returns [n, m].
template <class T>
Matrix<std::uint8_t> mark_largest(const Matrix<T>& weights) {
  Matrix<std::uint8_t> marks = make_matrix<std::uint8_t>(weights.shape(0), weights.shape(1));
  for (std::size_t i = 0; i < weights.shape(0); ++i) {
    T largest = 0;
    for (std::size_t j = 0; j < weights.shape(1); ++j) largest = std::max(largest, weights(i, j));
    const T threshold = largest - 4 * std::numeric_limits<T>::epsilon() * largest;
    for (std::size_t j = 0; j < weights.shape(1); ++j) {
      marks(i, j) = largest > 0 && weights(i, j) >= threshold ? 1 : 0;
    }
  }
  return marks;
}

/// Per row: 1 when any of its pairs is allowed. allowed [n, m]; returns [n].
inline std::vector<std::uint8_t> rows_that_see(const Matrix<std::uint8_t>& allowed) {
  std::vector<std::uint8_t> seen(allowed.shape(0), 0);
  for (std::size_t i = 0; i < allowed.shape(0); ++i) {
    for (std::size_t j = 0; j < allowed.shape(1); ++j) seen[i] |= allowed(i, j);
  }
  return seen;
}

/// Per column: 1 when any row is allowed to see it. allowed [n, m]; returns [m].
inline std::vector<std::uint8_t> columns_that_are_seen(const Matrix<std::uint8_t>& allowed) {
  std::vector<std::uint8_t> seen(allowed.shape(1), 0);
  for (std::size_t i = 0; i < allowed.shape(0); ++i) {
    for (std::size_t j = 0; j < allowed.shape(1); ++j) seen[j] |= allowed(i, j);
  }
  return seen;
}

/// Finite queries and keys may still multiply to infinity: the error that says so of row i.
inline std::unexpected<Error> scores_overflow(std::size_t i) {
  return fail(
      ErrorCode::not_finite, "scores",
      {"The scores of row ", i, " overflow: its queries and keys are too large to be multiplied."});
}

/// Whether no row's scores overflowed: then a row that sees something has weights above 0, while
/// scores of plus infinity make them NaN, and scores that are all minus infinity make them 0.
/// weights [n, m], sees [n].
/// Errors: scores_overflow of the first such row.
template <class T>
Expected<void> check_rows(const Matrix<T>& weights, const std::vector<std::uint8_t>& sees) {
  for (std::size_t i = 0; i < weights.shape(0); ++i) {
    if (sees[i] == 0) continue;
    double sum = 0;
    for (std::size_t j = 0; j < weights.shape(1); ++j) sum += static_cast<double>(weights(i, j));
    if (!(sum > 0)) return scores_overflow(i);
  }
  return {};
}

}  // namespace attn

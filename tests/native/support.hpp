#pragma once

// What the tests share: matrices written out, seeded ones, and comparisons.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <utility>
#include <vector>

#include "attention/scaled_dot_product.hpp"
#include "core/error.hpp"
#include "core/matrix.hpp"
#include "core/random.hpp"

namespace attn::test {

inline constexpr double quiet_nan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// The value of a call that must succeed; its error's message is shown when it does not.
template <class T>
T value_of(Expected<T> expected) {
  if (!expected) FAIL(name(expected.error().code) << ": " << expected.error().message);
  return std::move(*expected);
}

/// The error of a call that must fail. Its message is a sentence.
template <class T>
Error error_of(const Expected<T>& expected) {
  REQUIRE_FALSE(expected.has_value());
  const Error& error = expected.error();
  CHECK(error.message.size() > 10);
  CHECK(error.message.back() == '.');
  return error;
}

template <class T = double>
Matrix<T> matrix(std::initializer_list<std::initializer_list<double>> rows) {
  Matrix<T> made = make_matrix<T>(rows.size(), rows.begin()->size());
  std::size_t i = 0;
  for (const auto& row : rows) {
    std::size_t j = 0;
    for (const double value : row) made(i, j++) = static_cast<T>(value);
    ++i;
  }
  return made;
}

inline Matrix<double> random_matrix(Normals& normals, std::size_t rows, std::size_t columns,
                                    double scale = 1) {
  Matrix<double> made = make_matrix<double>(rows, columns);
  for (double& value : made) value = scale * normals.next();
  return made;
}

template <class To, class From>
Matrix<To> converted(const Matrix<From>& from) {
  Matrix<To> to = make_matrix<To>(from.shape(0), from.shape(1));
  std::transform(from.begin(), from.end(), to.begin(), [](From x) { return static_cast<To>(x); });
  return to;
}

/// The rows of a matrix in another order: row i of the result is row order[i].
template <class T>
Matrix<T> reordered(const Matrix<T>& from, const std::vector<std::size_t>& order) {
  Matrix<T> to = make_matrix<T>(order.size(), from.shape(1));
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t j = 0; j < from.shape(1); ++j) to(i, j) = from(order[i], j);
  }
  return to;
}

/// Rows first to last - 1 of a matrix.
template <class T>
Matrix<T> rows_of(const Matrix<T>& from, std::size_t first, std::size_t last) {
  std::vector<std::size_t> order;
  for (std::size_t i = first; i < last; ++i) order.push_back(i);
  return reordered(from, order);
}

/// The largest difference of two containers of one shape. NaN, if anywhere, is the answer.
template <class A, class B>
double largest_difference(const A& a, const B& b) {
  REQUIRE(std::equal(a.shape().begin(), a.shape().end(), b.shape().begin(), b.shape().end()));
  double largest = 0;
  auto other = b.begin();
  for (auto it = a.begin(); it != a.end(); ++it, ++other) {
    const double difference = std::fabs(static_cast<double>(*it) - static_cast<double>(*other));
    if (std::isnan(difference)) return difference;
    largest = std::max(largest, difference);
  }
  return largest;
}

/// Bit by bit the same, up to the sign of zero.
template <class Container>
bool same(const Container& a, const Container& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

template <class Container>
bool all_zero(const Container& container) {
  return std::all_of(container.begin(), container.end(), [](auto value) { return value == 0; });
}

template <class Container>
bool all_finite(const Container& container) {
  return std::all_of(container.begin(), container.end(),
                     [](auto value) { return std::isfinite(value); });
}

/// A stream of small whole numbers and coins for building cases.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : bits_(seed) {}

  /// least to most, both included.
  std::size_t between(std::size_t least, std::size_t most) {
    return least + static_cast<std::size_t>(bits_.next() % (most - least + 1));
  }

  bool coin() { return bits_.next() % 2 == 1; }

 private:
  SplitMix64 bits_;
};

/// Any of the four masks, and any of them together.
inline Mask random_mask(Dice& dice, std::size_t n_q, std::size_t n_k) {
  Mask mask;
  mask.causal = dice.coin();
  if (dice.coin()) mask.window = dice.between(1, n_k + 1);
  if (dice.coin()) {
    for (std::size_t j = 0; j < n_k; ++j) mask.key_valid.push_back(dice.coin() ? 1 : 0);
  }
  if (dice.coin()) {
    for (std::size_t i = 0; i < n_q; ++i) {
      mask.query_document.push_back(static_cast<std::int32_t>(dice.between(0, 2)));
    }
    for (std::size_t j = 0; j < n_k; ++j) {
      mask.key_document.push_back(static_cast<std::int32_t>(dice.between(0, 2)));
    }
  }
  return mask;
}

}  // namespace attn::test

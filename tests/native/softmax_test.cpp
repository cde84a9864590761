#include "attention/softmax.hpp"

#include <cmath>

#include "core/limits.hpp"
#include "support.hpp"

using namespace attn;
using namespace attn::test;

TEST_CASE("the softmax of known rows") {  // hard case N4
  const auto weights = [](const Matrix<double>& x) { return value_of(softmax(x)).weights; };
  CHECK(same(weights(matrix({{1000, 1000}})), matrix({{0.5, 0.5}})));
  CHECK(largest_difference(weights(matrix({{378.1, -249.9}})), matrix({{1, 0}})) < 1e-15);
  CHECK(largest_difference(
            weights(matrix({{1, 2, 3}})),
            matrix({{0.09003057317038046, 0.24472847105479764, 0.6652409557748218}})) < 1e-15);
  CHECK(same(weights(matrix({{-1000, -1000, -1000, -1000}})), matrix({{0.25, 0.25, 0.25, 0.25}})));
}

TEST_CASE("float32 survives what overflows its exponential") {
  const auto trace = value_of(softmax(matrix<float>({{89, 89}, {-104, -104}})));
  CHECK(same(trace.weights, matrix<float>({{0.5, 0.5}, {0.5, 0.5}})));
}

TEST_CASE("nothing is subtracted while the row is small, and its maximum otherwise") {
  const auto trace = value_of(softmax(matrix({{1, 2}, {30, -30}, {31, 0}, {-40, -35}})));
  CHECK(trace.shift(0) == 0);
  CHECK(trace.shift(1) == 0);
  CHECK(trace.shift(2) == 31);
  CHECK(trace.shift(3) == -35);
  CHECK(trace.exponentials(0, 1) == std::exp(2.0));
  CHECK(trace.exponentials(2, 0) == 1);
}

TEST_CASE("a row of minus infinities gives zeros, and so does a row with every key masked") {  // N1
  const auto additive = value_of(softmax(matrix({{-infinity, -infinity}, {0, -infinity}})));
  CHECK(same(additive.weights, matrix({{0, 0}, {1, 0}})));
  CHECK(additive.sums(0) == 0);
  CHECK(additive.shift(0) == 0);
  CHECK(additive.weight_sums(0) == 0);
  CHECK(additive.largest(0, 0) == 0);
  const auto masked = value_of(softmax(matrix({{1, 2}, {3, 4}}), {.key_valid = {0, 0}}));
  CHECK(all_zero(masked.weights));
  CHECK(all_zero(masked.exponentials));
  CHECK(all_zero(masked.sums));
  CHECK(all_zero(masked.largest));
}

TEST_CASE("rows sum to 1, for sizes 1 to 40 under any mask") {
  Dice dice(3);
  Normals normals(3);
  for (std::size_t n = 1; n <= 40; ++n) {
    const std::size_t m = dice.between(1, 40);
    const auto trace = value_of(softmax(random_matrix(normals, n, m, 20), random_mask(dice, n, m)));
    for (std::size_t i = 0; i < n; ++i) {
      bool sees = false;
      double sum = 0;
      for (std::size_t j = 0; j < m; ++j) {
        sees = sees || trace.allowed(i, j) == 1;
        sum += trace.weights(i, j);
        CHECK(trace.weights(i, j) >= 0);
        if (trace.allowed(i, j) == 0) CHECK(trace.weights(i, j) == 0);
      }
      CHECK(std::fabs(sum - (sees ? 1 : 0)) < 1e-15 * static_cast<double>(m));
      CHECK(trace.weight_sums(i) == sum);
    }
  }
}

TEST_CASE("adding the same number to a whole row changes nothing") {
  Normals normals(4);
  const Matrix<double> x = random_matrix(normals, 10, 17, 3);
  const Matrix<double> weights = value_of(softmax(x)).weights;
  for (const double shift : {7.0, -7.0, 500.0, -500.0}) {
    const Matrix<double> moved = x + shift;
    CHECK(largest_difference(value_of(softmax(moved)).weights, weights) < 1e-13);
  }
}

TEST_CASE("minus infinity added to a score is the same mask") {
  Normals normals(5);
  Dice dice(5);
  for (int round = 0; round < 50; ++round) {
    const std::size_t n = dice.between(1, 10);
    const std::size_t m = dice.between(1, 10);
    const Mask mask = random_mask(dice, n, m);
    Matrix<double> x = random_matrix(normals, n, m, 20);
    const Matrix<double> masked = value_of(softmax(x, mask)).weights;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < m; ++j) {
        if (!is_allowed(mask, i, j, n, m)) x(i, j) = -infinity;
      }
    }
    CHECK(same(value_of(softmax(x)).weights, masked));
  }
}

TEST_CASE("what is masked is not read") {  // N2
  const auto clean = value_of(softmax(matrix({{1, 0, 2}}), {.key_valid = {1, 0, 1}}));
  for (const double what : {quiet_nan, infinity, -infinity, 1e308}) {
    const auto dirty = value_of(softmax(matrix({{1, what, 2}}), {.key_valid = {1, 0, 1}}));
    CHECK(same(dirty.weights, clean.weights));
    CHECK(same(dirty.exponentials, clean.exponentials));
    CHECK(same(dirty.sums, clean.sums));
    CHECK(same(dirty.shift, clean.shift));
  }
}

TEST_CASE("the largest weights are marked, equal ones together") {
  const auto trace = value_of(softmax(matrix({{1, 3, 2}, {0.1 + 0.2, 0.3, 0}})));
  CHECK(same(trace.largest, matrix<std::uint8_t>({{0, 1, 0}, {1, 1, 0}})));
}

TEST_CASE("NaN and infinity in a softmax are refused by name and place, or propagate") {
  for (const double what : {quiet_nan, infinity}) {
    const Matrix<double> x = matrix({{1, 2}, {3, what}});
    const Error error = error_of(softmax(x));
    CHECK(error.code == ErrorCode::not_finite);
    CHECK(error.field == "x");
    CHECK(error.message.find("x[1, 1]") != std::string::npos);
    const auto trace = value_of(softmax(x, {}, false));
    CHECK(std::isfinite(trace.weights(0, 0)));
    CHECK(std::isnan(trace.weights(1, 1)));
    const auto masked = value_of(softmax(x, {.key_valid = {0, 1}}, false));
    CHECK(masked.weights(1, 0) == 0);
    CHECK(std::isnan(masked.weights(1, 1)));
  }
}

TEST_CASE("the way back of a known row") {  // hard case N5
  const Matrix<double> A = value_of(softmax(matrix({{1, 2, 3}}))).weights;
  const Matrix<double> dS = value_of(softmax_backward(A, matrix({{1, 0, 0}})));
  CHECK(largest_difference(dS, matrix({{0.081925, -0.022033, -0.059892}})) < 5e-7);
  CHECK(std::fabs(dS(0, 0) + dS(0, 1) + dS(0, 2)) < 1e-16);
}

TEST_CASE("the way back agrees with finite differences") {
  Normals normals(6);
  const std::size_t n = 4;
  const std::size_t m = 7;
  const Mask mask{.causal = true, .key_valid = {1, 1, 1, 0, 1, 1, 1}};
  Matrix<double> x = random_matrix(normals, n, m, 2);
  const Matrix<double> g = random_matrix(normals, n, m);
  const Matrix<double> dS = value_of(softmax_backward(value_of(softmax(x, mask)).weights, g));
  const auto loss = [&] {
    const Matrix<double> weights = value_of(softmax(x, mask)).weights;
    double sum = 0;
    for (std::size_t k = 0; k < weights.size(); ++k) sum += weights.data()[k] * g.data()[k];
    return sum;
  };
  const double step = 1e-5;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double kept = x.data()[k];
    x.data()[k] = kept + step;
    const double up = loss();
    x.data()[k] = kept - step;
    const double down = loss();
    x.data()[k] = kept;
    CHECK(std::fabs((up - down) / (2 * step) - dS.data()[k]) < 1e-9);
  }
}

TEST_CASE("each row of the gradient sums to 0, and a weight of 0 passes nothing back") {
  const Matrix<double> A = matrix({{0.25, 0, 0.75}, {0, 0, 0}});
  for (const double what : {quiet_nan, infinity, 5.0}) {
    const Matrix<double> dS =
        value_of(softmax_backward(A, matrix({{1, what, 3}, {what, what, what}})));
    CHECK(largest_difference(dS, matrix({{-0.375, 0, 0.375}, {0, 0, 0}})) < 1e-15);
  }
}

TEST_CASE("a gradient of another shape, or not finite, is refused") {
  const Matrix<double> A = matrix({{0.5, 0.5}});
  CHECK(error_of(softmax_backward(A, matrix({{1, 2, 3}}))).code == ErrorCode::shape_mismatch);
  CHECK(error_of(softmax_backward(A, matrix({{1}, {2}}))).field == "dA");
  const Error error = error_of(softmax_backward(A, matrix({{1, quiet_nan}})));
  CHECK(error.code == ErrorCode::not_finite);
  CHECK(error.message.find("dA[0, 1]") != std::string::npos);
  CHECK(error_of(softmax_backward(matrix({{quiet_nan, 1}}), matrix({{1, 1}}))).field == "A");
  CHECK(std::isnan(value_of(softmax_backward(A, matrix({{1, quiet_nan}}), false))(0, 0)));
}

TEST_CASE("an empty matrix and one beyond the limits are refused") {
  CHECK(error_of(softmax(make_matrix<double>(0, 3))).field == "n");
  CHECK(error_of(softmax(make_matrix<double>(3, 0))).field == "m");
  CHECK(error_of(softmax(make_matrix<double>(1, max_tokens + 1))).code == ErrorCode::too_large);
  CHECK(error_of(softmax_backward(make_matrix<double>(0, 3), make_matrix<double>(0, 3))).code ==
        ErrorCode::out_of_range);
}

#include "attention/by_hand.hpp"

#include <cmath>

#include "support.hpp"

using namespace attn;
using namespace attn::test;

namespace {

const Matrix<double> recap_q = matrix({{1.2, 0.4}});
const Matrix<double> recap_K = matrix({{0.2, 0.1}, {0.9, 0.3}, {0.1, 0.8}});
const Matrix<double> recap_V = matrix({{0, 0.1}, {0.8, 0.6}, {0.2, 0.9}});

Trace<double> recap(int decimals, const AttentionOptions& options = {}) {
  return value_of(scaled_dot_product_by_hand(recap_q, recap_K, recap_V, options, decimals));
}

}  // namespace

TEST_CASE("a pencil rounds halves away from zero, binary's halves included") {
  CHECK(round_decimal(0.125, 2) == 0.13);
  CHECK(round_decimal(-0.125, 2) == -0.13);
  CHECK(round_decimal(0.35 * 0.1, 2) == 0.04);
  CHECK(round_decimal(1.005, 2) == 1.01);
  CHECK(round_decimal(2.5, 0) == 3);
  CHECK(round_decimal(-2.5, 0) == -3);
  CHECK(round_decimal(0.1249999, 2) == 0.12);
  CHECK(round_decimal(0.123456785, 8) == 0.12345679);
  CHECK(round_decimal(7, 3) == 7);
  CHECK_FALSE(std::signbit(round_decimal(-0.0001, 3)));
  CHECK(round_decimal(1e300, 8) == 1e300);
  CHECK(round_decimal(123456789012345680.0, 8) == 123456789012345680.0);
  CHECK(std::isnan(round_decimal(quiet_nan, 3)));
  CHECK(round_decimal(-infinity, 3) == -infinity);
}

TEST_CASE("every product of two short decimals is rounded as in decimal arithmetic") {
  for (int a = -40; a <= 40; ++a) {
    for (int b = 0; b <= 40; ++b) {
      // a/100 times b/10 is ab/1000: to 2 places, by integers alone.
      const int thousandths = std::abs(a * b);
      const int rounded = (thousandths + 5) / 10;
      const double expected = (a < 0 ? -rounded : rounded) / 100.0;
      CHECK(round_decimal((a / 100.0) * (b / 10.0), 2) == expected);
    }
  }
}

TEST_CASE("the recap's chain at three places, in the three places where it shows") {
  const Trace<double> trace = recap(3);
  CHECK(trace.divisor == 1.414);
  CHECK(same(trace.scaled, matrix({{0.198, 0.849, 0.311}})));
  CHECK(same(trace.exponentials, matrix({{1.219, 2.337, 1.365}})));
  CHECK(trace.sums(0) == 4.921);
  CHECK(same(trace.weights, matrix({{0.248, 0.475, 0.277}})));
  CHECK(trace.contributions(0, 2, 1) == 0.249);
  CHECK(same(trace.output, matrix({{0.435, 0.559}})));
  CHECK(same(trace.largest, matrix<std::uint8_t>({{0, 1, 0}})));
}

TEST_CASE("a sum of rounded numbers is rounded too") {
  // e^-2.303 and e^-1.609 print 0.100 and 0.200, whose sum has no double of its own but 0.3.
  const Trace<double> trace = value_of(scaled_dot_product_by_hand(
      matrix({{1}}), matrix({{-2.303}, {-1.609}}), matrix({{0.1}, {0.4}}), {}, 3));
  CHECK(trace.sums(0) == 0.3);
  CHECK(same(trace.weights, matrix({{0.333, 0.667}})));
  CHECK(same(trace.output, matrix({{0.3}})));
}

TEST_CASE("more places come closer to the exact attention") {
  const Matrix<double> exact = value_of(scaled_dot_product(recap_q, recap_K, recap_V)).output;
  double last = 1;
  for (const int decimals : {1, 2, 4, 8}) {
    const double error = largest_difference(recap(decimals).output, exact);
    CHECK(error < last);
    last = error;
  }
  CHECK(last < 1e-7);
}

TEST_CASE("when every exponential rounds to nothing the largest score is subtracted first") {
  const Trace<double> trace = value_of(scaled_dot_product_by_hand(
      matrix({{-20}}), matrix({{1}, {1.1}}), matrix({{1}, {2}}), {.divide = false}, 3));
  CHECK(trace.shift(0) == -20);
  CHECK(same(trace.exponentials, matrix({{1, 0.135}})));
  CHECK(same(trace.weights, matrix({{0.881, 0.119}})));
}

TEST_CASE("masks hold with a pencil too") {
  const Trace<double> one = recap(3, {.mask = {.key_valid = {1, 0, 0}}});
  CHECK(same(one.weights, matrix({{1, 0, 0}})));
  CHECK(same(one.output, matrix({{0, 0.1}})));
  const Trace<double> none = recap(3, {.mask = {.key_valid = {0, 0, 0}}});
  CHECK(all_zero(none.output));
  CHECK(all_zero(none.weights));
  CHECK(all_zero(none.sums));
  Matrix<double> broken = recap_V;
  broken(2, 0) = quiet_nan;
  const Trace<double> masked = value_of(
      scaled_dot_product_by_hand(recap_q, recap_K, broken, {.mask = {.key_valid = {1, 1, 0}}}, 3));
  CHECK(all_finite(masked.output));
}

TEST_CASE("weights too small for the places round to zero, and that is no fault") {
  const std::size_t n = 3000;
  Matrix<double> K = make_matrix<double>(n, 1);
  K.fill(0);
  const Trace<double> trace = value_of(scaled_dot_product_by_hand(matrix({{1}}), K, K, {}, 3));
  CHECK(trace.sums(0) == 3000);
  CHECK(all_zero(trace.weights));
}

TEST_CASE("places out of range, and a divisor that rounds away, are refused") {
  const auto refused = [](const AttentionOptions& options, int decimals) {
    const Error error =
        error_of(scaled_dot_product_by_hand(recap_q, recap_K, recap_V, options, decimals));
    CHECK(error.code == ErrorCode::out_of_range);
    return error.field;
  };
  CHECK(refused({}, -1) == "decimals");
  CHECK(refused({}, max_decimals + 1) == "decimals");
  CHECK(refused({.divisor_d_k = 1e-8}, 3) == "divisor_d_k");
  const Error overflow = error_of(
      scaled_dot_product_by_hand(matrix({{1e200}}), matrix({{1e200}}), matrix({{1}}), {}, 3));
  CHECK(overflow.code == ErrorCode::not_finite);
  CHECK(overflow.field == "scores");
}

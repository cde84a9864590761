#include <cmath>
#include <string>

#include "attention/scaled_dot_product.hpp"
#include "support.hpp"

using namespace attn;
using namespace attn::test;

namespace {

struct Case {
  Matrix<double> Q, K, V, dO;
};

Case random_case(Normals& normals, std::size_t n_q, std::size_t n_k, std::size_t d_k,
                 std::size_t d_v) {
  Case made;
  made.Q = random_matrix(normals, n_q, d_k);
  made.K = random_matrix(normals, n_k, d_k);
  made.V = random_matrix(normals, n_k, d_v);
  made.dO = random_matrix(normals, n_q, d_v);
  return made;
}

AttentionGradients<double> back(const Case& c, const AttentionOptions& options = {}) {
  return value_of(scaled_dot_product_backward(c.Q, c.K, c.V, c.dO, options));
}

/// The loss whose gradient at the output is dO.
double loss(const Case& c, const AttentionOptions& options) {
  const Matrix<double> output = value_of(scaled_dot_product(c.Q, c.K, c.V, options)).output;
  double sum = 0;
  for (std::size_t k = 0; k < output.size(); ++k) sum += output.data()[k] * c.dO.data()[k];
  return sum;
}

/// Central differences of the loss with respect to one of the inputs of `c`.
Matrix<double> numerical(Case& c, Matrix<double>& input, const AttentionOptions& options) {
  const double step = 1e-5;
  Matrix<double> gradient = make_matrix<double>(input.shape(0), input.shape(1));
  for (std::size_t k = 0; k < input.size(); ++k) {
    const double kept = input.data()[k];
    input.data()[k] = kept + step;
    const double up = loss(c, options);
    input.data()[k] = kept - step;
    const double down = loss(c, options);
    input.data()[k] = kept;
    gradient.data()[k] = (up - down) / (2 * step);
  }
  return gradient;
}

}  // namespace

TEST_CASE("all gradients agree with finite differences, for sizes and masks at random") {
  Dice dice(31);
  Normals normals(31);
  for (int round = 0; round < 60; ++round) {
    const std::size_t n_q = dice.between(1, 7);
    const std::size_t n_k = dice.between(1, 7);
    Case c = random_case(normals, n_q, n_k, dice.between(1, 4), dice.between(1, 4));
    AttentionOptions options{.divide = dice.coin(), .mask = random_mask(dice, n_q, n_k)};
    if (dice.coin()) options.divisor_d_k = 3.5;
    const AttentionGradients<double> gradients = back(c, options);
    CHECK(largest_difference(gradients.dQ, numerical(c, c.Q, options)) < 1e-8);
    CHECK(largest_difference(gradients.dK, numerical(c, c.K, options)) < 1e-8);
    CHECK(largest_difference(gradients.dV, numerical(c, c.V, options)) < 1e-8);
    for (std::size_t i = 0; i < n_q; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < n_k; ++j) sum += gradients.dS(i, j);
      CHECK(std::fabs(sum) < 1e-14);
    }
  }
}

TEST_CASE("float32 gradients follow float64's") {
  Normals normals(32);
  const Case c = random_case(normals, 8, 9, 5, 4);
  const auto narrow = value_of(scaled_dot_product_backward(
      converted<float>(c.Q), converted<float>(c.K), converted<float>(c.V), converted<float>(c.dO)));
  const AttentionGradients<double> wide = back(c);
  CHECK(largest_difference(narrow.dQ, wide.dQ) < 1e-5);
  CHECK(largest_difference(narrow.dK, wide.dK) < 1e-5);
  CHECK(largest_difference(narrow.dV, wide.dV) < 1e-5);
}

TEST_CASE("a query with every key masked receives and passes on exactly nothing") {  // hard case N1
  Normals normals(33);
  // Under this causal mask the first two of four queries see none of the two keys.
  const Case c = random_case(normals, 4, 2, 3, 3);
  const AttentionGradients<double> gradients = back(c, {.mask = {.causal = true}});
  CHECK(all_zero(rows_of(gradients.dQ, 0, 2)));
  CHECK(all_zero(rows_of(gradients.dS, 0, 2)));
  CHECK(all_zero(rows_of(gradients.dA, 0, 2)));
  CHECK(all_finite(gradients.dQ));
  CHECK(all_finite(gradients.dK));
  CHECK(all_finite(gradients.dV));
  CHECK_FALSE(all_zero(rows_of(gradients.dQ, 3, 4)));

  const AttentionGradients<double> nothing = back(c, {.mask = {.key_valid = {0, 0}}});
  CHECK(all_zero(nothing.dA));
  CHECK(all_zero(nothing.dS));
  CHECK(all_zero(nothing.dQ));
  CHECK(all_zero(nothing.dK));
  CHECK(all_zero(nothing.dV));
}

TEST_CASE("NaN behind a mask leaves every gradient as it was") {  // hard case N2
  Normals normals(34);
  const AttentionOptions options{.mask = {.key_valid = {1, 0, 1, 0}}};
  Case c = random_case(normals, 3, 4, 2, 2);
  const AttentionGradients<double> clean = back(c, options);
  for (const double what : {quiet_nan, infinity, -infinity}) {
    c.K(1, 0) = c.V(1, 1) = c.K(3, 1) = c.V(3, 0) = what;
    const AttentionGradients<double> dirty = back(c, options);
    CHECK(same(dirty.dA, clean.dA));
    CHECK(same(dirty.dS, clean.dS));
    CHECK(same(dirty.dQ, clean.dQ));
    CHECK(same(dirty.dK, clean.dK));
    CHECK(same(dirty.dV, clean.dV));
    CHECK(all_zero(rows_of(dirty.dK, 1, 2)));
    CHECK(all_zero(rows_of(dirty.dV, 3, 4)));
  }
}

TEST_CASE("NaN in a query that sees nothing, and in its dO, reaches no gradient") {
  Normals normals(35);
  Case c = random_case(normals, 3, 2, 2, 2);
  const AttentionOptions options{.mask = {.causal = true}};
  const AttentionGradients<double> clean = back(c, options);
  c.Q(0, 1) = quiet_nan;
  c.dO(0, 0) = quiet_nan;
  const AttentionGradients<double> dirty = back(c, options);
  CHECK(same(dirty.dQ, clean.dQ));
  CHECK(same(dirty.dK, clean.dK));
  CHECK(same(dirty.dV, clean.dV));
}

TEST_CASE("a saturated row passes back next to nothing") {
  const Case c{.Q = matrix({{100, 0}}),
               .K = matrix({{1, 0}, {0, 1}}),
               .V = matrix({{1, 2}, {3, 4}}),
               .dO = matrix({{1, -2}})};
  CHECK(std::fabs(back(c).dS(0, 0)) < 1e-25);
}

TEST_CASE("a dO that does not fit, or is not finite, is refused") {
  Normals normals(36);
  const Case c = random_case(normals, 3, 4, 2, 2);
  const auto refused = [&](const Matrix<double>& dO) {
    return error_of(scaled_dot_product_backward(c.Q, c.K, c.V, dO));
  };
  CHECK(refused(make_matrix<double>(2, 2)).code == ErrorCode::shape_mismatch);
  CHECK(refused(make_matrix<double>(3, 3)).field == "dO");
  Matrix<double> broken = c.dO;
  broken(2, 1) = quiet_nan;
  CHECK(refused(broken).code == ErrorCode::not_finite);
  CHECK(refused(broken).message.find("dO[2, 1]") != std::string::npos);
  const auto propagated =
      value_of(scaled_dot_product_backward(c.Q, c.K, c.V, broken, {.require_finite = false}));
  CHECK_FALSE(all_finite(propagated.dV));
  CHECK(error_of(scaled_dot_product_backward(c.Q, c.K, rows_of(c.V, 0, 2), c.dO)).field == "V");
}

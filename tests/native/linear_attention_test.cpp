#include "efficient/linear_attention.hpp"
#include "support.hpp"

using namespace attn;
using namespace attn::test;

namespace {

struct Case {
  Matrix<double> Q, K, V;
  LinearAttentionOptions options;
};

Case random_case(Dice& dice, Normals& normals) {
  const std::size_t n = dice.between(1, 40), d_k = dice.between(1, 6), d_v = dice.between(1, 5);
  Case made{random_matrix(normals, n, d_k),
            random_matrix(normals, n, d_k),
            random_matrix(normals, n, d_v),
            {}};
  made.options.feature_map = static_cast<FeatureMap>(dice.between(0, 2));
  made.options.normalize = made.options.feature_map != FeatureMap::identity && dice.coin();
  made.options.chunk = dice.between(1, n + 3);
  if (dice.coin()) {
    made.options.gates = make_vector<double>(n);
    // Gates of 0 forget everything, and of 1 nothing: both must be exact.
    for (double& gate : made.options.gates) gate = static_cast<double>(dice.between(0, 8)) / 8;
  }
  return made;
}

LinearAttention run(const Case& from, LinearForm form) {
  return value_of(linear_attention(from.Q, from.K, from.V, from.options, form));
}

}  // namespace

TEST_CASE("linear attention of two tokens, by hand") {
  // phi(x) = x + 1 from 0 on: features 2 and 3 of the keys, 4 and 5 of the queries.
  const Case two{matrix({{3}, {4}}), matrix({{1}, {2}}), matrix({{10}, {20}}), {}};
  const LinearAttention made = run(two, LinearForm::quadratic);
  CHECK(made.output(0, 0) == 10);
  // 5 x 2 and 5 x 3 of 25.
  CHECK(std::fabs(made.weights(1, 0) - 0.4) < 1e-15);
  CHECK(std::fabs(made.weights(1, 1) - 0.6) < 1e-15);
  CHECK(std::fabs(made.output(1, 0) - 16) < 1e-14);
  CHECK(made.weights(0, 1) == 0);
  CHECK(made.state(0, 0) == 2 * 10 + 3 * 20);
  CHECK(made.sums(0) == 5);
}

TEST_CASE("the feature maps, by hand") {
  const auto first = [](FeatureMap map, double query, double key) {
    LinearAttentionOptions options{.feature_map = map, .normalize = false};
    return value_of(linear_attention(matrix({{query}}), matrix({{key}}), matrix({{1}}), options,
                                     LinearForm::recurrent))
        .output(0, 0);
  };
  CHECK(first(FeatureMap::elu_plus_one, 0, 2) == 3);
  CHECK(first(FeatureMap::elu_plus_one, -1, 0) == std::exp(-1.0));
  CHECK(first(FeatureMap::relu, -1, 5) == 0);
  CHECK(first(FeatureMap::relu, 2, 5) == 10);
  CHECK(first(FeatureMap::identity, -2, 5) == -10);
}

TEST_CASE("chunked, recurrent and quadratic are one function") {
  Dice dice(91);
  Normals normals(92);
  for (int round = 0; round < 400; ++round) {
    const Case given = random_case(dice, normals);
    INFO("round " << round << ": n = " << given.Q.shape(0) << ", chunk " << given.options.chunk);
    const LinearAttention whole = run(given, LinearForm::quadratic);
    for (const LinearForm form : {LinearForm::recurrent, LinearForm::chunked}) {
      const LinearAttention made = run(given, form);
      CHECK(largest_difference(made.output, whole.output) < 1e-11);
      CHECK(largest_difference(made.state, whole.state) < 1e-11);
      CHECK(largest_difference(made.sums, whole.sums) < 1e-11);
    }
  }
}

TEST_CASE(
    "the quadratic form's weights are what its output is made of, and sum to 1 where they are "
    "divided") {
  Dice dice(93);
  Normals normals(94);
  for (int round = 0; round < 100; ++round) {
    const Case given = random_case(dice, normals);
    const LinearAttention made = run(given, LinearForm::quadratic);
    for (std::size_t i = 0; i < made.output.shape(0); ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < made.output.shape(0); ++j) {
        sum += made.weights(i, j);
        if (j > i) CHECK(made.weights(i, j) == 0);
      }
      if (given.options.normalize) CHECK((sum == 0 || std::fabs(sum - 1) < 1e-13));
      for (std::size_t c = 0; c < made.output.shape(1); ++c) {
        double value = 0;
        for (std::size_t j = 0; j <= i; ++j) value += made.weights(i, j) * given.V(j, c);
        CHECK(std::fabs(value - made.output(i, c)) < 1e-11);
      }
    }
  }
}

TEST_CASE("no row of linear attention sees the future") {
  Dice dice(95);
  Normals normals(96);
  for (int round = 0; round < 100; ++round) {
    Case given = random_case(dice, normals);
    const std::size_t n = given.Q.shape(0), kept = dice.between(1, n);
    for (const LinearForm form :
         {LinearForm::quadratic, LinearForm::recurrent, LinearForm::chunked}) {
      const LinearAttention before = run(given, form);
      Case other = given;
      for (std::size_t t = kept; t < n; ++t) {
        for (std::size_t c = 0; c < other.Q.shape(1); ++c) other.Q(t, c) = other.K(t, c) = 7;
        for (std::size_t c = 0; c < other.V.shape(1); ++c) other.V(t, c) = -9;
      }
      const LinearAttention after = run(other, form);
      CHECK(same(rows_of(before.output, 0, kept), rows_of(after.output, 0, kept)));
    }
  }
}

TEST_CASE("a gate of 0 forgets all that came before, and gates of 1 are no gates") {
  Normals normals(97);
  Case given{
      random_matrix(normals, 9, 3), random_matrix(normals, 9, 3), random_matrix(normals, 9, 2), {}};
  const LinearAttention plain = run(given, LinearForm::chunked);
  given.options.gates = make_vector<double>(9);
  given.options.gates.fill(1);
  CHECK(same(run(given, LinearForm::chunked).output, plain.output));
  given.options.gates(5) = 0;
  given.options.chunk = 4;
  const Case rest{rows_of(given.Q, 5, 9), rows_of(given.K, 5, 9), rows_of(given.V, 5, 9), {}};
  for (const LinearForm form :
       {LinearForm::quadratic, LinearForm::recurrent, LinearForm::chunked}) {
    CHECK(largest_difference(rows_of(run(given, form).output, 5, 9), run(rest, form).output) <
          1e-13);
  }
}

TEST_CASE("a row without any weight gives zeros") {
  // Negative queries have no features under relu.
  LinearAttentionOptions options{.feature_map = FeatureMap::relu};
  for (const LinearForm form :
       {LinearForm::quadratic, LinearForm::recurrent, LinearForm::chunked}) {
    const LinearAttention made = value_of(linear_attention(matrix({{-1}, {2}}), matrix({{3}, {4}}),
                                                           matrix({{5}, {6}}), options, form));
    CHECK(made.output(0, 0) == 0);
    CHECK(std::fabs(made.output(1, 0) - (3 * 5 + 4 * 6) / 7.0) < 1e-14);
  }
}

TEST_CASE("linear attention names what is wrong with its input") {
  const Matrix<double> two = matrix({{1}, {2}});
  const auto error = [&](const Matrix<double>& K, const Matrix<double>& V,
                         LinearAttentionOptions options) {
    return error_of(linear_attention(two, K, V, options, LinearForm::chunked));
  };
  CHECK(error(matrix({{1}}), two, {}).field == "K");
  CHECK(error(two, matrix({{1}}), {}).field == "V");
  CHECK(error(two, two, {.chunk = 0}).field == "chunk");
  CHECK(error(two, two, {.feature_map = FeatureMap::identity}).code == ErrorCode::bad_argument);
  LinearAttentionOptions gated;
  gated.gates = make_vector<double>(2);
  gated.gates(0) = 1;
  gated.gates(1) = 1.5;
  CHECK(error(two, two, gated).field == "gates");
  gated.gates(1) = quiet_nan;
  CHECK(error(two, two, gated).field == "gates");
  gated.gates = make_vector<double>(3);
  gated.gates.fill(1);
  CHECK(error(two, two, gated).code == ErrorCode::shape_mismatch);
  CHECK(error(two, matrix({{1}, {infinity}}), {}).code == ErrorCode::not_finite);
  const Matrix<double> none = make_matrix<double>(0, 1);
  CHECK(error_of(linear_attention(none, none, none, {}, LinearForm::chunked)).code ==
        ErrorCode::out_of_range);
}

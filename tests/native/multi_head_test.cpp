#include "attention/multi_head.hpp"

#include <cmath>
#include <string>

#include "attention/scaled_dot_product.hpp"
#include "core/limits.hpp"
#include "core/text.hpp"
#include "support.hpp"

using namespace attn;
using namespace attn::test;

namespace {

Matrix<double> identity(std::size_t n) {
  Matrix<double> made = make_matrix<double>(n, n);
  made.fill(0);
  for (std::size_t i = 0; i < n; ++i) made(i, i) = 1;
  return made;
}

Vector<double> random_vector(Normals& normals, std::size_t n) {
  Vector<double> made = make_vector<double>(n);
  for (double& value : made) value = normals.next();
  return made;
}

MultiHeadWeights<double> random_weights(Normals& normals, std::size_t d_model, std::size_t kv_width,
                                        bool biases) {
  MultiHeadWeights<double> weights;
  weights.W_Q = random_matrix(normals, d_model, d_model, 0.5);
  weights.W_K = random_matrix(normals, d_model, kv_width, 0.5);
  weights.W_V = random_matrix(normals, d_model, kv_width, 0.5);
  weights.W_O = random_matrix(normals, d_model, d_model, 0.5);
  if (biases) {
    weights.b_Q = random_vector(normals, d_model);
    weights.b_K = random_vector(normals, kv_width);
    weights.b_V = random_vector(normals, kv_width);
    weights.b_O = random_vector(normals, d_model);
  }
  return weights;
}

Matrix<double> product(const Matrix<double>& a, const Matrix<double>& b) {
  Matrix<double> made = make_matrix<double>(a.shape(0), b.shape(1));
  made.fill(0);
  for (std::size_t i = 0; i < a.shape(0); ++i) {
    for (std::size_t j = 0; j < b.shape(1); ++j) {
      for (std::size_t k = 0; k < a.shape(1); ++k) made(i, j) += a(i, k) * b(k, j);
    }
  }
  return made;
}

/// Columns first to last - 1.
Matrix<double> columns_of(const Matrix<double>& from, std::size_t first, std::size_t last) {
  Matrix<double> made = make_matrix<double>(from.shape(0), last - first);
  for (std::size_t i = 0; i < from.shape(0); ++i) {
    for (std::size_t j = first; j < last; ++j) made(i, j - first) = from(i, j);
  }
  return made;
}

}  // namespace

TEST_CASE("one head with the identity after it is the attention of one head") {
  Normals normals(41);
  const Matrix<double> X = random_matrix(normals, 6, 5);
  MultiHeadWeights<double> weights = random_weights(normals, 5, 5, false);
  weights.W_O = identity(5);
  const Mask mask{.causal = true};
  const auto trace = value_of(multi_head(X, weights, {.mask = mask}));
  const auto single = value_of(scaled_dot_product(product(X, weights.W_Q), product(X, weights.W_K),
                                                  product(X, weights.W_V), {.mask = mask}));
  CHECK(largest_difference(trace.output, single.output) < 1e-15);
  CHECK(std::equal(trace.weights.begin(), trace.weights.end(), single.weights.begin()));
}

TEST_CASE("grouped heads share keys and values in order") {
  Normals normals(42);
  const std::size_t n = 5;
  for (const std::size_t n_kv_heads : {1u, 2u, 4u}) {
    const Matrix<double> X = random_matrix(normals, n, 8);
    const MultiHeadWeights<double> weights = random_weights(normals, 8, 2 * n_kv_heads, false);
    const auto trace = value_of(multi_head(X, weights, {.n_heads = 4, .n_kv_heads = n_kv_heads}));
    Matrix<double> concat = make_matrix<double>(n, 8);
    for (std::size_t h = 0; h < 4; ++h) {
      const std::size_t kv = h / (4 / n_kv_heads);
      const auto head =
          value_of(scaled_dot_product(columns_of(product(X, weights.W_Q), 2 * h, 2 * h + 2),
                                      columns_of(product(X, weights.W_K), 2 * kv, 2 * kv + 2),
                                      columns_of(product(X, weights.W_V), 2 * kv, 2 * kv + 2)));
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          CHECK(std::fabs(trace.weights(h, i, j) - head.weights(i, j)) < 1e-14);
        }
        for (std::size_t c = 0; c < 2; ++c) concat(i, 2 * h + c) = head.output(i, c);
      }
    }
    CHECK(largest_difference(trace.output, product(concat, weights.W_O)) < 1e-13);
  }
}

TEST_CASE("as many key heads as query heads, repeated, are the grouped ones") {
  Normals normals(43);
  const Matrix<double> X = random_matrix(normals, 4, 8);
  const MultiHeadWeights<double> grouped = random_weights(normals, 8, 4, false);
  MultiHeadWeights<double> full = grouped;
  // Heads 0 and 1 read the first two columns, heads 2 and 3 the last two.
  const auto repeated = [](const Matrix<double>& W) {
    Matrix<double> made = make_matrix<double>(8, 8);
    for (std::size_t i = 0; i < 8; ++i) {
      for (std::size_t h = 0; h < 4; ++h) {
        for (std::size_t c = 0; c < 2; ++c) made(i, 2 * h + c) = W(i, 2 * (h / 2) + c);
      }
    }
    return made;
  };
  full.W_K = repeated(grouped.W_K);
  full.W_V = repeated(grouped.W_V);
  const auto a = value_of(multi_head(X, grouped, {.n_heads = 4, .n_kv_heads = 2}));
  const auto b = value_of(multi_head(X, full, {.n_heads = 4, .n_kv_heads = 4}));
  CHECK(same(a.output, b.output));
  CHECK(a.parameters == 8 * (16 + 8));
  CHECK(b.parameters == 4 * 64);
}

TEST_CASE("every step carries its name, its shape and as many numbers") {
  Normals normals(44);
  const auto trace =
      value_of(multi_head(random_matrix(normals, 3, 8), random_weights(normals, 8, 4, true),
                          {.n_heads = 4, .n_kv_heads = 2}));
  std::string steps;
  for (const Step<double>& step : trace.steps) {
    steps += text({step.name, "["});
    std::size_t count = 1;
    for (const std::size_t size : step.shape) {
      steps += text({steps.back() == '[' ? "" : ",", size});
      count *= size;
    }
    steps += "] ";
    CHECK(step.data.size() == count);
  }
  CHECK(steps ==
        "X[3,8] Q[3,8] K[3,4] V[3,4] Q_heads[4,3,2] K_heads[2,3,2] V_heads[2,3,2] "
        "scores[4,3,3] scaled[4,3,3] weights[4,3,3] head_outputs[4,3,2] concat[3,8] output[3,8] ");
  CHECK(std::equal(trace.output.begin(), trace.output.end(), trace.steps.back().data.begin()));
}

TEST_CASE("biases are added to each projection") {
  Normals normals(45);
  const Matrix<double> X = random_matrix(normals, 3, 4);
  const MultiHeadWeights<double> weights = random_weights(normals, 4, 4, true);
  const auto trace = value_of(multi_head(X, weights, {.n_heads = 2, .n_kv_heads = 2}));
  const Matrix<double> Q = product(X, weights.W_Q);
  CHECK(std::fabs(trace.steps[1].data[0] - (Q(0, 0) + weights.b_Q(0))) < 1e-15);
  CHECK(std::fabs(trace.steps[1].data[11] - (Q(2, 3) + weights.b_Q(3))) < 1e-15);
  CHECK(trace.parameters == 4 * 16 + 4 * 4);
}

TEST_CASE("a row with nothing to see gives the bias of the output and no more") {
  Normals normals(46);
  const MultiHeadWeights<double> weights = random_weights(normals, 4, 4, true);
  const auto trace =
      value_of(multi_head(random_matrix(normals, 3, 4), weights,
                          {.n_heads = 2, .n_kv_heads = 2, .mask = {.key_valid = {0, 0, 0}}}));
  CHECK(all_zero(trace.weights));
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 4; ++j) CHECK(trace.output(i, j) == weights.b_O(j));
  }
}

TEST_CASE("a token that nobody sees and that sees nobody may hold anything") {
  Normals normals(47);
  Matrix<double> X = random_matrix(normals, 3, 4);
  const MultiHeadWeights<double> weights = random_weights(normals, 4, 4, false);
  const Mask mask{.key_valid = {1, 1, 0}, .query_document = {0, 0, 1}, .key_document = {0, 0, 0}};
  const MultiHeadOptions options{.n_heads = 2, .n_kv_heads = 2, .mask = mask};
  const Matrix<double> clean = value_of(multi_head(X, weights, options)).output;
  X(2, 1) = quiet_nan;
  CHECK(same(value_of(multi_head(X, weights, options)).output, clean));
}

TEST_CASE("the number of parameters does not depend on the number of heads") {
  for (const std::uint64_t heads : {1u, 2u, 4u, 8u, 16u}) {
    CHECK(value_of(multi_head_parameters(64, heads, heads, true)) == 16640);
  }
  CHECK(value_of(multi_head_parameters(8192, 64, 64, false)) == 4ull * 8192 * 8192);
  CHECK(value_of(multi_head_parameters(8192, 64, 8, false)) == 8192ull * (2 * 8192 + 2 * 1024));
}

TEST_CASE("float32 follows float64 through all of it") {
  Normals normals(48);
  const Matrix<double> X = random_matrix(normals, 7, 8);
  const MultiHeadWeights<double> wide = random_weights(normals, 8, 8, true);
  const auto narrow_vector = [](const Vector<double>& from) {
    Vector<float> to = make_vector<float>(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) to(i) = static_cast<float>(from(i));
    return to;
  };
  const MultiHeadWeights<float> narrow{.W_Q = converted<float>(wide.W_Q),
                                       .W_K = converted<float>(wide.W_K),
                                       .W_V = converted<float>(wide.W_V),
                                       .W_O = converted<float>(wide.W_O),
                                       .b_Q = narrow_vector(wide.b_Q),
                                       .b_K = narrow_vector(wide.b_K),
                                       .b_V = narrow_vector(wide.b_V),
                                       .b_O = narrow_vector(wide.b_O)};
  const MultiHeadOptions options{.n_heads = 4, .n_kv_heads = 4, .mask = {.causal = true}};
  CHECK(largest_difference(value_of(multi_head(converted<float>(X), narrow, options)).output,
                           value_of(multi_head(X, wide, options)).output) < 1e-5);
}

TEST_CASE("sizes that do not fit are refused by name") {
  Normals normals(49);
  const Matrix<double> X = random_matrix(normals, 3, 4);
  const MultiHeadWeights<double> weights = random_weights(normals, 4, 4, true);
  const auto refused = [&](const MultiHeadWeights<double>& with, MultiHeadOptions options) {
    const Error error = error_of(multi_head(X, with, options));
    return std::string(name(error.code)) + " " + error.field;
  };
  const MultiHeadOptions two{.n_heads = 2, .n_kv_heads = 2};
  CHECK(refused(weights, {.n_heads = 3, .n_kv_heads = 3}) == "shape_mismatch n_heads");
  CHECK(refused(weights, {.n_heads = 4, .n_kv_heads = 3}) == "shape_mismatch n_kv_heads");
  CHECK(refused(weights, {.n_heads = 0, .n_kv_heads = 1}) == "out_of_range n_heads");
  CHECK(refused(weights, {.n_heads = 1, .n_kv_heads = 0}) == "out_of_range n_kv_heads");
  CHECK(refused(weights, {.n_heads = max_heads + 1, .n_kv_heads = 1}) == "too_large n_heads");
  CHECK(refused(weights, {.n_heads = 2, .n_kv_heads = 1}) == "shape_mismatch W_K");
  MultiHeadWeights<double> broken = weights;
  broken.W_Q = make_matrix<double>(3, 4);
  CHECK(refused(broken, two) == "shape_mismatch W_Q");
  broken = weights;
  broken.W_V = make_matrix<double>(4, 5);
  CHECK(refused(broken, two) == "shape_mismatch W_V");
  broken = weights;
  broken.W_O = make_matrix<double>(4, 3);
  CHECK(refused(broken, two) == "shape_mismatch W_O");
  broken = weights;
  broken.b_K = make_vector<double>(3);
  CHECK(refused(broken, two) == "shape_mismatch b_K");
  CHECK(refused(weights, {.n_heads = 2, .n_kv_heads = 2, .mask = {.key_valid = {1}}}) ==
        "shape_mismatch mask.key_valid");
}

TEST_CASE("NaN is refused in whichever matrix it stands") {
  Normals normals(50);
  const Matrix<double> X = random_matrix(normals, 3, 4);
  const MultiHeadWeights<double> weights = random_weights(normals, 4, 4, true);
  const MultiHeadOptions options{.n_heads = 2, .n_kv_heads = 2};
  const auto refused = [&](const Matrix<double>& from, const MultiHeadWeights<double>& with) {
    const Error error = error_of(multi_head(from, with, options));
    CHECK(error.code == ErrorCode::not_finite);
    return error.field;
  };
  Matrix<double> broken_X = X;
  broken_X(1, 2) = quiet_nan;
  CHECK(refused(broken_X, weights) == "X");
  // A token that nobody sees still asks, so that its own row of the output would be NaN.
  const auto unseen = multi_head(broken_X, weights,
                                 {.n_heads = 2, .n_kv_heads = 2, .mask = {.key_valid = {1, 0, 1}}});
  CHECK(error_of(unseen).field == "X");
  const auto with = [&](auto member) {
    MultiHeadWeights<double> broken = weights;
    *(broken.*member).begin() = infinity;
    return refused(X, broken);
  };
  CHECK(with(&MultiHeadWeights<double>::W_Q) == "W_Q");
  CHECK(with(&MultiHeadWeights<double>::W_K) == "W_K");
  CHECK(with(&MultiHeadWeights<double>::W_V) == "W_V");
  CHECK(with(&MultiHeadWeights<double>::W_O) == "W_O");
  CHECK(with(&MultiHeadWeights<double>::b_Q) == "b_Q");
  CHECK(with(&MultiHeadWeights<double>::b_K) == "b_K");
  CHECK(with(&MultiHeadWeights<double>::b_V) == "b_V");
  CHECK(with(&MultiHeadWeights<double>::b_O) == "b_O");
  MultiHeadWeights<double> huge = weights;
  huge.W_Q.fill(1e200);
  huge.W_K.fill(1e200);
  CHECK(refused(X, huge) == "scores");
}

TEST_CASE("a layer too large for memory is refused with its bytes") {
  const Matrix<float> X = make_matrix<float>(max_tokens, 4);
  const MultiHeadWeights<float> weights{.W_Q = make_matrix<float>(4, 4),
                                        .W_K = make_matrix<float>(4, 4),
                                        .W_V = make_matrix<float>(4, 4),
                                        .W_O = make_matrix<float>(4, 4)};
  const Error error = error_of(multi_head(X, weights, {.n_heads = 4, .n_kv_heads = 4}));
  CHECK(error.code == ErrorCode::too_large);
  CHECK(error.message.find(" bytes") != std::string::npos);
}

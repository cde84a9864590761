#include "attention/influence.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

#include "attention/multi_head_shapes.hpp"
#include "core/limits.hpp"
#include "support.hpp"

using namespace attn;
using namespace attn::test;

namespace {

struct Layer {
  Matrix<double> X;
  MultiHeadWeights<double> weights;
  MultiHeadOptions options;
};

Layer random_layer(std::uint64_t seed, std::size_t n, std::size_t d_model, std::size_t n_heads,
                   std::size_t n_kv_heads, const Mask& mask = {}) {
  Normals normals(seed);
  const std::size_t kv_width = d_model / n_heads * n_kv_heads;
  Layer layer{.X = random_matrix(normals, n, d_model),
              .weights = {.W_Q = random_matrix(normals, d_model, d_model, 0.5),
                          .W_K = random_matrix(normals, d_model, kv_width, 0.5),
                          .W_V = random_matrix(normals, d_model, kv_width, 0.5),
                          .W_O = random_matrix(normals, d_model, d_model, 0.5)},
              .options = {.n_heads = n_heads, .n_kv_heads = n_kv_heads, .mask = mask}};
  return layer;
}

Influence influence_of(const Layer& layer) {
  return value_of(influence(layer.X, layer.weights, layer.options));
}

Matrix<double> output_of(const Layer& layer) {
  return value_of(multi_head(layer.X, layer.weights, layer.options)).output;
}

double distance(const Matrix<double>& a, const Matrix<double>& b, std::size_t i) {
  double squares = 0;
  for (std::size_t c = 0; c < a.shape(1); ++c) squares += std::pow(a(i, c) - b(i, c), 2);
  return std::sqrt(squares);
}

}  // namespace

TEST_CASE("a layer whose rows of W_O are 0 for a head is the layer without that head") {
  const Layer layer = random_layer(61, 5, 6, 3, 3, {.causal = true});
  const Influence found = influence_of(layer);
  CHECK(same(found.output, output_of(layer)));
  for (std::size_t h = 0; h < 3; ++h) {
    Layer without = layer;
    for (std::size_t c = 2 * h; c < 2 * h + 2; ++c) {
      for (std::size_t m = 0; m < 6; ++m) without.weights.W_O(c, m) = 0;
    }
    const Matrix<double> output = output_of(without);
    for (std::size_t i = 0; i < 5; ++i) {
      CHECK(std::fabs(found.head_changes(h, i) - distance(found.output, output, i)) < 1e-13);
    }
  }
}

TEST_CASE("hiding a key from every head is what the mask of keys does") {
  for (const bool causal : {false, true}) {
    const Layer layer = random_layer(62, 6, 8, 4, 2, {.causal = causal, .window = 4});
    const Influence found = influence_of(layer);
    for (std::size_t j = 0; j < 6; ++j) {
      Layer masked = layer;
      masked.options.mask.key_valid.assign(6, 1);
      masked.options.mask.key_valid[j] = 0;
      const Matrix<double> output = output_of(masked);
      for (std::size_t i = 0; i < 6; ++i) {
        CHECK(std::fabs(found.hidden(i, j) - distance(found.output, output, i)) < 1e-13);
      }
    }
  }
}

TEST_CASE("hiding key j in one head moves its output by A / (1 - A) |f(x_j) - o|") {
  Layer layer = random_layer(63, 5, 4, 1, 1);
  layer.weights.W_O.fill(0);
  for (std::size_t i = 0; i < 4; ++i) layer.weights.W_O(i, i) = 1;
  const Influence found = influence_of(layer);
  const auto trace = value_of(multi_head(layer.X, layer.weights, layer.options));
  const std::vector<double>& values = trace.steps[3].data;
  REQUIRE(trace.steps[3].name == "V");
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t j = 0; j < 5; ++j) {
      double squares = 0;
      for (std::size_t c = 0; c < 4; ++c) {
        squares += std::pow(values[j * 4 + c] - found.output(i, c), 2);
      }
      const double weight = found.weights(0, i, j);
      const double wanted = weight / (1 - weight) * std::sqrt(squares);
      CHECK(std::fabs(found.hidden_in_head(0, i, j) - wanted) < 1e-12);
      CHECK(std::fabs(found.hidden(i, j) - wanted) < 1e-12);
    }
  }
}

TEST_CASE("weight times length is how far the output moves when the value is 0") {
  const Layer layer = random_layer(64, 4, 6, 2, 2);
  Layer embedded = layer;
  // Tokens are unit vectors, so that rows of W_V are their values.
  embedded.X.fill(0);
  for (std::size_t i = 0; i < 4; ++i) embedded.X(i, i) = 1;
  const Influence found = influence_of(embedded);
  for (std::size_t h = 0; h < 2; ++h) {
    for (std::size_t j = 0; j < 4; ++j) {
      Layer silent = embedded;
      for (std::size_t c = 3 * h; c < 3 * h + 3; ++c) silent.weights.W_V(j, c) = 0;
      const Matrix<double> output = output_of(silent);
      for (std::size_t i = 0; i < 4; ++i) {
        CHECK(std::fabs(found.weighted(h, i, j) - distance(found.output, output, i)) < 1e-13);
      }
    }
  }
}

TEST_CASE("equal values: no weight matters, and hiding a token changes nothing") {
  Layer layer = random_layer(65, 4, 4, 2, 2);
  layer.X.fill(0);
  for (std::size_t i = 0; i < 4; ++i) layer.X(i, i) = 1;
  for (std::size_t i = 1; i < 4; ++i) {
    for (std::size_t c = 0; c < 4; ++c) layer.weights.W_V(i, c) = layer.weights.W_V(0, c);
  }
  const Influence found = influence_of(layer);
  for (const double moved : found.hidden) CHECK(moved < 1e-14);
  for (const double weighted : found.weighted) CHECK(weighted > 0);
}

TEST_CASE("a query whose only key is hidden loses its whole output") {
  const Layer layer = random_layer(66, 3, 4, 2, 2, {.causal = true});
  const Influence found = influence_of(layer);
  const Matrix<double> nothing = [] {
    Matrix<double> made = make_matrix<double>(3, 4);
    made.fill(0);
    return made;
  }();
  CHECK(std::fabs(found.hidden(0, 0) - distance(found.output, nothing, 0)) < 1e-14);
  CHECK(found.hidden(0, 1) == 0);
  CHECK(found.hidden(0, 2) == 0);
}

TEST_CASE("sizes beyond the limits, and numbers that overflow, are refused by name") {
  const auto refused = [](const Layer& layer) {
    return error_of(influence(layer.X, layer.weights, layer.options));
  };
  CHECK(refused(random_layer(67, max_influence_tokens + 1, 4, 2, 2)).field == "n");
  CHECK(refused(random_layer(67, 2, max_influence_width + 1, 1, 1)).field == "d_model");
  Layer uneven = random_layer(67, 2, 4, 2, 2);
  uneven.options.n_heads = 3;
  CHECK(refused(uneven).field == "n_heads");
  Layer infinite = random_layer(67, 2, 4, 2, 2);
  infinite.weights.W_V(0, 0) = infinity;
  CHECK(refused(infinite).field == "W_V");
  Layer huge = random_layer(67, 2, 4, 2, 2);
  huge.weights.W_V.fill(1e300);
  huge.weights.W_O.fill(1e300);
  const Error error = refused(huge);
  CHECK(error.field == "output");
  CHECK(error.code == ErrorCode::not_finite);
}

TEST_CASE("the shapes that are counted are those that are computed") {
  for (const std::size_t n_kv_heads : {1u, 2u, 4u}) {
    const Layer layer = random_layer(68, 3, 8, 4, n_kv_heads);
    const auto trace = value_of(multi_head(layer.X, layer.weights, layer.options));
    const auto shapes = value_of(multi_head_shapes(3, 8, 4, n_kv_heads, false));
    CHECK(shapes.head_dim == 2);
    CHECK(shapes.parameters == trace.parameters);
    std::size_t met = 0;
    for (const StepShape& counted : shapes.steps) {
      for (const Step<double>& step : trace.steps) {
        if (step.name != counted.name) continue;
        CHECK(counted.shape == std::vector<std::uint64_t>(step.shape.begin(), step.shape.end()));
        ++met;
      }
    }
    CHECK(met == shapes.steps.size());
  }
}

TEST_CASE("parameters are the same for every number of heads") {
  for (const std::uint64_t n_heads : {1u, 2u, 8u, 16u}) {
    CHECK(value_of(multi_head_shapes(10, 512, n_heads, n_heads, true)).parameters == 1'050'624);
  }
  CHECK(error_of(multi_head_shapes(10, 4, 8, 8, true)).field == "n_heads");
  CHECK(error_of(multi_head_shapes(10, 8, 4, 3, true)).field == "n_kv_heads");
  CHECK(error_of(multi_head_shapes(0, 8, 4, 4, true)).field == "n");
  CHECK(error_of(multi_head_shapes(max_exact_count, 8, 4, 4, true)).field == "n");
  CHECK(error_of(multi_head_shapes(std::uint64_t{1} << 26, 8, 4, 4, true)).field == "n");
}

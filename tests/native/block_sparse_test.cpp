#include "efficient/block_sparse.hpp"
#include "efficient/layer_reach.hpp"
#include "support.hpp"

using namespace attn;
using namespace attn::test;

TEST_CASE("a query chooses the block whose mean key it likes best, by hand") {
  // Blocks of two: means 1, 4 and 2; the last query is 1, so block 1 goes beside its own.
  const Matrix<double> K = matrix({{0}, {2}, {3}, {5}, {2}, {2}, {9}});
  const Matrix<double> ones = matrix({{1}, {1}, {1}, {1}, {1}, {1}, {1}});
  const BlockSparse made =
      value_of(block_sparse_attention(ones, K, ones, {.block = 2, .top_k = 2}));
  REQUIRE(made.blocks == 4);
  CHECK(made.means(1, 0) == 4);
  CHECK(made.means(3, 0) == 9);
  CHECK(made.block_scores(6, 1) == 4);
  CHECK(made.block_scores(6, 3) == -infinity);
  CHECK(same(rows_of(made.chosen, 6, 7), converted<std::uint8_t>(matrix({{0, 1, 0, 1}}))));
  CHECK(
      same(rows_of(made.allowed, 6, 7), converted<std::uint8_t>(matrix({{0, 0, 1, 1, 0, 0, 1}}))));
  CHECK(same(rows_of(made.chosen, 1, 2), converted<std::uint8_t>(matrix({{1, 0, 0, 0}}))));
  // A negative query wants the smallest mean.
  Matrix<double> Q = ones;
  Q(6, 0) = -1;
  CHECK(value_of(block_sparse_attention(Q, K, ones, {.block = 2, .top_k = 2})).chosen(6, 0) == 1);
}

TEST_CASE(
    "of equal scores the earlier block is chosen; first blocks and a window come without any") {
  const Matrix<double> same_keys = matrix({{1}, {1}, {1}, {1}, {1}, {1}, {1}, {1}});
  const auto row = [&](BlockSparseOptions options) {
    const BlockSparse made =
        value_of(block_sparse_attention(same_keys, same_keys, same_keys, options));
    return rows_of(made.allowed, 7, 8);
  };
  CHECK(same(row({.block = 2, .top_k = 2}),
             converted<std::uint8_t>(matrix({{1, 1, 0, 0, 0, 0, 1, 1}}))));
  CHECK(same(row({.block = 2, .top_k = 1, .window = 4}),
             converted<std::uint8_t>(matrix({{0, 0, 0, 0, 1, 1, 1, 1}}))));
  CHECK(same(row({.block = 2, .top_k = 1, .first_blocks = 1}),
             converted<std::uint8_t>(matrix({{1, 1, 0, 0, 0, 0, 1, 1}}))));
}

TEST_CASE("all blocks, or a window of n, are full attention") {
  Dice dice(61);
  Normals normals(62);
  for (int round = 0; round < 100; ++round) {
    const std::size_t n = dice.between(1, 30), d_k = dice.between(1, 5), d_v = dice.between(1, 4);
    const std::size_t block = dice.between(1, n + 2);
    const Matrix<double> Q = random_matrix(normals, n, d_k, 2),
                         K = random_matrix(normals, n, d_k, 2);
    const Matrix<double> V = random_matrix(normals, n, d_v);
    const Trace<double> full = value_of(scaled_dot_product(Q, K, V, {.mask = {.causal = true}}));
    INFO("n = " << n << ", block " << block);
    for (const BlockSparseOptions& options :
         {BlockSparseOptions{.block = block, .top_k = (n + block - 1) / block},
          BlockSparseOptions{.block = block, .top_k = 1, .window = n},
          BlockSparseOptions{.block = block, .top_k = 1, .first_blocks = n}}) {
      const BlockSparse made = value_of(block_sparse_attention(Q, K, V, options));
      CHECK(largest_difference(made.output, full.output) < 1e-13);
      CHECK(largest_difference(made.weights, full.weights) < 1e-14);
      CHECK(made.pairs == n * (n + 1) / 2);
    }
  }
}

TEST_CASE("neither what a query sees nor what it chooses depends on the future") {
  Dice dice(63);
  Normals normals(64);
  for (int round = 0; round < 100; ++round) {
    const std::size_t n = dice.between(2, 30), kept = dice.between(1, n - 1);
    const BlockSparseOptions options{.block = dice.between(1, 6),
                                     .top_k = dice.between(1, 4),
                                     .first_blocks = dice.between(0, 1),
                                     .window = dice.between(0, 5)};
    Matrix<double> Q = random_matrix(normals, n, 3), K = random_matrix(normals, n, 3);
    Matrix<double> V = random_matrix(normals, n, 2);
    const BlockSparse before = value_of(block_sparse_attention(Q, K, V, options));
    for (std::size_t t = kept; t < n; ++t) {
      for (std::size_t c = 0; c < 3; ++c) Q(t, c) = K(t, c) = 50;
      for (std::size_t c = 0; c < 2; ++c) V(t, c) = -50;
    }
    const BlockSparse after = value_of(block_sparse_attention(Q, K, V, options));
    CHECK(same(rows_of(before.chosen, 0, kept), rows_of(after.chosen, 0, kept)));
    CHECK(same(rows_of(before.weights, 0, kept), rows_of(after.weights, 0, kept)));
    CHECK(same(rows_of(before.output, 0, kept), rows_of(after.output, 0, kept)));
  }
}

TEST_CASE("each query sees as many blocks as it may, and its weights sum to 1") {
  Normals normals(65);
  const Matrix<double> Q = random_matrix(normals, 37, 4), K = random_matrix(normals, 37, 4);
  const BlockSparse made = value_of(block_sparse_attention(Q, K, Q, {.block = 5, .top_k = 3}));
  for (std::size_t i = 0; i < 37; ++i) {
    std::size_t count = 0;
    double sum = 0;
    for (std::size_t b = 0; b < made.blocks; ++b) count += made.chosen(i, b);
    for (std::size_t j = 0; j < 37; ++j) sum += made.weights(i, j);
    CHECK(count == std::min<std::size_t>(3, i / 5 + 1));
    CHECK(std::fabs(sum - 1) < 1e-14);
  }
}

TEST_CASE("block-sparse attention names what is wrong with its input") {
  const Matrix<double> two = matrix({{1}, {2}});
  const auto error = [&](const Matrix<double>& K, const Matrix<double>& V,
                         BlockSparseOptions options) {
    return error_of(block_sparse_attention(two, K, V, options));
  };
  CHECK(error(matrix({{1}}), two, {}).field == "K");
  CHECK(error(two, matrix({{1}}), {}).field == "V");
  CHECK(error(two, two, {.block = 0}).field == "block");
  CHECK(error(two, two, {.top_k = 0}).field == "top_k");
  CHECK(error(matrix({{quiet_nan}, {0}}), two, {}).code == ErrorCode::not_finite);
  const Matrix<double> large = matrix({{1e200}, {1e200}});
  CHECK(error_of(block_sparse_attention(large, large, two, {})).field == "scores");
}

TEST_CASE("a window lets a token see itself and those just before it, and the sinks besides") {
  const Matrix<std::uint8_t> pairs = value_of(layer_pairs({.window = 2, .sinks = 1}, 5));
  CHECK(same(rows_of(pairs, 4, 5), converted<std::uint8_t>(matrix({{1, 0, 0, 1, 1}}))));
  CHECK(same(rows_of(pairs, 0, 1), converted<std::uint8_t>(matrix({{1, 0, 0, 0, 0}}))));
  const Matrix<std::uint8_t> causal = value_of(allowed_pairs({.causal = true}, 5, 5));
  CHECK(same(value_of(layer_pairs({}, 5)), causal));
  CHECK(same(value_of(layer_pairs({.window = 5, .sinks = 2}, 5)), causal));
}

TEST_CASE("windows stacked see further: w - 1 tokens back a layer; one global layer sees all") {
  const std::size_t n = 20;
  std::vector<LayerReach> layers;
  for (std::size_t count = 1; count <= 4; ++count) {
    layers.push_back({.window = 4});
    const Matrix<std::uint8_t> reached = value_of(stack_reach(layers, n));
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        CHECK(reached(i, j) == (j <= i && i - j <= 3 * count ? 1 : 0));
      }
    }
  }
  layers = {{.window = 4}, {}, {.window = 4}};
  CHECK(same(value_of(stack_reach(layers, n)), value_of(layer_pairs({}, n))));
  CHECK(error_of(stack_reach({}, n)).field == "layers");
  CHECK(error_of(layer_pairs({}, 0)).field == "n");
}

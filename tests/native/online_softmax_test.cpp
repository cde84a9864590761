#include "efficient/online_softmax.hpp"
#include "support.hpp"

using namespace attn;
using namespace attn::test;

namespace {

/// Scores as they stand: queries times the identity, not divided.
OnlineSoftmax of_scores(const Matrix<double>& S, const Matrix<double>& V, const TileSizes& sizes,
                        Mask mask = {}) {
  Matrix<double> identity = make_matrix<double>(S.shape(1), S.shape(1));
  identity.fill(0);
  for (std::size_t j = 0; j < S.shape(1); ++j) identity(j, j) = 1;
  return value_of(
      online_softmax(S, identity, V, {.divide = false, .mask = std::move(mask)}, sizes));
}

constexpr double log2_of_e = 0.69314718055994530942;

}  // namespace

TEST_CASE("one row of four keys in two tiles, by hand") {
  // ln 1, ln 2 | ln 4, ln 1: every exponential is a power of two.
  const OnlineSoftmax steps = of_scores(matrix({{0, log2_of_e, 2 * log2_of_e, 0}}),
                                        matrix({{8}, {4}, {2}, {16}}), {.tile_q = 1, .tile_k = 2});
  REQUIRE(steps.key_blocks == 2);
  REQUIRE(steps.query_blocks == 1);
  CHECK(steps.largest_before(0, 0) == -infinity);
  CHECK(steps.largest_after(0, 0) == log2_of_e);
  CHECK(steps.factors(0, 0) == 0);
  CHECK(steps.rescaled(0, 0) == 0);
  CHECK(std::fabs(steps.exponentials(0, 0) - 0.5) < 1e-15);
  CHECK(steps.exponentials(0, 1) == 1);
  CHECK(std::fabs(steps.sums_after(0, 0) - 1.5) < 1e-15);
  CHECK(std::fabs(steps.outputs_after(0, 0, 0) - 8) < 1e-14);

  CHECK(steps.largest_before(0, 1) == log2_of_e);
  CHECK(steps.largest_after(0, 1) == 2 * log2_of_e);
  CHECK(std::fabs(steps.factors(0, 1) - 0.5) < 1e-15);
  CHECK(steps.rescaled(0, 1) == 1);
  CHECK(steps.sums_before(0, 1) == steps.sums_after(0, 0));
  CHECK(std::fabs(steps.sums_after(0, 1) - (0.75 + 1 + 0.25)) < 1e-15);
  CHECK(steps.outputs_before(0, 1, 0) == steps.outputs_after(0, 0, 0));
  CHECK(std::fabs(steps.outputs_rescaled(0, 1, 0) - 4) < 1e-14);
  CHECK(std::fabs(steps.outputs_after(0, 1, 0) - (4 + 2 + 4)) < 1e-14);
  CHECK(std::fabs(steps.output(0, 0) - 5) < 1e-14);
  CHECK(steps.times_rescaled(0) == 1);
}

TEST_CASE("the output is that of whole rows, whatever the tiles and the mask") {
  Dice dice(33);
  Normals normals(34);
  for (int round = 0; round < 300; ++round) {
    const std::size_t n_q = dice.between(1, 9), n_k = dice.between(1, 17);
    const std::size_t d_k = dice.between(1, 5), d_v = dice.between(1, 4);
    const AttentionOptions options{.divide = dice.coin(), .mask = random_mask(dice, n_q, n_k)};
    const TileSizes sizes{dice.between(1, n_q + 2), dice.between(1, n_k + 2)};
    const Matrix<double> Q = random_matrix(normals, n_q, d_k, 3);
    const Matrix<double> K = random_matrix(normals, n_k, d_k, 3);
    const Matrix<double> V = random_matrix(normals, n_k, d_v);
    INFO("round " << round << ": " << n_q << " queries, " << n_k << " keys, tiles of "
                  << sizes.tile_q << " x " << sizes.tile_k);
    const OnlineSoftmax steps = value_of(online_softmax(Q, K, V, options, sizes));
    const Trace<double> whole = value_of(scaled_dot_product(Q, K, V, options));
    CHECK(largest_difference(steps.output, whole.output) < 1e-13);
    CHECK(same(steps.whole, whole.output));
    CHECK(steps.largest_difference == largest_difference(steps.output, whole.output));
    for (std::size_t i = 0; i < n_q; ++i) {
      for (std::size_t b = 0; b < steps.key_blocks; ++b) {
        // The maximum never falls, and nothing grows when it is rescaled.
        CHECK(steps.largest_after(i, b) >= steps.largest_before(i, b));
        CHECK(steps.factors(i, b) >= 0);
        CHECK(steps.factors(i, b) <= 1);
        if (b > 0) CHECK(steps.largest_before(i, b) == steps.largest_after(i, b - 1));
        if (steps.skipped(i / sizes.tile_q, b) == 0) continue;
        CHECK(steps.sums_after(i, b) == steps.sums_before(i, b));
        for (std::size_t j = b * sizes.tile_k; j < std::min(n_k, (b + 1) * sizes.tile_k); ++j) {
          CHECK(steps.allowed(i, j) == 0);
          CHECK(steps.exponentials(i, j) == 0);
        }
      }
    }
  }
}

TEST_CASE("a causal mask skips whole tiles, and only those above the diagonal") {
  Normals normals(35);
  const Matrix<double> S = random_matrix(normals, 6, 6);
  const OnlineSoftmax steps =
      of_scores(S, random_matrix(normals, 6, 1), {.tile_q = 2, .tile_k = 2}, {.causal = true});
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t b = 0; b < 3; ++b) CHECK(steps.skipped(a, b) == (b > a ? 1 : 0));
  }
  CHECK(steps.scores(0, 1) == -infinity);
}

TEST_CASE("blocks are told by where they begin, and a tile by what it holds") {
  Normals normals(36);
  const OnlineSoftmax steps = of_scores(random_matrix(normals, 5, 7), random_matrix(normals, 7, 2),
                                        {.tile_q = 2, .tile_k = 3});
  const auto listed = [](const Vector<std::int32_t>& places) {
    return std::vector<std::int32_t>(places.begin(), places.end());
  };
  CHECK(listed(steps.query_begin) == std::vector<std::int32_t>{0, 2, 4, 5});
  CHECK(listed(steps.key_begin) == std::vector<std::int32_t>{0, 3, 6, 7});
  CHECK(steps.held_scores == 6);
  CHECK(steps.held_results == 2 * (1 + 1 + 2));
}

TEST_CASE("rising scores rescale at every tile but the first, falling ones never") {
  const Matrix<double> V = matrix({{1}, {2}, {3}, {4}});
  CHECK(of_scores(matrix({{1, 2, 3, 4}}), V, {1, 1}).times_rescaled(0) == 3);
  CHECK(of_scores(matrix({{4, 3, 2, 1}}), V, {1, 1}).times_rescaled(0) == 0);
  CHECK(of_scores(matrix({{5, 5, 5, 5}}), V, {1, 1}).times_rescaled(0) == 0);
}

TEST_CASE("a row with nothing to see is 0, and NaN behind a mask reaches nothing") {
  const Matrix<double> V = matrix({{quiet_nan, 1}, {2, 3}, {4, 5}});
  const Matrix<double> Q = matrix({{1, 1}, {1, 2}});
  const Matrix<double> K = matrix({{quiet_nan, infinity}, {1, 0}, {0, 1}});
  for (const std::size_t tile_k : {1u, 2u, 3u}) {
    INFO("tiles of " << tile_k << " keys");
    const OnlineSoftmax hidden = value_of(online_softmax(
        Q, K, V, {.mask = {.key_valid = {0, 1, 1}}}, {.tile_q = 2, .tile_k = tile_k}));
    CHECK(all_finite(hidden.output));
    CHECK(hidden.largest_difference < 1e-15);
    const OnlineSoftmax none = value_of(online_softmax(Q, K, V, {.mask = {.key_valid = {0, 0, 0}}},
                                                       {.tile_q = 2, .tile_k = tile_k}));
    CHECK(all_zero(none.output));
    CHECK(all_zero(none.times_rescaled));
    CHECK(none.largest_after(1, none.key_blocks - 1) == -infinity);
    CHECK(none.sums_after(1, none.key_blocks - 1) == 0);
  }
}

TEST_CASE("scores of plus and minus 1000 neither overflow nor vanish") {
  const Matrix<double> V = matrix({{1}, {2}, {3}, {4}});
  const OnlineSoftmax steps =
      of_scores(matrix({{-1000, 1000, 1000, -1000}, {1000, -1000, -1000, 1000}}), V, {2, 1});
  CHECK(steps.output(0, 0) == 2.5);
  CHECK(steps.output(1, 0) == 2.5);
  // What was seen first is forgotten, not kept as a rounding.
  CHECK(steps.factors(0, 1) == 0);
  CHECK(steps.rescaled(0, 1) == 1);
  CHECK(all_finite(steps.sums_after));
}

TEST_CASE("what is not finite propagates when it is let in, and is refused otherwise") {
  const Matrix<double> Q = matrix({{1}, {2}});
  const Matrix<double> V = matrix({{1}, {2}});
  const Matrix<double> K = matrix({{quiet_nan}, {1}});
  CHECK(error_of(online_softmax(Q, K, V, {}, {1, 1})).field == "K");
  const auto steps = value_of(online_softmax(Q, K, V, {.require_finite = false}, {1, 1}));
  CHECK(std::isnan(steps.output(0, 0)));
  const Matrix<double> huge = matrix({{1e200}, {1}});
  CHECK(error_of(online_softmax(huge, huge, V, {}, {1, 1})).field == "scores");
}

TEST_CASE("sizes of tiles that are none are refused") {
  const Matrix<double> one = matrix({{1}});
  CHECK(error_of(online_softmax(one, one, one, {}, {0, 1})).field == "tile_q");
  CHECK(error_of(online_softmax(one, one, one, {}, {1, 0})).field == "tile_k");
  CHECK(error_of(online_softmax(one, one, one, {}, {1, 5000})).code == ErrorCode::too_large);
  CHECK(error_of(online_softmax(one, matrix({{1, 2}}), one, {}, {1, 1})).field == "K");
}

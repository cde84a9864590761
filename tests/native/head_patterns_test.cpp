#include "model/head_patterns.hpp"

#include <vector>

#include "model/map_reading.hpp"
#include "support.hpp"

using namespace attn;
using namespace attn::test;

namespace {

/// Two layers of two heads over four tokens, whose rows are easy to add up: one looks at the token before, one rests on
/// the first, one shares equally, one looks at itself.
const std::vector<float> maps = {
    1, 0, 0, 0, 1,    0,    0, 0, 0,     1,     0,    0, 0,     0,     1,     0,  // before
    1, 0, 0, 0, 1,    0,    0, 0, 1,     0,     0,    0, 1,     0,     0,     0,  // first
    1, 0, 0, 0, 0.5F, 0.5F, 0, 0, 0.25F, 0.25F, 0.5F, 0, 0.25F, 0.25F, 0.25F, 0.25F,
    1, 0, 0, 0, 0,    1,    0, 0, 0,     0,     1,    0, 0,     0,     0,     1,  // itself
};
const std::vector<std::int32_t> ids = {7, 8, 7, 8};

HeadMaps four_heads() { return {.n_layers = 2, .n_heads = 2, .n = 4, .weights = maps}; }

PatternSearch searched(std::span<const std::int32_t> of, const ShuffleOptions& options = {}) {
  return value_of(find_patterns(four_heads(), of, options));
}

std::vector<int> listed(const Vector<std::int32_t>& numbers) {
  return {numbers.begin(), numbers.end()};
}

}  // namespace

TEST_CASE("head patterns: scores of four heads, by hand") {
  const PatternSearch found = searched(ids);
  // Rows 1, 2, 3 and their token before.
  CHECK(found.rows(0) == 3);
  CHECK(found.scores(0, 0, 0) == 1);
  CHECK(found.scores(0, 0, 1) == 1.0 / 3);
  CHECK(found.scores(0, 1, 0) == (0.5 + 0.25 + 0.25) / 3);
  CHECK(found.scores(0, 1, 1) == 0);
  CHECK(found.scores(1, 0, 0) == 1.0 / 3);
  CHECK(found.scores(1, 0, 1) == 1);
  CHECK(found.scores(1, 1, 0) == (0.5 + 0.25 + 0.25) / 3);
  // 7 stood at 0 and 8 followed; 8 stood at 1 and 7 followed: tokens 1 and 2, of rows 2 and 3.
  CHECK(found.rows(2) == 2);
  CHECK(found.scores(2, 0, 0) == 1);
  CHECK(found.scores(2, 0, 1) == 0);
  CHECK(found.scores(2, 1, 0) == 0.25);
  // Ranked, equals as they stand.
  CHECK(found.ranked(0, 0) == 0);
  CHECK(found.ranked(0, 1) == 1);
  CHECK(found.ranked(0, 2) == 2);
  CHECK(found.ranked(0, 3) == 3);
  CHECK(found.ranked(1, 0) == 1);
}

TEST_CASE(
    "head patterns: a text without a repetition has no induction, and one that stutters only what "
    "follows") {
  const PatternSearch none = searched(std::vector<std::int32_t>{1, 2, 3, 4});
  CHECK(none.rows(2) == 0);
  CHECK(none.scores(2, 0, 0) == 0);
  CHECK(none.shuffled_best(2) == 0);
  CHECK(none.above_count(2) == 0);
  // 5 5 6 5: the token after the first 5 is row 1 itself, which does not count; row 3 has tokens 1 and 2.
  const PatternSearch stutter = searched(std::vector<std::int32_t>{5, 5, 6, 5});
  CHECK(stutter.rows(2) == 1);
  CHECK(stutter.scores(2, 0, 0) == 1);
  CHECK(stutter.scores(2, 1, 0) == 0.5);
}

TEST_CASE(
    "head patterns: shuffles are seeded, find less than a real head, and no less than equal "
    "sharing") {
  const PatternSearch found = searched(ids);
  const PatternSearch again = searched(ids);
  const PatternSearch other = searched(ids, {.shuffles = 1, .seed = 2});
  for (std::size_t p = 0; p < 3; ++p) {
    CHECK(found.shuffled_best(p) == again.shuffled_best(p));
    CHECK(found.shuffled_mean(p) <= found.shuffled_best(p));
    CHECK(other.shuffled_best(p) == other.shuffled_mean(p));
    CHECK(found.shuffled_best(p) <= 1);
    // A head that shares equally scores something in any shuffle.
    CHECK(found.shuffled_mean(p) >= 0.25);
  }
  // With three short rows luck reaches all there is: nothing is above it.
  CHECK(found.shuffled_best(0) == 1);
  CHECK(found.above_count(0) == 0);
}

TEST_CASE("head patterns: in a long text luck stays far below a head that has the pattern") {
  constexpr std::size_t n = 64;
  std::vector<float> long_maps(2 * n * n);
  std::vector<std::int32_t> long_ids(n);
  for (std::size_t i = 0; i < n; ++i) {
    long_ids[i] = static_cast<std::int32_t>(i % 32);
    long_maps[i * n + (i == 0 ? 0 : i - 1)] = 1;
    long_maps[(n + i) * n + (i < 32 ? 0 : i - 31)] = 1;
  }
  const PatternSearch found = value_of(
      find_patterns({.n_layers = 1, .n_heads = 2, .n = n, .weights = long_maps}, long_ids, {}));
  CHECK(found.rows(2) == 32);
  CHECK(found.scores(2, 0, 1) == 1);
  CHECK(found.shuffled_best(2) < 0.3);
  CHECK(found.above(2, 0, 1) == 1);
  CHECK(found.above(2, 0, 0) == 0);
  CHECK(found.above_count(0) == 1);
  CHECK(found.ranked(2, 0) == 1);
}

TEST_CASE("head patterns: the first token's share, and equal sharing") {
  const FirstTokenShare all = value_of(first_token_share(four_heads(), 0));
  // Layer 0: heads 1 + 1 + 0 + 0 and 4; layer 1: 1 + 0.5 + 0.25 + 0.25 and 1.
  CHECK(all.by_layer(0) == 6.0 / 8);
  CHECK(all.by_layer(1) == 3.0 / 8);
  CHECK(all.mean == 4.5 / 8);
  CHECK(std::fabs(all.equal_share - (1 + 1 / 2.0 + 1 / 3.0 + 1 / 4.0) / 4) < 1e-15);
  const FirstTokenShare late = value_of(first_token_share(four_heads(), 2));
  CHECK(late.by_layer(0) == 2.0 / 4);
  CHECK(late.by_layer(1) == 0.5 / 4);
  CHECK(std::fabs(late.equal_share - (1 / 3.0 + 1 / 4.0) / 2) < 1e-15);
}

TEST_CASE("head patterns: what is refused, by name") {
  const auto error = [](HeadMaps maps_of, std::size_t id_count = 4) {
    return error_of(find_patterns(maps_of, std::span(ids).first(id_count), {}));
  };
  CHECK(error({.n_layers = 0, .n_heads = 2, .n = 4, .weights = maps}).field == "n_layers");
  CHECK(error({.n_layers = 2, .n_heads = 999, .n = 4, .weights = maps}).field == "n_heads");
  CHECK(error({.n_layers = 2, .n_heads = 2, .n = 257, .weights = maps}).code ==
        ErrorCode::too_large);
  CHECK(error({.n_layers = 2, .n_heads = 2, .n = 3, .weights = maps}).code ==
        ErrorCode::shape_mismatch);
  CHECK(error(four_heads(), 3).field == "ids");
  for (const auto& [at, value] : {std::pair{4U, 2.0F}, {4U, -0.5F}, {1U, 0.5F}}) {
    std::vector<float> wrong = maps;
    wrong[at] = value;
    const Error said = error({.n_layers = 2, .n_heads = 2, .n = 4, .weights = wrong});
    CHECK(said.field == "weights");
    CHECK(said.code == ErrorCode::out_of_range);
  }
  std::vector<float> wrong = maps;
  wrong[5] = static_cast<float>(quiet_nan);
  CHECK(error({.n_layers = 2, .n_heads = 2, .n = 4, .weights = wrong}).code ==
        ErrorCode::not_finite);
  CHECK(error_of(find_patterns(four_heads(), ids, {.shuffles = 0})).field == "shuffles");
  CHECK(error_of(first_token_share(four_heads(), 4)).field == "first_row");
}

TEST_CASE("a map read: weight times length, as shares, and in order") {
  const std::vector<float> lengths = {0, 2, 4, 2};
  const LayerMaps layer = {.n_heads = 2,
                           .n_kv_heads = 1,
                           .n = 4,
                           .weights = std::span(maps).subspan(32),
                           .value_lengths = lengths};
  const MapReading reading = value_of(read_map(layer, 0, 3));
  CHECK(reading.weights(3, 1) == 0.25);
  CHECK(reading.shares(3, 0) == 0);
  CHECK(reading.shares(3, 1) == 0.25);
  CHECK(reading.shares(3, 2) == 0.5);
  CHECK(reading.shares(3, 3) == 0.25);
  CHECK(reading.moved == 0.25);
  // Nothing arrives in row 0, whose only value is silent.
  CHECK(reading.shares(0, 0) == 0);
  CHECK(listed(reading.by_weight) == std::vector<int>{0, 1, 2, 3});
  CHECK(listed(reading.by_share) == std::vector<int>{2, 1, 3, 0});
  const MapReading mean = value_of(read_map(layer, {}, 3));
  CHECK(mean.weights(3, 3) == 0.625);
  // 0.25 x 2, 0.25 x 4 and 1.25 x 2 of 4.
  CHECK(mean.shares(3, 1) == 0.125);
  CHECK(mean.shares(3, 3) == 0.625);
  CHECK(listed(mean.by_weight) == std::vector<int>{3, 0, 1, 2});
  CHECK(value_of(read_map(layer, 0, 1)).by_weight.size() == 2);
}

TEST_CASE("a map read: heads share values by groups, and what is refused") {
  const std::vector<float> lengths = {1, 1, 1, 1, 1, 3, 1, 1};
  const LayerMaps layer = {.n_heads = 2,
                           .n_kv_heads = 2,
                           .n = 4,
                           .weights = std::span(maps).subspan(32),
                           .value_lengths = lengths};
  CHECK(value_of(read_map(layer, 1, 1)).lengths(1) == 3);
  CHECK(value_of(read_map(layer, 0, 1)).lengths(1) == 1);
  CHECK(value_of(read_map(layer, {}, 1)).lengths(1) == 2);
  CHECK(error_of(read_map(layer, 2, 1)).field == "head");
  CHECK(error_of(read_map(layer, 0, 4)).field == "row");
  LayerMaps wrong = layer;
  wrong.n_kv_heads = 3;
  CHECK(error_of(read_map(wrong, 0, 0)).field == "n_kv_heads");
  wrong.n_kv_heads = 1;
  CHECK(error_of(read_map(wrong, 0, 0)).code == ErrorCode::shape_mismatch);
  const std::vector<float> negative = {1, 1, 1, 1, 1, -3, 1, 1};
  wrong = layer;
  wrong.value_lengths = negative;
  CHECK(error_of(read_map(wrong, 0, 0)).field == "value_lengths");
}

TEST_CASE("head patterns: pairs that are named, by hand and against the patterns found") {
  using Pairs = std::vector<std::int32_t>;
  const auto named = [](const Pairs& pairs, const ShuffleOptions& by = {}) {
    return find_pairs(four_heads(), pairs, by);
  };
  // The token before, named pair by pair, is the pattern itself.
  const PatternSearch before = value_of(named({1, 0, 2, 1, 3, 2}));
  const PatternSearch found = searched(ids);
  CHECK(before.rows(0) == 3);
  CHECK(before.shuffled_best(0) == found.shuffled_best(0));
  CHECK(before.shuffled_mean(0) == found.shuffled_mean(0));
  for (std::size_t layer = 0; layer < 2; ++layer) {
    for (std::size_t head = 0; head < 2; ++head) {
      CHECK(before.scores(0, layer, head) == found.scores(0, layer, head));
    }
  }
  // Two keys of one row are one row: what they weigh together.
  const PatternSearch both = value_of(named({2, 0, 2, 1}));
  CHECK(both.rows(0) == 1);
  CHECK(both.scores(0, 1, 0) == 0.5);
  for (const Pairs& wrong :
       {Pairs{}, Pairs{1}, Pairs{1, 0, 2}, Pairs{4, 0}, Pairs{-1, 0}, Pairs{1, 2}, Pairs{1, -1},
        Pairs{2, 0, 1, 0}, Pairs{2, 1, 2, 1}, Pairs{2, 1, 2, 0}}) {
    CHECK(error_of(named(wrong)).field == "pairs");
  }
  CHECK(error_of(named({1, 0}, {.shuffles = 0})).field == "shuffles");
}

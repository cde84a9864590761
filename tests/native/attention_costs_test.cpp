#include "efficient/attention_costs.hpp"
#include "support.hpp"

using namespace attn;
using namespace attn::test;

TEST_CASE("the costs of four tokens in tiles of two, by hand") {
  // One head, d = 2, one byte a number: a matrix is 8 bytes, S is 16.
  const AttentionCosts costs = value_of(attention_costs({.n = 4,
                                                         .n_heads = 1,
                                                         .d = 2,
                                                         .bytes_per_number = 1,
                                                         .tile_q = 2,
                                                         .tile_k = 2,
                                                         .fast_bytes = 24}));
  CHECK(costs.entries == 16);
  CHECK(costs.score_bytes == 16);
  CHECK(costs.entries_doubled == 64);
  CHECK(costs.growth == 4);
  CHECK(costs.product_flops == 4 * 16 * 2);
  CHECK(costs.naive_softmax_flops == 6 * 16);
  // 5 a score; 4 rows x 2 key blocks x (2 + 1 + 2); 4 rows x 2 divisions.
  CHECK(costs.fused_softmax_flops == 5 * 16 + 4 * 2 * 5 + 4 * 2);
  CHECK(costs.softmax_percent == 75);
  CHECK(costs.score_pass.read == 16);
  CHECK(costs.score_pass.written == 16);
  CHECK(costs.softmax_pass.read == 16);
  CHECK(costs.softmax_pass.written == 16);
  CHECK(costs.value_pass.read == 24);
  CHECK(costs.value_pass.written == 8);
  CHECK(costs.naive_bytes == 96);
  CHECK(costs.query_blocks == 2);
  // Q once, K and V for each of two query blocks, O once.
  CHECK(costs.fused_pass.read == 8 + 2 * 16);
  CHECK(costs.fused_pass.written == 8);
  CHECK(costs.fused_bytes == 48);
  CHECK(costs.bytes_ratio == 2);
  // Q, K, V and O of 2 x 2, a tile of S of 2 x 2, and two numbers for each of two rows.
  CHECK(costs.tile_numbers == 4 * 4 + 4 + 4);
  CHECK(costs.tile_bytes == 24);
  CHECK(costs.fits);
}

TEST_CASE("the lecture's matrix of scores") {
  const AttentionCosts lab = value_of(attention_costs({.n = 4096, .n_heads = 8}));
  CHECK(lab.score_mebibytes == 512);
  CHECK(lab.score_bytes == std::uint64_t{512} << 20);
  const AttentionCosts recap = value_of(attention_costs({.n = 8192}));
  CHECK(recap.entries == 67'108'864);
  CHECK(recap.entries_millions == 67.108864);
  CHECK(recap.product_flops == std::uint64_t{4} * 67'108'864 * 64);
}

TEST_CASE("naive traffic is the sum of its passes, and a ragged last block is read as well") {
  Dice dice(3);
  for (int round = 0; round < 200; ++round) {
    const CostSizes sizes{.n = dice.between(1, 3000),
                          .n_heads = dice.between(1, 8),
                          .d = dice.between(1, 128),
                          .bytes_per_number = dice.between(1, 8),
                          .tile_q = dice.between(1, 200),
                          .tile_k = dice.between(1, 200)};
    const AttentionCosts costs = value_of(attention_costs(sizes));
    std::uint64_t passes = 0;
    for (const Traffic& pass : {costs.score_pass, costs.softmax_pass, costs.value_pass}) {
      passes += pass.read + pass.written;
    }
    CHECK(costs.naive_bytes == passes);
    CHECK(costs.fused_bytes == costs.fused_pass.read + costs.fused_pass.written);
    CHECK(costs.query_blocks * sizes.tile_q >= sizes.n);
    CHECK((costs.query_blocks - 1) * sizes.tile_q < sizes.n);
    CHECK(costs.growth == 4);
    // Doubling n doubles the fused traffic of Q and O, and S grows by four.
    CostSizes twice = sizes;
    twice.n *= 2;
    CHECK(value_of(attention_costs(twice)).score_bytes == 4 * costs.score_bytes);
  }
}

TEST_CASE("one block of queries reads everything once") {
  const AttentionCosts costs = value_of(attention_costs({.n = 100, .d = 8, .tile_q = 100}));
  CHECK(costs.fused_bytes == 4 * 100 * 8 * 4);
}

TEST_CASE("a tile that the fast memory cannot hold is told, tiles beyond n hold n") {
  CHECK(value_of(attention_costs({.n = 4096})).fits);
  CHECK_FALSE(value_of(attention_costs({.n = 4096, .tile_q = 1024, .tile_k = 1024})).fits);
  CHECK(value_of(attention_costs({.n = 2, .d = 1, .tile_q = 64, .tile_k = 64})).tile_numbers ==
        4 + 4 + 4 + 4);
}

TEST_CASE("sizes that cannot be counted exactly are refused") {
  CHECK(error_of(attention_costs({.n = 0})).code == ErrorCode::out_of_range);
  CHECK(error_of(attention_costs({.n = 1, .tile_q = 0})).field == "tile_q");
  const Error large = error_of(attention_costs({.n = std::uint64_t{1} << 40}));
  CHECK(large.code == ErrorCode::too_large);
  CHECK(large.field == "n");
  CHECK(error_of(attention_costs({.n = 1, .d = (std::uint64_t{1} << 53) + 1})).field == "d");
  CHECK(error_of(attention_costs({.n = 1, .n_heads = std::uint64_t{1} << 53})).code ==
        ErrorCode::too_large);
  // Products that fit one by one, whose sum does not.
  CHECK(error_of(attention_costs({.n = 1, .n_heads = std::uint64_t{1} << 50, .d = 2})).code ==
        ErrorCode::too_large);
}

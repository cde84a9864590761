// A small model with a cache and without: the same tokens, and what either costs.

#include <vector>

#include "core/limits.hpp"
#include "kv_cache/decode_run.hpp"
#include "support.hpp"

using namespace attn;
using namespace attn::test;

TEST_CASE("a cache changes no token and no logit, in either back end") {
  std::vector<std::int32_t> first;
  for (const Backend backend : backends()) {
    DecodeRun run = value_of(DecodeRun::make({.seed = 1, .n = 60, .backend = backend}));
    for (int t = 0; t < 60; ++t) {
      const DecodeStep with = value_of(run.step_with());
      const DecodeStep without = value_of(run.step_without());
      REQUIRE(with.token == without.token);
    }
    CHECK(run.same_tokens());
    CHECK(run.largest_difference() < 1e-5);
    CHECK(run.tokens_with().size() == 60);
    if (first.empty()) first.assign(run.tokens_with().begin(), run.tokens_with().end());
    CHECK(same(first, std::vector(run.tokens_with().begin(), run.tokens_with().end())));
    // Not one token again and again: what is compared must vary.
    std::vector<std::int32_t> kinds = first;
    std::sort(kinds.begin(), kinds.end());
    CHECK(std::unique(kinds.begin(), kinds.end()) - kinds.begin() > 5);
  }
}

TEST_CASE("80 tokens are 80 passes with the cache and 3,240 without") {
  DecodeRun run = value_of(DecodeRun::make({.seed = 2, .n = 80, .backend = backends().back()}));
  for (std::size_t t = 0; t < 80; ++t) {
    const DecodeStep with = value_of(run.step_with());
    const DecodeStep without = value_of(run.step_without());
    const auto n = static_cast<double>(t + 1);
    CHECK(with.tokens == t + 1);
    CHECK(with.passes == 1);
    CHECK(without.passes == t + 1);
    // W_Q, W_O 64 x 64, W_K, W_V 32 x 64, three of 128 x 64, two layers; W_out 64 x 64.
    const double layers = 2 * (2 * 64 * 64 + 2 * 32 * 64 + 3 * 128 * 64);
    CHECK(with.weight_bytes == static_cast<std::uint64_t>(4 * (layers + 64 * 64)));
    CHECK(with.flops == 2 * (layers + 64 * 64) + 2 * 4 * 4 * 16 * n);
    CHECK(without.flops == 2 * (layers * n + 64 * 64) + 2 * 4 * 4 * 16 * n * (n + 1) / 2);
    CHECK(with.kv_bytes == (t + 1) * 512);
    CHECK(without.kv_bytes == with.kv_bytes);
  }
  CHECK(run.passes_with() == 80);
  CHECK(run.passes_without() == 3240);
  CHECK(run.same_tokens());
  CHECK(run.largest_difference() < 1e-5);
  // 2 layers, K and V, 2 heads, 16 numbers of 4 bytes; pages of 16 tokens are full at 80.
  CHECK(run.cache_stats().needed_bytes == 80 * 2 * 2 * 2 * 16 * 4);
  CHECK(run.cache_stats().allocated_bytes == run.cache_stats().needed_bytes);
}

TEST_CASE("a step that is repeated for the clock is the same step") {
  const DecodeRunConfig config{.seed = 3, .n = 20, .backend = backends().back()};
  DecodeRun once = value_of(DecodeRun::make(config));
  DecodeRun often = value_of(DecodeRun::make(config));
  for (int t = 0; t < 20; ++t) {
    CHECK(value_of(once.step_with()).token == value_of(often.step_with(3)).token);
    CHECK(value_of(once.step_without()).token == value_of(often.step_without(2)).token);
  }
  for (std::uint64_t t = 0; t < 20; ++t) {
    CHECK(std::ranges::equal(once.logits_with(t), often.logits_with(t)));
    CHECK(std::ranges::equal(once.logits_without(t), often.logits_without(t)));
  }
  CHECK(often.passes_with() == 20);
  CHECK(often.passes_without() == 210);
  // Handed on under way.
  DecodeRun moved = std::move(often);
  CHECK(error_of(moved.step_with()).field == "n");
  CHECK(error_of(moved.step_without()).code == ErrorCode::out_of_range);
}

TEST_CASE("what a run refuses names the field") {
  CHECK(error_of(DecodeRun::make({.n = 0})).field == "n");
  CHECK(error_of(DecodeRun::make({.n = max_decode_tokens + 1})).code == ErrorCode::too_large);
  DecodeRun run = value_of(DecodeRun::make({.n = 1}));
  CHECK(error_of(run.step_with(0)).field == "repeat");
  CHECK(run.tokens_with().empty());
  CHECK(run.largest_difference() == 0);
}

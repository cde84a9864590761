// How a cache fills, against the same requests kept with their rows.

#include "kv_cache/filling.hpp"

#include <vector>

#include "support.hpp"

using namespace attn;
using namespace attn::test;

namespace {

CacheConfig paged() {
  CacheConfig config;
  config.n_heads = config.n_kv_heads = 2;
  config.d_k = config.d_v = 4;
  config.layout = CacheLayout::paged;
  config.page_tokens = 4;
  config.format = "f16";
  return config;
}

}  // namespace

TEST_CASE("a filling counts what a cache counts that is told every row") {
  Dice dice(29);
  for (int turn = 0; turn < 60; ++turn) {
    CacheConfig config = paged();
    config.page_tokens = dice.between(1, 6);
    if (dice.coin()) config.window = dice.between(1, 12);
    if (config.window != 0) config.sinks = dice.between(0, 5);
    const std::uint64_t tokens = dice.between(0, 30);
    const std::uint64_t shared = dice.between(0, 30);
    CAPTURE(turn, config.page_tokens, config.window, config.sinks, tokens, shared);
    const Filling filling = value_of(fill(config, tokens, shared));

    KvCache cache = value_of(KvCache::make(config));
    const std::vector<float> row(8, 1.0F);
    const std::uint64_t a = value_of(cache.open());
    std::vector<std::uint64_t> sequences = {a};
    if (shared == 0) sequences.push_back(value_of(cache.fork(a, 0)));
    for (std::uint64_t t = 0; t < tokens; ++t) {
      if (shared > 0 && t == shared) sequences.push_back(value_of(cache.fork(a, t)));
      for (const std::uint64_t each : sequences)
        REQUIRE(cache.append(each, 1, row, row).has_value());
    }
    REQUIRE(filling.requests.size() == sequences.size());
    CHECK(filling.stats.allocated_bytes == cache.stats().allocated_bytes);
    CHECK(filling.stats.needed_bytes == cache.stats().needed_bytes);
    CHECK(filling.stats.blocks == cache.stats().blocks);
    for (std::size_t i = 0; i < sequences.size(); ++i) {
      const auto table = value_of(cache.table(sequences[i]));
      CHECK(filling.requests[i].stats.visible_tokens ==
            value_of(cache.stats(sequences[i])).visible_tokens);
      REQUIRE(filling.requests[i].pages.size() == table.size());
      for (std::size_t p = 0; p < table.size(); ++p) {
        CHECK(filling.requests[i].pages[p].id == table[p].id);
        CHECK(filling.requests[i].pages[p].references == table[p].references);
      }
    }
  }
}

TEST_CASE("the second request begins with the pages of the first, and copies what it then writes") {
  const Filling filling = value_of(fill(paged(), 6, 5));
  REQUIRE(filling.requests.size() == 2);
  const auto& [a, b] = std::tie(filling.requests[0], filling.requests[1]);
  CHECK_FALSE(a.begins);
  CHECK(b.begins);
  // Token 6 goes into the second page, which was shared: the first that writes copies it.
  CHECK(a.pages_before.size() == 2);
  CHECK(a.pages[1].id != a.pages_before[1].id);
  CHECK(b.pages[1].id == b.pages_before[1].id);
  CHECK(a.pages[0].id == b.pages[0].id);
  CHECK(a.pages[0].references == 2);
  CHECK(value_of(fill(paged(), 5, 5)).requests.size() == 1);
  CHECK(value_of(fill(paged(), 0, 0)).requests.size() == 2);
  CHECK(value_of(fill(paged(), 0, 0)).requests[0].pages.empty());
}

TEST_CASE("a filling refuses what it cannot count") {
  CHECK(error_of(fill(paged(), max_filled_tokens + 1, 0)).field == "tokens");
  CHECK(error_of(fill(paged(), 1, max_filled_tokens + 1)).field == "shared_tokens");
  CacheConfig narrow = paged();
  narrow.d_k = 0;
  CHECK(error_of(fill(narrow, 1, 0)).field == "d_k");
  // Without pages a request has room for so many tokens, and no more.
  CacheConfig full = paged();
  full.layout = CacheLayout::contiguous;
  full.page_tokens = 0;
  full.capacity = 4;
  CHECK(value_of(fill(full, 4, 2)).stats.blocks == 2);
  CHECK(error_of(fill(full, 5, 2)).field == "tokens");
}

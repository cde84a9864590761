// The bill beside a cache that really holds the tokens: the same bytes, or one of them lies.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/limits.hpp"
#include "core/random.hpp"
#include "kv_cache/bill.hpp"
#include "kv_cache/cache.hpp"
#include "support.hpp"

namespace attn {
namespace {

using test::value_of;

constexpr std::string_view formats[] = {"f32", "f16", "q8_0", "q4_0"};

/// A cache of any kind, and the model and plan that describe it to the bill.
struct Pair {
  CacheConfig config;
  CacheModel model;
  CachePlan plan;
};

class AnyPair {
 public:
  explicit AnyPair(std::uint64_t seed) : bits_(seed) {}
  std::uint64_t below(std::uint64_t n) { return bits_.next() % n; }

  Pair next() {
    Pair made;
    auto& [config, model, plan] = made;
    config.n_layers = 1 + below(3);
    const std::uint64_t kv = 1 + below(3);
    config.n_heads = kv * (1 + below(3));
    config.d_k = 1 + below(70);
    config.format = formats[below(4)];
    model.n_layers = config.n_layers;
    model.n_heads = config.n_heads;
    model.parameters = model.active_parameters = 1;
    plan.cache_format = value_of(number_format("format", config.format));
    plan.tokens = 1 + below(60);
    plan.sequences = 1 + below(3);
    if (below(3) == 0) {
      latent(made);
    } else {
      config.n_kv_heads = kv;
      config.d_v = 1 + below(70);
      heads(made);
    }
    allocation(made);
    return made;
  }

 private:
  void latent(Pair& made) {
    auto& [config, model, plan] = made;
    config.latent_rank = 1 + below(80);
    config.rope_width = below(config.d_k);
    model.full_layers = config.n_layers;
    model.n_kv_heads = config.n_heads;
    model.d_k = config.d_k;
    model.d_v = 1;
    model.latent_rank = config.latent_rank;
    model.rope_width = config.rope_width;
  }

  void heads(Pair& made) {
    auto& [config, model, plan] = made;
    if (below(2) == 0) {
      model.full_layers = config.n_layers;
      model.n_kv_heads = config.n_kv_heads;
      model.d_k = config.d_k;
      model.d_v = config.d_v;
      return;
    }
    config.window = model.window = 1 + below(30);
    config.sinks = model.sinks = below(7);
    model.local_layers = config.n_layers;
    model.local_n_kv_heads = config.n_kv_heads;
    model.local_d_k = config.d_k;
    model.local_d_v = config.d_v;
  }

  void allocation(Pair& made) {
    auto& [config, model, plan] = made;
    if (below(2) == 0) {
      config.layout = CacheLayout::paged;
      config.page_tokens = plan.page_tokens = 1 + below(9);
      return;
    }
    plan.allocation = Allocation::reserved;
    // A ring needs room behind the tokens that stay.
    plan.reserved_tokens = plan.tokens + config.sinks + below(40);
    config.capacity = plan.reserved_tokens;
    if (config.window != 0) {
      config.capacity = std::min(config.capacity, config.window + config.sinks);
    }
  }

  SplitMix64 bits_;
};

TEST_CASE("the bill is what a real cache counts of itself, to the byte") {
  AnyPair any(29);
  for (int round = 0; round < 1500; ++round) {
    const auto [config, model, plan] = any.next();
    CAPTURE(round, config.format, config.window, config.sinks, plan.tokens, plan.page_tokens);
    auto cache = value_of(KvCache::make(config));
    const std::size_t rows = as_size(config.n_layers) * cache.kept_heads();
    for (std::uint64_t s = 0; s < plan.sequences; ++s) {
      const std::uint64_t sequence = value_of(cache.open());
      // Token by token, as a model writes: a window's pages go back on the way.
      const std::vector<float> K(rows * cache.key_width(), 1.0F);
      const std::vector<float> V(cache.keeps_latent() ? 0 : rows * cache.value_width(), 1.0F);
      for (std::uint64_t n = 1; n <= plan.tokens; ++n) {
        REQUIRE(cache.append(sequence, 1, K, V).has_value());
        if (s > 0) continue;
        CachePlan so_far = plan;
        so_far.tokens = n;
        const CacheBill bill = value_of(cache_bill(model, so_far));
        REQUIRE(cache.stats().needed_bytes == bill.sequence_needed_bytes);
        REQUIRE(cache.stats().allocated_bytes == bill.sequence_allocated_bytes);
      }
    }
    const CacheBill bill = value_of(cache_bill(model, plan));
    CHECK(cache.stats().token_bytes == bill.token_bytes);
    CHECK(cache.stats().needed_bytes == bill.needed_bytes);
    CHECK(cache.stats().allocated_bytes == bill.allocated_bytes);
  }
}

}  // namespace
}  // namespace attn

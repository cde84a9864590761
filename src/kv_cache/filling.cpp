#include "kv_cache/filling.hpp"

#include <utility>

#include "core/limits.hpp"

namespace attn {
namespace {

/// The error of a cache that holds no more, by the name that is known here.
Error named_tokens(Error error) {
  error.field = "tokens";
  return error;
}

}  // namespace

Expected<Filling> fill(const CacheConfig& config, std::uint64_t tokens,
                       std::uint64_t shared_tokens) {
  ATTN_CHECK(check_count("tokens", tokens, 0, max_filled_tokens));
  ATTN_CHECK(check_count("shared_tokens", shared_tokens, 0, max_filled_tokens));
  auto made = KvCache::make(config);
  ATTN_CHECK(made);
  KvCache& cache = *made;
  const auto first = cache.open();
  ATTN_CHECK(first);

  std::vector<std::uint64_t> sequences = {*first};
  Filling filling;
  filling.requests.resize(1);
  const auto begin_second = [&]() -> Expected<void> {
    const auto second = cache.fork(sequences[0], shared_tokens);
    if (!second) return std::unexpected(named_tokens(second.error()));
    sequences.push_back(*second);
    filling.requests.emplace_back();
    return {};
  };
  if (shared_tokens == 0) ATTN_CHECK(begin_second());
  for (std::uint64_t token = 0; token < tokens; ++token) {
    if (shared_tokens > 0 && token == shared_tokens) ATTN_CHECK(begin_second());
    for (std::size_t i = 0; i < sequences.size(); ++i) {
      FilledRequest& request = filling.requests[i];
      auto before = cache.table(sequences[i]);
      ATTN_CHECK(before);
      request.pages_before = std::move(*before);
      request.begins = i > 0 && token == shared_tokens;
      if (const auto grown = cache.grow(sequences[i], 1); !grown) {
        return std::unexpected(named_tokens(grown.error()));
      }
    }
  }
  // Who grows last may leave a page to the other alone that was counted as shared before: all are asked at the end.
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    const auto stats = cache.stats(sequences[i]);
    ATTN_CHECK(stats);
    auto pages = cache.table(sequences[i]);
    ATTN_CHECK(pages);
    filling.requests[i].stats = *stats;
    filling.requests[i].pages = std::move(*pages);
  }
  filling.stats = cache.stats();
  return filling;
}

}  // namespace attn

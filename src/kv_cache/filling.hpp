#pragma once

// How a cache fills: two requests that begin alike, told by a real cache, page by page.

#include <cstdint>
#include <vector>

#include "core/error.hpp"
#include "kv_cache/cache.hpp"

namespace attn {

/// Tokens of each request: they are kept one after another.
inline constexpr std::uint64_t max_filled_tokens = 4096;

struct FilledRequest {
  SequenceStats stats;
  std::vector<TableEntry> pages;
  /// Its pages before the last token, and whether it began with that token; none where nothing was kept yet.
  std::vector<TableEntry> pages_before;
  bool begins = false;
};

struct Filling {
  /// The second is there once tokens that it does not share are kept, or when it shares none.
  std::vector<FilledRequest> requests;
  CacheStats stats;
};

/// Two requests of `tokens` tokens each, of which the first `shared_tokens` are the same: the second begins with the pages
/// of the first (KvCache::fork) and both then grow by turns, a token each. Rows are not written: what is counted does not
/// depend on them.
/// Errors: those of KvCache::make; too_large naming tokens or shared_tokens; those of KvCache::grow and fork, as for one of
/// the field "tokens".
Expected<Filling> fill(const CacheConfig& config, std::uint64_t tokens,
                       std::uint64_t shared_tokens);

}  // namespace attn

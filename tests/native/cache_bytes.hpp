#pragma once

// What a model's cache takes, multiplied here on its own, so that readers and tables are not checked by the code whose
// answers they feed.

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "kv_cache/cache_model.hpp"

namespace attn::test {

/// Bytes that each further token adds while no window is full, in 16-bit numbers.
inline std::uint64_t bytes_per_token(const CacheModel& m) {
  const std::uint64_t full =
      m.latent_rank != 0 ? m.latent_rank + m.rope_width : m.n_kv_heads * (m.d_k + m.d_v);
  const std::uint64_t local = m.local_n_kv_heads * (m.local_d_k + m.local_d_v);
  return 2 * ((m.full_layers - m.full_sharing) * (full + m.index_width) +
              (m.local_layers - m.local_sharing) * local);
}

/// Bytes of one sequence of `tokens`, in 16-bit numbers, states included.
inline std::uint64_t bytes_of(const CacheModel& m, std::uint64_t tokens) {
  CacheModel full = m, local = m;
  full.local_layers = full.local_sharing = 0;
  local.full_layers = local.full_sharing = 0;
  return tokens * bytes_per_token(full) +
         std::min(tokens, m.window + m.sinks) * bytes_per_token(local) +
         2 * m.state_layers * m.state_numbers;
}

inline std::string golden_file(std::string_view name) {
  std::ifstream stream(std::string(ATTN_GOLDEN_DIR) + "/" + std::string(name), std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace attn::test

#pragma once

// One bill held against another: what fewer KV heads save, what a longer prompt costs more, what a decoder without a
// cache does again.

#include <cstdint>

#include "core/error.hpp"
#include "kv_cache/cache_model.hpp"

namespace attn {

/// The model with another number of KV heads in its full layers, and the weights that this adds to its projections to K
/// and V or takes from them; all else as it is.
/// Errors: those of check_cache_model, of the model and of the one made; bad_argument naming latent_rank when a latent
/// is kept in place of heads; out_of_range naming d_model or parameters when 0.
Expected<CacheModel> with_kv_heads(const CacheModel& model, std::uint64_t n_kv_heads);

/// How many times the work of one prompt another has, one sequence each.
struct PromptGrowth {
  double tokens = 0;
  /// Of all n^2 pairs of a query and a key, as without a causal mask: (tokens / against)^2.
  double all_pairs = 0;
  /// What grows with n, what grows with the pairs that the mask and the windows leave, and both together: see
  /// PrefillBill.
  double linear = 0, attention = 0, total = 0;
};

/// Errors: those of check_cache_model; out_of_range and too_large naming tokens or against; out_of_range naming
/// parameters when no weights are active. Where no layer attends, attention is 1.
Expected<PromptGrowth> prompt_growth(const CacheModel& model, std::uint64_t tokens,
                                     std::uint64_t against);

/// Token passes of a decoder that writes n tokens, one for each step; each pass takes one token through all layers.
struct TokenPasses {
  /// Every token passes once: n.
  std::uint64_t with_cache = 0;
  /// Step t takes its t tokens through anew: n (n + 1) / 2.
  std::uint64_t without_cache = 0;
  double ratio = 0;
};

/// Errors: out_of_range and too_large naming n.
Expected<TokenPasses> token_passes(std::uint64_t n);

/// Bytes in the units of powers of 1000 and of 1024.
struct ByteUnits {
  double kB = 0, MB = 0, GB = 0;
  double KiB = 0, MiB = 0, GiB = 0;
};

/// Errors: too_large naming bytes.
Expected<ByteUnits> in_units(std::uint64_t bytes);

}  // namespace attn

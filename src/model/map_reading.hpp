#pragma once

// One map of a model, read closely: which keys a row weighs most, and which bring most.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/error.hpp"
#include "core/matrix.hpp"

namespace attn {

/// One layer's heads over a text of n tokens, query head h with the values of head h / (n_heads / n_kv_heads).
struct LayerMaps {
  std::uint64_t n_heads = 0, n_kv_heads = 0, n = 0;
  std::span<const float> weights = {};  ///< [n_heads, n, n] as of HeadMaps.
  std::span<const float> value_lengths =
      {};  ///< [n_kv_heads, n] The Euclidean length of each value.
};

struct MapReading {
  Matrix<double> weights;  ///< [n, n] Of the head, or the mean over the heads.
  /// [n, n] Weight times the length of the value, as a share of its row: what a key brings of all that arrives, if lengths
  /// alone counted. A row of which nothing arrives is 0.
  Matrix<double> shares;
  Vector<double> lengths;  ///< [n] Of the head's values, or the mean over the heads.
  Vector<std::int32_t>
      by_weight;  ///< [row + 1] The keys that the row sees, heaviest first, equals as they stand.
  Vector<std::int32_t> by_share;  ///< [row + 1] The same by share.
  double moved =
      0;  ///< Half the sum of |share - weight| in the row: how much of the row goes elsewhere.
};

/// Weight against what it weighs (Kobayashi et al. 2020, equation 3, before W_O: lengths are of the values as the cache
/// holds them). `head` empty: the mean over the heads, of weights and of products alike.
/// Errors: those of check_maps for one layer; out_of_range and too_large ("n_kv_heads", "head", "row"); bad_argument
/// ("n_kv_heads") when it does not divide n_heads; shape_mismatch, not_finite and out_of_range ("value_lengths").
Expected<MapReading> read_map(const LayerMaps& layer, std::optional<std::uint64_t> head,
                              std::uint64_t row);

}  // namespace attn

#pragma once

// What a decode kernel is asked when keys and values lie in several places: the pages of a cache,
// the two ends of a ring, the first tokens that stay beside a window. Attention does not ask in which
// order keys come, so a list of places is all there is to know.

#include <cstddef>

#include "kernels/stored_rows.hpp"

namespace attn::kernels {

/// Neighbouring tokens whose rows lie at equal distances, for all KV heads. Distances in bytes.
struct KvSegment {
  const std::byte* k = nullptr;
  const std::byte* v = nullptr;
  std::size_t count = 0;
  /// From one token's row to the next.
  std::size_t k_stride = 0, v_stride = 0;
  /// From one KV head's first row to the next head's.
  std::size_t k_head_stride = 0, v_head_stride = 0;
};

/// One query for each head over all rows of all segments; none is masked. Heads share KV heads as in
/// AttentionProblem. q [n_heads, d_k], output [n_heads, d_v]. The caller has checked the sizes; rows
/// of floats are aligned as floats are.
struct SegmentsProblem {
  std::size_t n_heads = 1, n_kv_heads = 1;
  std::size_t d_k = 0, d_v = 0;
  float scale = 1;
  const float* q = nullptr;
  const KvSegment* segments = nullptr;
  std::size_t n_segments = 0;
  RowFormat format = RowFormat::f32;
  /// StoredRow::split of a key.
  std::size_t k_split = 0;
  /// A value is the first d_v numbers of its token's key, as in latent attention, and not kept again.
  bool values_in_keys = false;

  std::size_t heads_per_kv_head() const { return n_heads / n_kv_heads; }
  StoredRow k_row() const { return {format, d_k, k_split}; }
  StoredRow v_row() const { return {format, d_v, 0}; }
  std::size_t n_keys() const {
    std::size_t count = 0;
    for (std::size_t s = 0; s < n_segments; ++s) count += segments[s].count;
    return count;
  }
};

}  // namespace attn::kernels

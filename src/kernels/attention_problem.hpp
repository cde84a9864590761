#pragma once

// What every attention kernel is asked: one batch of heads over row-major float32 arrays.

#include <cstddef>
#include <cstdint>

namespace attn::kernels {

/// Which keys query i may see, as attn::Mask in attention/mask.hpp defines it: the query stands at
/// position p = i + n_k - n_q (bottom-right alignment). Every part that is set has to allow the
/// pair.
struct AttentionMask {
  /// Key j is allowed when j <= p.
  bool causal = false;
  /// When not 0, key j is allowed when p - window < j <= p: a window counts the token itself and
  /// looks back only.
  std::size_t window = 0;
  /// [n_k] 0 where the key is padding; null masks nothing.
  const std::uint8_t* key_valid = nullptr;
  /// [n_q] and [n_k] Allowed where both are the same document; null masks nothing. Both or none.
  const std::int32_t* query_document = nullptr;
  const std::int32_t* key_document = nullptr;
};

/// softmax(scale Q K^T + mask) V for n_heads heads, of which n_heads / n_kv_heads neighbours read
/// the same head of K and V (grouped-query attention, Ainslie et al. 2023; one KV head is
/// multi-query, Shazeer 2019). Query head h reads KV head h / (n_heads / n_kv_heads).
///
/// q [n_heads, n_q, d_k] and output [n_heads, n_q, d_v] are dense; k [n_kv_heads, n_k, d_k] and v
/// [n_kv_heads, n_k, d_v] have dense rows, and their heads may lie further apart, as in a cache
/// with room to grow: 0 means dense. The caller has checked that every size is at least 1, that
/// n_kv_heads divides n_heads and that no size overflows.
struct AttentionProblem {
  std::size_t n_heads = 1, n_kv_heads = 1;
  std::size_t n_q = 0, n_k = 0, d_k = 0, d_v = 0;
  /// What a score is multiplied by before the softmax: 1 / sqrt(d_k) in the lecture.
  float scale = 1;
  AttentionMask mask = {};
  const float* q = nullptr;
  const float* k = nullptr;
  const float* v = nullptr;
  /// Numbers between the beginnings of two heads of K and of V.
  std::size_t k_head_stride = 0, v_head_stride = 0;

  std::size_t heads_per_kv_head() const { return n_heads / n_kv_heads; }
  std::size_t k_stride() const { return k_head_stride == 0 ? n_k * d_k : k_head_stride; }
  std::size_t v_stride() const { return v_head_stride == 0 ? n_k * d_v : v_head_stride; }
};

}  // namespace attn::kernels

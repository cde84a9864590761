#pragma once

// How many weights a decoder has, from the widths of its matrices.

#include <cstdint>
#include <string_view>

#include "core/error.hpp"

namespace attn {

/// Layers whose attention has the same widths.
struct AttentionWidths {
  std::uint64_t layers = 0;
  std::uint64_t n_kv_heads = 0, d_k = 0, d_v = 0;
};

/// A decoder in which each layer is attention and an MLP, each behind a norm. Vaswani et al. 2017 (arXiv:1706.03762)
/// with the MLP of Shazeer 2020 (arXiv:2002.05202) where it is gated, the experts of Dai et al. 2024
/// (arXiv:2401.06066), and the latent attention of DeepSeek-AI 2024 (arXiv:2405.04434).
struct DecoderShape {
  std::uint64_t d_model = 0, n_heads = 0, vocabulary = 0;
  bool tied = false;
  /// Rows of learnt positions; 0 where positions are rotated into Q and K.
  std::uint64_t learnt_positions = 0;
  AttentionWidths full, local;
  /// Latent attention: ranks of Q (0: none) and of K and V, the rotated part, and the part of a key that is not.
  std::uint64_t q_rank = 0, latent_rank = 0, rope_width = 0, nope_width = 0;
  /// Of norms of Q and K, one of each for all heads; of sinks, a number for each head.
  bool qkv_bias = false, out_bias = false, qk_norm = false, sinks = false;
  /// Two of them a layer, or four; each with a bias or without.
  std::uint64_t norms_per_layer = 2;
  bool norm_bias = false;
  bool gated = true, mlp_bias = false;
  std::uint64_t dense_layers = 0, dense_width = 0;
  std::uint64_t expert_layers = 0, experts = 0, experts_used = 0, expert_width = 0;
  /// Width of what every token passes through beside its experts, and whether it has a gate of its own.
  std::uint64_t shared_width = 0;
  bool shared_gate = false, router_bias = false;
};

struct ParameterCount {
  /// Every weight; and those of one token's way: all but the experts that are not chosen. Embeddings count whole.
  std::uint64_t all = 0, active = 0;
};

/// Errors: too_large naming `parameters` above 2^53.
Expected<ParameterCount> count_parameters(const DecoderShape& shape);

}  // namespace attn

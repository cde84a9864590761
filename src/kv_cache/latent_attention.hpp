#pragma once

// Multi-head latent attention (DeepSeek-AI 2024, arXiv:2405.04434, section 2.1): of a token one latent vector is kept,
// from which the keys and values of every head follow, and one rotary key that all heads share. The latent carries no
// position, as a rotation between the two matrices could not be absorbed; the rotary key carries it.
//
//   c = W_DKV h                   latent_rank numbers, kept
//   r = rotate(W_KR h)            rope_width numbers, kept
//   k_i = [W_UK_i c; r]           d_k numbers, rope_width of them rotary; not kept
//   v_i = W_UV_i c                d_v numbers; not kept
// A score is q_i . k_i = (W_UK_i^T q_i) . c + q_i' . r, with the rotary part q_i' of a query: with queries absorbed like
// this, a KvCache with latent_rank attends to what is kept, and the values follow from its outputs.

#include <cstdint>
#include <span>
#include <string_view>

#include "core/error.hpp"

namespace attn {

struct LatentShape {
  std::uint64_t d_model = 0, n_heads = 1;
  std::uint64_t latent_rank = 0, rope_width = 0;
  /// Width of a whole key, its rotary end included; d_k > rope_width.
  std::uint64_t d_k = 0, d_v = 0;
  /// Of the rotary angles: see rotate_half_split.
  double rope_base = 10000;

  std::uint64_t kept_width() const { return latent_rank + rope_width; }
};

/// W_DKV [latent_rank, d_model], W_KR [rope_width, d_model], W_UK [n_heads, d_k - rope_width, latent_rank],
/// W_UV [n_heads, d_v, latent_rank].
struct LatentWeights {
  std::span<const float> W_DKV, W_KR, W_UK, W_UV;
};

/// Errors: out_of_range and too_large naming the size; shape_mismatch naming rope_width when it is odd, and a matrix of
/// another length. What the functions below refuse as well, beside arrays of other lengths.
Expected<void> check_latent(const LatentShape& shape, const LatentWeights& weights);

/// What is kept of `count` tokens at positions first, first + 1, ...: h [count, d_model] to
/// rows [count, latent_rank + rope_width].
/// Promise here and below: sums in double, rounded once to float.
Expected<void> compress(const LatentShape& shape, const LatentWeights& weights,
                        std::span<const float> h, std::uint64_t count, std::uint64_t first,
                        std::span<float> rows);

/// q [n_heads, d_k], the last rope_width numbers of each rotated, to queries [n_heads, latent_rank + rope_width] that
/// attend to kept rows. The scale stays 1 / sqrt(d_k).
Expected<void> absorb(const LatentShape& shape, const LatentWeights& weights,
                      std::span<const float> q, std::span<float> queries);

/// Means of latents [n_heads, latent_rank] to the heads' outputs [n_heads, d_v].
Expected<void> expand(const LatentShape& shape, const LatentWeights& weights,
                      std::span<const float> latents, std::span<float> output);

/// The keys K [count, n_heads, d_k] and values V [count, n_heads, d_v] of kept rows.
/// Promise: attention over them is attention over the rows with absorbed queries, up to rounding.
Expected<void> reconstruct(const LatentShape& shape, const LatentWeights& weights,
                           std::span<const float> rows, std::uint64_t count, std::span<float> K,
                           std::span<float> V);

}  // namespace attn

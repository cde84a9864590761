#pragma once

// What of a model decides how much its cache holds: fields, never the model's name. (The class that a file names may fill in
// fields that the file leaves out: class_defaults.hpp.)

#include <cstdint>
#include <string>
#include <vector>

#include "core/error.hpp"

namespace attn {

/// A decoder's layers as its cache sees them. A layer's attention is full (it sees every token
/// before) or local (the last `window` and the first `sinks`); a layer may keep a recurrent state
/// instead, or beside (Falcon-H1), or nothing (a layer that is an MLP alone).
///
/// A full layer keeps, for each token, n_kv_heads keys of d_k and as many values of d_v; or, when
/// latent_rank is not 0, one latent vector and one rotary key for all heads (multi-head latent
/// attention, DeepSeek-AI 2024, arXiv:2405.04434, section 2.1).
struct CacheModel {
  std::uint64_t n_layers = 0;
  std::uint64_t n_heads = 0;
  std::uint64_t d_model = 0;

  std::uint64_t full_layers = 0;
  /// Number of heads of K and V, not of query heads that share one.
  std::uint64_t n_kv_heads = 0;
  std::uint64_t d_k = 0, d_v = 0;
  std::uint64_t latent_rank = 0, rope_width = 0;
  /// Numbers that a full layer keeps for each token beside, for what chooses tokens (a sparse
  /// indexer's keys).
  std::uint64_t index_width = 0;
  /// How many tokens that chooses for each query: what attention then reads. 0 when not known, or when nothing chooses.
  std::uint64_t index_top_k = 0;

  std::uint64_t local_layers = 0;
  /// Counts the token itself.
  std::uint64_t window = 0;
  /// First tokens that stay beside the window (Xiao et al. 2023).
  std::uint64_t sinks = 0;
  std::uint64_t local_n_kv_heads = 0, local_d_k = 0, local_d_v = 0;

  /// Of those layers, how many read another layer's cache and keep none (cross-layer attention,
  /// Brandon et al. 2024).
  std::uint64_t full_sharing = 0, local_sharing = 0;

  std::uint64_t state_layers = 0;
  /// Numbers of the state of one such layer and one sequence, whatever the number of tokens.
  std::uint64_t state_numbers = 0;

  /// All weights, and those that one token passes through (fewer where experts are chosen).
  std::uint64_t parameters = 0, active_parameters = 0;
  /// Positions that the model was made for; 0 when not known.
  std::uint64_t max_tokens = 0;

  bool operator==(const CacheModel&) const = default;
};

/// Errors: out_of_range and too_large for a count out of its range, shape_mismatch for counts that
/// contradict each other (KV heads that do not divide the heads, more kinds of layers than layers,
/// a window without local layers and the reverse); each names the field.
Expected<void> check_cache_model(const CacheModel& model);

/// What a file said of a model: the fields, and what a reader should know about how they came about.
struct ReadModel {
  CacheModel model;
  /// What the file calls its own architecture: to be shown. What a reader took from it stands in `notes`.
  std::string architecture;
  /// Sentences: what was missing and what was put in its place.
  std::vector<std::string> notes;
  /// Fields of CacheModel that the file does not tell and that are therefore still 0.
  std::vector<std::string> missing;
};

}  // namespace attn

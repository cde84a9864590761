#pragma once

// A run of a real model, kept: what its heads looked at in a few texts, how long its steps took. One file, little-endian:
//
//   "ATTNMAP1", its whole length in 4 bytes, the CRC-32 of all that follows in 4 bytes
//   model, file, machine, date                              texts: 2 bytes of length, UTF-8
//   n_layers, n_heads, n_kv_heads, head_dim, d_model        2 bytes each
//   bytes of the cache for a token                          4 bytes
//   the timed run: its prompt, a text; 1 byte whether both gave the same tokens; 2 bytes of steps; milliseconds of each
//     step with the cache, then without, float32
//   the long text: itself; 2 bytes of tokens; previous-token scores [n_layers, n_heads], float32; mean weight on the
//     first token by layer over all rows [n_layers], float32
//   1 byte of texts, and each: id and text; 2 bytes of tokens; id (4 bytes) and text of each; losses [n - 1], float32;
//     1 byte of candidates, and id, text and probability (float32) of each; the longest value, float32, and lengths
//     [n_layers, n_kv_heads, n] in 65,535ths of it, 2 bytes each; weights [n_layers, n_heads, n (n + 1) / 2], 1 byte each
//
// A weight is kept in 255ths: of each row the parts below are given to the weights that lost most, so that every row
// sums to 255 exactly and no weight is off by a whole 255th.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/error.hpp"

namespace attn {

struct RecordedToken {
  std::uint32_t id = 0;
  std::string text;
};

struct RecordedCandidate {
  RecordedToken token;
  float probability = 0;
};

struct RecordedText {
  std::string id, text;
  std::vector<RecordedToken> tokens;  ///< [n]
  std::vector<float> losses;  ///< [n - 1] -log p of each token but the first.
  std::vector<RecordedCandidate>
      candidates;  ///< For the token after the last, the most probable first.
  std::vector<float> value_lengths;  ///< [n_layers, n_kv_heads, n]
  std::vector<std::uint8_t>
      weights;  ///< [n_layers, n_heads, n (n + 1) / 2] in 255ths, the lower triangle by rows.
};

struct Recording {
  std::string model, file, machine, date;
  std::uint32_t n_layers = 0, n_heads = 0, n_kv_heads = 0, head_dim = 0, d_model = 0;
  std::uint32_t token_bytes = 0;
  std::string prompt;
  bool same_tokens = false;
  std::vector<float> cached_ms, uncached_ms;  ///< [steps]
  std::string long_text;
  std::uint32_t long_tokens = 0;
  std::vector<float> long_previous;  ///< [n_layers, n_heads]
  std::vector<float> long_first;  ///< [n_layers]
  std::vector<RecordedText> texts;
};

inline constexpr std::size_t max_recording_bytes = std::size_t{16} << 20;

/// Errors: bad_argument and too_large ("file") for what is no recording, was cut or damaged, or names sizes beyond those
/// of HeadMaps.
/// Promise: what is returned is consistent, and every row of weights sums to 255.
Expected<Recording> read_recording(std::span<const std::uint8_t> file);

/// The file of a recording whose arrays have the lengths told above.
std::vector<std::uint8_t> write_recording(const Recording& recording);

/// A row of weights in 255ths, as told above. row [n] sums to 1 within rounding.
std::vector<std::uint8_t> in_255ths(std::span<const float> row);

/// The weights of a text [n_layers, n_heads, n, n] in 255ths, from its triangles.
std::vector<std::uint8_t> square_maps(const RecordedText& text, std::size_t heads);

}  // namespace attn

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "attention/mask.hpp"
#include "core/error.hpp"
#include "core/matrix.hpp"

namespace attn {

/// Where the position that is added to a token comes from.
enum class PositionSource : std::uint8_t {
  none,  ///< nothing is added
  row,   ///< its place in the row, padding counted: wrong where padding is on the left
  real,  ///< its place among the real tokens, by positions_of
};

/// A row of tokens as a batch holds it, what a mask hides of it, and which token is then changed.
struct MaskScene {
  std::uint64_t seed = 37;          ///< of the layer and its tokens; see mask_effect
  std::size_t tokens = 6;           ///< real ones
  std::size_t pads = 0;             ///< rows of zeros beside them
  bool pads_left = false;           ///< before the tokens, else after them
  std::size_t first_document = 0;   ///< tokens of the first of two documents; 0 for one document
  std::optional<std::size_t> asks =
      {}; ///< only the last so many rows are queries, as with a cache
  PositionSource positions = PositionSource::none;

  bool causal = false;
  std::optional<std::uint64_t> window = {};
  bool hides_padding = false;
  bool parts_documents = false;

  std::size_t changed = 0;  ///< the row that changes, counted from 1; 0 for none
  bool to_nan = false;      ///< its 16 numbers become NaN; else each grows by 1
};

/// One layer over the scene, before and after the change. n_q queries, n rows.
struct MaskedRun {
  Matrix<double> weights;           ///< [n_q, n]
  Matrix<double> output;            ///< [n_q, 4]
  std::vector<std::uint8_t> moved;  ///< [n_q] 1 where the change moved any number of the output
  std::vector<double> moved_by;     ///< [n_q] by how much at most; NaN where NaN came out
  std::size_t moved_rows = 0;       ///< rows that moved
  std::vector<double> padded_by;    ///< [n_q] largest difference from the tokens without padding
  double padded_most = 0;           ///< the largest of them
};

struct MaskEffect {
  std::size_t n_q, n;
  std::vector<std::int32_t> token;     ///< [n] which token a row is, from 0; -1 for padding
  std::vector<std::int32_t> position;  ///< [n] the position that was added, or would be
  Matrix<std::uint8_t> allowed;        ///< [n_q, n] what the mask lets pass
  std::vector<std::int32_t> seen;      ///< [n_q] keys that are left to each query
  MaskedRun open;                      ///< without any mask
  MaskedRun masked;                    ///< with the scene's masks
  bool first_is_its_value = false;     ///< masked output row 0 is the value of row 0, bit by bit
};

/// What a mask does to one layer of attention: the lab's, d_model 16, d_k 8, d_v 4. From one stream of normal numbers
/// come the first six tokens [6, 16], W_Q [16, 8], W_K [16, 8], W_V [16, 4] times 1/4, and only then further tokens, so
/// that six tokens are those of the figures mask.pad and mask.lasttoken; the positions [n, 16] are of seed + 1.
/// "The tokens without padding" are the same tokens under the same masks, alone in their row.
/// Errors: out_of_range and too_large for "tokens" outside 1 to 64, "pads" and "first_document" above 64, "asks" above the
/// rows or 0, "changed" above the rows; those of check_mask for the window.
/// Promise: rows are compared number by number, not within a tolerance: moved is 0 only where nothing at all changed.
Expected<MaskEffect> mask_effect(const MaskScene& scene);

}  // namespace attn

#pragma once

// The answers to n^2 in a whole model, against the length of the text.

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/error.hpp"
#include "core/matrix.hpp"
#include "efficient/answer_costs.hpp"

namespace attn {

/// Rows of AnswerCurves: the six of Answer, in its order, and the hybrid.
inline constexpr std::size_t answer_rows = 7;
inline constexpr std::size_t max_curve_lengths = 256;

struct CurveOptions {
  AnswerSizes sizes = {};       ///< of one layer; n is not read
  std::uint64_t n_layers = 32;
  std::uint64_t full_every =
      4;  ///< of so many layers of the hybrid one is full, the others linear; rounded down, at least 1
};

struct AnswerCurves {
  Matrix<double>
      layer_flops;  ///< [answer_rows, lengths] operations for the whole text; of the hybrid the mean of its layers
  Matrix<double> step_flops;  ///< [answer_rows, lengths] operations of the next token, likewise
  Matrix<double> state_bytes;  ///< [answer_rows, lengths] that all layers keep after the text
  /// [answer_rows] the state after the longest text, in tokens whose keys and values full attention would keep with as many
  /// bytes; what grows with the text has its length here.
  Vector<double> state_tokens;
  std::uint64_t full_layers;  ///< of the hybrid
};

/// answer_costs for each of `lengths` and each answer, in a model of n_layers.
/// Errors: those of answer_costs; out_of_range and too_large naming "lengths" for how many there are, "lengths[k]",
/// "n_layers" and "full_every".
/// Promise: the bytes of full attention are those of the KV cache: 2 n_layers n_kv_heads d n bytes_per_number.
Expected<AnswerCurves> answer_curves(const CurveOptions& options,
                                     std::span<const std::int32_t> lengths);

}  // namespace attn

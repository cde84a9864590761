#pragma once

// Who sees whom under each answer to n^2, and what is left of the one who is seen.

#include <cstddef>
#include <cstdint>

#include "core/error.hpp"
#include "core/matrix.hpp"
#include "efficient/answer_costs.hpp"

namespace attn {

inline constexpr std::size_t max_pattern_tokens = 512;

struct PatternOptions {
  std::size_t n = 64;  ///< up to max_pattern_tokens
  std::size_t window = 16, sinks = 0;
  std::size_t block = 4, top_k = 4;
  double gate = 0.95;      ///< of gated_linear, the same for each token
  std::size_t state = 16;  ///< numbers of a channel of selective_state
  std::uint64_t seed =
      1;  ///< of the queries and keys that choose blocks, and of the steps of a selective state
};

struct AnswerPattern {
  /// [n, n] from 0 to 1: what is left of token j where token i asks. 1 is the token itself, 0 nothing of it.
  Matrix<double> left;
  Vector<std::int32_t> seen;  ///< [n] tokens of which something is left, of each row
  std::uint64_t pairs;  ///< the sum of that
};

/// Softmax attention sees a token whole or not at all: `full`, `window` with its sinks, and `block_sparse`, whose blocks are
/// those that drawn queries and keys of 16 numbers choose (block_sparse_attention). A state holds all of them mixed:
/// `linear` fades nothing, `gated_linear` leaves gate^(i - j), and `selective_state` the mean over its numbers of
/// e^(A (delta_(j+1) + ... + delta_i)), with A = -1, ..., -state and delta = e^(z - 4) for a drawn z, so that a
/// few tokens move it much and most little.
/// Errors: out_of_range or too_large naming "n", "window", "sinks", "block", "top_k", "gate" or "state".
/// Promise: lower triangular with ones on its diagonal.
Expected<AnswerPattern> answer_pattern(Answer answer, const PatternOptions& options);

}  // namespace attn

#pragma once

// Exact recall at a distance: what each answer to n^2 still knows of pairs that it has read.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/error.hpp"
#include "core/matrix.hpp"

namespace attn {

enum class RecallAnswer : std::uint8_t {
  full,          ///< one layer of softmax attention
  window,  ///< the numbers of `full`, and only the last tokens to see, and `sinks` at the start
  block_sparse,  ///< the numbers of `full`, and `top_k` blocks to see, chosen by their mean keys
  linear,
  gated_linear,
  selective_state,
  hybrid,  ///< a linear layer and a full one, whose answers are added
};

inline constexpr std::size_t max_recall_tokens = 1024;
inline constexpr std::size_t max_recall_texts = 256;
inline constexpr std::size_t max_recall_counts = 64;
inline constexpr std::size_t max_recall_bins = 64;

struct RecallOptions {
  std::size_t n = 128;  ///< tokens of a text, up to max_recall_tokens
  std::size_t state =
      16;  ///< 8, 16 or 32 columns, each of 16 numbers; of linear, gated_linear, selective_state alone
  std::size_t window = 32, sinks = 0;
  std::size_t block = 8, top_k = 4;
  std::size_t texts = 16;  ///< drawn for each number of pairs, up to max_recall_texts
  std::uint64_t seed = 1;  ///< of the texts
  std::size_t bins = 8;  ///< of equal distance, up to max_recall_bins
};

/// One entry or row for each number of pairs that was asked for.
struct Recall {
  std::vector<std::int32_t> asked;  ///< questions: texts x pairs
  std::vector<std::int32_t> right;
  Vector<double> accuracy;  ///< right / asked
  Matrix<std::int32_t> bin_asked;  ///< [counts, bins] by the distance of the pair: see below
  Matrix<std::int32_t> bin_right;  ///< [counts, bins]
  Matrix<double> bin_accuracy;  ///< [counts, bins] their ratio; 0 where nothing was asked
  std::uint64_t kept_numbers;  ///< that the answer keeps after n tokens, all its layers
};

/// How many of the pairs of a text of n tokens an answer gives back. The models are small ones of ours, trained in advance
/// (training/recall_training.hpp) on texts like these: `pairs[k]` tokens each say a key and its value (recall_text.hpp), the
/// others nothing, and after the last token every key is asked for. Associative recall as in Arora et al. (2023,
/// section 3), with key and value in one token. Guessing is right once in 32. The same texts for every answer.
/// Bin b holds the pairs that stand from b n / bins to (b + 1) n / bins tokens before the end.
/// Errors: out_of_range or too_large naming "n", "window", "sinks", "block", "top_k", "texts", "bins", "pairs" for how many counts
/// there are and "pairs[k]" for one outside 1 to min(n, 64); out_of_range naming "state" for one that no model was trained
/// with.
/// Promise: the same options give the same counts on every machine, but for ties that the last digits of exponentials
/// decide; a window or top_k that covers the text gives what `full` does.
Expected<Recall> measure_recall(RecallAnswer answer, const RecallOptions& options,
                                std::span<const std::int32_t> pairs);

}  // namespace attn

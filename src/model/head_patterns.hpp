#pragma once

// What is read off the maps of all heads of a model over one text. Layers, heads and tokens are counted from 0.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/error.hpp"
#include "core/matrix.hpp"

namespace attn {

/// Tokens, and layers or heads of a layer, of a reading: maps are looked at one by one, and shown as squares.
inline constexpr std::size_t max_reading_tokens = 256;
inline constexpr std::size_t max_reading_heads = 256;
/// Shuffles against which a pattern is held.
inline constexpr std::size_t max_shuffles = 1000;

/// The weights of a causal model's heads over a text of n tokens.
struct HeadMaps {
  std::uint64_t n_layers = 0, n_heads = 0, n = 0;
  /// [n_layers, n_heads, n, n] Rows are queries; a key after its query weighs 0.
  std::span<const float> weights = {};

  std::span<const float> map(std::size_t head) const {
    return weights.subspan(head * static_cast<std::size_t>(n * n), static_cast<std::size_t>(n * n));
  }
};

/// Errors: out_of_range and too_large naming "n_layers", "n_heads" or "n"; shape_mismatch, not_finite and out_of_range
/// naming "weights" (outside 0 to 1, or above 0 for a key after its query).
Expected<void> check_maps(const HeadMaps& maps);

/// What a head's rows are held against. Each row has target keys; the head's score is the weight on them, summed within
/// a row and averaged over the rows that have any.
///
///   previous   The token before. Rows from token 1 on.
///   first      The first token, on which idle heads rest (Xiao et al. 2023, arXiv:2309.17453). Rows from token 1 on.
///   induction  The tokens that followed earlier occurrences of this same token, itself left out (prefix matching, Olsson
///              et al. 2022). Rows whose token occurred before; a text without a repetition has none.
enum class HeadPattern : std::uint8_t { previous, first, induction };

inline constexpr std::array<std::string_view, 3> head_pattern_names = {"previous", "first",
                                                                       "induction"};

struct PatternSearch {
  Tensor3<double> scores;  ///< [3, n_layers, n_heads] 0 where the text has no row for the pattern.
  Vector<std::int32_t> rows;  ///< [3] Rows that count.
  /// [3] The best score that any head has in any shuffle, and the best of a shuffle on average.
  Vector<double> shuffled_best, shuffled_mean;
  Tensor3<std::uint8_t> above;  ///< [3, n_layers, n_heads] 1 where a score is above shuffled_best.
  Vector<std::int32_t> above_count;  ///< [3]
  /// [3, n_layers n_heads] Heads by score, highest first, equals as they stand; number layer n_heads + head.
  Matrix<std::int32_t> ranked;
};

struct ShuffleOptions {
  std::uint64_t shuffles = 100;
  std::uint64_t seed = 1;
};

/// The scores of all heads for each pattern, and what luck gives: in each shuffle the keys that a row sees are permuted
/// (Fisher and Yates; the bits are those of SplitMix64(seed), one stream for all), in all heads alike, and the best
/// score over all heads is kept. A pattern that a head does not have is found as well there: with hundreds of heads some
/// score is high by chance, and the maximum over heads is what a search has to beat (Nichols and Holmes 2002,
/// doi:10.1002/hbm.1058). A score above all of m shuffles has a chance of at most 1 in m + 1 where order means nothing.
/// ids [n]: equal ids are the same token.
/// Errors: those of check_maps; shape_mismatch ("ids"); out_of_range and too_large ("shuffles").
/// Promise: the same on every machine but for the last digits of the sums.
Expected<PatternSearch> find_patterns(const HeadMaps& maps, std::span<const std::int32_t> ids,
                                      const ShuffleOptions& options);

/// The same search for pairs of a query and its key that are named rather than found, by a relation of their words: all
/// arrays have 1 in place of 3. Whoever looks at the maps before naming the pairs gets more than luck gives; the shuffles
/// allow for the number of heads alone.
/// pairs [p, 2]: query and key, ordered by query and then by key, each once; a key not after its query.
/// Errors: those of check_maps; shape_mismatch and out_of_range ("pairs"); out_of_range and too_large ("shuffles").
Expected<PatternSearch> find_pairs(const HeadMaps& maps, std::span<const std::int32_t> pairs,
                                   const ShuffleOptions& options);

struct FirstTokenShare {
  Vector<double>
      by_layer;  ///< [n_layers] The mean over heads and rows of the weight on the first token.
  double mean = 0;  ///< Over the layers.
  /// The same mean if every row shared equally among the tokens that it sees: with all rows H_n / n, the harmonic number.
  double equal_share = 0;
};

/// Rows from token `first_row` on; row 0 has no choice but the first token.
/// Errors: those of check_maps; out_of_range and too_large ("first_row", at most n - 1).
Expected<FirstTokenShare> first_token_share(const HeadMaps& maps, std::uint64_t first_row);

}  // namespace attn

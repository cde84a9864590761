#pragma once

// What a layer of attention learns of the order of its words, under five schemes of position.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/error.hpp"
#include "core/matrix.hpp"

namespace attn {

enum class PositionScheme : std::uint8_t {
  sinusoidal,  ///< added to the words; see sinusoidal_positions
  learned,     ///< a table added to the words, here as random as before training
  alibi,       ///< scores lowered by slope x distance; see alibi_slopes
  rope,        ///< queries and keys turned; see rotary.hpp. Interleaved pairs, base 10000.
  none,
};

inline constexpr std::array position_schemes = {PositionScheme::sinusoidal, PositionScheme::learned,
                                                PositionScheme::alibi, PositionScheme::rope,
                                                PositionScheme::none};

/// The layer of this lecture's lab.
struct SchemeSizes {
  static constexpr std::size_t d_model = 16, d_k = 8, d_v = 4;
  static constexpr std::size_t n_positions = 512;  ///< rows of the learned table
  static constexpr std::size_t alibi_heads = 8;
  static constexpr std::size_t most_words = 7;
};

struct OrderOptions {
  /// Which of the n! orders, counted as in a dictionary: 0 leaves the words, the last reverses them. After the last the
  /// count begins again.
  std::uint64_t arrangement = 0;
  std::uint64_t seed = 37;
  bool causal = false;  ///< whether a word sees itself and those before it alone
  std::size_t alibi_head = 1;  ///< of 8: whose slope
  std::size_t query_at = 48;  ///< position of the query whose scores are told
  std::size_t reach = 48;  ///< how far back they are told
};

/// Rows are schemes, in the order of position_schemes.
struct OrderSeen {
  std::uint64_t arrangement, last_arrangement;
  std::vector<std::int32_t> order;  ///< [n] which word stands at each place
  std::vector<std::int32_t> swaps;  ///< [n - 1] the arrangement with places i and i + 1 exchanged
  /// [5, n] By how much the output of the word now at a place differs from its output before, in the component that
  /// differs most.
  Matrix<double> change_of_word;
  std::vector<double> change;  ///< [5] the largest of them, max |attn(PX) - P attn(X)|
  std::vector<std::uint8_t> notices;  ///< [5] 1 where that is more than rounding, 1e-9
  double slope;  ///< ALiBi's
  /// [5, reach + 1] The score that enters the softmax when the first word of the sentence stands everywhere: the query
  /// at query_at against the key so many places before it. `start` has the query at `reach`.
  Matrix<double> scores, start_scores;
  std::vector<double> moved;  ///< [5] max |scores - start_scores|
  std::vector<std::uint8_t> moves;  ///< [5] 1 where that is more than rounding
};

/// One layer of unmasked or causal attention over n words, given by which are the same: ids [n], each below n. Row id of
/// X [n, 16], then W_Q [16, 8], W_K [16, 8], W_V [16, 4] and the learned table [512, 16] are the numbers of
/// Normals(seed), row by row, the three W divided by 4. Softmax of the scores over sqrt(8), ALiBi's share subtracted
/// after the division; without a mask its distance is |i - j|.
/// Errors: out_of_range and too_large for n outside 2 to 7 (naming "ids"), ids[i] outside 0 to n - 1, alibi_head
/// outside 1 to 8, query_at beyond the table or before `reach`.
/// Promise: without positions and without a mask the outputs are those before, in the new order, up to rounding.
Expected<OrderSeen> order_seen(std::span<const std::int32_t> ids, const OrderOptions& options);

}  // namespace attn

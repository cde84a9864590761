#pragma once

// The texts of the recall task: pairs of a key and a value among words that mean nothing.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/random.hpp"

namespace attn {

inline constexpr std::size_t recall_keys = 64;
inline constexpr std::size_t recall_values = 32;
inline constexpr std::size_t recall_fillers = 8;

/// One token says a key and its value together, as in Schlag, Irie and Schmidhuber (2021, section 6.1.1): what is asked
/// of a layer is to keep pairs, not to find out which words belong together.
struct RecallText {
  std::vector<std::uint8_t> keys;  ///< [n] the key, or recall_keys + the number of a filler
  std::vector<std::uint8_t> values;  ///< [n] the value, or recall_values + the number of a filler
  std::vector<std::size_t> places;  ///< [pairs] where the pairs stand, from the first on
};

/// A text of n tokens with `pairs` pairs at places drawn evenly, of different keys and any values; fillers elsewhere.
/// 1 <= pairs <= min(n, recall_keys): whoever asks checks it.
/// Promise: the same state of `bits` gives the same text on every machine.
RecallText draw_recall_text(SplitMix64& bits, std::size_t n, std::size_t pairs);

}  // namespace attn

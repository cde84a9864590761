#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace attn {

/// What a text consists of. Bytes that are no UTF-8 count as the characters that a decoder writes for them.
struct TextMeasure {
  std::uint64_t bytes;
  std::uint64_t characters;  ///< Code points.
  std::uint64_t utf16_units;  ///< The length of the text as a JavaScript string.
  std::uint64_t words;  ///< Runs without white space (the Unicode property White_Space).
};

TextMeasure measure(std::string_view text);

/// What a text costs in tokens.
struct TokenCost {
  double tokens_per_word;  ///< 0 where there is no word.
  double bytes_per_token;  ///< 0 where there is no token.
};

TokenCost token_cost(const TextMeasure& measure, std::uint64_t tokens);

/// Ids as a short table of pieces numbers them: the place of each piece in `list`, the first one where it
/// stands twice, or no_token (vocabulary.hpp) where it does not stand.
std::vector<std::uint32_t> ids_in_list(std::span<const std::string_view> pieces,
                                       std::span<const std::string_view> list);

}  // namespace attn

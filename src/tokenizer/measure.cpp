#include "tokenizer/measure.hpp"

#include <algorithm>

#include "core/utf8.hpp"
#include "tokenizer/unicode/categories.hpp"
#include "tokenizer/vocabulary.hpp"

namespace attn {

TextMeasure measure(std::string_view text) {
  TextMeasure all{.bytes = text.size(), .characters = 0, .utf16_units = 0, .words = 0};
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  bool in_word = false;
  for (std::size_t at = 0; at < text.size();) {
    const utf8::Step step = utf8::step(bytes, text.size(), at);
    at += step.length;
    ++all.characters;
    all.utf16_units += utf8::utf16_length(step.code_point);
    const bool is_space = (unicode::class_of(step.code_point) & unicode::space) != 0;
    if (!is_space && !in_word) ++all.words;
    in_word = !is_space;
  }
  return all;
}

TokenCost token_cost(const TextMeasure& measure, std::uint64_t tokens) {
  const auto ratio = [](std::uint64_t a, std::uint64_t b) {
    return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b);
  };
  return {.tokens_per_word = ratio(tokens, measure.words),
          .bytes_per_token = ratio(measure.bytes, tokens)};
}

std::vector<std::uint32_t> ids_in_list(std::span<const std::string_view> pieces,
                                       std::span<const std::string_view> list) {
  std::vector<std::uint32_t> ids;
  ids.reserve(pieces.size());
  for (const std::string_view piece : pieces) {
    const auto found = std::find(list.begin(), list.end(), piece);
    ids.push_back(found == list.end() ? no_token
                                      : static_cast<std::uint32_t>(found - list.begin()));
  }
  return ids;
}

}  // namespace attn

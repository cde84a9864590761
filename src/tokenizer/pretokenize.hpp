#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/error.hpp"

namespace attn {

/// How a text is cut into words before merges apply: no merge crosses the end of a word.
enum class Pretokenizer : std::uint8_t {
  none,    ///< The whole text is one word.
  gpt2,    ///< GPT-2's, also r50k and p50k.
  cl100k,  ///< GPT-3.5's and GPT-4's.
  o200k,   ///< GPT-4o's.
  smollm,  ///< SmolLM's: GPT-2's between digits, each of which is a word of its own.
};

inline constexpr std::array pretokenizers = {Pretokenizer::none, Pretokenizer::gpt2,
                                             Pretokenizer::cl100k, Pretokenizer::o200k,
                                             Pretokenizer::smollm};

/// "none", "gpt2", "cl100k", "o200k", "smollm".
std::string_view name(Pretokenizer kind);

/// Errors: bad_argument, naming `pretokenizer`, for a name that is none of the five.
Expected<Pretokenizer> pretokenizer_named(std::string_view name);

/// The regular expression, in the spelling of tiktoken's files, that the kind does by hand; empty for
/// `none`. SmolLM's tokenizer.json says it in two steps, Digits and then ByteLevel, of which this is the sum: white
/// space before a digit is at the end of its piece, and keeps its last character. Categories are those of Unicode 16, \s is White_Space, and a letter without its case
/// (?i:'s) is also U+017F, the long s.
std::string_view pattern(Pretokenizer kind);

/// A word, as bytes of the text [begin, end).
struct Word {
  std::size_t begin;
  std::size_t end;
  friend bool operator==(const Word&, const Word&) = default;
};

/// The words of `text` from first to last: they cover every byte, and none is empty. Bytes that are no
/// UTF-8 count as symbols, as U+FFFD does, so that the cuts are those of the repaired text; the bytes
/// themselves stay. A lone surrogate of a JavaScript string has no UTF-8: the caller writes U+FFFD.
/// Time and memory are linear in the text.
std::vector<Word> pretokenize(Pretokenizer kind, std::string_view text);

}  // namespace attn

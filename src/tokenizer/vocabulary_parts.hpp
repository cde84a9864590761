#pragma once

// What files that write tokens and merges as texts say, and the vocabulary that it makes.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "tokenizer/vocabulary.hpp"

namespace attn {

/// Bytes of one token. The longest in use has 162.
inline constexpr std::size_t max_token_length = 256;

struct VocabularyParts {
  struct Token {
    std::string text;
    std::uint32_t id;
    /// Where it stands, in whatever way the reader counts.
    std::size_t at;
  };
  struct Pair {
    std::string left, right;
    std::size_t at;
  };

  std::vector<Token> tokens, special;
  /// By rank.
  std::vector<Pair> merges;
  Pretokenizer pretokenizer = Pretokenizer::none;
  /// Of bytes, written in GPT-2's letters; else of characters.
  bool over_bytes = true;
  bool whole_words = false;
  /// Whether some of the 256 bytes may be without a token: they become none (no_token).
  bool may_lack_bytes = false;
  /// Where the vocabulary begins.
  std::size_t begin = 0;
};

enum class VocabularyPart : std::uint8_t { tokens, special, merges };

/// How a reader says it: an error about what stands at a place of a part, and a place within a sentence ("line 3").
struct PartsWords {
  std::function<std::unexpected<Error>(VocabularyPart part, std::size_t at,
                                       const std::string& what)>
      refuse;
  std::function<std::string(std::size_t at)> place;
};

/// Errors: bad_argument as `words` makes them: an id or a token that stands twice, ids from max_vocab_size on, tokens
/// without bytes or longer than max_token_length, other letters than GPT-2's, a byte without a token, a merge whose
/// tokens there are not or that stands twice.
Expected<Vocabulary> vocabulary_of_parts(VocabularyParts parts, const PartsWords& words);

}  // namespace attn

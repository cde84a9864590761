#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "tokenizer/pretokenize.hpp"

namespace attn {

/// Where no token is: a character that a character-level vocabulary does not know.
inline constexpr std::uint32_t no_token = 0xFFFFFFFF;

/// Ids are below this, and ranks below twice this. The largest vocabulary in use has a quarter of a million.
inline constexpr std::uint32_t max_vocab_size = 1U << 21;

/// What a word is split into before the first merge.
enum class Alphabet : std::uint8_t {
  bytes,  ///< Its 256 possible bytes: every text can be encoded.
  characters,  ///< Its characters (code points): only those of the training text have a token.
};

/// Joins `left` and `right`, wherever they stand side by side, into `result`; the lowest rank goes first.
struct Merge {
  std::uint32_t left;
  std::uint32_t right;
  std::uint32_t result;
  std::uint32_t rank;
  friend bool operator==(const Merge&, const Merge&) = default;
};

struct SpecialToken {
  std::string text;
  std::uint32_t id;
  friend bool operator==(const SpecialToken&, const SpecialToken&) = default;
};

/// Tokens, their bytes and the merges between them. Every way to get one (below, in files.hpp and from
/// a Trainer) checks it whole, so that what exists is consistent.
class Vocabulary {
 public:
  Alphabet alphabet = Alphabet::bytes;
  Pretokenizer pretokenizer = Pretokenizer::none;
  /// A word that is itself a token becomes it, whatever the merges say.
  bool whole_words = false;
  std::vector<Merge> merges;  ///< By rank, ascending.
  std::vector<SpecialToken> special_tokens;
  /// The ids of single bytes or characters, in the order in which they were given.
  std::vector<std::uint32_t> base;

  /// One more than the largest id, special tokens included.
  std::uint32_t size() const { return static_cast<std::uint32_t>(offsets_.size() - 1); }
  /// The bytes of a token; empty for an id between others that no token has.
  std::string_view bytes(std::uint32_t id) const {
    return std::string_view(bytes_).substr(offsets_[id], offsets_[id + 1] - offsets_[id]);
  }
  std::size_t byte_count() const { return bytes_.size(); }

  /// Sets the bytes of all ids at once; `tokens[id]` may be empty. Special tokens are put in as text.
  void set_tokens(std::span<const std::string_view> tokens);

 private:
  std::string bytes_;
  std::vector<std::uint32_t> offsets_ = {0};
};

/// A vocabulary of byte strings in order of rank, as .tiktoken files list them: of the pairs in a word, the
/// one that makes the token with the lowest id is merged first. `tokens[id]` holds its bytes, empty where `id` is not in
/// use. Each token that two earlier ones make when all merges before it are done gets that one pair,
/// which gives the same ids as trying all pairs, because a trained vocabulary never meets another; a
/// vocabulary with a token that is not made so gets all pairs, and whole words become their token.
/// Errors: bad_argument, naming `vocabulary`, when one of the 256 bytes has no token, when two tokens are
/// equal, or when a special token's id is taken.
Expected<Vocabulary> vocabulary_from_ranks(std::span<const std::string_view> tokens,
                                           Pretokenizer pretokenizer,
                                           std::vector<SpecialToken> special_tokens);

/// The order of single bytes in GPT-2's vocabulary: 33-126, 161-172, 174-255, then the rest ascending.
const std::uint8_t* gpt2_byte_order();

/// What an error of a vocabulary calls a token: its text where it is short and readable, else its bytes.
std::string quoted(std::string_view bytes);

}  // namespace attn

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "tokenizer/vocabulary.hpp"

namespace attn {

/// Text of one call: sizes and offsets fit 32 bits with room to spare.
inline constexpr std::size_t max_text_bytes = std::size_t{1} << 30;

struct EncodeOptions {
  /// Whether text that spells a special token, such as <|endoftext|>, becomes that token's id. By
  /// default it is text like any other, because text comes from people.
  bool special_ids = false;
};

/// Where each token lies in the text. A token may begin or end inside a character: its offsets in
/// UTF-16 take in the whole of every character that it touches, so neighbours may overlap there, while its
/// offsets in bytes never do.
struct TokenOffsets {
  std::vector<std::uint32_t> byte_begin;
  std::vector<std::uint32_t> byte_end;
  std::vector<std::uint32_t> utf16_begin;
  std::vector<std::uint32_t> utf16_end;
};

/// One merge of a replay, wherever it applies at that moment.
struct ReplayStep {
  static constexpr std::uint32_t whole_word = 0xFFFFFFFF;
  std::uint32_t rank;  ///< `whole_word` where no merge led there: see Vocabulary::whole_words.
  std::uint32_t left;
  std::uint32_t right;
  std::uint32_t result;
  std::vector<std::uint32_t> places;  ///< Bytes of the text at which each merged `left` begins.
};

struct Replay {
  std::vector<Word> words;
  std::vector<std::uint32_t> start;  ///< The tokens before the first merge.
  std::vector<std::uint32_t> start_offset;  ///< The byte of the text at which each begins.
  std::vector<ReplayStep> steps;  ///< In the order of training: the lowest rank first.
  std::vector<std::uint32_t> ids;  ///< After the last step: what `encode` gives.
};

/// Encodes and decodes by one vocabulary. It remembers the words that it has met, so one object
/// must not be used by two threads at once.
class Tokenizer {
 public:
  /// Errors: bad_argument when the vocabulary names tokens or ranks that it cannot have.
  static Expected<Tokenizer> make(Vocabulary vocabulary);

  const Vocabulary& vocabulary() const;

  /// Room for the tokens of `bytes` of text, whatever the text.
  static std::size_t capacity(std::size_t bytes) { return bytes + 10; }

  /// Writes the ids of `text` to `out`, which has room for capacity(text.size()) of them, and gives their count.
  /// Byte-pair encoding (Sennrich et al. 2016, over bytes as in GPT-2): in each word the adjacent pair of
  /// the lowest rank is merged, leftmost first, until none is left. Any bytes are allowed, and
  /// decode(encode(text)) is text for every vocabulary of bytes. A character without a token, which
  /// only vocabularies of characters have, becomes no_token.
  /// Time n log n at worst, without recursion; memory: what `out` takes, and 48 bytes for each byte of
  /// the longest word above 64 bytes.
  /// Errors: too_large above max_text_bytes; out_of_memory when a long word needs more than there is.
  Expected<std::size_t> encode_into(std::string_view text, const EncodeOptions& options,
                                    std::span<std::uint32_t> out) const;

  /// The same as a vector of its own.
  Expected<std::vector<std::uint32_t>> encode(std::string_view text,
                                              const EncodeOptions& options = {}) const;

  /// The bytes of the tokens, one after another: not always UTF-8, because tokens cut characters.
  /// Errors: out_of_range, naming ids[i], for an id without a token.
  Expected<std::string> decode(std::span<const std::uint32_t> ids) const;

  /// Where each of the tokens that `encode` gave for `text` lies in it.
  /// Errors: out_of_range as in decode; shape_mismatch when the tokens do not spell the text.
  Expected<TokenOffsets> offsets(std::string_view text, std::span<const std::uint32_t> ids) const;

  /// How `text` becomes its tokens: all merges, each with its rank, what it joined and where. Special tokens
  /// are text here.
  /// Errors: too_large, out_of_memory: 60 bytes for each byte of the text.
  Expected<Replay> replay(std::string_view text) const;

 private:
  // Behind a pointer, because other tables point into it and must still do so after a move.
  struct Tables;
  struct Free {
    void operator()(Tables* tables) const;
  };
  explicit Tokenizer(Tables* tables) : tables_(tables) {}
  std::unique_ptr<Tables, Free> tables_;
};

/// Turns tokens into text as they come. Bytes at the end that may be the beginning of a character are held
/// until the rest comes; what can become no character any more is written as U+FFFD, one for each piece that
/// the WHATWG Encoding Standard replaces by one. What it writes, in all, is what a decoder of the joined
/// bytes would write.
class StreamDecoder {
 public:
  explicit StreamDecoder(const Tokenizer& tokenizer) : tokenizer_(&tokenizer) {}

  /// The text that is certain now. Errors as in Tokenizer::decode; nothing is taken in then.
  Expected<std::string> push(std::span<const std::uint32_t> ids);

  /// The text of what is still held, for the end of the tokens; then it starts anew.
  std::string finish();

  /// Bytes held, at most 3.
  std::string_view held() const { return held_; }

 private:
  const Tokenizer* tokenizer_;
  std::string held_;
};

}  // namespace attn

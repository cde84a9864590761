#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "tokenizer/pair_table.hpp"
#include "tokenizer/vocabulary.hpp"

namespace attn {

/// Which of the pairs with the same count is merged.
enum class TieRule : std::uint8_t {
  /// The pair whose merged bytes come first in the order of bytes; of equal ones, that with the shorter left
  /// token. Does not depend on the order of the text.
  lowest_bytes,
  /// The pair met first when the distinct words, in the order in which they first appear in the text, are
  /// read from left to right. Depends on the order of the text.
  first_seen,
};

inline constexpr std::array tie_rules = {TieRule::lowest_bytes, TieRule::first_seen};

/// "lowest-bytes", "first-seen".
std::string_view name(TieRule rule);

/// Errors: bad_argument, naming `tie`, for a name that is none of the two.
Expected<TieRule> tie_rule_named(std::string_view name);

struct TrainOptions {
  TieRule tie = TieRule::lowest_bytes;
  Alphabet alphabet = Alphabet::bytes;
  Pretokenizer pretokenizer = Pretokenizer::gpt2;
};

/// A pair that could be merged next.
struct Candidate {
  std::uint32_t left;
  std::uint32_t right;
  std::uint64_t count;  ///< How often it stands in the text, overlaps included.
};

/// A merge that was learnt.
struct TrainStep {
  std::uint32_t rank;  ///< 0 for the first.
  std::uint32_t left;
  std::uint32_t right;
  std::uint32_t result;
  std::uint64_t
      count;  ///< The count that chose it. In `aaa` the pair a, a counts twice, as everywhere.
  std::uint64_t replaced;  ///< How often it was then merged: in `aaa` once.
};

/// Byte-pair encoding learnt from a text (Sennrich et al. 2016): the most frequent pair of neighbours within a
/// word becomes a token, again and again. Counts are kept up to date at the places that a merge changes, and
/// the largest is found by a heap; each step gives what a recount of the whole text would give.
class Trainer {
 public:
  /// Splits `documents` into words, none of which crosses from one document to the next. Tokens 0 to 255 are the
  /// bytes, or, for an alphabet of characters, the text's distinct characters in the order of their code points.
  /// Time and memory are linear in the text.
  /// Errors: too_large, out_of_memory: 64 bytes for each character of each distinct word.
  static Expected<Trainer> make(std::span<const std::string_view> documents,
                                const TrainOptions& options = {});

  const TrainOptions& options() const { return options_; }
  const std::vector<TrainStep>& steps() const { return steps_; }
  std::uint32_t base_count() const { return base_count_; }
  std::uint32_t token_count() const { return static_cast<std::uint32_t>(tokens_.size()); }
  std::string_view bytes(std::uint32_t token) const { return tokens_[token]; }

  /// The merge that `step` would do; none when no pair is left.
  std::optional<Candidate> next();

  /// The pairs in the order in which they would be chosen now, at most `most` of them.
  std::vector<Candidate> candidates(std::size_t most);

  /// Learns one merge, or gives none when no word has two tokens any more.
  /// Errors: too_large when the tokens would take more bytes than max_token_bytes or be more than
  /// max_vocab_size.
  Expected<std::optional<TrainStep>> step();

  /// Learns up to `most` merges and gives the number learnt. Errors as in `step`.
  Expected<std::size_t> run(std::size_t most);

  std::size_t word_count() const { return words_.size(); }
  std::uint64_t frequency(std::size_t word) const { return words_[word].frequency; }
  /// The tokens of a distinct word after the merges so far.
  std::vector<std::uint32_t> pieces(std::size_t word) const;

  /// What was learnt so far, to encode with or to save.
  Vocabulary vocabulary() const;

  static constexpr std::size_t max_token_bytes = std::size_t{1} << 27;

 private:
  struct DistinctWord {
    std::uint32_t begin;  ///< Its first place.
    std::uint64_t frequency;
  };
  /// A token in a word; the places of all words follow one another.
  struct Place {
    std::uint32_t token;  ///< no_token: merged into an earlier place.
    std::uint32_t next;  ///< no_token at the end of its word.
    std::uint32_t previous;
    std::uint32_t word;
  };
  struct Pair {
    std::uint32_t left;
    std::uint32_t right;
    std::uint64_t count;
    std::size_t first;  ///< Into `places`: all before it are out of date.
    std::vector<std::uint32_t> places;  ///< Where it stood when it was found, ascending.
  };
  struct Entry {
    std::uint64_t count;
    std::uint32_t pair;
    std::uint32_t place;  ///< Its first place, for the rule first_seen.
  };

  explicit Trainer(const TrainOptions& options) : options_(options) {}
  std::uint32_t pair_of(std::uint32_t left, std::uint32_t right);
  void add(std::uint32_t left_place, std::vector<std::uint32_t>* fresh);
  void take_away(std::uint32_t left_place);
  bool stands(const Pair& pair, std::uint32_t place) const;
  Entry entry_of(std::uint32_t pair);
  void push(std::uint32_t pair);
  /// Whether `a` is chosen before `b`.
  bool before(const Entry& a, const Entry& b) const;
  /// Makes the first entry of the heap one that is up to date; false when there is none.
  bool settle();

  TrainOptions options_;
  std::uint32_t base_count_ = 0;
  std::vector<std::string> tokens_;
  std::vector<DistinctWord> words_;
  std::vector<Place> places_;
  std::vector<Pair> pairs_;
  PairTable pair_ids_;
  std::vector<Entry> heap_;
  std::vector<TrainStep> steps_;
  std::size_t token_bytes_ = 0;
};

}  // namespace attn

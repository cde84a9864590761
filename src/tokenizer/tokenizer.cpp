#include "tokenizer/tokenizer.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

#include "core/limits.hpp"
#include "core/utf8.hpp"
#include "tokenizer/merge_queue.hpp"
#include "tokenizer/pair_table.hpp"
#include "tokenizer/scanner.hpp"

namespace attn {
namespace {

// What the time of a word that was met before is made of, measured on words of English, Russian and Japanese:
// - to find its end; a branch for each letter cost a third of all in English (plain_word_end in scanner.hpp has none);
// - one line of WordCache. Entries of 48 bytes with seven tokens lost against it: Russian words of 14 to 16 bytes and
//   runs of spaces have more, and were merged each time;
// - or a few of WordStore. In a table of 196 bytes a word, with two places for each, a third of the words of a
//   megabyte of Russian and Japanese were merged anew in each round.
// A new word is merged, and begin_word does half of that from a table of pairs of bytes. Without it, words up to 128
// bytes merged in place took as long as with the queue.

// In bytes where tokens are on the stack, in tokens where they are merged in place.
constexpr std::size_t short_word = 64;
constexpr std::size_t small_vocabulary = 4096;  // In merges.
static_assert(no_token == PairTable::none && no_token == BytesTable::none);

/// Ranks of pairs, packed so that a slot is 8 bytes and a look-up touches one cache line: 21 bits a token, 22
/// bits for the rank and 1. It is written once, so that the slots are at most half full.
class RankTable {
 public:
  explicit RankTable(std::span<const Merge> merges)
      : shift_(64 - static_cast<int>(std::bit_width(2 * merges.size() + 15))),
        mask_((std::size_t{1} << (64 - shift_)) - 1),
        slots_(mask_ + 1) {
    for (const Merge& merge : merges) {
      const std::uint64_t key = std::uint64_t{merge.left} << 21 | merge.right;
      std::size_t at = place(key);
      while (slots_[at] != 0 && slots_[at] >> 22 != key) at = (at + 1) & mask_;
      // The first of equal pairs has the lowest rank.
      if (slots_[at] == 0) slots_[at] = key << 22 | (merge.rank + 1);
    }
  }

  std::uint32_t find(std::uint32_t left, std::uint32_t right) const {
    const std::uint64_t key = std::uint64_t{left} << 21 | right;
    for (std::size_t at = place(key);; at = (at + 1) & mask_) {
      const std::uint64_t slot = slots_[at];
      if (slot >> 22 == key && slot != 0) return static_cast<std::uint32_t>(slot & 0x3FFFFF) - 1;
      if (slot == 0) return no_token;
    }
  }

 private:
  std::size_t place(std::uint64_t key) const {
    return static_cast<std::size_t>((key * 0x9E3779B97F4A7C15U) >> shift_);
  }
  int shift_;
  std::size_t mask_;
  std::vector<std::uint64_t> slots_;
};

/// Words of at most 16 bytes that were met before, with their tokens when there are at most eleven. Each word
/// has one place, a cache line, and takes it from whoever has it.
class WordCache {
 public:
  struct Key {
    std::uint64_t low;
    std::uint64_t high;
  };
  static constexpr std::size_t most_tokens = 11;
  struct alignas(64) Entry {
    Key key{};
    std::uint32_t tokens[most_tokens]{};
    std::uint8_t length = 0;  ///< Bytes of the word: 0 where there is none.
    std::uint8_t count = 0;
  };
  static constexpr std::size_t longest = 16;

  /// A vocabulary of a few merges is made anew at each step of a lesson, and clearing 4 MiB would take longer
  /// than all the rest; it gets a small cache.
  explicit WordCache(std::size_t merges)
      : bits_(merges < small_vocabulary ? 8 : 16), entries_(std::size_t{1} << bits_) {}

  Entry& entry(const Key& key, std::size_t length) {
    const std::uint64_t mixed =
        (key.low ^ std::rotl(key.high, 23) * 0xC2B2AE3D27D4EB4FU ^ length) * 0x9E3779B97F4A7C15U;
    return entries_[static_cast<std::size_t>(mixed >> (64 - bits_))];
  }

 private:
  int bits_;
  std::vector<Entry> entries_;
};

/// Longer words that were met before, as they are usual in Cyrillic and in kana, and those of many tokens. One after
/// another as they come, each as long as it is: then most are two cache lines, and all of a long text stay. When there
/// is no room left it begins anew. It is made when the first such word comes.
class WordStore {
 public:
  static constexpr std::size_t longest = 255;

  explicit WordStore(std::size_t merges) : bits_(merges < small_vocabulary ? 7 : 15) {}

  struct Place {
    std::uint32_t* slot;  ///< Null when there is no memory for any.
    std::uint32_t mark;
  };

  /// The tokens of a word of 8 to `longest` bytes, or none and where they may be put.
  std::span<const std::uint32_t> find(const unsigned char* bytes, std::size_t length,
                                      Place& place) {
    if (slots_ == nullptr && !make()) {
      place = {nullptr, 0};
      return {};
    }
    const std::uint64_t hash = hash_of(bytes, length);
    const auto mark = static_cast<std::uint32_t>(hash);
    const std::size_t mask = (std::size_t{1} << bits_) - 1;
    auto at = static_cast<std::size_t>(hash >> (64 - bits_));
    for (; slots_[2 * at + 1] != 0; at = (at + 1) & mask) {
      if (slots_[2 * at] != mark) continue;
      const std::uint32_t* record = &records_[slots_[2 * at + 1]];
      if ((record[0] & 0xFF) != length) continue;
      const auto* word = reinterpret_cast<const unsigned char*>(record + 1);
      if (same(word, bytes, length)) return {record + 1 + words_for(length), record[0] >> 8};
    }
    if (used_ + most_words > room() || count_ == mask / 4 * 3) {
      clear();
      at = static_cast<std::size_t>(hash >> (64 - bits_));
    }
    place = {&slots_[2 * at], mark};
    return {};
  }

  void put(const Place& place, const unsigned char* bytes, std::size_t length,
           std::span<const std::uint32_t> tokens) {
    place.slot[0] = place.mark;
    place.slot[1] = used_;
    std::uint32_t* record = &records_[used_];
    record[0] = static_cast<std::uint32_t>(tokens.size() << 8 | length);
    std::memcpy(record + 1, bytes, length);
    std::copy(tokens.begin(), tokens.end(), record + 1 + words_for(length));
    used_ += static_cast<std::uint32_t>(1 + words_for(length) + tokens.size());
    ++count_;
  }

 private:
  /// A word has at most as many tokens as bytes; whoever copies tokens by fours reads three behind them.
  static constexpr std::size_t most_words = 1 + (longest + 3) / 4 + longest + 3;
  static std::size_t words_for(std::size_t length) { return (length + 3) / 4; }
  std::size_t room() const { return std::size_t{16} << bits_; }

  static std::uint64_t part(const unsigned char* bytes) {
    std::uint64_t value;
    std::memcpy(&value, bytes, 8);
    return value;
  }
  /// memcmp of WebAssembly's C library goes byte by byte.
  static bool same(const unsigned char* a, const unsigned char* b, std::size_t length) {
    std::uint64_t different = part(a + length - 8) ^ part(b + length - 8);
    for (std::size_t at = 0; at + 8 < length; at += 8) different |= part(a + at) ^ part(b + at);
    return different == 0;
  }
  static std::uint64_t mix(std::uint64_t state, std::uint64_t value) {
    state = (state ^ value) * 0x9E3779B97F4A7C15U;
    return state ^ state >> 32;
  }
  static std::uint64_t hash_of(const unsigned char* bytes, std::size_t length) {
    std::uint64_t state = mix(length, part(bytes + length - 8));
    for (std::size_t at = 0; at + 8 < length; at += 8) state = mix(state, part(bytes + at));
    return mix(state, 0);
  }

  void clear() {
    std::fill_n(slots_.get(), std::size_t{2} << bits_, 0U);
    used_ = 1;
    count_ = 0;
  }
  bool make() {
    const std::size_t slots = std::size_t{2} << bits_;
    if (!memory_is_available((slots + room()) * sizeof(std::uint32_t))) return false;
    slots_.reset(new std::uint32_t[slots]);
    records_.reset(new std::uint32_t[room()]);
    clear();
    return true;
  }

  int bits_;
  std::uint32_t used_ = 1;  ///< In words of 32 bits; 0 is where no record is.
  std::size_t count_ = 0;
  std::unique_ptr<std::uint32_t[]>
      slots_;  ///< Two for each: a part of the hash, and where the record is.
  std::unique_ptr<std::uint32_t[]>
      records_;  ///< Tokens and bytes in one number, the word, the tokens.
};

/// The bytes of a word of at most 16 as two numbers, with zeros above. `readable` bytes may be read.
inline WordCache::Key key_of(const unsigned char* bytes, std::size_t length, std::size_t readable) {
  WordCache::Key key{0, 0};
  if (readable >= 16) {
    // From a table, because nobody can foretell a branch on the length.
    static constexpr auto masks = [] {
      std::array<WordCache::Key, WordCache::longest + 1> made{};
      for (unsigned size = 0; size < made.size(); ++size) {
        made[size].low = size < 8 ? (std::uint64_t{1} << (8 * size)) - 1 : ~std::uint64_t{0};
        made[size].high = size <= 8   ? 0
                          : size < 16 ? (std::uint64_t{1} << (8 * (size - 8))) - 1
                                      : ~std::uint64_t{0};
      }
      return made;
    }();
    std::memcpy(&key.low, bytes, 8);
    std::memcpy(&key.high, bytes + 8, 8);
    key.low &= masks[length].low;
    key.high &= masks[length].high;
    return key;
  }
  unsigned char padded[16] = {};
  std::memcpy(padded, bytes, length);
  std::memcpy(&key.low, padded, 8);
  std::memcpy(&key.high, padded + 8, 8);
  return key;
}

/// Of two single bytes side by side, by which merges they could be reached.
struct BytePair {
  std::uint32_t rank = no_token;  ///< Of their own merge,
  std::uint32_t result = no_token;  ///< and what it makes.
  /// The lowest rank of a merge of the right byte with a token that ends in the left one, and of the left byte with a
  /// token that begins with the right one.
  std::uint32_t lowest_of_right = no_token;
  std::uint32_t lowest_of_left = no_token;
};

/// All of them; bytes that begin none share one row, so that a vocabulary of a few merges has a small table.
class BytePairs {
 public:
  explicit BytePairs(const Vocabulary& vocabulary) : pairs_(256) {
    for (const Merge& merge : vocabulary.merges) {
      const std::string_view left = vocabulary.bytes(merge.left);
      const std::string_view right = vocabulary.bytes(merge.right);
      if (left.size() != 1 && right.size() != 1) continue;
      BytePair& pair = row(left.back())[static_cast<unsigned char>(right.front())];
      if (right.size() == 1) pair.lowest_of_right = std::min(pair.lowest_of_right, merge.rank);
      if (left.size() == 1) pair.lowest_of_left = std::min(pair.lowest_of_left, merge.rank);
      if (left.size() == 1 && right.size() == 1 && merge.rank < pair.rank) {
        pair.rank = merge.rank;
        pair.result = merge.result;
      }
    }
  }

  const BytePair& find(unsigned char left, unsigned char right) const {
    return pairs_[rows_[left] + right];
  }

 private:
  BytePair* row(char left) {
    std::uint32_t& row = rows_[static_cast<unsigned char>(left)];
    if (row == 0) {
      row = static_cast<std::uint32_t>(pairs_.size());
      pairs_.resize(pairs_.size() + 256);
    }
    return &pairs_[row];
  }
  std::array<std::uint32_t, 256> rows_{};
  std::vector<BytePair> pairs_;
};

struct Ranks {
  RankTable table;
  std::vector<std::uint32_t> results;

  std::uint32_t rank(std::uint32_t left, std::uint32_t right) const {
    // no_token has more bits than a key can hold.
    if ((left | right) == no_token) return no_token;
    return table.find(left, right);
  }
  std::uint32_t result(std::uint32_t rank) const { return results[rank]; }
};

/// Whether each merge comes after those that make its tokens.
bool ranks_rise(const Vocabulary& vocabulary) {
  std::vector<std::uint32_t> highest(vocabulary.size(),
                                     0);  // One more than the rank; 0 for a base token.
  for (const Merge& merge : vocabulary.merges) {
    highest[merge.result] = std::max(highest[merge.result], merge.rank + 1);
  }
  return std::all_of(vocabulary.merges.begin(), vocabulary.merges.end(), [&](const Merge& merge) {
    return merge.rank >= highest[merge.left] && merge.rank >= highest[merge.right];
  });
}

}  // namespace

struct Tokenizer::Tables {
  Vocabulary vocabulary;
  Ranks ranks;
  bool rising;
  std::array<std::uint32_t, 256> byte_tokens;
  BytePairs byte_pairs;
  BytesTable words;  ///< Whole tokens, or characters: what is asked for.
  WordCache cache;
  WordStore store;
  MergeQueue<Ranks> queue;
  std::vector<std::uint32_t> long_word;
  std::array<bool, 256> begins_special{};

  explicit Tables(Vocabulary given)
      : vocabulary(std::move(given)),
        ranks{RankTable(vocabulary.merges), results_of(vocabulary)},
        rising(ranks_rise(vocabulary)),
        byte_pairs(vocabulary),
        words(of_characters() ? vocabulary.base.size()
              : whole_words() ? vocabulary.size()
                              : 0),
        cache(vocabulary.merges.size()),
        store(vocabulary.merges.size()),
        queue(ranks, static_cast<std::uint32_t>(ranks.results.size()), rising) {
    byte_tokens.fill(no_token);
    if (of_characters()) {
      for (const std::uint32_t id : vocabulary.base) words.insert(vocabulary.bytes(id), id);
    } else {
      for (const std::uint32_t id : vocabulary.base) {
        byte_tokens[static_cast<unsigned char>(vocabulary.bytes(id)[0])] = id;
      }
      if (whole_words()) {
        for (std::uint32_t id = 0; id < vocabulary.size(); ++id) {
          if (!vocabulary.bytes(id).empty()) words.insert(vocabulary.bytes(id), id);
        }
        // A special token is no token for text.
        for (const SpecialToken& token : vocabulary.special_tokens)
          words.forget(token.text, token.id);
      }
    }
    for (const SpecialToken& token : vocabulary.special_tokens) {
      begins_special[static_cast<unsigned char>(token.text[0])] = true;
    }
  }

  Tables(const Tables&) = delete;
  Tables& operator=(const Tables&) = delete;

  bool of_characters() const { return vocabulary.alphabet == Alphabet::characters; }
  bool whole_words() const { return vocabulary.whole_words; }

  static std::vector<std::uint32_t> results_of(const Vocabulary& vocabulary) {
    std::vector<std::uint32_t> results(
        vocabulary.merges.empty() ? 0 : vocabulary.merges.back().rank + 1, no_token);
    for (const Merge& merge : vocabulary.merges) results[merge.rank] = merge.result;
    return results;
  }

  /// The tokens of `word` before any merge; `place(byte)` hears where each begins.
  template <class Out>
  void split(std::string_view word, Out&& out) const {
    const auto* bytes = reinterpret_cast<const unsigned char*>(word.data());
    for (std::size_t at = 0; at < word.size();) {
      const std::size_t length =
          of_characters() ? utf8::step(bytes, word.size(), at).length : std::size_t{1};
      out(of_characters() ? words.find(word.substr(at, length)) : byte_tokens[bytes[at]], at);
      at += length;
    }
  }

  /// Merges `count` tokens in place, whose pairs have the ranks given; the count that is left.
  std::size_t merge_short(std::uint32_t* tokens, std::uint32_t* pair_ranks,
                          std::size_t count) const {
    while (count > 1) {
      std::uint32_t lowest = no_token;
      std::size_t at = 0;
      for (std::size_t i = 0; i + 1 < count; ++i) {
        if (pair_ranks[i] < lowest) {
          lowest = pair_ranks[i];
          at = i;
        }
      }
      if (lowest == no_token) break;
      tokens[at] = ranks.result(lowest);
      --count;
      for (std::size_t i = at + 1; i < count; ++i) {
        tokens[i] = tokens[i + 1];
        pair_ranks[i - 1] = pair_ranks[i];
      }
      if (at + 1 < count) pair_ranks[at] = ranks.rank(tokens[at], tokens[at + 1]);
      if (at > 0) pair_ranks[at - 1] = ranks.rank(tokens[at - 1], tokens[at]);
    }
    return count;
  }

  /// The same where tokens keep their places, so that the scan for the lowest rank has no branches and is done
  /// with vectors; a rank and its place are one number. Measured in WebAssembly on new words of Russian and
  /// Japanese: a quarter less time from 33 to 48 bytes, a sixth less from 17 to 32.
  std::size_t merge_in_place(std::uint32_t* tokens, const std::uint32_t* pair_ranks,
                             std::size_t count) const {
    static_assert(std::uint64_t{2 * max_vocab_size} * short_word <= std::uint64_t{1} << 28);
    constexpr std::uint32_t places = short_word;
    std::uint32_t keys[short_word];
    std::uint8_t next[short_word];
    std::uint8_t previous[short_word + 1];
    const auto n = static_cast<std::uint32_t>(count);
    const auto key_at = [](std::uint32_t rank, std::uint32_t place) {
      return rank == no_token ? no_token : rank * places + place;
    };
    for (std::uint32_t i = 0; i < places; ++i) {
      keys[i] = i + 1 < n ? key_at(pair_ranks[i], i) : no_token;
    }
    for (std::uint32_t i = 0; i < n; ++i) {
      next[i] = static_cast<std::uint8_t>(i + 1);
      previous[i + 1] = static_cast<std::uint8_t>(i);
    }
    const std::uint32_t scanned = (n + 15) / 16 * 16;
    for (;;) {
      std::uint32_t lowest = no_token;
      for (std::uint32_t block = 0; block < scanned; block += 16) {
        for (std::uint32_t i = 0; i < 16; ++i) lowest = std::min(lowest, keys[block + i]);
      }
      if (lowest == no_token) break;
      const std::uint32_t at = lowest % places;
      const std::uint32_t right = next[at];
      const std::uint32_t after = next[right];
      tokens[at] = ranks.result(lowest / places);
      keys[right] = no_token;
      next[at] = static_cast<std::uint8_t>(after);
      if (after < n) {
        previous[after] = static_cast<std::uint8_t>(at);
        keys[at] = key_at(ranks.rank(tokens[at], tokens[after]), at);
      } else {
        keys[at] = no_token;
      }
      if (at != 0) {
        const std::uint32_t left = previous[at];
        keys[left] = key_at(ranks.rank(tokens[left], tokens[at]), left);
      }
    }
    std::size_t kept = 0;
    for (std::uint32_t at = 0; at < n; at = next[at]) tokens[kept++] = tokens[at];
    return kept;
  }

  /// Writes the tokens with which the merging of `word` may begin; their count, at most one for each byte.
  ///
  /// Two bytes whose merge comes before every merge that could take one of them away, whatever the tokens beside them
  /// have become by then, are merged here already: where ranks rise, what they make takes part in later merges alone,
  /// so that nothing else changes. Those are six tenths of all merges of Russian and Japanese, and half of English.
  std::size_t begin_word(std::string_view word, std::uint32_t* tokens) const {
    std::size_t count = 0;
    if (of_characters() || !rising) {
      split(word, [&](std::uint32_t token, std::size_t) { tokens[count++] = token; });
      return count;
    }
    static constexpr BytePair none;
    const auto* bytes = reinterpret_cast<const unsigned char*>(word.data());
    const std::size_t size = word.size();
    const auto pair_at = [&](std::size_t at) -> const BytePair& {
      return at + 1 < size ? byte_pairs.find(bytes[at], bytes[at + 1]) : none;
    };
    std::uint32_t lowest_before = no_token;
    const BytePair* pair = &pair_at(0);
    for (std::size_t at = 0; at < size;) {
      const BytePair* next = &pair_at(at + 1);
      if (pair->rank < lowest_before && pair->rank < next->lowest_of_left) {
        tokens[count++] = pair->result;
        lowest_before = next->lowest_of_right;
        pair = &pair_at(at + 2);
        at += 2;
      } else {
        tokens[count++] = byte_tokens[bytes[at]];
        lowest_before = pair->lowest_of_right;
        pair = next;
        ++at;
      }
    }
    return count;
  }

  /// Merges at most `short_word` tokens in place; the count that is left.
  std::size_t merge_few(std::uint32_t* tokens, std::size_t count) const {
    std::uint32_t pair_ranks[short_word];
    for (std::size_t i = 0; i + 1 < count; ++i)
      pair_ranks[i] = ranks.rank(tokens[i], tokens[i + 1]);
    return count < 20 ? merge_short(tokens, pair_ranks, count)
                      : merge_in_place(tokens, pair_ranks, count);
  }

  std::size_t encode_short(std::string_view word, std::uint32_t* out) const {
    std::uint32_t tokens[short_word];
    const std::size_t count = merge_few(tokens, begin_word(word, tokens));
    std::copy_n(tokens, count, out);
    return count;
  }

  /// no_token when memory is short.
  std::size_t encode_long(std::string_view word, std::uint32_t* out) {
    long_word.clear();
    if (!memory_is_available(std::uint64_t{word.size()} * MergeQueue<Ranks>::bytes_per_token)) {
      return no_token;
    }
    long_word.resize(word.size());
    std::size_t count = begin_word(word, long_word.data());
    long_word.resize(count);
    if (count <= short_word) {
      count = merge_few(long_word.data(), count);
      std::copy_n(long_word.data(), count, out);
      return count;
    }
    queue.reset(long_word, [](std::size_t) { return true; });
    queue.run([](std::uint32_t, std::uint32_t) {});
    count = 0;
    // A token that is none may also be a character that is unknown, which never merges.
    for (std::size_t i = 0; i < long_word.size(); ++i) {
      if (queue.token(i) != no_token || long_word[i] == no_token) out[count++] = queue.token(i);
    }
    if (long_word.capacity() > keep_capacity) {
      std::vector<std::uint32_t>().swap(long_word);
      queue.release();
    }
    return count;
  }
  static constexpr std::size_t keep_capacity = 1 << 16;

  std::size_t encode_word(std::string_view word, std::uint32_t* out) {
    if (whole_words()) {
      if (const std::uint32_t id = words.find(word); id != no_token && !of_characters()) {
        *out = id;
        return 1;
      }
    }
    return word.size() <= short_word ? encode_short(word, out) : encode_long(word, out);
  }

  /// A word that WordStore has a place for. no_token when memory is short.
  std::size_t encode_stored(std::string_view word, std::uint32_t* out) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(word.data());
    WordStore::Place place = {};
    const std::span<const std::uint32_t> known = store.find(bytes, word.size(), place);
    if (!known.empty()) {
      // By fours, for which capacity() has the room.
      for (std::size_t i = 0; i < known.size(); i += 4) std::copy_n(known.data() + i, 4, out + i);
      return known.size();
    }
    const std::size_t count = encode_word(word, out);
    if (place.slot != nullptr && count != no_token) {
      store.put(place, bytes, word.size(), {out, count});
    }
    return count;
  }

  /// Text without special tokens. no_token when memory is short.
  template <class Scanner>
  std::size_t encode_text(std::string_view text, std::uint32_t* out) {
    const scan::Text scanned(text);
    const unsigned char* bytes = scanned.bytes();
    const std::size_t size = text.size();
    std::uint32_t* end_of_out = out;
    for (std::size_t at = 0; at < size;) {
      const std::size_t end = scan::end_of_word<Scanner>(scanned, at);
      const std::size_t length = end - at;
      if (length <= WordCache::longest) {
        const WordCache::Key key = key_of(bytes + at, length, size - at);
        WordCache::Entry& entry = cache.entry(key, length);
        if (entry.length == length && entry.key.low == key.low && entry.key.high == key.high) {
          // Stores cost less than a branch on the count; capacity() has the room.
          std::copy_n(entry.tokens, 4, end_of_out);
          if (entry.count > 4) [[unlikely]]
            std::copy_n(entry.tokens + 4, 7, end_of_out + 4);
          end_of_out += entry.count;
        } else {
          const std::string_view word = text.substr(at, length);
          const std::size_t count = length > WordCache::most_tokens
                                        ? encode_stored(word, end_of_out)
                                        : encode_word(word, end_of_out);
          if (count <= WordCache::most_tokens) {
            entry.key = key;
            std::copy_n(end_of_out, count, entry.tokens);
            entry.length = static_cast<std::uint8_t>(length);
            entry.count = static_cast<std::uint8_t>(count);
          }
          end_of_out += count;
        }
      } else {
        const std::string_view word = text.substr(at, length);
        const std::size_t count = length <= WordStore::longest ? encode_stored(word, end_of_out)
                                                               : encode_word(word, end_of_out);
        if (count == no_token) return no_token;
        end_of_out += count;
      }
      at = end;
    }
    return static_cast<std::size_t>(end_of_out - out);
  }

  std::size_t encode_plain(std::string_view text, std::uint32_t* out) {
    return scan::with_scanner(vocabulary.pretokenizer, [&]<class Scanner>(Scanner) {
      return encode_text<Scanner>(text, out);
    });
  }

  /// The longest special token at `at`, or null.
  const SpecialToken* special_at(std::string_view text, std::size_t at) const {
    const SpecialToken* longest = nullptr;
    for (const SpecialToken& token : vocabulary.special_tokens) {
      if (text.substr(at).starts_with(token.text) &&
          (longest == nullptr || token.text.size() > longest->text.size())) {
        longest = &token;
      }
    }
    return longest;
  }
};

void Tokenizer::Free::operator()(Tables* tables) const { delete tables; }

const Vocabulary& Tokenizer::vocabulary() const { return tables_->vocabulary; }

Expected<Tokenizer> Tokenizer::make(Vocabulary vocabulary) {
  const auto refuse = [](std::string message) {
    return fail(ErrorCode::bad_argument, "vocabulary", {message});
  };
  if (vocabulary.size() > max_vocab_size) {
    return fail(ErrorCode::too_large, "vocabulary",
                {"A vocabulary may have at most ", max_vocab_size, " tokens."});
  }
  std::uint32_t least_rank = 0;
  for (const Merge& merge : vocabulary.merges) {
    if (std::max({merge.left, merge.right, merge.result}) >= vocabulary.size()) {
      return refuse("A merge names a token that the vocabulary has not got.");
    }
    if (merge.rank < least_rank || merge.rank >= 2 * max_vocab_size - 1) {
      return refuse("The ranks of the merges must not fall, and must be below " +
                    std::to_string(2 * max_vocab_size - 1) + ".");
    }
    least_rank = merge.rank;
  }
  for (const std::uint32_t id : vocabulary.base) {
    if (id >= vocabulary.size() || vocabulary.bytes(id).empty()) {
      return refuse("A single byte or character has an id without a token.");
    }
  }
  auto* tables = new (std::nothrow) Tables(std::move(vocabulary));
  if (tables == nullptr) {
    return fail(ErrorCode::out_of_memory, "vocabulary",
                {"There is no memory for this vocabulary."});
  }
  return Tokenizer(tables);
}

Expected<std::size_t> Tokenizer::encode_into(std::string_view text, const EncodeOptions& options,
                                             std::span<std::uint32_t> out) const {
  if (text.size() > max_text_bytes) {
    return fail(ErrorCode::too_large, "text",
                {"A text may have at most ", max_text_bytes, " bytes; this one has ", text.size(),
                 ". Encode it in parts."});
  }
  if (out.size() < capacity(text.size())) {
    return fail(
        ErrorCode::shape_mismatch, "out",
        {"out must have room for ", capacity(text.size()), " ids; it has ", out.size(), "."});
  }
  const auto no_memory = [] {
    return fail(
        ErrorCode::out_of_memory, "text",
        {"The text has a word too long for the memory that is free. Put white space into it."});
  };
  if (!options.special_ids || vocabulary().special_tokens.empty()) {
    const std::size_t count = tables_->encode_plain(text, out.data());
    if (count == no_token) return no_memory();
    return count;
  }
  std::size_t count = 0;
  const auto plain = [&](std::size_t begin, std::size_t end) {
    const std::size_t more =
        tables_->encode_plain(text.substr(begin, end - begin), out.data() + count);
    if (more == no_token) return false;
    count += more;
    return true;
  };
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size();) {
    const SpecialToken* special = tables_->begins_special[static_cast<unsigned char>(text[at])]
                                      ? tables_->special_at(text, at)
                                      : nullptr;
    if (special == nullptr) {
      ++at;
      continue;
    }
    if (!plain(begin, at)) return no_memory();
    out[count++] = special->id;
    at += special->text.size();
    begin = at;
  }
  if (!plain(begin, text.size())) return no_memory();
  return count;
}

Expected<std::vector<std::uint32_t>> Tokenizer::encode(std::string_view text,
                                                       const EncodeOptions& options) const {
  const std::uint64_t bytes = std::uint64_t{capacity(text.size())} * 2 * sizeof(std::uint32_t);
  if (!memory_is_available(bytes)) {
    return fail(
        ErrorCode::out_of_memory, "text",
        {"There is no memory for the ids of ", text.size(), " bytes of text. Encode it in parts."});
  }
  // Not a vector: a vector would first write a zero where each id will be.
  const std::unique_ptr<std::uint32_t[]> ids(new std::uint32_t[capacity(text.size())]);
  const auto count = encode_into(text, options, {ids.get(), capacity(text.size())});
  if (!count) return std::unexpected<Error>(count.error());
  return std::vector<std::uint32_t>(ids.get(), ids.get() + *count);
}

namespace {

Expected<void> check_id(const Vocabulary& vocabulary, std::span<const std::uint32_t> ids,
                        std::size_t i) {
  if (ids[i] < vocabulary.size() && !vocabulary.bytes(ids[i]).empty()) return {};
  const std::string field = "ids[" + std::to_string(i) + "]";
  return fail(ErrorCode::out_of_range, field,
              // Signed, as the caller wrote it: -1 is what encode gives where there is no token.
              {field, " must be the id of a token; it is ", static_cast<std::int32_t>(ids[i]),
               ", and the vocabulary has no such token."});
}

}  // namespace

Expected<std::string> Tokenizer::decode(std::span<const std::uint32_t> ids) const {
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    ATTN_CHECK(check_id(vocabulary(), ids, i));
    bytes += vocabulary().bytes(ids[i]).size();
  }
  ATTN_CHECK(check_bytes("ids", bytes));
  std::string text;
  text.reserve(static_cast<std::size_t>(bytes));
  for (const std::uint32_t id : ids) text += vocabulary().bytes(id);
  return text;
}

Expected<TokenOffsets> Tokenizer::offsets(std::string_view text,
                                          std::span<const std::uint32_t> ids) const {
  if (text.size() > max_text_bytes) {
    return fail(ErrorCode::too_large, "text",
                {"A text may have at most ", max_text_bytes, " bytes."});
  }
  ATTN_CHECK(check_bytes("ids", std::uint64_t{ids.size()} * 4 * sizeof(std::uint32_t)));
  const auto mismatch = [] {
    return fail(
        ErrorCode::shape_mismatch, "ids",
        {"The ids do not spell the text: offsets exist only for the ids of this very text."});
  };
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  TokenOffsets made;
  for (auto* list : {&made.byte_begin, &made.byte_end, &made.utf16_begin, &made.utf16_end}) {
    list->reserve(ids.size());
  }
  std::size_t at = 0;
  // The character being read: its first byte, and its first unit in UTF-16.
  std::size_t character = 0;
  std::uint32_t units = 0;
  const auto read_to = [&](std::size_t byte) {
    // Past every character that ends at or before `byte`.
    while (character < byte) {
      const utf8::Step step = utf8::step(bytes, text.size(), character);
      if (character + step.length > byte) return;
      character += step.length;
      units += utf8::utf16_length(step.code_point);
    }
  };
  for (std::size_t i = 0; i < ids.size(); ++i) {
    std::size_t length = 0;
    if (ids[i] == no_token && tables_->of_characters() && at < text.size()) {
      length = utf8::step(bytes, text.size(), at).length;
    } else {
      ATTN_CHECK(check_id(vocabulary(), ids, i));
      const std::string_view token = vocabulary().bytes(ids[i]);
      if (!text.substr(at).starts_with(token)) return mismatch();
      length = token.size();
    }
    made.byte_begin.push_back(static_cast<std::uint32_t>(at));
    made.utf16_begin.push_back(units);
    at += length;
    made.byte_end.push_back(static_cast<std::uint32_t>(at));
    read_to(at);
    const bool inside = character < at;
    made.utf16_end.push_back(
        inside ? units + utf8::utf16_length(utf8::step(bytes, text.size(), character).code_point)
               : units);
  }
  if (at != text.size()) return mismatch();
  return made;
}

Expected<Replay> Tokenizer::replay(std::string_view text) const {
  ATTN_CHECK(check_bytes("text", std::uint64_t{text.size()} * 60));
  Replay made;
  made.words = pretokenize(vocabulary().pretokenizer, text);
  std::vector<bool> begins_word;
  for (const Word& word : made.words) {
    tables_->split(text.substr(word.begin, word.end - word.begin),
                   [&](std::uint32_t token, std::size_t at) {
                     made.start.push_back(token);
                     made.start_offset.push_back(static_cast<std::uint32_t>(word.begin + at));
                     begins_word.push_back(at == 0);
                   });
  }
  MergeQueue<Ranks> queue(tables_->ranks, static_cast<std::uint32_t>(tables_->ranks.results.size()),
                          tables_->rising);
  queue.reset(made.start, [&](std::size_t right) { return !begins_word[right]; });
  std::vector<std::uint32_t> current = made.start;
  std::vector<std::uint32_t> lengths(current.size(), 1);  // In tokens of the start.
  queue.run([&](std::uint32_t rank, std::uint32_t place) {
    const std::uint32_t right = place + lengths[place];
    const std::uint32_t result = tables_->ranks.result(rank);
    const bool same = !made.steps.empty() && made.steps.back().rank == rank &&
                      made.steps.back().left == current[place] &&
                      made.steps.back().right == current[right];
    if (!same) made.steps.push_back({rank, current[place], current[right], result, {}});
    made.steps.back().places.push_back(made.start_offset[place]);
    current[place] = result;
    lengths[place] += lengths[right];
  });
  std::size_t begin = 0;
  for (const Word& word : made.words) {
    const std::string_view spelled = text.substr(word.begin, word.end - word.begin);
    std::size_t end = begin + 1;
    while (end < made.start.size() && !begins_word[end]) ++end;
    const std::uint32_t whole = tables_->whole_words() && !tables_->of_characters()
                                    ? tables_->words.find(spelled)
                                    : no_token;
    if (whole != no_token && lengths[begin] != end - begin) {
      made.steps.push_back({ReplayStep::whole_word,
                            no_token,
                            no_token,
                            whole,
                            {static_cast<std::uint32_t>(word.begin)}});
      made.ids.push_back(whole);
    } else {
      for (std::size_t i = begin; i < end; i += lengths[i]) made.ids.push_back(current[i]);
    }
    begin = end;
  }
  return made;
}

Expected<std::string> StreamDecoder::push(std::span<const std::uint32_t> ids) {
  auto bytes = tokenizer_->decode(ids);
  if (!bytes) return bytes;
  held_ += *bytes;
  const auto* data = reinterpret_cast<const unsigned char*>(held_.data());
  std::string text;
  text.reserve(held_.size());
  std::size_t at = 0;
  while (at < held_.size()) {
    const utf8::Step step = utf8::step(data, held_.size(), at);
    if (step.code_point == utf8::broken) {
      // Cut short, and not broken: the bytes that are there could still become a character.
      const bool may_go_on = at + step.length == held_.size() && utf8::may_begin(data[at]) &&
                             step.length < utf8::length_from(data[at]);
      if (may_go_on) break;
      text += utf8::replacement;
    } else {
      text.append(held_, at, step.length);
    }
    at += step.length;
  }
  held_.erase(0, at);
  return text;
}

std::string StreamDecoder::finish() {
  const bool cut = !held_.empty();
  held_.clear();
  return cut ? utf8::replacement : "";
}

}  // namespace attn

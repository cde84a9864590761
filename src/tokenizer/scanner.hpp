#pragma once

// The patterns of pretokenize.hpp by hand. A scanner answers one question: where does the word that
// begins here end? Templates, so that the encoder's loop and a scanner become one function.
//
// Each reads a byte a bounded number of times: a run of white space at most twice, and a run of
// capitals at most twice, so that no text takes more than linear time.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/utf8.hpp"
#include "tokenizer/pretokenize.hpp"
#include "tokenizer/unicode/categories.hpp"

namespace attn::scan {

using unicode::Class;

class Text {
 public:
  explicit Text(std::string_view text)
      : bytes_(reinterpret_cast<const unsigned char*>(text.data())),
        size_(text.size()),
        byte_classes_(unicode::byte_classes()),
        flat_classes_(unicode::flat_classes()) {}

  std::size_t size() const { return size_; }
  const unsigned char* bytes() const { return bytes_; }
  bool has(std::size_t at, unsigned char byte) const { return at < size_ && bytes_[at] == byte; }

  struct Character {
    std::uint8_t classes;
    std::uint32_t length;  ///< Bytes; 0 at the end of the text.
  };

  Character character(std::size_t at) const {
    if (at >= size_) return {0, 0};
    const std::uint8_t classes = byte_classes_[bytes_[at]];
    return classes == unicode::multibyte ? wide(at) : Character{classes, 1};
  }

  /// The end of the run of characters of `classes` that begins at `at`.
  std::size_t run_of(std::uint8_t classes, std::size_t at) const {
    for (;;) {
      while (at < size_ && (byte_classes_[bytes_[at]] & classes) != 0) ++at;
      if (at >= size_ || bytes_[at] < 0x80) return at;
      const Character next = wide(at);
      if ((next.classes & classes) == 0) return at;
      at += next.length;
    }
  }

  /// The end of the run of characters of none of `classes`.
  std::size_t run_without(std::uint8_t classes, std::size_t at) const {
    while (at < size_) {
      const Character next = character(at);
      if ((next.classes & classes) != 0) return at;
      at += next.length;
    }
    return at;
  }

  struct Space {
    std::size_t end;
    std::size_t last;  ///< Where its last character begins.
    std::size_t break_end;  ///< Past its last CR or LF; 0 without one.
  };

  /// The run of white space at `at`, which must be white space.
  Space space(std::size_t at) const {
    Space run{at, at, 0};
    for (;;) {
      const Character next = character(run.end);
      if ((next.classes & Class::space) == 0) return run;
      run.last = run.end;
      run.end += next.length;
      if ((next.classes & Class::line_break) != 0) run.break_end = run.end;
    }
  }

  /// The end of the word that begins at `at`, where the next 16 bytes show that it is letters of ASCII or of the
  /// Russian alphabet, with or without a space in front; 0 where they do not. Those are most words of a text, and found
  /// without a branch for each letter, or for each length, which nobody can foretell.
  std::size_t plain_word_end(std::size_t at) const {
    if (size_ - at < 16) return 0;
    const std::uint64_t low = eight(at);
    const std::uint64_t high = eight(at + 8);
    const std::size_t space = (low & 0xFF) == ' ' ? 1 : 0;
    const std::size_t in_low = first_byte(others_than_letters(low) >> (8 * space) << (8 * space));
    const std::size_t in_high = first_byte(others_than_letters(high));
    std::size_t length = in_low + (in_low == 8 ? in_high : 0);
    if (length == 16) return 0;
    const unsigned char after = bytes_[at + length];
    if (after < 0x80) return length > space ? at + length : 0;
    if (length > space) return 0;
    const std::uint64_t first = eight(at + space);
    const std::uint64_t second = eight(at + 8) >> (8 * space);
    const std::size_t in_first = first_pair(others_than_russian(first));
    const std::size_t in_second = first_pair(others_than_russian(second));
    length = 2 * (in_first + (in_first == 4 ? in_second : 0));
    if (length == 0 || space + length == 16) return 0;
    const std::size_t end = at + space + length;
    const std::uint8_t next = byte_classes_[bytes_[end]];
    return (next & (Class::letter | unicode::multibyte)) == 0 ? end : 0;
  }

 private:
  static constexpr std::uint64_t each_byte = 0x0101010101010101U;

  std::uint64_t eight(std::size_t at) const {
    std::uint64_t value;
    std::memcpy(&value, bytes_ + at, 8);
    return value;
  }
  /// The highest bit of each byte that is no letter of ASCII.
  static std::uint64_t others_than_letters(std::uint64_t bytes) {
    const std::uint64_t small = (bytes | 0x20 * each_byte) & 0x7F * each_byte;
    const std::uint64_t from_a = small + (0x80 - 'a') * each_byte;
    const std::uint64_t past_z = small + (0x7F - 'z') * each_byte;
    return (~from_a | past_z | bytes) & 0x80 * each_byte;
  }
  static std::size_t first_byte(std::uint64_t marks) {
    return static_cast<std::size_t>(std::countr_zero(marks)) / 8;
  }
  /// Bits in each pair of bytes that is none of U+0400 to U+047F, all of which are letters: D0 or D1, then 80 to BF.
  static std::uint64_t others_than_russian(std::uint64_t bytes) {
    return (bytes ^ 0x80D080D080D080D0U) & 0xC0FEC0FEC0FEC0FEU;
  }
  static std::size_t first_pair(std::uint64_t marks) {
    return static_cast<std::size_t>(std::countr_zero(marks)) / 16;
  }

  Character wide(std::size_t at) const {
    if (size_ - at >= 3) {
      // What nearly all such characters are, with fewer questions.
      const std::uint32_t first = bytes_[at];
      const std::uint32_t second = bytes_[at + 1] ^ 0x80U;
      const std::uint32_t third = bytes_[at + 2] ^ 0x80U;
      if (first >= 0xC2 && first < 0xE0 && second < 0x40) {
        return {flat_classes_[(first & 0x1F) << 6 | second], 2};
      }
      const std::uint32_t code_point = (first & 0xF) << 12 | second << 6 | third;
      if ((first & 0xF0) == 0xE0 && (second | third) < 0x40 && code_point >= 0x800 &&
          (code_point & 0xF800) != 0xD800) {
        return {flat_classes_[code_point], 3};
      }
    }
    const utf8::Step step = utf8::step(bytes_, size_, at);
    const std::uint8_t classes = step.code_point < unicode::flat_size
                                     ? flat_classes_[step.code_point]
                                     : unicode::class_of(step.code_point);
    return {classes, step.length};
  }

  const unsigned char* bytes_;
  std::size_t size_;
  const std::uint8_t* byte_classes_;
  const std::uint8_t* flat_classes_;
};

inline constexpr std::uint8_t not_symbol = Class::letter | Class::number | Class::space;

/// \s+(?!\S)|\s+: a run leaves its last character to the word that follows it.
inline std::size_t space_end(const Text& text, const Text::Space& run, std::size_t at) {
  return run.end < text.size() && run.last > at ? run.last : run.end;
}

/// 's 't 're 've 'm 'll 'd: the length of the one at `at`, or 0.
inline std::size_t contraction(const Text& text, std::size_t at) {
  if (!text.has(at, '\'') || at + 1 >= text.size()) return 0;
  const unsigned char first = text.bytes()[at + 1];
  const unsigned char second = at + 2 < text.size() ? text.bytes()[at + 2] : '\0';
  switch (first) {
    case 's':
    case 't':
    case 'm':
    case 'd':
      return 2;
    case 'r':
    case 'v':
      return second == 'e' ? 3 : 0;
    case 'l':
      return second == 'l' ? 3 : 0;
    default:
      return 0;
  }
}

/// The same in capitals too; (?i:s) is also U+017F, the long s.
inline std::size_t contraction_any_case(const Text& text, std::size_t at) {
  if (!text.has(at, '\'') || at + 1 >= text.size()) return 0;
  const auto lowered = [&](std::size_t place) {
    return place < text.size() ? text.bytes()[place] | 0x20U : 0U;
  };
  if (text.has(at + 1, 0xC5) && text.has(at + 2, 0xBF)) return 3;
  switch (lowered(at + 1)) {
    case 's':
    case 't':
    case 'm':
    case 'd':
      return 2;
    case 'r':
    case 'v':
      return lowered(at + 2) == 'e' ? 3 : 0;
    case 'l':
      return lowered(at + 2) == 'l' ? 3 : 0;
    default:
      return 0;
  }
}

/// \p{N}{1,3}: the end of at most three digits.
inline std::size_t three_numbers(const Text& text, std::size_t at) {
  for (int i = 0; i < 3; ++i) {
    const Text::Character next = text.character(at);
    if ((next.classes & Class::number) == 0) break;
    at += next.length;
  }
  return at;
}

struct None {
  static constexpr bool plain_words =
      false;  ///< Whether Text::plain_word_end gives what word_end would.
  static std::size_t word_end(const Text& text, std::size_t) { return text.size(); }
};

struct Gpt2 {
  static constexpr bool plain_words = true;
  static std::size_t word_end(const Text& text, std::size_t at) {
    if (const std::size_t length = contraction(text, at)) return at + length;
    Text::Character first = text.character(at);
    std::size_t start = at;
    if (text.bytes()[at] == ' ') {
      const Text::Character next = text.character(at + 1);
      if (next.length != 0 && (next.classes & Class::space) == 0) {
        first = next;
        start = at + 1;
      }
    }
    if ((first.classes & Class::letter) != 0) {
      return text.run_of(Class::letter, start + first.length);
    }
    if ((first.classes & Class::space) != 0) return space_end(text, text.space(at), at);
    if ((first.classes & Class::number) != 0) {
      return text.run_of(Class::number, start + first.length);
    }
    return text.run_without(not_symbol, start + first.length);
  }
};

struct Smollm {
  static constexpr bool plain_words = true;
  static std::size_t word_end(const Text& text, std::size_t at) {
    if (const std::size_t length = contraction(text, at)) return at + length;
    const Text::Character first = text.character(at);
    if ((first.classes & Class::number) != 0) return at + first.length;
    if ((first.classes & Class::space) == 0) return Gpt2::word_end(text, at);
    const Text::Character next = text.character(at + first.length);
    const bool leads = text.bytes()[at] == ' ' && next.length != 0 &&
                       (next.classes & (Class::space | Class::number)) == 0;
    if (leads) return Gpt2::word_end(text, at);
    const Text::Space run = text.space(at);
    const bool ends = (text.character(run.end).classes & Class::number) != 0;
    return ends ? run.end : space_end(text, run, at);
  }
};

/// What cl100k and o200k share: digits by threes, symbols with the line breaks after them, space.
template <bool slash>
std::size_t number_symbol_or_space(const Text& text, std::size_t at, Text::Character first) {
  if ((first.classes & Class::number) != 0) return three_numbers(text, at);
  std::size_t symbols = at;
  if (text.bytes()[at] == ' ') first = text.character(++symbols);
  if (first.length != 0 && (first.classes & not_symbol) == 0) {
    std::size_t end = text.run_without(not_symbol, symbols + first.length);
    while (text.has(end, '\r') || text.has(end, '\n') || (slash && text.has(end, '/'))) ++end;
    return end;
  }
  const Text::Space run = text.space(at);
  return run.break_end != 0 ? run.break_end : space_end(text, run, at);
}

struct Cl100k {
  static constexpr bool plain_words = true;
  static std::size_t word_end(const Text& text, std::size_t at) {
    if (const std::size_t length = contraction_any_case(text, at)) return at + length;
    const Text::Character first = text.character(at);
    if ((first.classes & Class::letter) != 0) {
      return text.run_of(Class::letter, at + first.length);
    }
    if ((first.classes & (Class::number | Class::line_break)) == 0) {
      const Text::Character next = text.character(at + first.length);
      if ((next.classes & Class::letter) != 0) {
        return text.run_of(Class::letter, at + first.length + next.length);
      }
    }
    return number_symbol_or_space<false>(text, at, first);
  }
};

struct O200k {
  // Capitals end a word there, and what may follow an apostrophe belongs to it.
  static constexpr bool plain_words = false;
  static constexpr std::uint8_t capitals = Class::upper | Class::caseless | Class::mark;
  static constexpr std::uint8_t smalls = Class::lower | Class::caseless | Class::mark;
  static constexpr std::uint8_t both = Class::caseless | Class::mark;

  /// What [capitals]*[smalls]+ and [capitals]+[smalls]* find at one place; 0 where nothing.
  struct Letters {
    std::size_t ending_small;
    std::size_t any;
  };

  static Letters letters(const Text& text, std::size_t at) {
    std::size_t end = at;
    std::size_t both_end = 0;
    for (;;) {
      const Text::Character next = text.character(end);
      if ((next.classes & capitals) == 0) {
        if ((next.classes & Class::lower) == 0) break;
        end = text.run_of(smalls, end + next.length);
        return {end, end};
      }
      end += next.length;
      if ((next.classes & both) != 0) both_end = end;
    }
    // No small letter follows: a regular expression gives back capitals until its [smalls]+ has one
    // character, which is the last one that belongs to both.
    return {both_end, end > at ? end : 0};
  }

  static std::size_t word_end(const Text& text, std::size_t at) {
    const Text::Character first = text.character(at);
    std::size_t end = 0;
    if ((first.classes & Class::letter) != 0) {
      const Letters here = letters(text, at);
      end = here.ending_small != 0 ? here.ending_small : here.any;
    } else if ((first.classes & (Class::number | Class::line_break)) == 0) {
      const Letters after = letters(text, at + first.length);
      if (after.ending_small != 0) {
        end = after.ending_small;
      } else if ((first.classes & Class::mark) != 0) {
        // A mark may lead the letters as any symbol may, or be one of them; the first fails here,
        // and the second is tried before the capitals are taken with the mark in front.
        end = at + first.length;
      } else {
        end = after.any;
      }
    }
    if (end != 0) return end + contraction_any_case(text, end);
    return number_symbol_or_space<true>(text, at, first);
  }
};

/// What Scanner::word_end gives, and sooner for most words.
template <class Scanner>
std::size_t end_of_word(const Text& text, std::size_t at) {
  if constexpr (Scanner::plain_words) {
    if (const std::size_t end = text.plain_word_end(at)) return end;
  }
  return Scanner::word_end(text, at);
}

/// Calls `use` with a scanner of `kind`.
template <class Use>
decltype(auto) with_scanner(Pretokenizer kind, Use&& use) {
  switch (kind) {
    case Pretokenizer::gpt2:
      return use(Gpt2{});
    case Pretokenizer::cl100k:
      return use(Cl100k{});
    case Pretokenizer::o200k:
      return use(O200k{});
    case Pretokenizer::smollm:
      return use(Smollm{});
    case Pretokenizer::none:
      break;
  }
  return use(None{});
}

}  // namespace attn::scan

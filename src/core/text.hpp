#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace attn {

/// A word or a whole number in a message. It refers to the word: do not keep it.
class Piece {
 public:
  Piece(std::string_view word) : word_(word) {}
  Piece(const char* word) : word_(word) {}
  Piece(const std::string& word) : word_(word) {}
  Piece(std::integral auto number)
      : is_number_(true),
        is_negative_(std::cmp_less(number, 0)),
        magnitude_(is_negative_ ? -static_cast<std::uint64_t>(number)
                                : static_cast<std::uint64_t>(number)) {}

  void append_to(std::string& text) const;

 private:
  std::string_view word_;
  bool is_number_ = false;
  bool is_negative_ = false;
  std::uint64_t magnitude_ = 0;
};

/// The pieces one after another. One function for all messages, because each chain of string
/// additions is code of its own in the module (and GCC 12 warns of them wrongly, its bug 105651).
std::string text(std::initializer_list<Piece> pieces);

}  // namespace attn

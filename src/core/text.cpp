#include "core/text.hpp"

#include <charconv>
#include <limits>

namespace attn {

void Piece::append_to(std::string& text) const {
  if (!is_number_) {
    text.append(word_);
    return;
  }
  if (is_negative_) text.push_back('-');
  char digits[std::numeric_limits<std::uint64_t>::digits10 + 1];
  const std::to_chars_result written = std::to_chars(digits, digits + sizeof digits, magnitude_);
  text.append(digits, written.ptr);
}

std::string text(std::initializer_list<Piece> pieces) {
  std::string made;
  for (const Piece& piece : pieces) piece.append_to(made);
  return made;
}

}  // namespace attn

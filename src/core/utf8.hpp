#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace attn::utf8 {

/// Whether a byte can begin a character of several.
inline bool may_begin(unsigned char first) { return first >= 0xC2 && first <= 0xF4; }

/// The bytes of the character that such a byte begins.
inline std::uint32_t length_from(unsigned char first) {
  return first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

/// One step through bytes that need not be UTF-8.
struct Step {
  std::uint32_t code_point;  ///< `broken` where the bytes are no UTF-8.
  std::uint32_t length;      ///< Bytes to go on by, 1 to 4.
};

inline constexpr std::uint32_t broken = 0xFFFFFFFF;

/// The character at `at`, which must be below `size`. Bytes that are no UTF-8 (lone continuation
/// bytes, surrogates, overlong forms, beyond U+10FFFF, cut short) are stepped over in the pieces
/// that the WHATWG Encoding Standard replaces by one U+FFFD each, so that offsets in UTF-16 are those
/// of the text that a browser shows.
inline Step step(const unsigned char* bytes, std::size_t size, std::size_t at) {
  const unsigned char first = bytes[at];
  if (first < 0x80) return {first, 1};
  if (!may_begin(first)) return {broken, 1};
  const std::uint32_t length = length_from(first);
  // The second byte's range shuts out overlong forms, surrogates and what lies beyond U+10FFFF.
  unsigned char lowest = 0x80;
  unsigned char highest = 0xBF;
  if (first == 0xE0) lowest = 0xA0;
  if (first == 0xED) highest = 0x9F;
  if (first == 0xF0) lowest = 0x90;
  if (first == 0xF4) highest = 0x8F;
  std::uint32_t code_point = first & (0x7FU >> length);
  for (std::uint32_t i = 1; i < length; ++i) {
    if (at + i >= size || bytes[at + i] < lowest || bytes[at + i] > highest) return {broken, i};
    code_point = code_point << 6 | (bytes[at + i] & 0x3FU);
    lowest = 0x80;
    highest = 0xBF;
  }
  return {code_point, length};
}

/// Code units that the character takes in a JavaScript string; a broken one becomes U+FFFD.
inline std::uint32_t utf16_length(std::uint32_t code_point) {
  return code_point != broken && code_point > 0xFFFF ? 2 : 1;
}

/// Appends a code point that is no surrogate and not beyond U+10FFFF.
inline void append(std::string& out, std::uint32_t code_point) {
  const auto put = [&](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (code_point < 0x80) {
    put(code_point);
  } else if (code_point < 0x800) {
    put(0xC0 | code_point >> 6);
    put(0x80 | (code_point & 0x3F));
  } else if (code_point < 0x10000) {
    put(0xE0 | code_point >> 12);
    put(0x80 | (code_point >> 6 & 0x3F));
    put(0x80 | (code_point & 0x3F));
  } else {
    put(0xF0 | code_point >> 18);
    put(0x80 | (code_point >> 12 & 0x3F));
    put(0x80 | (code_point >> 6 & 0x3F));
    put(0x80 | (code_point & 0x3F));
  }
}

inline constexpr char replacement[] = "\xEF\xBF\xBD";

}  // namespace attn::utf8

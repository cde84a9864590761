#pragma once

#include <cstdint>
#include <string_view>

namespace attn::unicode {

/// What the pre-tokenizers ask about a character, one bit each, so that a question about several
/// classes is one `and`. White space is the property White_Space, of which CR and LF are a part.
enum Class : std::uint8_t {
  other = 0,  ///< Punctuation, symbols, controls, unassigned, and bytes that are no UTF-8.
  upper = 1 << 0,  ///< Lu, Lt.
  lower = 1 << 1,  ///< Ll.
  caseless = 1 << 2,  ///< Lm, Lo.
  mark = 1 << 3,  ///< Mn, Mc, Me.
  number = 1 << 4,  ///< Nd, Nl, No.
  space = 1 << 5,  ///< White_Space.
  line_break = 1 << 6,  ///< CR or LF; set together with `space`.
  letter = upper | lower | caseless,
};

/// The version of the Unicode Character Database that the classes come from: "16.0.0".
std::string_view version();

/// The classes of all code points below `flat_size`, by code point: built at the first call, 128 KiB.
const std::uint8_t* flat_classes();
inline constexpr std::uint32_t flat_size = 0x20000;

/// The classes of the 256 bytes, by byte: ASCII as above, `multibyte` where more bytes must be read.
/// It shares its memory with nothing else, so that a run of ASCII letters costs one load each.
const std::uint8_t* byte_classes();
inline constexpr std::uint8_t multibyte = 1 << 7;

/// The class of any code point; those above U+10FFFF are `other`.
std::uint8_t class_of(std::uint32_t code_point);

}  // namespace attn::unicode

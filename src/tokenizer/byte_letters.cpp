#include "tokenizer/byte_letters.hpp"

#include <array>
#include <cstdint>
#include <vector>

#include "core/utf8.hpp"
#include "tokenizer/vocabulary.hpp"

namespace attn {
namespace {

std::uint32_t letter_of(std::uint8_t byte) {
  static const std::array<std::uint32_t, 256> letters = [] {
    std::array<std::uint32_t, 256> made{};
    constexpr std::size_t printable = 188;
    for (std::size_t i = 0; i < 256; ++i) {
      const std::uint8_t at = gpt2_byte_order()[i];
      made[at] = i < printable ? at : static_cast<std::uint32_t>(0x100 + i - printable);
    }
    return made;
  }();
  return letters[byte];
}

}  // namespace

std::string letters_of_bytes(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) utf8::append(text, letter_of(static_cast<unsigned char>(byte)));
  return text;
}

bool bytes_of_letters(std::string_view letters, std::string& bytes) {
  static const std::vector<std::int16_t> byte_of = [] {
    std::vector<std::int16_t> made(0x200, -1);
    for (unsigned byte = 0; byte < 256; ++byte) {
      made[letter_of(static_cast<std::uint8_t>(byte))] = static_cast<std::int16_t>(byte);
    }
    return made;
  }();
  bytes.clear();
  const auto* data = reinterpret_cast<const unsigned char*>(letters.data());
  for (std::size_t at = 0; at < letters.size();) {
    const utf8::Step step = utf8::step(data, letters.size(), at);
    if (step.code_point >= byte_of.size() || byte_of[step.code_point] < 0) return false;
    bytes.push_back(static_cast<char>(byte_of[step.code_point]));
    at += step.length;
  }
  return true;
}

}  // namespace attn

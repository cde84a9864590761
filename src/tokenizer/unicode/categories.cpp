#include "tokenizer/unicode/categories.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

namespace attn::unicode {
namespace {

#include "tokenizer/unicode/categories.inc"

/// By the number that generate.py writes.
constexpr std::array<std::uint8_t, 8> classes = {other, upper,  lower, caseless,
                                                 mark,  number, space, other};

std::uint8_t from_ranges(std::uint32_t code_point) {
  const auto* after =
      std::upper_bound(std::begin(range_starts), std::end(range_starts), code_point << 3 | 7U);
  return classes[*std::prev(after) & 7U];
}

std::vector<std::uint8_t> expand() {
  std::vector<std::uint8_t> flat(flat_size);
  for (const auto* entry = std::begin(range_starts); entry != std::end(range_starts); ++entry) {
    const std::uint32_t first = *entry >> 3;
    if (first >= flat_size) break;
    const auto* next = std::next(entry);
    const std::uint32_t last =
        next == std::end(range_starts) ? flat_size : std::min(*next >> 3, flat_size);
    std::fill_n(flat.data() + first, last - first, classes[*entry & 7U]);
  }
  flat['\r'] |= line_break;
  flat['\n'] |= line_break;
  return flat;
}

}  // namespace

std::string_view version() { return generated_from; }

const std::uint8_t* flat_classes() {
  static const std::vector<std::uint8_t> flat = expand();
  return flat.data();
}

const std::uint8_t* byte_classes() {
  static const std::array<std::uint8_t, 256> bytes = [] {
    std::array<std::uint8_t, 256> table{};
    table.fill(multibyte);
    std::copy_n(flat_classes(), 128, table.begin());
    return table;
  }();
  return bytes.data();
}

std::uint8_t class_of(std::uint32_t code_point) {
  if (code_point < flat_size) return flat_classes()[code_point];
  return code_point > 0x10FFFF ? static_cast<std::uint8_t>(other) : from_ranges(code_point);
}

}  // namespace attn::unicode

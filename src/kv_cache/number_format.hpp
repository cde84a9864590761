#pragma once

// How numbers are kept: how many bits each, and what each block of them carries beside.

#include <cstdint>
#include <span>
#include <string_view>

#include "core/error.hpp"

namespace attn {

/// A row of numbers is kept as its blocks, one after another: of each block the numbers' bits, and
/// `block_bytes` for its scale (and its offset, where there is one). A block never spans two rows.
struct NumberFormat {
  std::string_view name;
  std::uint64_t bits = 16;
  /// Numbers that share a scale; 0 where there is none.
  std::uint64_t block = 0;
  std::uint64_t block_bytes = 0;
};

/// f32; f16 and bf16; f8 (either of OCP's two, its scale not in the cache); q8_0, q4_0 and q4_1 as
/// in ggml: blocks of 32 with a scale in 16 bits, q4_1 with an offset as well.
std::span<const NumberFormat> number_formats();

/// Errors: bad_argument naming `field`, with the names that there are.
Expected<NumberFormat> number_format(std::string_view field, std::string_view name);

/// Bytes of one row of `width` numbers: bits rounded up to bytes, and every begun block's own.
/// Errors: too_large naming `field` above 2^53.
Expected<std::uint64_t> row_bytes(std::string_view field, const NumberFormat& format,
                                  std::uint64_t width);

}  // namespace attn

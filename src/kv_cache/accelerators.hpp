#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/error.hpp"

namespace attn {

/// What one chip can keep, move and compute, as its maker's sheet says.
struct PublishedAccelerator {
  /// Short and stable: it stands in links.
  std::string_view id;
  std::string_view name;
  /// Decimal: the gigabytes it is sold with, times 10^9. What a program can use is less by what the driver keeps.
  std::uint64_t memory_bytes = 0;
  /// Bytes a second between memory and chip.
  std::uint64_t bandwidth_bytes_s = 0;
  /// Multiplications and additions a second of 16-bit numbers, sums in 32 bits where the sheet tells both, dense:
  /// without the doubling for matrices half of zeros.
  std::uint64_t flops_s = 0;
  std::string_view source;
};

/// The first is the lecture's: 80 GB.
std::span<const PublishedAccelerator> accelerators();

/// Errors: bad_argument naming `field` for an id that is not in the table.
Expected<PublishedAccelerator> accelerator(std::string_view field, std::string_view id);

}  // namespace attn

#pragma once

// Rotary positions (Su et al. 2021, arXiv:2104.09864, equation 34), applied before a key is kept.

#include <cstdint>
#include <span>

#include "core/error.hpp"

namespace attn {

/// Turns the pairs (row[i], row[i + width / 2]) by position x base^(-2 i / width), the half-split order of GPT-NeoX and
/// LLaMA. row [width].
/// Errors: shape_mismatch naming `field` when width is odd.
/// Promise: angles in double; the product of two rows so turned depends on the difference of their positions alone.
Expected<void> rotate_half_split(std::string_view field, std::span<float> row,
                                 std::uint64_t position, double base);

}  // namespace attn

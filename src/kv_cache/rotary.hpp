#pragma once

// Rotary positions (Su et al. 2021, arXiv:2104.09864, equation 34), applied before a key is kept.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/error.hpp"

namespace attn {

/// By which angle one pair is turned.
struct RotaryTurn {
  double cosine = 1, sine = 0;
};

/// The turns of one position, position x base^(-2 i / width) for pair i. Returns [width / 2]; width is even.
/// Promise: in double.
std::vector<RotaryTurn> rotary_turns(std::size_t width, std::uint64_t position, double base);

/// Turns the pairs (row[i], row[i + width / 2]), the half-split order of GPT-NeoX and LLaMA.
/// row [2 x turns.size()].
void turn_half_split(float* row, std::span<const RotaryTurn> turns);

/// Both for one row [width].
/// Errors: shape_mismatch naming `field` when width is odd.
/// Promise: the product of two rows so turned depends on the difference of their positions alone.
Expected<void> rotate_half_split(std::string_view field, std::span<float> row,
                                 std::uint64_t position, double base);

}  // namespace attn

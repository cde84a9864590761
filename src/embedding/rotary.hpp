#pragma once

// Rotary positions (Su et al. 2021, arXiv:2104.09864, equation 34): the numbers of a query or a key are taken in pairs,
// and each pair is turned like the hand of a clock, by an angle that grows with the position.

#include <cstddef>
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

/// Which two numbers make pair i of a row [width]. Either is right, as long as queries and keys, and the weights that
/// made them, keep to it.
enum class RotaryPairs : std::uint8_t {
  interleaved,  ///< row[2 i] and row[2 i + 1]: the paper, GPT-J, Meta's LLaMA
  half_split,  ///< row[i] and row[i + width / 2]: GPT-NeoX, Hugging Face's LLaMA
};

/// Radians that each pair turns from one token to the next, base^(-2 i / width). Returns [width / 2]; width is even.
std::vector<double> rotary_frequencies(std::size_t width, double base);

/// The turns of one position, which may lie before the first: frequency x position, both parts times `factor`.
/// Returns [frequencies].
std::vector<RotaryTurn> rotary_turns(std::span<const double> frequencies, double position,
                                     double factor = 1);

/// The same for the frequencies of a width and a base. Promise: in double.
std::vector<RotaryTurn> rotary_turns(std::size_t width, std::uint64_t position, double base);

/// Turns the pairs of a row [2 x turns.size()]. Promise: sums in double.
void turn(std::span<double> row, std::span<const RotaryTurn> turns, RotaryPairs pairs);

/// The same for a row of float. Promise: sums in double, rounded once.
void turn(float* row, std::span<const RotaryTurn> turns, RotaryPairs pairs);

/// The same in half-split pairs. row [2 x turns.size()].
void turn_half_split(float* row, std::span<const RotaryTurn> turns);

/// Turns one row [width] of half-split pairs to its position.
/// Errors: shape_mismatch naming `field` when width is odd.
/// Promise: the product of two rows so turned depends on the difference of their positions alone.
Expected<void> rotate_half_split(std::string_view field, std::span<float> row,
                                 std::uint64_t position, double base);

}  // namespace attn

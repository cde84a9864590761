#include "embedding/rotary.hpp"

#include <cmath>

namespace attn {
namespace {

/// Pair i is row[i step] and the number `apart` places after it.
template <class T>
void turn_pairs(T* row, std::span<const RotaryTurn> turns, std::size_t step, std::size_t apart) {
  for (std::size_t i = 0; i < turns.size(); ++i) {
    T& first = row[i * step];
    T& second = row[i * step + apart];
    const auto a = static_cast<double>(first);
    const auto b = static_cast<double>(second);
    first = static_cast<T>(a * turns[i].cosine - b * turns[i].sine);
    second = static_cast<T>(a * turns[i].sine + b * turns[i].cosine);
  }
}

template <class T>
void turn_row(T* row, std::span<const RotaryTurn> turns, RotaryPairs pairs) {
  if (pairs == RotaryPairs::interleaved) {
    turn_pairs(row, turns, 2, 1);
  } else {
    turn_pairs(row, turns, 1, turns.size());
  }
}

}  // namespace

std::vector<double> rotary_frequencies(std::size_t width, double base) {
  std::vector<double> frequencies(width / 2);
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    const double exponent = -2.0 * static_cast<double>(i) / static_cast<double>(width);
    frequencies[i] = std::pow(base, exponent);
  }
  return frequencies;
}

std::vector<RotaryTurn> rotary_turns(std::span<const double> frequencies, double position,
                                     double factor) {
  std::vector<RotaryTurn> turns(frequencies.size());
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const double angle = position * frequencies[i];
    turns[i] = {.cosine = factor * std::cos(angle), .sine = factor * std::sin(angle)};
  }
  return turns;
}

std::vector<RotaryTurn> rotary_turns(std::size_t width, std::uint64_t position, double base) {
  return rotary_turns(rotary_frequencies(width, base), static_cast<double>(position));
}

void turn(std::span<double> row, std::span<const RotaryTurn> turns, RotaryPairs pairs) {
  turn_row(row.data(), turns, pairs);
}

void turn(float* row, std::span<const RotaryTurn> turns, RotaryPairs pairs) {
  turn_row(row, turns, pairs);
}

void turn_half_split(float* row, std::span<const RotaryTurn> turns) {
  turn_row(row, turns, RotaryPairs::half_split);
}

Expected<void> rotate_half_split(std::string_view field, std::span<float> row,
                                 std::uint64_t position, double base) {
  if (row.size() % 2 != 0) {
    return fail(ErrorCode::shape_mismatch, field,
                {field, " must be even, as numbers are turned in pairs; it is ",
                 std::uint64_t{row.size()}, "."});
  }
  turn_half_split(row.data(), rotary_turns(row.size(), position, base));
  return {};
}

}  // namespace attn

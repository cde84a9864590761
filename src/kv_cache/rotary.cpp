#include "kv_cache/rotary.hpp"

#include <cmath>

namespace attn {

std::vector<RotaryTurn> rotary_turns(std::size_t width, std::uint64_t position, double base) {
  std::vector<RotaryTurn> turns(width / 2);
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const double exponent = -2.0 * static_cast<double>(i) / static_cast<double>(width);
    const double angle = static_cast<double>(position) * std::pow(base, exponent);
    turns[i] = {std::cos(angle), std::sin(angle)};
  }
  return turns;
}

void turn_half_split(float* row, std::span<const RotaryTurn> turns) {
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const auto a = static_cast<double>(row[i]);
    const auto b = static_cast<double>(row[i + turns.size()]);
    row[i] = static_cast<float>(a * turns[i].cosine - b * turns[i].sine);
    row[i + turns.size()] = static_cast<float>(a * turns[i].sine + b * turns[i].cosine);
  }
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

#include "kv_cache/rotary.hpp"

#include <cmath>

namespace attn {

Expected<void> rotate_half_split(std::string_view field, std::span<float> row,
                                 std::uint64_t position, double base) {
  const std::size_t half = row.size() / 2;
  if (row.size() % 2 != 0) {
    return fail(ErrorCode::shape_mismatch, field,
                {field, " must be even, as numbers are turned in pairs; it is ",
                 std::uint64_t{row.size()}, "."});
  }
  for (std::size_t i = 0; i < half; ++i) {
    const double exponent = -2.0 * static_cast<double>(i) / static_cast<double>(row.size());
    const double angle = static_cast<double>(position) * std::pow(base, exponent);
    const auto a = static_cast<double>(row[i]);
    const auto b = static_cast<double>(row[i + half]);
    row[i] = static_cast<float>(a * std::cos(angle) - b * std::sin(angle));
    row[i + half] = static_cast<float>(a * std::sin(angle) + b * std::cos(angle));
  }
  return {};
}

}  // namespace attn

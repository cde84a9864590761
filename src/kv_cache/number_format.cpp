#include "kv_cache/number_format.hpp"

#include <array>
#include <string>

#include "core/limits.hpp"

namespace attn {
namespace {

constexpr std::array formats = {
    NumberFormat{"f32", 32, 0, 0},  NumberFormat{"f16", 16, 0, 0},  NumberFormat{"bf16", 16, 0, 0},
    NumberFormat{"f8", 8, 0, 0},    NumberFormat{"q8_0", 8, 32, 2}, NumberFormat{"q4_0", 4, 32, 2},
    NumberFormat{"q4_1", 4, 32, 4},
};

}  // namespace

std::span<const NumberFormat> number_formats() { return formats; }

Expected<NumberFormat> number_format(std::string_view field, std::string_view name) {
  std::string names;
  for (const NumberFormat& format : formats) {
    if (format.name == name) return format;
    names += (names.empty() ? "" : ", ");
    names += format.name;
  }
  return fail(ErrorCode::bad_argument, field,
              {field, " must be one of ", names, "; it is “", name, "”."});
}

Expected<std::uint64_t> row_bytes(std::string_view field, const NumberFormat& format,
                                  std::uint64_t width) {
  const auto bits = checked_product(field, {width, format.bits});
  ATTN_CHECK(bits);
  const std::uint64_t numbers = *bits / 8 + (*bits % 8 != 0);
  if (format.block == 0) return numbers;
  const auto blocks = checked_product(
      field, {width / format.block + (width % format.block != 0), format.block_bytes});
  ATTN_CHECK(blocks);
  return checked_product(field, {numbers + *blocks});
}

}  // namespace attn

#include "kv_cache/stored_error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "core/limits.hpp"
#include "kernels/scalar/stored_rows.hpp"

namespace attn {
namespace {

using kernels::RowFormat;

constexpr std::pair<std::string_view, RowFormat> row_formats[] = {
    {"f32", RowFormat::f32},
    {"f16", RowFormat::f16},
    {"q8_0", RowFormat::q8_0},
    {"q4_0", RowFormat::q4_0},
};

/// The bound of kernels/scalar/stored_rows.hpp for a block of largest magnitude m.
double bound_of(RowFormat format, double m) {
  switch (format) {
    case RowFormat::f32:
      return 0;
    case RowFormat::f16:
      return 0x1p-11 * m + 0x1p-25;
    case RowFormat::q8_0:
      return (1.0 / 254 + 0x1p-11) * m + 127 * 0x1p-25;
    case RowFormat::q4_0:
      return (1.0 / 8 + 0x1p-10) * m + 0x1p-21;
  }
  return 0;
}

}  // namespace

Expected<RowFormat> row_format(std::string_view format) {
  std::string names;
  for (const auto& [known, value] : row_formats) {
    if (known == format) return value;
    names += (names.empty() ? "" : ", ");
    names += known;
  }
  return fail(ErrorCode::bad_argument, "format",
              {"format must be one of ", names, "; it is “", format, "”."});
}

Expected<StoredRows> store_rows(std::string_view format, std::uint64_t width,
                                std::span<const float> rows) {
  const auto kept_as = row_format(format);
  ATTN_CHECK(kept_as);
  ATTN_CHECK(check_count("width", width, 1, max_width));
  const auto columns = static_cast<std::size_t>(width);
  if (rows.empty() || rows.size() % columns != 0) {
    return fail(ErrorCode::shape_mismatch, "rows",
                {"rows must hold whole rows of ", width, " numbers; it holds ",
                 std::uint64_t{rows.size()}, "."});
  }
  if (!std::ranges::all_of(rows, [](float x) { return std::isfinite(x); })) {
    return fail(ErrorCode::not_finite, "rows", {"rows must hold finite numbers."});
  }
  ATTN_CHECK(check_bytes("rows", std::uint64_t{rows.size()} * sizeof(float)));
  const kernels::StoredRow row = {*kept_as, columns, 0};
  StoredRows stored;
  stored.rows.resize(rows.size());
  stored.bytes = rows.size() / columns * std::uint64_t{row.bytes()};
  std::vector<std::byte> bytes(row.bytes());
  double squares = 0;
  double all = 0;
  for (std::size_t first = 0; first < rows.size(); first += columns) {
    kernels::encode_row_scalar(row, rows.data() + first, bytes.data());
    kernels::decode_rows_scalar(row, bytes.data(), 0, 1, stored.rows.data() + first);
    double largest = 0;
    for (std::size_t c = 0; c < columns; ++c) {
      const auto given = static_cast<double>(rows[first + c]);
      const double apart = std::fabs(static_cast<double>(stored.rows[first + c]) - given);
      squares += apart * apart;
      all += given * given;
      largest = std::max(largest, std::fabs(given));
      // Not max: NaN, where a scale was out of range, is as far off as can be.
      if (!(apart <= stored.largest_error)) stored.largest_error = apart;
    }
    stored.bound = std::max(stored.bound, bound_of(*kept_as, largest));
  }
  stored.relative_error = all == 0 ? 0 : std::sqrt(squares / all);
  if (!std::isfinite(stored.largest_error)) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    stored.largest_error = stored.relative_error = stored.bound = infinity;
  }
  return stored;
}

}  // namespace attn

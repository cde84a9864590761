#pragma once

// What a cache's number format does to rows: how many bytes it keeps, and how far off they come back.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "kernels/stored_rows.hpp"

namespace attn {

/// The formats in which rows can be kept. Errors: bad_argument ("format") with the names that there are.
Expected<kernels::RowFormat> row_format(std::string_view format);

struct StoredRows {
  /// [n, width] as they are read back.
  std::vector<float> rows;
  /// Of all rows as they are kept.
  std::uint64_t bytes = 0;
  /// The largest difference to what was given; the root of the summed squares of all differences by that of what was
  /// given, 0 where that is 0.
  double largest_error = 0, relative_error = 0;
  /// What no difference exceeds: the format's share of the largest magnitude in each block (see
  /// kernels/scalar/stored_rows.hpp), of the block that has the most.
  double bound = 0;
};

/// Rows [n, width] kept in a format and read back.
/// Errors: bad_argument ("format"); out_of_range and too_large ("width"); shape_mismatch ("rows") when they are no whole
/// rows; not_finite ("rows"), as a difference to NaN says nothing; too_large and out_of_memory ("rows").
/// Promise: largest_error <= bound while the scales are within binary16, else both are infinite.
Expected<StoredRows> store_rows(std::string_view format, std::uint64_t width,
                                std::span<const float> rows);

}  // namespace attn

#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/error.hpp"
#include "core/matrix.hpp"

namespace attn {

/// "NaN", "infinity" or "-infinity", for messages. No number is ever formatted in the core.
inline std::string_view name_of_not_finite(double value) {
  if (std::isnan(value)) return "NaN";
  return value > 0 ? "infinity" : "-infinity";
}

inline std::unexpected<Error> not_finite(std::string_view field, std::string_view index,
                                         double value) {
  return fail(ErrorCode::not_finite, field,
              {field, index, " must be a finite number; it is ", name_of_not_finite(value), "."});
}

/// Whether the rows that count hold numbers only. matrix [rows, columns], counts [rows] or empty
/// for all.
/// Errors: not_finite naming `field` and, in the message, the first entry: "K[2, 0]".
template <class T>
Expected<void> check_finite(std::string_view field, const Matrix<T>& matrix,
                            std::span<const std::uint8_t> counts = {}) {
  const std::size_t columns = matrix.shape(1);
  for (std::size_t i = 0; i < matrix.shape(0); ++i) {
    if (!counts.empty() && counts[i] == 0) continue;
    for (std::size_t j = 0; j < columns; ++j) {
      const T value = matrix(i, j);
      if (std::isfinite(value)) continue;
      return not_finite(field, text({"[", i, ", ", j, "]"}), static_cast<double>(value));
    }
  }
  return {};
}

/// As check_finite for a matrix; vector [n].
template <class T>
Expected<void> check_finite(std::string_view field, const Vector<T>& vector) {
  for (std::size_t i = 0; i < vector.size(); ++i) {
    if (std::isfinite(vector(i))) continue;
    return not_finite(field, text({"[", i, "]"}), static_cast<double>(vector(i)));
  }
  return {};
}

}  // namespace attn

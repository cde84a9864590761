#include "core/quantile.hpp"

#include <algorithm>
#include <cstddef>

#include "core/finite.hpp"
#include "core/limits.hpp"

namespace attn {

double quantile(std::span<const double> sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  const double part = place - static_cast<double>(below);
  // Not by their difference, which may leave the range of a double.
  return (1 - part) * sorted[below] + part * sorted[above];
}

Expected<Vector<double>> quantiles(Vector<double> values, const Vector<double>& shares) {
  ATTN_CHECK(check_count("values", values.size(), 1, max_tokens));
  ATTN_CHECK(check_finite("values", values));
  ATTN_CHECK(check_finite("shares", shares));
  for (std::size_t k = 0; k < shares.size(); ++k) {
    if (shares(k) >= 0 && shares(k) <= 1) continue;
    return fail(ErrorCode::out_of_range, text({"shares[", k, "]"}),
                {"shares[", k, "] must be a share from 0 to 1."});
  }
  std::ranges::sort(std::span<double>(values.data(), values.size()));
  Vector<double> found = make_vector<double>(shares.size());
  for (std::size_t k = 0; k < shares.size(); ++k) found(k) = quantile(flat(values), shares(k));
  return found;
}

}  // namespace attn

#include "embedding/sinusoidal.hpp"

#include <cmath>
#include <cstdint>

#include "core/limits.hpp"

namespace attn {

Expected<Matrix<double>> sinusoidal_positions(std::size_t n, std::size_t d_model, double base) {
  ATTN_CHECK(check_count("n", n, 1, max_tokens));
  ATTN_CHECK(check_count("d_model", d_model, 1, max_width));
  if (!(base > 1) || !std::isfinite(base)) {
    return fail(ErrorCode::out_of_range, "base", {"base must be a number above 1."});
  }
  ATTN_CHECK(check_bytes("n", std::uint64_t{n} * d_model * sizeof(double)));
  Matrix<double> P = make_matrix<double>(n, d_model);
  for (std::size_t j = 0; j < d_model; ++j) {
    const std::size_t even = j - j % 2;
    const double frequency =
        std::pow(base, -static_cast<double>(even) / static_cast<double>(d_model));
    for (std::size_t pos = 0; pos < n; ++pos) {
      const double angle = static_cast<double>(pos) * frequency;
      P(pos, j) = j % 2 == 0 ? std::sin(angle) : std::cos(angle);
    }
  }
  return P;
}

}  // namespace attn

#include "embedding/alibi.hpp"

#include <bit>
#include <cmath>

#include "core/limits.hpp"

namespace attn {

Expected<std::vector<double>> alibi_slopes(std::size_t n_heads) {
  ATTN_CHECK(check_count("n_heads", n_heads, 1, max_heads));
  const std::size_t below = std::bit_floor(n_heads);
  std::vector<double> slopes(n_heads);
  for (std::size_t h = 0; h < n_heads; ++h) {
    // The ones beyond `below` are number 1, 3, 5, ... of twice as many heads.
    const std::size_t number = h < below ? h + 1 : 2 * (h - below) + 1;
    const std::size_t heads = h < below ? below : 2 * below;
    slopes[h] = std::exp2(-8.0 * static_cast<double>(number) / static_cast<double>(heads));
  }
  return slopes;
}

}  // namespace attn

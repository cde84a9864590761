#include "embedding/positions.hpp"

namespace attn {

std::vector<std::int32_t> positions_of(std::span<const std::uint8_t> valid) {
  std::vector<std::int32_t> positions(valid.size(), 0);
  std::int32_t next = 0;
  for (std::size_t i = 0; i < valid.size(); ++i) {
    if (valid[i] != 0) positions[i] = next++;
  }
  return positions;
}

}  // namespace attn

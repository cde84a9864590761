#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace attn {

/// The position of each token of a padded row, counted over the real tokens alone:
/// cumsum(valid) - 1. valid [n], 0 where padding; returns [n], 0 for the padding itself.
/// Promise: a row gets the same positions with padding on its left, on its right, or without.
std::vector<std::int32_t> positions_of(std::span<const std::uint8_t> valid);

}  // namespace attn

#pragma once

#include <cstddef>
#include <vector>

#include "core/error.hpp"

namespace attn {

/// ALiBi (Press, Smith and Lewis 2022, arXiv:2108.12409): a score is lowered by slope x distance, and each head has
/// its own slope. For a power of two they are 2^(-8 h / n_heads) for head h = 1 to n_heads; for another count, as in
/// the paper's code, those of the power of two below it, then every other one of the power of two above it.
/// Returns [n_heads]. Errors: out_of_range for 0 heads, too_large above max_heads.
/// Promise: exact for 8 heads, 1/2 to 1/256; no slope is 1 or more.
Expected<std::vector<double>> alibi_slopes(std::size_t n_heads);

}  // namespace attn

#pragma once

#include <cstddef>

#include "core/error.hpp"
#include "core/matrix.hpp"

namespace attn {

/// Sinusoidal positions (Vaswani et al. 2017, section 3.5): P[pos, 2i] = sin(pos / base^(2i / d_model)) and
/// P[pos, 2i + 1] the cosine of the same. Returns P [n, d_model]; an odd d_model has one sine more than cosines.
/// Errors: out_of_range and too_large for n outside 1 to max_tokens, d_model outside 1 to max_width; out_of_range
/// naming "base" unless it is above 1; too_large or out_of_memory for the bytes.
/// Promise: row 0 is 0, 1, 0, 1, ...
Expected<Matrix<double>> sinusoidal_positions(std::size_t n, std::size_t d_model,
                                              double base = 10000);

}  // namespace attn

#pragma once

// Root-mean-square normalisation of rows.
//
// Ladder
//   plain   Two loops a row, the sum in double. The oracle that later versions are compared with.

#include <cstddef>

namespace attn::kernels {

/// out_i = gain_i x_i / sqrt(mean_j x_j^2 + epsilon) for each row (Zhang and Sennrich 2019,
/// equation 4; epsilon as in LLaMA).
/// x [n, d], gain [d] or null for ones, out [n, d], which may be x.
/// Promise: in double, rounded once to T; a row of zeros with epsilon 0 gives NaN, as 0 / 0 does.
template <class T>
void rms_norm_scalar(const T* x, const T* gain, T epsilon, std::size_t n, std::size_t d, T* out);

}  // namespace attn::kernels

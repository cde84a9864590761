#pragma once

#include <cstddef>

namespace attn {

/// out[i, j] = Q_i . K_j in float32, with eight running sums that are added in one order and never fused: the same bits in
/// every build, which the kernels, made for speed, do not promise. Q [a, width], K [b, width], out [a, b], row-major.
void lane_products(const float* Q, const float* K, float* out, std::size_t a, std::size_t width,
                   std::size_t b);

}  // namespace attn

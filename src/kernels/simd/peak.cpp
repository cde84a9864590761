#include "kernels/simd/peak.hpp"

#include "kernels/simd/tile.hpp"

namespace attn::kernels {

using namespace simd;

PeakWork peak_multiply_add_simd(std::size_t iterations) {
  constexpr std::size_t chains = 12;
  // x = 0.999 x + 0.001 stays near 1: no overflow, and no denormals, which are slow.
  const float seed = static_cast<float>(iterations % 7) * 0.01F;
  const Float4 factor = splat(0.999F);
  const Float4 addend = splat(0.001F + seed * 1e-6F);
  Float4 chain[chains];
  ATTN_UNROLLED for (std::size_t c = 0; c < chains; ++c) {
    chain[c] = splat(seed + static_cast<float>(c));
  }
  ATTN_LOOP_AS_WRITTEN for (std::size_t left = iterations; left != 0; --left) {
    ATTN_UNROLLED for (std::size_t c = 0; c < chains; ++c) {
      chain[c] = multiply_add(chain[c], factor, addend);
    }
  }
  Float4 sum = chain[0];
  ATTN_UNROLLED for (std::size_t c = 1; c < chains; ++c) sum = add(sum, chain[c]);
  return {2.0 * chains * lanes * static_cast<double>(iterations), sum_of(sum)};
}

float stream_sum_simd(const float* values, std::size_t n) {
  constexpr std::size_t chains = 8;
  Float4 sum[chains];
  ATTN_UNROLLED for (std::size_t c = 0; c < chains; ++c) sum[c] = zero();
  std::size_t i = 0;
  ATTN_LOOP_AS_WRITTEN for (; i + chains * lanes <= n; i += chains * lanes) {
    ATTN_UNROLLED for (std::size_t c = 0; c < chains; ++c) {
      sum[c] = add(sum[c], load(values + i + c * lanes));
    }
  }
  ATTN_UNROLLED for (std::size_t c = 1; c < chains; ++c) sum[0] = add(sum[0], sum[c]);
  float total = sum_of(sum[0]);
  for (; i < n; ++i) total += values[i];
  return total;
}

}  // namespace attn::kernels

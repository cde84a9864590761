#pragma once

// One block of scores folded into the softmax of a row that is read block by block.

#include <limits>

#include "kernels/simd/exp2.hpp"

namespace attn::kernels::simd {

/// Where a running maximum begins: the lowest float and not minus infinity, so that scores of minus
/// infinity weigh 0 and not NaN while nothing else has been seen.
inline constexpr float lowest = -std::numeric_limits<float>::max();

/// scores [count], a multiple of 2 lanes, become 2^(score - maximum) with the larger of `maximum`
/// and their own maximum; `sums` [lanes] is scaled to it and grows by them. Returns what all that
/// was summed with the old maximum must be multiplied by; 1 when it has not risen.
ATTN_INLINE float fold_scores(float* scores, std::size_t count, float& running_maximum,
                              float* sums) {
  Float4 even = load(scores);
  Float4 odd = load(scores + lanes);
  for (std::size_t j = 2 * lanes; j < count; j += 2 * lanes) {
    even = maximum(even, load(scores + j));
    odd = maximum(odd, load(scores + j + lanes));
  }
  const float block_maximum = largest_of(maximum(even, odd));
  float factor = 1;
  if (block_maximum > running_maximum) {
    factor = first(exp2_below(splat(running_maximum - block_maximum)));
    running_maximum = block_maximum;
  }
  const Float4 shift = splat(running_maximum);
  even = multiply(load(sums), splat(factor));
  odd = zero();
  for (std::size_t j = 0; j < count; j += 2 * lanes) {
    const Float4 low = exp2_below(subtract(load(scores + j), shift));
    const Float4 high = exp2_below(subtract(load(scores + j + lanes), shift));
    store(scores + j, low);
    store(scores + j + lanes, high);
    even = add(even, low);
    odd = add(odd, high);
  }
  store(sums, add(even, odd));
  return factor;
}

/// output = sums / total, of n entries. Returns whether all came out finite.
ATTN_INLINE bool normalise(const float* sums, float total, float* output, std::size_t n) {
  const float inverse = 1 / total;
  const Float4 inverses = splat(inverse);
  Float4 check = zero();
  std::size_t c = 0;
  for (; c + lanes <= n; c += lanes) {
    const Float4 entry = multiply(load(sums + c), inverses);
    // 0 x entry is 0, or NaN for NaN and infinity.
    check = multiply_add(entry, zero(), check);
    store(output + c, entry);
  }
  float rest = sum_of(check);
  for (; c < n; ++c) {
    output[c] = sums[c] * inverse;
    rest += output[c] * 0.0F;
  }
  return rest == 0;
}

}  // namespace attn::kernels::simd

#pragma once

// 2^x, four at a time: the exponential of every softmax here, as e^x = 2^(x log2 e).
//
// Ladder
//   degree 6    x = whole + rest with |rest| <= 1/2; 2^rest by a polynomial, 2^whole by its
//               exponent bits. Its own error is 0.03 units of 2^-24, far below the rounding of
//               evaluating it: one step for nothing.
//   degree 5    1.5 units, and one multiply-add in eleven operations less. What the kernels use.
//   whole + 127 The exponent's bias sits in the rounding constant, so the bits become a factor by
//               one shift. Multiplying by it costs no more than adding the bits to the polynomial's
//               exponent, and a NaN stays one.

#include "kernels/simd/vector.hpp"

namespace attn::kernels::simd {

/// log2(e): what a score is multiplied by, so that 2^x can stand for e^x.
inline constexpr float log2_e = 1.44269504F;
inline constexpr float ln_2 = 0.693147181F;

/// 2^(whole + rest) for |rest| <= 1/2; `rounded` holds whole + 127 in its lowest bits.
ATTN_INLINE Float4 exp2_of_rest(Float4 rest, Float4 rounded) {
  // Least largest relative error on [-1/2, 1/2] among those that are 1 at 0, by Lawson's iteration:
  // 9.15e-8.
  Float4 power = splat(1.3264728141e-3F);
  power = multiply_add(power, rest, splat(9.6715134311e-3F));
  power = multiply_add(power, rest, splat(5.5507337482e-2F));
  power = multiply_add(power, rest, splat(2.4022242073e-1F));
  power = multiply_add(power, rest, splat(6.9314697759e-1F));
  power = multiply_add(power, rest, splat(1.0F));
  return multiply(power, low_bits_as_exponent(rounded));
}

/// 2^x for -126 <= x < 127.5, the cheapest.
/// Promise: relative error at most 3.5 x 2^-24; exactly 1 at 0; NaN gives NaN. Outside, anything.
ATTN_INLINE Float4 exp2_within(Float4 x) {
  // 1.5 x 2^23: a float this large has no fraction bits left, so adding it rounds to the nearest
  // whole number, which is then its lowest bits.
  const Float4 rounder = splat(12582912.0F + 127.0F);
  const Float4 rounded = add(x, rounder);
  return exp2_of_rest(subtract(x, subtract(rounded, rounder)), rounded);
}

/// 2^(a b) for -126 <= a b < 127.5: one operation less, since the product is rounded to the nearest whole number by the same
/// multiply-add that makes it.
/// Promise: as exp2_within, for a b rounded to float at the worst; exactly 1 where a b is 0.
ATTN_INLINE Float4 exp2_of_product_within(Float4 a, Float4 b) {
  const Float4 rounder = splat(12582912.0F + 127.0F);
  const Float4 rounded = multiply_add(a, b, rounder);
  return exp2_of_rest(multiply_add(a, b, subtract(rounder, rounded)), rounded);
}

/// 2^x for x < 127.5.
/// Promise: as exp2_within; exactly 0 below -126.5, minus infinity included.
ATTN_INLINE Float4 exp2_below(Float4 x) { return exp2_within(maximum(x, splat(-127.0F))); }

/// 2^x for every x.
/// Promise: as exp2_below; infinity from 127.5 on, where the true power still has a float.
ATTN_INLINE Float4 exp2(Float4 x) { return exp2_below(minimum(x, splat(128.0F))); }

}  // namespace attn::kernels::simd

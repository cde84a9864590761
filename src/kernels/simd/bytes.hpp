#pragma once

// Sixteen signed bytes at a time, and sums of their products in four whole numbers of 32 bits: exact, so that in which
// lane a product lands says nothing in the end, and every machine has the same sum.
//
// In WebAssembly these are intrinsics; natively plain loops, which the compiler may make vectors of: what they compute is
// the same, and their speed is nobody's.

#include <array>
#include <cstring>

#include "kernels/simd/vector.hpp"
#include "kernels/stored_rows_loops.hpp"

namespace attn::kernels::simd {

#if defined(__wasm_simd128__)

using Bytes16 = v128_t;
using Int4 = v128_t;

ATTN_INLINE Bytes16 load_bytes(const void* from) { return wasm_v128_load(from); }
/// Of each byte its lower or its upper four bits, 0 to 15.
ATTN_INLINE Bytes16 low_halves(Bytes16 a) { return wasm_v128_and(a, wasm_i8x16_const_splat(15)); }
ATTN_INLINE Bytes16 high_halves(Bytes16 a) { return wasm_u8x16_shr(a, 4); }
/// (a >> right & 3) << 4
template <int right>
ATTN_INLINE Bytes16 two_bits_up(Bytes16 a) {
  return wasm_i8x16_shl(wasm_v128_and(wasm_u8x16_shr(a, right), wasm_i8x16_const_splat(3)), 4);
}
ATTN_INLINE Bytes16 or_bytes(Bytes16 a, Bytes16 b) { return wasm_v128_or(a, b); }
ATTN_INLINE Bytes16 less_32(Bytes16 a) { return wasm_i8x16_sub(a, wasm_i8x16_const_splat(32)); }

/// Four numbers of 16 bits (binary16), as stored::float_of reads each. One by one they took as long as the products.
ATTN_INLINE Float4 load_halves(const void* a, const void* b, const void* c, const void* d) {
  v128_t bits = wasm_v128_load16_lane(a, wasm_i32x4_const_splat(0), 0);
  bits = wasm_v128_load16_lane(b, bits, 2);
  bits = wasm_v128_load16_lane(c, bits, 4);
  bits = wasm_v128_load16_lane(d, bits, 6);
  const v128_t magnitude = wasm_i32x4_shl(wasm_v128_and(bits, wasm_i32x4_const_splat(0x7FFF)), 13);
  const v128_t value = wasm_f32x4_mul(magnitude, wasm_f32x4_const_splat(0x1p112F));
  const v128_t special = wasm_v128_and(wasm_f32x4_ge(value, wasm_f32x4_const_splat(65536.0F)),
                                       wasm_i32x4_const_splat(0x7F800000));
  const v128_t sign = wasm_i32x4_shl(wasm_v128_and(bits, wasm_i32x4_const_splat(0x8000)), 16);
  return wasm_v128_or(wasm_v128_or(value, special), sign);
}

ATTN_INLINE Int4 add_whole(Int4 a, Int4 b) { return wasm_i32x4_add(a, b); }
ATTN_INLINE Int4 subtract_whole(Int4 a, std::int32_t b) {
  return wasm_i32x4_sub(a, wasm_i32x4_splat(b));
}
ATTN_INLINE Float4 floats_of(Int4 a) { return wasm_f32x4_convert_i32x4(a); }

/// Products of two in 16 bits, and two of them in one lane: at most 2 x 127 x 128.
ATTN_INLINE v128_t pairs_of(Bytes16 w, Bytes16 x) {
  return wasm_i16x8_add(wasm_i16x8_extmul_low_i8x16(w, x), wasm_i16x8_extmul_high_i8x16(w, x));
}

/// The 32 products of weights from -128 to 127 and activations from -127 to 127, in four sums.
ATTN_INLINE Int4 dot_bytes(Bytes16 w0, Bytes16 w1, Bytes16 x0, Bytes16 x1) {
  return wasm_i32x4_add(wasm_i32x4_extadd_pairwise_i16x8(pairs_of(w0, x0)),
                        wasm_i32x4_extadd_pairwise_i16x8(pairs_of(w1, x1)));
}

/// The same for weights from 0 to 15, whose sums of four products still fit 16 bits. Not with relaxed dot products: two of
/// them, one adding to the other, give wrong sums in an engine that knows them behind a flag (Node 20, V8 11.3).
ATTN_INLINE Int4 dot_halves(Bytes16 w0, Bytes16 w1, Bytes16 x0, Bytes16 x1) {
  return wasm_i32x4_extadd_pairwise_i16x8(wasm_i16x8_add(pairs_of(w0, x0), pairs_of(w1, x1)));
}

/// The same for weights from -32 to 31, each 16 products times a scale of their own from -128 to 127.
ATTN_INLINE Int4 dot_scaled(Bytes16 w0, Bytes16 w1, Bytes16 x0, Bytes16 x1, int scale0,
                            int scale1) {
  return wasm_i32x4_add(
      wasm_i32x4_dot_i16x8(pairs_of(w0, x0), wasm_i16x8_splat(static_cast<std::int16_t>(scale0))),
      wasm_i32x4_dot_i16x8(pairs_of(w1, x1), wasm_i16x8_splat(static_cast<std::int16_t>(scale1))));
}

/// The sums of a, of b, of c and of d.
ATTN_INLINE Int4 sums_of_whole(Int4 a, Int4 b, Int4 c, Int4 d) {
  const Int4 ab =
      wasm_i32x4_add(wasm_i32x4_shuffle(a, b, 0, 1, 4, 5), wasm_i32x4_shuffle(a, b, 2, 3, 6, 7));
  const Int4 cd =
      wasm_i32x4_add(wasm_i32x4_shuffle(c, d, 0, 1, 4, 5), wasm_i32x4_shuffle(c, d, 2, 3, 6, 7));
  return wasm_i32x4_add(wasm_i32x4_shuffle(ab, cd, 0, 2, 4, 6),
                        wasm_i32x4_shuffle(ab, cd, 1, 3, 5, 7));
}

#else

using Bytes16 = std::array<std::int8_t, 16>;
using Int4 = std::array<std::int32_t, 4>;

ATTN_INLINE Bytes16 load_bytes(const void* from) {
  Bytes16 made;
  std::memcpy(made.data(), from, 16);
  return made;
}

template <class Each>
ATTN_INLINE Bytes16 each_byte(const Bytes16& a, const Each& each) {
  Bytes16 made;
  for (std::size_t l = 0; l < 16; ++l) {
    made[l] =
        static_cast<std::int8_t>(each(static_cast<unsigned>(static_cast<std::uint8_t>(a[l]))));
  }
  return made;
}
ATTN_INLINE Bytes16 low_halves(const Bytes16& a) {
  return each_byte(a, [](unsigned byte) { return byte & 15; });
}
ATTN_INLINE Bytes16 high_halves(const Bytes16& a) {
  return each_byte(a, [](unsigned byte) { return byte >> 4; });
}
template <int right>
ATTN_INLINE Bytes16 two_bits_up(const Bytes16& a) {
  return each_byte(a, [](unsigned byte) { return (byte >> right & 3) << 4; });
}
ATTN_INLINE Bytes16 or_bytes(const Bytes16& a, const Bytes16& b) {
  Bytes16 made;
  for (std::size_t l = 0; l < 16; ++l) made[l] = static_cast<std::int8_t>(a[l] | b[l]);
  return made;
}
ATTN_INLINE Bytes16 less_32(const Bytes16& a) {
  return each_byte(a, [](unsigned byte) { return byte - 32; });
}

ATTN_INLINE Float4 load_halves(const std::byte* a, const std::byte* b, const std::byte* c,
                               const std::byte* d) {
  const float each[lanes] = {
      stored::float_of(stored::load_half(a)), stored::float_of(stored::load_half(b)),
      stored::float_of(stored::load_half(c)), stored::float_of(stored::load_half(d))};
  return load(each);
}

ATTN_INLINE Int4 add_whole(const Int4& a, const Int4& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]};
}
ATTN_INLINE Int4 subtract_whole(const Int4& a, std::int32_t b) {
  return {a[0] - b, a[1] - b, a[2] - b, a[3] - b};
}
ATTN_INLINE Float4 floats_of(const Int4& a) {
  const float each[lanes] = {static_cast<float>(a[0]), static_cast<float>(a[1]),
                             static_cast<float>(a[2]), static_cast<float>(a[3])};
  return load(each);
}

ATTN_INLINE Int4 dot_16(const Bytes16& w, const Bytes16& x) {
  Int4 sums = {};
  for (std::size_t l = 0; l < 16; ++l) sums[l % 4] += w[l] * x[l];
  return sums;
}
ATTN_INLINE Int4 dot_bytes(const Bytes16& w0, const Bytes16& w1, const Bytes16& x0,
                           const Bytes16& x1) {
  return add_whole(dot_16(w0, x0), dot_16(w1, x1));
}
ATTN_INLINE Int4 dot_halves(const Bytes16& w0, const Bytes16& w1, const Bytes16& x0,
                            const Bytes16& x1) {
  return dot_bytes(w0, w1, x0, x1);
}
ATTN_INLINE Int4 dot_scaled(const Bytes16& w0, const Bytes16& w1, const Bytes16& x0,
                            const Bytes16& x1, int scale0, int scale1) {
  Int4 sums = dot_16(w0, x0);
  const Int4 other = dot_16(w1, x1);
  for (std::size_t l = 0; l < 4; ++l) sums[l] = sums[l] * scale0 + other[l] * scale1;
  return sums;
}
ATTN_INLINE Int4 sums_of_whole(const Int4& a, const Int4& b, const Int4& c, const Int4& d) {
  const auto sum = [](const Int4& of) { return of[0] + of[1] + of[2] + of[3]; };
  return {sum(a), sum(b), sum(c), sum(d)};
}

#endif

}  // namespace attn::kernels::simd

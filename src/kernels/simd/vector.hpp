#pragma once

// Four floats at a time: the few operations that the kernels are written in.
//
// Four everywhere, also where a machine has eight: so the native tests run the very tiles and tails
// that ship as WebAssembly. In WebAssembly these are intrinsics, since xsimd 13 has no relaxed
// multiply-add there and its maximum is the one of several instructions that a NaN passes through;
// natively they are what xsimd finds.
//
// NaN: multiply_add and the others pass it on as the arithmetic does. maximum(a, b) is `a < b ? b :
// a`, one instruction on every machine: a NaN in a comes out, a NaN in b is dropped.

#include <bit>
#include <cstddef>
#include <cstdint>

#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#else
#include <xsimd/xsimd.hpp>
#endif

// The compiler must leave the loops of the micro-kernels as they are written: unrolled, they need
// more registers than an engine has.
#if defined(__clang__)
#define ATTN_LOOP_AS_WRITTEN _Pragma("clang loop unroll(disable) vectorize(disable)")
#else
#define ATTN_LOOP_AS_WRITTEN _Pragma("GCC unroll 1")
#endif

#define ATTN_INLINE inline __attribute__((always_inline))

namespace attn::kernels::simd {

inline constexpr std::size_t lanes = 4;

#if defined(__wasm_simd128__)

using Float4 = v128_t;

/// Any address will do.
ATTN_INLINE Float4 load(const float* from) { return wasm_v128_load(from); }
ATTN_INLINE Float4 load_splat(const float* from) { return wasm_v128_load32_splat(from); }
ATTN_INLINE void store(float* to, Float4 a) { wasm_v128_store(to, a); }
ATTN_INLINE Float4 splat(float a) { return wasm_f32x4_splat(a); }
ATTN_INLINE Float4 zero() { return wasm_f32x4_const_splat(0); }
ATTN_INLINE Float4 add(Float4 a, Float4 b) { return wasm_f32x4_add(a, b); }
ATTN_INLINE Float4 subtract(Float4 a, Float4 b) { return wasm_f32x4_sub(a, b); }
ATTN_INLINE Float4 multiply(Float4 a, Float4 b) { return wasm_f32x4_mul(a, b); }
ATTN_INLINE Float4 divide(Float4 a, Float4 b) { return wasm_f32x4_div(a, b); }
/// a b + c, rounded once where the build may use relaxed instructions and the machine has it, else
/// twice.
ATTN_INLINE Float4 multiply_add(Float4 a, Float4 b, Float4 c) {
#if defined(__wasm_relaxed_simd__)
  return wasm_f32x4_relaxed_madd(a, b, c);
#else
  return wasm_f32x4_add(wasm_f32x4_mul(a, b), c);
#endif
}
ATTN_INLINE Float4 maximum(Float4 a, Float4 b) { return wasm_f32x4_pmax(a, b); }
ATTN_INLINE Float4 minimum(Float4 a, Float4 b) { return wasm_f32x4_pmin(a, b); }
/// The floats whose exponent is the lowest 9 bits of a: what `a` holds above them is shifted out.
ATTN_INLINE Float4 low_bits_as_exponent(Float4 a) { return wasm_i32x4_shl(a, 23); }
ATTN_INLINE float first(Float4 a) { return wasm_f32x4_extract_lane(a, 0); }

/// a0 b0 a1 b1, and a2 b2 a3 b3.
ATTN_INLINE Float4 interleave_low(Float4 a, Float4 b) {
  return wasm_i32x4_shuffle(a, b, 0, 4, 1, 5);
}
ATTN_INLINE Float4 interleave_high(Float4 a, Float4 b) {
  return wasm_i32x4_shuffle(a, b, 2, 6, 3, 7);
}

#else

using Float4 = xsimd::make_sized_batch_t<float, 4>;
static_assert(Float4::size == lanes);

ATTN_INLINE Float4 load(const float* from) { return Float4::load_unaligned(from); }
ATTN_INLINE Float4 load_splat(const float* from) { return Float4(*from); }
ATTN_INLINE void store(float* to, Float4 a) { a.store_unaligned(to); }
ATTN_INLINE Float4 splat(float a) { return Float4(a); }
ATTN_INLINE Float4 zero() { return Float4(0.0F); }
ATTN_INLINE Float4 add(Float4 a, Float4 b) { return a + b; }
ATTN_INLINE Float4 subtract(Float4 a, Float4 b) { return a - b; }
ATTN_INLINE Float4 multiply(Float4 a, Float4 b) { return a * b; }
ATTN_INLINE Float4 divide(Float4 a, Float4 b) { return a / b; }
ATTN_INLINE Float4 multiply_add(Float4 a, Float4 b, Float4 c) { return xsimd::fma(a, b, c); }
ATTN_INLINE Float4 maximum(Float4 a, Float4 b) { return xsimd::select(a < b, b, a); }
ATTN_INLINE Float4 minimum(Float4 a, Float4 b) { return xsimd::select(b < a, b, a); }
ATTN_INLINE Float4 low_bits_as_exponent(Float4 a) {
  using Int4 = xsimd::make_sized_batch_t<std::int32_t, 4>;
  // bit_cast and not xsimd's own cast, whose template arguments changed between versions 8 and 9.
  return std::bit_cast<Float4>(std::bit_cast<Int4>(a) << 23);
}
ATTN_INLINE float first(Float4 a) {
  float each[lanes];
  store(each, a);
  return each[0];
}
ATTN_INLINE Float4 interleave_low(Float4 a, Float4 b) { return xsimd::zip_lo(a, b); }
ATTN_INLINE Float4 interleave_high(Float4 a, Float4 b) { return xsimd::zip_hi(a, b); }

#endif

/// Rows a, b, c, d become columns: a then holds the first entries of all four.
ATTN_INLINE void transpose(Float4& a, Float4& b, Float4& c, Float4& d) {
  const Float4 ac_low = interleave_low(a, c);
  const Float4 ac_high = interleave_high(a, c);
  const Float4 bd_low = interleave_low(b, d);
  const Float4 bd_high = interleave_high(b, d);
  a = interleave_low(ac_low, bd_low);
  b = interleave_high(ac_low, bd_low);
  c = interleave_low(ac_high, bd_high);
  d = interleave_high(ac_high, bd_high);
}

/// The sums of a, of b, of c and of d.
ATTN_INLINE Float4 sums_of(Float4 a, Float4 b, Float4 c, Float4 d) {
  transpose(a, b, c, d);
  return add(add(a, b), add(c, d));
}

ATTN_INLINE float sum_of(Float4 a) {
  const Float4 pairs = add(interleave_low(a, a), interleave_high(a, a));
  return first(add(pairs, interleave_high(pairs, pairs)));
}

/// A NaN may come out or be dropped.
ATTN_INLINE float largest_of(Float4 a) {
  const Float4 pairs = maximum(interleave_low(a, a), interleave_high(a, a));
  return first(maximum(pairs, interleave_high(pairs, pairs)));
}

/// to [n] becomes 0. Not std::fill: Emscripten's memset, in a module that is linked for size, goes
/// byte by byte and cost a tenth of attention over 64 tokens; src/CMakeLists.txt keeps the compiler
/// from putting it back.
ATTN_INLINE void clear(float* to, std::size_t n) {
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) store(to + i, zero());
  for (; i < n; ++i) to[i] = 0;
}

}  // namespace attn::kernels::simd

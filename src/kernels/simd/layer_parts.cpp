#include "kernels/simd/layer_parts.hpp"

#include "kernels/simd/exp2.hpp"
#include "kernels/simd/vector.hpp"

namespace attn::kernels {
namespace {

using namespace simd;

/// x sigmoid(z), where `scaled` is -z log2 e.
ATTN_INLINE Float4 times_logistic(Float4 x, Float4 scaled) {
  return divide(x, add(splat(1.0F), exp2(scaled)));
}

ATTN_INLINE Float4 swiglu(Float4 gate, Float4 up) {
  return multiply(times_logistic(gate, multiply(gate, splat(-1.4426950409F))), up);
}

ATTN_INLINE Float4 gelu(Float4 x) {
  // -2 sqrt(2 / pi) log2 e, and the same times 0.044715.
  const Float4 square = multiply(x, x);
  const Float4 factor = multiply_add(square, splat(-0.10294324F), splat(-2.3022082F));
  return times_logistic(x, multiply(x, factor));
}

/// out = four(a, b), four entries at a time; the last ones are filled up with zeros.
template <class Four>
void by_fours(const float* a, const float* b, std::size_t count, float* out, const Four& four) {
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) store(out + i, four(load(a + i), load(b + i)));
  if (i == count) return;
  float left[lanes] = {}, right[lanes] = {};
  for (std::size_t l = 0; i + l < count; ++l) {
    left[l] = a[i + l];
    right[l] = b[i + l];
  }
  store(left, four(load(left), load(right)));
  for (std::size_t l = 0; i + l < count; ++l) out[i + l] = left[l];
}

}  // namespace

void swiglu_simd(const float* gate, const float* up, std::size_t count, float* out) {
  by_fours(gate, up, count, out, [](Float4 a, Float4 b) { return swiglu(a, b); });
}

void gelu_tanh_simd(const float* x, std::size_t count, float* out) {
  by_fours(x, x, count, out, [](Float4 a, Float4) { return gelu(a); });
}

}  // namespace attn::kernels

#include "model/layer_kernels.hpp"

#include "kernels/scalar/layer_parts.hpp"
#include "kernels/scalar/rms_norm.hpp"
#include "kernels/scalar/weights.hpp"
#if defined(ATTN_HAS_SIMD_KERNELS)
#include "kernels/simd/layer_parts.hpp"
#include "kernels/simd/rms_norm.hpp"
#include "kernels/simd/weights.hpp"
#endif

namespace attn {

void LayerKernels::linear(const kernels::WeightMatrix& weights, std::span<const float> bias,
                          const float* x, std::size_t n, float* out) {
#if defined(ATTN_HAS_SIMD_KERNELS)
  if (backend_ == Backend::simd) {
    const std::size_t bytes = kernels::weights_times_simd_scratch(weights, n);
    if (scratch_.size() < bytes) scratch_.resize(bytes);
    kernels::weights_times_simd(weights, x, n, out, scratch_.data());
  }
#endif
  if (backend_ == Backend::scalar) kernels::weights_times_scalar(weights, x, n, out);
  if (bias.empty()) return;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t r = 0; r < weights.rows; ++r) out[i * weights.rows + r] += bias[r];
  }
}

void LayerKernels::norm(const float* x, std::span<const float> gain, std::span<const float> bias,
                        float epsilon, std::size_t n, float* out) const {
  const std::size_t d = gain.size();
  if (!bias.empty()) {
    kernels::layer_norm_scalar(x, gain.data(), bias.data(), epsilon, n, d, out);
    return;
  }
#if defined(ATTN_HAS_SIMD_KERNELS)
  if (backend_ == Backend::simd) return kernels::rms_norm_simd(x, gain.data(), epsilon, n, d, out);
#endif
  kernels::rms_norm_scalar(x, gain.data(), epsilon, n, d, out);
}

void LayerKernels::swiglu(std::span<float> gate, const float* up) const {
#if defined(ATTN_HAS_SIMD_KERNELS)
  if (backend_ == Backend::simd) {
    return kernels::swiglu_simd(gate.data(), up, gate.size(), gate.data());
  }
#endif
  kernels::swiglu_scalar(gate.data(), up, gate.size(), gate.data());
}

void LayerKernels::gelu(std::span<float> x) const {
#if defined(ATTN_HAS_SIMD_KERNELS)
  if (backend_ == Backend::simd) return kernels::gelu_tanh_simd(x.data(), x.size(), x.data());
#endif
  kernels::gelu_tanh_scalar(x.data(), x.size(), x.data());
}

}  // namespace attn

#pragma once

// The kernels that a layer is made of, by whichever back end is asked for.

#include <cstddef>
#include <span>
#include <vector>

#include "attention/heads.hpp"
#include "kernels/weight_blocks.hpp"

namespace attn {

/// A back end, and the memory that its products need, kept from call to call.
class LayerKernels {
 public:
  explicit LayerKernels(Backend backend) : backend_(backend) {}

  Backend backend() const { return backend_; }

  /// out = x W^T + bias: weights [rows, columns], x [n, columns], bias [rows] or empty, out [n, rows].
  /// Promise: that of weights_times_simd or weights_times_scalar.
  void linear(const kernels::WeightMatrix& weights, std::span<const float> bias, const float* x,
              std::size_t n, float* out);

  /// Each row of x [n, d]: RMSNorm without a bias, LayerNorm with one.
  void norm(const float* x, std::span<const float> gain, std::span<const float> bias, float epsilon,
            std::size_t n, float* out) const;

  /// gate becomes gate o sigmoid(gate) o up.
  void swiglu(std::span<float> gate, const float* up) const;
  void gelu(std::span<float> x) const;

 private:
  Backend backend_;
  std::vector<std::byte> scratch_;
};

}  // namespace attn

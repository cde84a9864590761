#pragma once

// Whole computations on a device: how they are cut to its limits and laid out for the kernels.

#include <span>

#include "attention/heads.hpp"
#include "webgpu/device.hpp"

namespace attn::webgpu {

/// How attention is computed: through the matrix of scores in three passes, or fused.
enum class Passes : std::uint8_t { fused, three };

/// softmax(scale Q K^T + mask) V on the device, for an input that check_heads and check_mask have passed.
/// output [n_heads, n_q, d_v]. Heads and, for three passes, queries go in as many parts as the device's limits ask for.
/// Promise: as attention_heads, in float32: scores that float32 cannot hold make their row NaN.
Task<Result<Time>> attention_webgpu(Device& device, const HeadsInput& input, Passes passes,
                                    std::uint64_t repeat, std::span<float> output);

/// Keeps the kernel that exchanges within subgroups from use where it finds another result than the plain one, as
/// where a driver numbers invocations in an order of its own.
Task<Result<bool>> choose_fused_kernel(Device& device);

/// The name of the file of the kernel that computes fused attention.
const char* fused_kernel_name(const Device& device);

/// A batch of products. a [n_batches or 1, n_rows, n_inner], b [n_batches or 1, n_inner, n_columns].
struct Product {
  std::uint32_t n_batches, n_rows, n_inner, n_columns;
  bool shares_a, shares_b;
  std::span<const float> a, b;
};

/// c = a b on the device, batch by batch. c [n_batches, n_rows, n_columns].
/// Promise: float32 sums in ascending order of the inner index; NaN and infinity propagate as in IEEE 754.
Task<Result<Time>> matmul_webgpu(Device& device, const Product& product, std::uint64_t repeat,
                                 std::span<float> c);

}  // namespace attn::webgpu

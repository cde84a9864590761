#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/error.hpp"

namespace attn {

/// One line of multi-head attention, counted only: 64 bits, as it may be larger than what WebAssembly could index.
struct StepShape {
  std::string_view name;  ///< As in MultiHeadTrace.
  std::vector<std::uint64_t> shape;
};

struct MultiHeadShapes {
  /// In order: X, Q, K, V, Q_heads, K_heads, V_heads, scores, weights, head_outputs, concat, output.
  std::vector<StepShape> steps;
  std::uint64_t head_dim;    ///< d_model / n_heads
  std::uint64_t parameters;  ///< see multi_head_parameters
};

/// The shape of every step of multi_head for n tokens (Vaswani et al. 2017, section 3.2.2). Nothing of these sizes is
/// allocated.
/// Errors: those of multi_head_parameters; out_of_range or too_large naming "n" for n outside 1 to 2^53, and when the
/// scores of all heads, or n x d_model, are more than 2^53.
/// Promise: `parameters` depends neither on n, nor on n_heads while n_kv_heads = n_heads.
Expected<MultiHeadShapes> multi_head_shapes(std::uint64_t n, std::uint64_t d_model,
                                            std::uint64_t n_heads, std::uint64_t n_kv_heads,
                                            bool biases);

}  // namespace attn

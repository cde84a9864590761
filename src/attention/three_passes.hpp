#pragma once

// Attention as the lecture first explains it: the whole matrix of scores is built, read, written and read again.

#include <span>

#include "attention/heads.hpp"
#include "core/error.hpp"

namespace attn {

/// softmax(scale Q K^T + mask) V in three passes, one head after another: S = scale Q K^T, its softmax in the same
/// memory, and its product with V. It is what has to be done when the weights are asked for, and what fused kernels
/// are compared with.
/// output [n_heads, n_q, d_v]; weights [n_heads, n_q, n_k], or empty when they are not wanted: then one S [n_q, n_k]
/// serves every head.
/// Errors: those of check_heads_input and check_arrays; too_large and out_of_memory naming "n_k" when S is larger than
/// what may be allocated.
/// Promise: masked pairs weigh exactly 0, whatever they hold; a row with nothing left to attend to is 0.
Expected<void> attention_three_passes(const HeadsInput& input, Backend backend,
                                      std::span<float> output, std::span<float> weights);

}  // namespace attn

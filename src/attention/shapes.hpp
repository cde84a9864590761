#pragma once

#include <array>
#include <cstdint>

#include "core/error.hpp"

namespace attn {

/// [rows, columns]. 64 bits, because these matrices are only counted, and may be larger than any
/// that WebAssembly's 32-bit size_t could index.
using Shape = std::array<std::uint64_t, 2>;

/// The shape of every matrix of one attention head, in the order in which they arise.
struct AttentionShapes {
  Shape X;    ///< [n, d_model] one row per token
  Shape W_Q;  ///< [d_model, d_k]
  Shape W_K;  ///< [d_model, d_k]
  Shape W_V;  ///< [d_model, d_v]
  Shape Q;    ///< [n, d_k]
  Shape K;    ///< [n, d_k]
  Shape V;    ///< [n, d_v]
  Shape S;    ///< [n, n] the scores
  Shape A;    ///< [n, n] the weights
  Shape O;    ///< [n, d_v]
  std::uint64_t parameters;  ///< of W_Q, W_K and W_V together
};

/// Shapes for n tokens (Vaswani et al. 2017, section 3.2.1). Nothing of these sizes is allocated.
/// Errors: out_of_range for a size of 0; too_large, naming the size, when one of them, or the
/// number of entries of one of the matrices, or `parameters`, exceeds 2^53.
/// Promise: every count is exact, in a double too; `parameters` does not depend on n.
Expected<AttentionShapes> attention_shapes(std::uint64_t n, std::uint64_t d_model,
                                           std::uint64_t d_k, std::uint64_t d_v);

}  // namespace attn

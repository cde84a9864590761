#pragma once

// SwiGLU and GELU in vectors of four.
//
// Ladder
//   vectors   The logistic function from exp2.hpp: x / (1 + 2^(-x log2 e)). GELU's tanh form is x sigmoid(2 u), which
//             needs no tanh.

#include <cstddef>

namespace attn::kernels {

/// As swiglu_scalar. Promise: relative error at most (|gate| + 12) 2^-24 where the result is a normal float.
void swiglu_simd(const float* gate, const float* up, std::size_t count, float* out);

/// As gelu_tanh_scalar. Promise: relative error at most (8 |u| + 16) 2^-24 with the u of the definition, where the result
/// is a normal float: the definition's own 1 + tanh(u) loses more for negative u.
void gelu_tanh_simd(const float* x, std::size_t count, float* out);

}  // namespace attn::kernels

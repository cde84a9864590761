#pragma once

// What a layer of a transformer computes between its products, entry by entry or row by row.
//
// Ladder
//   plain   One loop, in double. The oracle that later versions are compared with.

#include <cstddef>

namespace attn::kernels {

/// out = gain o (x - mean) / sqrt(variance + epsilon) + bias for each row (Ba, Kiros and Hinton 2016, arXiv:1607.06450,
/// equation 4), with the variance of the row's own numbers, divided by d.
/// x [n, d], gain [d], bias [d], out [n, d], which may be x.
/// Promise: in double, rounded once.
void layer_norm_scalar(const float* x, const float* gain, const float* bias, float epsilon,
                       std::size_t n, std::size_t d, float* out);

/// out = gate o sigmoid(gate) o up: SwiGLU (Shazeer 2020, arXiv:2002.05202, equation 6) between its products.
/// gate [count], up [count], out [count], which may be either.
/// Promise: in double, rounded once.
void swiglu_scalar(const float* gate, const float* up, std::size_t count, float* out);

/// out = x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))), the form of GELU that GPT-2 uses (Hendrycks and Gimpel 2016,
/// arXiv:1606.08415, section 2).
/// x [count], out [count], which may be x.
/// Promise: in double, rounded once.
void gelu_tanh_scalar(const float* x, std::size_t count, float* out);

}  // namespace attn::kernels

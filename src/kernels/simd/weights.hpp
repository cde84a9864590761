#pragma once

// Products of a model's weights, as the file holds them, with rows of activations.
//
// Ladder
//   bytes     Activations become blocks of 32 signed bytes with a scale (as llama.cpp does for its quantized products),
//             so that 16 products are one or two instructions and no weight is ever made a float. Four rows of weights go
//             together: their four sums are folded into one vector, in which the blocks' scales of the four rows stand
//             side by side, and the result is four neighbours. Each block of weights is unpacked once for four rows of
//             activations.
//   floats    Weights that are no blocks (f32, f16, bf16): four rows of weights beside two of activations, unpacked 64
//             columns at a time where they are not floats already.
// Lost: relaxed dot products, two instructions for 32 weights of four bits where there are eight now. One after the other
// they gave other sums under Node 20 (V8 11.3); to be measured again where no such engine is served.
//
// What a row of activations gives does not depend on the rows beside it: prefill and decode are bit by bit the same.

#include "kernels/weight_blocks.hpp"

namespace attn::kernels {

/// Bytes that weights_times_simd needs as scratch for n rows of activations.
std::size_t weights_times_simd_scratch(const WeightMatrix& weights, std::size_t n);

/// out = x W^T, as weights_times_scalar. scratch is aligned as floats are.
/// Promise: row i of out is bit by bit the same whatever n is. Formats without blocks: each entry is within
/// (columns + 2) 2^-24 sum_c |w_c x_c| of the exact one. In blocks, x_c is first rounded to a multiple of its block's
/// largest magnitude divided by 127: to that sum comes sum_c |w_c| a_c / 254, with the a_c of the block. NaN or infinity
/// in a row of x makes that row of out NaN.
void weights_times_simd(const WeightMatrix& weights, const float* x, std::size_t n, float* out,
                        std::byte* scratch);

}  // namespace attn::kernels

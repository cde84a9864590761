#pragma once

// One query a head over keys and values that lie in several places.
//
// Ladder
//   plain   Key by key, all in double: the oracle of the vector kernel.

#include "kernels/kv_segments.hpp"

namespace attn::kernels {

/// Doubles that decode_segments_scalar needs as `row`, and floats as `numbers`.
std::size_t decode_segments_scalar_row(const SegmentsProblem& problem);
std::size_t decode_segments_scalar_numbers(const SegmentsProblem& problem);

/// output = softmax(scale q k^T) v for every head, over the rows of all segments as they are read
/// back. output [n_heads, d_v], lse [n_heads] or null.
/// Promise: as attention_heads_scalar; without any key 0 and an lse of minus infinity.
void decode_segments_scalar(const SegmentsProblem& problem, float* output, double* row,
                            float* numbers, float* lse = nullptr);

}  // namespace attn::kernels

#pragma once

// One query a head over a cache: the step of a model that writes one token after the other.
//
// LADDER_PLACEHOLDER

#include <cstddef>

#include "kernels/attention_problem.hpp"

namespace attn::kernels {

/// Floats that decode_simd needs as scratch.
std::size_t decode_simd_scratch(const AttentionProblem& problem);

/// As attention_simd, one query after the other and the query heads of a KV head together, so that each key and each value
/// is read once for all of them. The keys are read as they lie, without packing: for n_q = 1, and for few queries.
/// output [n_heads, n_q, d_v], scratch [decode_simd_scratch(problem)], lse [n_heads, n_q] or null.
/// Promise: as attention_simd.
void decode_simd(const AttentionProblem& problem, float* output, float* scratch,
                 float* lse = nullptr);

}  // namespace attn::kernels

#pragma once

// Attention of one query, pair by pair: what small problems run on, and what decides wherever NaN
// or infinity is met.

#include <cstddef>

#include "kernels/attention_problem.hpp"

namespace attn::kernels::simd {

/// output = the attention of query i of `head` over the keys that it may see; returns its
/// log-sum-exp.
/// weights [n_k] is scratch, output [d_v].
/// Promise: masked pairs are not read; nothing overflows while scores and values are floats, as
/// weights are normalised before values are summed. A row with nothing allowed gives 0 and minus
/// infinity; NaN or plus infinity among the allowed scores make all NaN.
float attend_row(const AttentionProblem& problem, std::size_t head, std::size_t i, float* weights,
                 float* output);

}  // namespace attn::kernels::simd

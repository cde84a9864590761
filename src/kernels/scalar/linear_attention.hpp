#pragma once

// Attention through a state of fixed size.
//
// Ladder
//   plain   Token by token, the state in double: the oracle of the vector kernel.

#include "kernels/other_answers.hpp"

namespace attn::kernels {

/// Doubles that linear_attention_scalar needs as scratch: a state and its sums, whatever n is.
std::size_t linear_attention_scalar_scratch(const LinearProblem& problem);

/// output [n_heads, n, d_v].
/// Promise: all in double, rounded once to float; a row whose weights add up to 0 gives zeros where it is divided by them.
/// NaN and infinity reach the rows that the mathematics says, and none before their token.
void linear_attention_scalar(const LinearProblem& problem, const LinearState& kept, float* output,
                             double* scratch);

}  // namespace attn::kernels

#pragma once

// Causal attention to a few blocks of keys, which the data choose.
//
// Ladder
//   plain   Query by query, all in double, every block scored and the best found one by one: the oracle of the vector
//           kernel.

#include "kernels/other_answers.hpp"

namespace attn::kernels {

/// Doubles that block_sparse_scalar needs as scratch: the means of the blocks, and a row.
std::size_t block_sparse_scalar_scratch(const SparseProblem& problem);

/// output [n_heads, n, d_v]. Returns the pairs of a query and a key that were seen, of all heads.
/// Promise: all in double, rounded once to float; what is not seen is not read, but for the means of blocks that are over.
std::uint64_t block_sparse_scalar(const SparseProblem& problem, float* output, double* scratch);

}  // namespace attn::kernels

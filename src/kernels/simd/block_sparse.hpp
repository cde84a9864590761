#pragma once

// Causal attention to blocks that the data choose, by the tiled kernel: queries that chose the same block are laid together
// and attend to it as to a text of its own; what came out is joined by the logarithms of the sums, as the splits of decoding
// are.
//
// Ladder (one head of 64, blocks of 64 with an eighth of the pairs, n = 4096, against tiled causal attention)
//   masks     Tiled attention under a mask of the chosen pairs reads and weighs every block, and saves nothing. Not built.
//   gathered  Block by block, the queries that chose it. Every tile is full, and work falls with the blocks seen: 4 to 6 times
//             as quick, from run to run.
//   scores    Of all blocks by one product with their means, 64 queries at a time; the best by whole numbers that sort as the
//             floats do, so that equal scores go to the earlier block without a second comparison.

#include "kernels/other_answers.hpp"

namespace attn::kernels {

/// Floats and whole numbers that block_sparse_simd needs: O(blocks (d_k + 64) + 1024 (d_k + d_v + top_k)), with 1024 or, if
/// it is longer, a block.
struct SparseScratch {
  std::size_t floats, places;
};
SparseScratch block_sparse_simd_scratch(const SparseProblem& problem);

/// output [n_heads, n, d_v], scratch [floats], places [places]. Returns the pairs of a query and a key that were seen, of all
/// heads.
/// Promise: with u = 2^-24, e = (d_k + 4) u max_j sum_c scale |q_ic k_jc| and L the largest |logarithm of a sum| of the parts,
/// an entry is within (4 e + 16 u (L + 1) + 4 (n + 12) u) sum_j a_ij |v_jc| + 1e-30 of the exact one over the blocks that it
/// chose; where scores of blocks differ by less than their rounding, either may be chosen. With top_k at the number of blocks,
/// or a window of n, nothing is left out. NaN reaches no row before its token.
std::uint64_t block_sparse_simd(const SparseProblem& problem, float* output, float* scratch,
                                std::uint32_t* places);

}  // namespace attn::kernels

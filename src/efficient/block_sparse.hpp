#pragma once

// Attention to a few blocks of keys, which the data choose.

#include <cstddef>
#include <cstdint>

#include "core/error.hpp"
#include "core/matrix.hpp"

namespace attn {

struct BlockSparseOptions {
  std::size_t block = 16;  ///< keys of a block; the last may hold fewer
  /// Blocks that a query sees, its own and the first ones counted.
  std::size_t top_k = 2;
  std::size_t first_blocks = 0;  ///< blocks at the start that are always seen
  std::size_t window = 0;  ///< tokens, itself included, that a query sees whatever is chosen
};

struct BlockSparse {
  std::size_t blocks;
  Matrix<double> means;         ///< [blocks, d_k] of the keys of each block
  Matrix<double>
      block_scores;  ///< [n, blocks] q . mean / sqrt(d_k); minus infinity for its own block and later ones
  Matrix<std::uint8_t> chosen;  ///< [n, blocks]
  Matrix<std::uint8_t>
      allowed;  ///< [n, n] what is seen in the end: chosen blocks and window, up to the token itself
  Matrix<double> weights;  ///< [n, n] softmax over what is seen
  Matrix<double> output;  ///< [n, d_v]
  std::uint64_t pairs;  ///< seen
};

/// Causal attention in which each query sees its own block of keys, and of the earlier ones those whose mean key it
/// multiplies to the largest score; of equal scores the earlier block. That is MoBA's rule (Lu et al. 2025, equations 2
/// to 6). With a first block and a window it is what NSA selects by (Yuan et al. 2025, sections 3.3.1 and 3.3.2, where a
/// small network compresses a block and not its mean); its three branches with learned gates are one softmax here.
/// Q [n, d_k], K [n, d_k], V [n, d_v].
/// Errors: shape_mismatch naming "K" or "V"; out_of_range for an empty matrix, a block or top_k of 0; not_finite; too_large
/// or out_of_memory, before anything is allocated.
/// Promise: with top_k at the number of blocks, or a window of n, it is causal attention; row i does not depend on what
/// comes after it, the choice of its blocks included.
Expected<BlockSparse> block_sparse_attention(const Matrix<double>& Q, const Matrix<double>& K,
                                             const Matrix<double>& V,
                                             const BlockSparseOptions& options);

}  // namespace attn

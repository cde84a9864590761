#pragma once

// Attention tile by tile, with every step kept: what FlashAttention does, at a size that can be read.

#include <cstddef>
#include <cstdint>

#include "attention/scaled_dot_product.hpp"
#include "core/error.hpp"
#include "core/matrix.hpp"

namespace attn {

/// How many queries and keys one tile holds; the last ones may hold fewer.
struct TileSizes {
  std::size_t tile_q = 2, tile_k = 4;
};

/// The steps in the order in which they arise. Query block a is the queries a tile_q to (a + 1) tile_q - 1, key block b
/// likewise; row i passes the key blocks from left to right. A masked pair is not read: its score is minus infinity and
/// its exponential 0. In a tile that is skipped nothing is read, and nothing of its rows changes.
struct OnlineSoftmax {
  std::size_t n_q, n_k, d_k, d_v;
  std::size_t query_blocks, key_blocks;
  Vector<std::int32_t> query_begin;  ///< [query_blocks + 1] the first query of each block, and n_q
  Vector<std::int32_t> key_begin;  ///< [key_blocks + 1]
  std::size_t held_scores;  ///< numbers of one tile of scores, the most that is ever kept of them
  std::size_t held_results;  ///< largest, sum and output of the rows of one block of queries
  double divisor;  ///< sqrt(d_k), or 1 when nothing is divided.
  Matrix<std::uint8_t> allowed;  ///< [n_q, n_k] 1 where the mask lets the pair count
  Matrix<std::uint8_t> skipped;  ///< [query_blocks, key_blocks] 1 where no pair is allowed
  Matrix<double> scores;  ///< [n_q, n_k] q.k / divisor
  Matrix<double> exponentials;  ///< [n_q, n_k] e^(score - the largest after its tile)
  Matrix<double> largest_before;  ///< [n_q, key_blocks] minus infinity before anything is seen
  Matrix<double> largest_after;  ///< [n_q, key_blocks]
  Matrix<double> factors;  ///< [n_q, key_blocks] e^(largest_before - largest_after)
  Matrix<std::uint8_t> rescaled;  ///< [n_q, key_blocks] 1 where the factor changed what was there
  Matrix<double> sums_before;  ///< [n_q, key_blocks]
  Matrix<double> sums_after;  ///< [n_q, key_blocks] factor x before + the tile's exponentials
  Tensor3<double> outputs_before;  ///< [n_q, key_blocks, d_v] not yet divided by the sum
  Tensor3<double> outputs_rescaled;  ///< [n_q, key_blocks, d_v] factor x before
  Tensor3<double> outputs_after;  ///< [n_q, key_blocks, d_v] and the tile's exponentials x V
  Vector<std::int32_t> times_rescaled;  ///< [n_q]
  Matrix<double> output;  ///< [n_q, d_v] the last outputs over the last sums
  Matrix<double> whole;  ///< [n_q, d_v] the same by scaled_dot_product, row by row
  double largest_difference;  ///< between `output` and `whole`
};

/// softmax(Q K^T / sqrt(d_k) + M) V in one pass over the keys: a running maximum and sum for each row (Milakov and
/// Gimelshein 2018, algorithm 3), in tiles (Dao et al. 2022, algorithm 1), with the queries in the outer loop and one
/// division at the end (Dao 2023, algorithm 1).
/// Q [n_q, d_k], K [n_k, d_k], V [n_k, d_v]. `AttentionOptions::trace` is not read: the steps are kept.
/// Errors: those of scaled_dot_product; out_of_range and too_large naming "tile_q" or "tile_k".
/// Promise: the output is that of scaled_dot_product up to the rounding of double, whatever the sizes of the tiles; a
/// query with nothing left to see gives zeros; what is masked reaches nothing, whatever it holds.
Expected<OnlineSoftmax> online_softmax(const Matrix<double>& Q, const Matrix<double>& K,
                                       const Matrix<double>& V, const AttentionOptions& options,
                                       const TileSizes& sizes);

}  // namespace attn

#pragma once

// What attention costs, counted and not measured: arithmetic, and bytes moved to and from slow memory.

#include <cstdint>

#include "core/error.hpp"

namespace attn {

/// One layer's attention of n tokens over themselves, without a mask.
struct CostSizes {
  std::uint64_t n;
  std::uint64_t n_heads = 1;
  std::uint64_t d = 64;  ///< numbers of a query, of a key and of a value
  std::uint64_t bytes_per_number = 4;
  std::uint64_t tile_q = 128, tile_k = 64;
  /// What the fast memory holds: 192 KiB in a multiprocessor of the A100 (Dao et al. 2022, section 2.1).
  std::uint64_t fast_bytes = 192 * 1024;
};

/// Bytes that one step reads from slow memory and writes to it.
struct Traffic {
  std::uint64_t read, written;
};

/// Operations are single ones of floating point; an exponential counts as one. All counts are of all heads together,
/// `entries` apart.
struct AttentionCosts {
  // S [n, n] of one head, and of all.
  std::uint64_t entries;  ///< n^2, of one head
  double entries_millions;
  std::uint64_t score_bytes;  ///< n_heads n^2 bytes_per_number
  double score_mebibytes;
  std::uint64_t entries_doubled;  ///< of one head when n is twice as large
  double growth;  ///< entries_doubled / entries

  /// Q K^T and A V: 2 n^2 d each for a head, a multiplication and an addition for each term; the same both ways.
  std::uint64_t product_flops;
  /// Six operations for each score: scale, compare, subtract, exponential, add, divide.
  std::uint64_t naive_softmax_flops;
  /// Five for each score, as dividing waits; for each row and key block 2 for the factor, 1 for the sum and d for the
  /// output, counted whether the maximum rose or not; d divisions for each row.
  std::uint64_t fused_softmax_flops;
  double softmax_percent;  ///< naive_softmax_flops, in percent of product_flops

  /// The three passes: Q and K in, S out; S in, A out; A and V in, O out.
  Traffic score_pass, softmax_pass, value_pass;
  std::uint64_t naive_bytes;
  /// Q in and O out once; K and V in once for each block of queries.
  Traffic fused_pass;
  std::uint64_t query_blocks;
  std::uint64_t fused_bytes;
  double bytes_ratio;  ///< naive_bytes / fused_bytes

  /// What the fast memory holds at one time: blocks of Q, K, V and O, one tile of S, two numbers for each row.
  std::uint64_t tile_numbers;
  std::uint64_t tile_bytes;
  bool fits;  ///< tile_bytes <= fast_bytes
};

/// Errors: out_of_range for a size of 0; too_large naming the size when a count exceeds 2^53.
/// Promise: every count is exact.
Expected<AttentionCosts> attention_costs(const CostSizes& sizes);

}  // namespace attn

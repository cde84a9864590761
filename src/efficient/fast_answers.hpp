#pragma once

// The answers to n^2 at the speed of the machine, in float32, for whole layers: what is measured. For the steps and the
// numbers in between see linear_attention.hpp, selective_scan.hpp and block_sparse.hpp.

#include <cstddef>
#include <cstdint>
#include <span>

#include "attention/heads.hpp"
#include "core/error.hpp"
#include "efficient/linear_attention.hpp"

namespace attn {

/// Q, K [n_heads, n, d_k], V [n_heads, n, d_v]; gates [n_heads, n] from 0 to 1, or empty for none.
struct LinearHeads {
  std::uint64_t n_heads = 1, n = 0, d_k = 0, d_v = 0;
  FeatureMap feature_map = FeatureMap::elu_plus_one;
  bool normalize = true;
  std::span<const float> Q = {}, K = {}, V = {}, gates = {};
};

/// What is kept of the tokens before: read, then written as it is after the last one, so that a text is fed in pieces. Both
/// empty for nothing before, and nothing kept.
struct LinearHeadsKept {
  std::span<float> state = {};  ///< [n_heads, d_k, d_v]
  std::span<float> sums = {};  ///< [n_heads, d_k]
};

/// How many numbers each array of a layer holds.
struct LinearLengths {
  std::uint64_t q, v, gates, state, sums;
};

/// Errors: out_of_range or too_large, naming the size.
Expected<LinearLengths> check_linear_heads(const LinearHeads& input);

/// Causal linear attention as linear_attention computes it, head by head, in memory that does not grow with n.
/// output [n_heads, n, d_v].
/// Errors: those of check_linear_heads and check_arrays; out_of_range ("gates") outside [0, 1]; bad_argument ("normalize")
/// with the identity, ("backend"), ("state", "sums") one without the other; too_large or out_of_memory for the working
/// memory.
/// Promise: NaN and infinity reach the rows that the mathematics says, none before their token.
Expected<void> linear_attention_heads(const LinearHeads& input, Backend backend,
                                      std::span<float> output, const LinearHeadsKept& kept);

/// Operations as this back end does them, two for a multiply-add: the plain one goes token by token, the other in chunks,
/// whose pairs up to the diagonal count too. Features, gates and divisions are not counted, as is usual.
double linear_attention_heads_flops(const LinearHeads& input, Backend backend);

/// x, delta [n, channels], A [channels, state_size], B, C [n, state_size], skip [channels] or empty, as in
/// SelectiveScanInput.
struct ScanChannels {
  std::uint64_t n = 0, channels = 0, state_size = 0;
  std::span<const float> x = {}, delta = {}, A = {}, B = {}, C = {}, skip = {};
};

struct ScanLengths {
  std::uint64_t x, A, B, state;
};

/// Errors: out_of_range or too_large, naming the size.
Expected<ScanLengths> check_scan_channels(const ScanChannels& input);

/// The scan as selective_scan computes it, in memory that does not grow with n. output [n, channels]; state
/// [channels, state_size] before the first token and, written, after the last; empty for nothing before, and nothing kept.
/// Errors: those of check_scan_channels and check_arrays; out_of_range for a delta below 0 or an A above 0; bad_argument
/// ("backend"); too_large or out_of_memory for the working memory.
/// Promise: NaN and infinity go where the mathematics sends them, and never back.
Expected<void> selective_scan_channels(const ScanChannels& input, Backend backend,
                                       std::span<float> output, std::span<float> state);

/// 22 for each number of each state at each token: 17 of the exponential of a product, as kernels/simd/exp2.hpp makes it,
/// and 5 of the update and of reading it. A multiply-add counts 2, any other 1.
double selective_scan_channels_flops(const ScanChannels& input);

/// Q [n_heads, n, d_k], K [n_kv_heads, n, d_k], V [n_kv_heads, n, d_v]; the rest as in BlockSparseOptions.
struct SparseHeads {
  std::uint64_t n_heads = 1, n_kv_heads = 1, n = 0, d_k = 0, d_v = 0;
  std::uint64_t block = 64, top_k = 8, first_blocks = 0, window = 0;
  std::span<const float> Q = {}, K = {}, V = {};
};

/// Errors: out_of_range, shape_mismatch or too_large, naming the size.
Expected<HeadsLengths> check_sparse_heads(const SparseHeads& input);

/// Causal attention to the blocks that block_sparse_attention would choose, scaled by 1 / sqrt(d_k), in memory that grows
/// with n / block and not with n^2. output [n_heads, n, d_v]. Returns the pairs of a query and a key that were seen, of all
/// heads.
/// Errors: those of check_sparse_heads and check_arrays; bad_argument ("backend"); too_large or out_of_memory for the working
/// memory.
/// Promise: where scores of blocks differ by less than their rounding, either may be chosen.
Expected<std::uint64_t> block_sparse_heads(const SparseHeads& input, Backend backend,
                                           std::span<float> output);

}  // namespace attn

#pragma once

// Attention for a whole batch of heads in float32, by whichever kernel is asked for, without the steps in between:
// what the benchmark measures and what a model runs on. For the steps see scaled_dot_product.hpp.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "attention/mask.hpp"
#include "core/arrays.hpp"
#include "core/error.hpp"
#include "kernels/attention_problem.hpp"

namespace attn {

/// The kernels that a machine without a GPU has. The name is that of their folder.
enum class Backend : std::uint8_t { scalar, simd };

std::string_view name(Backend backend);

/// What this build was compiled with, the plain one first.
std::span<const Backend> backends();

/// The sizes of one batch, as the caller gives them.
struct HeadsShape {
  std::uint64_t n_heads, n_kv_heads, n_q, n_k, d_k, d_v;
  /// How many tokens each head of K and V has room for: a cache's capacity. n_k when there is no cache.
  std::uint64_t capacity;
};

/// Tokens of one call: S is never built, so the limit is the memory for Q, K and V.
inline constexpr std::uint64_t max_tiled_tokens = std::uint64_t{1} << 20;

/// How many numbers each array of a batch holds.
struct HeadsLengths {
  std::uint64_t q, k, v, output, log_sum_exp;
};

/// Errors: out_of_range and too_large, naming the size; shape_mismatch ("n_kv_heads") when it does not divide n_heads,
/// ("capacity") when it holds fewer tokens than n_k.
Expected<HeadsLengths> check_heads(const HeadsShape& shape);

/// The floating-point operations of both products, 2 (d_k + d_v) for each pair of a query and a key that the causal
/// mask or the window leaves; other masks hide too little to be worth counting. The softmax is not counted, as is usual.
/// Of a shape that has been checked.
double attention_flops(const HeadsShape& shape, const Mask& mask);

/// Everything that a batch is computed from. Q [n_heads, n_q, d_k], K [n_kv_heads, capacity, d_k] and
/// V [n_kv_heads, capacity, d_v], of which the first n_k rows of each head are used.
struct HeadsInput {
  HeadsShape shape;
  /// 1 / sqrt(d_k) unless told.
  std::optional<double> scale = {};
  Mask mask = {};
  std::span<const float> Q = {}, K = {}, V = {};
};

/// Whether its sizes and its mask make a batch, and the build has the back end; how long each array has to be.
/// Errors: those of check_heads and check_mask; bad_argument ("backend") for a back end that this build has not got.
Expected<HeadsLengths> check_heads_input(const HeadsInput& input, Backend backend);

/// The batch as the kernels are asked it; `input` has passed check_heads_input and outlives the answer.
kernels::AttentionProblem problem_of(const HeadsInput& input);

/// softmax(scale Q K^T + mask) V, head by head, in memory that grows with n and not with its square.
/// output [n_heads, n_q, d_v]; log_sum_exp [n_heads, n_q], or empty when it is not wanted.
/// Errors: those of check_heads_input and check_arrays; too_large and out_of_memory for its working memory.
/// Promise: NaN and infinity propagate as the mathematics says; what is masked reaches nothing, whatever it holds; a
/// row with nothing left to attend to is 0.
Expected<void> attention_heads(const HeadsInput& input, Backend backend, std::span<float> output,
                               std::span<float> log_sum_exp);

/// Where gradients go: dQ [n_heads, n_q, d_k], dK [n_kv_heads, n_k, d_k], dV [n_kv_heads, n_k, d_v], all dense.
struct HeadsGradients {
  std::span<float> dQ, dK, dV;
};

/// The gradients of sum_ij dO_ij output_ij, in memory that grows with n: the weights are computed anew, tile by tile
/// (FlashAttention-2, Dao 2023, algorithm 2). dK and dV are summed over the heads that share them.
/// dO [n_heads, n_q, d_v].
/// Errors: those of attention_heads.
/// Promise: masked pairs get exactly no gradient, nor does a row with nothing left to attend to.
Expected<void> attention_heads_backward(const HeadsInput& input, Backend backend,
                                        std::span<const float> dO, const HeadsGradients& gradients);

}  // namespace attn

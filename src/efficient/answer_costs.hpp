#pragma once

// What one layer costs that answers n^2 in another way: work, and what has to be kept to go on, counted and not measured.

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/error.hpp"

namespace attn {

enum class Answer : std::uint8_t {
  full,  ///< causal attention over everything; tiles change its traffic and not its work
  window,  ///< the last tokens, and `sinks` at the start
  block_sparse,  ///< `top_k` blocks, its own among them, chosen by their mean keys
  linear,  ///< elu + 1 features, divided by their sum
  gated_linear,  ///< a state that decays by one gate a token, not divided
  selective_state,  ///< n_heads d_v channels with `state` numbers each
};

struct AnswerSizes {
  std::uint64_t n;
  std::uint64_t n_heads = 8;
  std::uint64_t n_kv_heads =
      0;  ///< heads that have keys and values of their own; 0: as many as n_heads
  std::uint64_t d_k = 64, d_v = 64;
  std::uint64_t bytes_per_number = 2;
  std::uint64_t window = 1024, sinks = 0;
  std::uint64_t block = 64, top_k = 8;
  std::uint64_t state = 16;
};

struct AnswerCosts {
  /// Pairs of a query and a key that are multiplied, of one head; 0 where there are none.
  std::uint64_t pairs;
  /// Operations for n tokens, all heads: a multiplication, an addition, an exponential and a comparison count as one.
  std::uint64_t flops;
  /// What is kept after n tokens so that the next one can be computed.
  std::uint64_t state_bytes;
  /// Operations that the next token takes, the n-th being the last: the cost of one step of decoding.
  std::uint64_t step_flops;
};

/// One layer for n tokens, causally and without padding. With p pairs a head, attention takes p (2 d_k + 2 d_v + 6)
/// operations (see attention_costs for the six); blocks add n d_k to make their means and 2 d_k + 1 for each that is
/// scored. A linear layer takes, for each token and head, 2 d_k d_v to write and 2 d_k d_v to read, and 3 d_k + d_v for the
/// sum that divides (d_k to add to it), features not counted; a gate adds d_k d_v. A selective state takes 7 for each number
/// of it (delta A, its exponential, B times delta x, keep and add, read and add) and 3 for each channel (delta x, skip and
/// add). Heads that share keys and values share what is made of them: the means, the writing, the gate and all that is
/// kept. A selective state has n_heads d_v channels however they are shared.
/// Errors: out_of_range for a size of 0 (`sinks` and `n_kv_heads` may be) and naming "n_kv_heads" unless it divides
/// n_heads; too_large naming the size when a count exceeds 2^53.
/// Promise: every count is exact; the window and blocks of n or more cost what `full` does, the scoring of blocks apart.
Expected<AnswerCosts> answer_costs(Answer answer, const AnswerSizes& sizes);

/// The sums over a stack of layers; `pairs` is their mean over the layers, rounded down.
/// Errors: those of answer_costs; out_of_range and too_large naming "layers".
Expected<AnswerCosts> stack_costs(std::span<const Answer> layers, const AnswerSizes& sizes);

}  // namespace attn

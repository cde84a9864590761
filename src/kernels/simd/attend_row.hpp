#pragma once

// Attention of one query, pair by pair: what small problems run on, and what decides wherever NaN
// or infinity is met.

#include <cstddef>

#include "kernels/attention_problem.hpp"
#include "kernels/kv_segments.hpp"

namespace attn::kernels::simd {

/// output = the attention of query i of `head` over the keys that it may see; returns its
/// log-sum-exp.
/// weights [n_k] is scratch, output [d_v].
/// Promise: masked pairs are not read; nothing overflows while scores and values are floats, as
/// weights are normalised before values are summed. A row with nothing allowed gives 0 and minus
/// infinity; NaN or plus infinity among the allowed scores make all NaN.
float attend_row(const AttentionProblem& problem, std::size_t head, std::size_t i, float* weights,
                 float* output);

/// Some of a row's keys, as a mask sees them: key x of the problem's segments is key first + x of
/// the mask.
struct MaskedKeys {
  const AttentionMask* mask = nullptr;
  std::size_t i = 0, first = 0;
};

/// The same over keys in several places, for query `q` [d_k] and one KV head. `masked.mask` is null
/// where no pair is masked.
/// weights [n_keys] is scratch, k_room [block_keys, d_k] and v_room [block_keys, d_v] too where rows
/// are no floats.
float attend_segments(const SegmentsProblem& problem, std::size_t kv_head, const float* q,
                      const MaskedKeys& masked, float* weights, float* k_room, float* v_room,
                      float* output);

}  // namespace attn::kernels::simd

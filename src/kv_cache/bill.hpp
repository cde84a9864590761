#pragma once

// What a KV cache costs, counted from the model's fields: bytes that the mathematics needs and bytes that an engine
// takes, beside the weights, on one accelerator. The caches themselves are in cache.hpp and count the same.

#include <cstdint>
#include <string_view>

#include "core/error.hpp"
#include "kv_cache/cache_model.hpp"
#include "kv_cache/number_format.hpp"

namespace attn {

/// How an engine takes memory for a sequence. paged: pages of page_tokens tokens as they are needed (Kwon et al. 2023,
/// arXiv:2309.06180). reserved: room for reserved_tokens tokens from the start, at least for those that there are.
enum class Allocation : std::uint8_t { paged, reserved };

struct CachePlan {
  NumberFormat cache_format, weight_format;
  /// States are kept wider than keys: each step adds to what the last one left.
  NumberFormat state_format;
  std::uint64_t tokens = 1;
  std::uint64_t sequences = 1;
  Allocation allocation = Allocation::paged;
  std::uint64_t page_tokens = 16;
  std::uint64_t reserved_tokens = 0;
  /// Whether the engine keeps every token of local layers too, as one without windows does.
  bool keeps_whole_windows = false;
};

/// One accelerator, or `count` of them that share all evenly and lose nothing on the way.
struct Accelerator {
  std::uint64_t count = 1;
  std::uint64_t memory_bytes = 0;
  /// Bytes read in one second.
  std::uint64_t bandwidth_bytes_s = 0;
  /// Floating-point operations in one second, a multiply-add counted as two.
  std::uint64_t flops_s = 0;
  /// Memory, of all together, that neither weights nor caches may have: activations, the engine itself.
  std::uint64_t other_bytes = 0;
};

/// One kind of layer, all of them together, for one sequence.
struct LayersBill {
  std::uint64_t layers = 0;
  /// Layers that keep a cache of their own.
  std::uint64_t keeping = 0;
  /// Numbers that one layer keeps for one token, and their bytes.
  std::uint64_t numbers = 0;
  std::uint64_t layer_token_bytes = 0;
  /// Of all that keep.
  std::uint64_t token_bytes = 0;
  std::uint64_t needed_tokens = 0, needed_bytes = 0;
  /// Tokens that there is room for.
  std::uint64_t allocated_tokens = 0, allocated_bytes = 0;
  std::uint64_t pages = 0;
};

/// Bytes are exact. What has a unit of time or operations is a double, exact below 2^53.
struct CacheBill {
  LayersBill full, local;
  std::uint64_t state_bytes = 0;
  /// Of one token while no window is full, and of one more when all windows are.
  std::uint64_t token_bytes = 0, late_token_bytes = 0;
  /// The same model with as many KV heads as heads and nothing else that saves: what the others are compared with.
  std::uint64_t mha_token_bytes = 0;
  std::uint64_t sequence_needed_bytes = 0, sequence_allocated_bytes = 0;
  std::uint64_t needed_bytes = 0, allocated_bytes = 0;
  /// allocated - needed: ends of pages, room that is not used yet, tokens that no window shows.
  std::uint64_t unused_bytes = 0;
};

/// Errors: those of check_cache_model; out_of_range and too_large naming tokens, sequences, page_tokens or
/// reserved_tokens; too_large naming the field with which a product came to exceed 2^53: a width, n_layers, tokens,
/// state_numbers or sequences.
/// Promise: every byte is counted, none is estimated; GQA with as many KV heads as heads is MHA.
Expected<CacheBill> cache_bill(const CacheModel& model, const CachePlan& plan);

/// What is in the accelerator's memory.
struct MemoryBill {
  std::uint64_t weight_bytes = 0;
  /// Of all accelerators.
  std::uint64_t memory_bytes = 0;
  /// Weights, other and the caches as allocated.
  std::uint64_t total_bytes = 0;
  bool fits = false;
  /// What is left, or what is missing when it does not fit.
  std::uint64_t free_bytes = 0, missing_bytes = 0;
};

/// Errors: as cache_bill; out_of_range naming memory_bytes or accelerators when 0; too_large naming one of them,
/// parameters, other_bytes or sequences.
/// Promise: a model whose parameters are 0, not known, is billed without weights, and so is it in decode_bill and
/// prefill_bill: its bytes and times are then less than they are.
Expected<MemoryBill> memory_bill(const CacheModel& model, const CachePlan& plan,
                                 const Accelerator& accelerator);

/// How much would fit.
struct MemoryRoom {
  /// Sequences of as many tokens.
  std::uint64_t most_sequences = 0;
  /// Tokens of as many sequences, while every shorter text fits too; 0 when not one token does. A window in pages may
  /// hold a page more at one length than at a longer one.
  std::uint64_t most_tokens = 0;
  /// Whether the cache stops growing before the memory is full: then most_tokens is 2^40, where the search ends.
  bool tokens_unbounded = false;
};

/// Errors: as memory_bill.
Expected<MemoryRoom> memory_room(const CacheModel& model, const CachePlan& plan,
                                 const Accelerator& accelerator);

enum class BoundBy : std::uint8_t { bandwidth, arithmetic };
std::string_view name(BoundBy bound);

/// Work against the two roofs of a machine (Williams et al. 2009): the time of whichever takes longer, so that no
/// machine of these data-sheet numbers does that work faster.
struct Roofline {
  double bytes = 0, flops = 0;
  /// Operations for each byte; and where the roofs meet.
  double intensity = 0, ridge = 0;
  /// The upper roof: operations in one second.
  double peak_flops_s = 0;
  double bandwidth_s = 0, arithmetic_s = 0;
  /// The longer one.
  double seconds = 0;
  /// flops / seconds
  double attained_flops_s = 0;
  BoundBy bound_by = BoundBy::bandwidth;
};

/// One step that writes one token of every sequence.
struct DecodeBill {
  Roofline roof;
  double weight_bytes = 0, cache_bytes = 0;
  double weight_flops = 0, attention_flops = 0;
  double tokens_per_s = 0, sequence_tokens_per_s = 0;
};

/// What a step reads and computes. Weights: the active ones once for all sequences (with experts it is more when
/// sequences choose different ones), two operations for each and sequence; the table of the input tokens counts
/// whole, of which a step reads a row, so that a model whose output is a table of its own may be as much faster as
/// that table is of the weights (Llama 3 8B: 525 of 8,030 million). Attention: every layer, sharing or not, reads
/// what it sees once, 2 (d_k + d_v) operations for a head and a token; latent attention works on the latent itself
/// (absorbed matrices, DeepSeek-AI 2024), 2 (2 latent_rank + rope_width). An indexer's keys are read for every token,
/// what it chooses among (index_top_k) for the chosen ones; its own arithmetic is not counted. States are read and
/// written, five operations for each number.
/// Errors: as cache_bill; out_of_range naming bandwidth_bytes_s, flops_s or accelerators when 0.
Expected<DecodeBill> decode_bill(const CacheModel& model, const CachePlan& plan,
                                 const Accelerator& accelerator);

/// The work of reading a prompt, one sequence.
struct PrefillWork {
  double linear_flops = 0, attention_flops = 0;
};

/// The two fields of PrefillBill that no machine decides.
/// Errors: those of check_cache_model; out_of_range and too_large naming tokens; out_of_range naming parameters when no
/// weights are active.
Expected<PrefillWork> prefill_work(const CacheModel& model, std::uint64_t tokens);

/// Reading a prompt of `tokens` tokens, one sequence.
struct PrefillBill {
  Roofline roof;
  /// Two operations for each active weight and token: twice a prompt, twice the work.
  double linear_flops = 0;
  /// 2 (d_k + d_v) for each head and each pair that the causal mask and the windows leave: twice a prompt, four times
  /// the work of full layers.
  double attention_flops = 0;
  /// Shares of all work, in percent.
  double linear_percent = 0, attention_percent = 0;
};

/// Errors: as decode_bill.
Expected<PrefillBill> prefill_bill(const CacheModel& model, const CachePlan& plan,
                                   const Accelerator& accelerator);

/// The shortest prompt at which attention works at least as much as the weights; 0 when none up to 2^40 does, and when
/// the weights are not known. Errors: those of check_cache_model.
Expected<std::uint64_t> prefill_crossing(const CacheModel& model);

/// Ways to keep less, as changes of a model.
enum class Scheme : std::uint8_t { own, mha, gqa, mqa, mla, sliding, hybrid };
std::string_view name(Scheme scheme);

/// The model with another scheme and all else as it is. mha: as many KV heads as heads. gqa: the model's own number
/// when it groups, else the largest divisor of n_heads up to 8. mqa: one. mla: its own latent, else 512 numbers as in
/// DeepSeek-V2 and a rotary key of 64 (half of d_k where that is less), which is a part of each head's d_k. sliding: every attention layer local, with its own window, else 4,096. hybrid: its own pattern, else one
/// layer in six full and the others local with 1,024 tokens, as in Gemma 3. Of a model that has been checked.
CacheModel with_scheme(const CacheModel& model, Scheme scheme);

/// Weights of the projections to K and V in all attention layers: d_model x n_kv_heads x (d_k + d_v) each, where they keep
/// a cache of their own; with a latent, d_model x (latent_rank + rope_width), and from the latent to the keys and values of every head.
/// Errors: those of check_cache_model; out_of_range naming d_model when 0.
Expected<std::uint64_t> key_value_parameters(const CacheModel& model);

}  // namespace attn

#pragma once

// Attention made affordable, as JavaScript calls it: tile by tile with its steps, and what it costs.

#include <cstdint>

#include "convert.hpp"
#include "core/limits.hpp"
#include "efficient/attention_costs.hpp"
#include "efficient/online_softmax.hpp"
#include "mask_option.hpp"

namespace attn::binding {

inline val online_softmax_of(Reader& in) {
  const auto n_q = in.count("n_q", max_tokens);
  const auto n_k = in.count("n_k", max_tokens);
  const auto d_k = in.count("d_k", max_width);
  const auto d_v = in.count("d_v", max_width);
  TileSizes sizes;
  sizes.tile_q = Reader::size(in.count_or("tile_q", sizes.tile_q, max_tokens));
  sizes.tile_k = Reader::size(in.count_or("tile_k", sizes.tile_k, max_tokens));
  AttentionOptions options;
  options.divide = in.flag_or("divide", true);
  const Matrix<double> Q = in.matrix<double>("Q", n_q, d_k);
  const Matrix<double> K = in.matrix<double>("K", n_k, d_k);
  const Matrix<double> V = in.matrix<double>("V", n_k, d_v);
  options.mask = read_mask(in, n_q, n_k);
  if (in.failed()) return failure(in.error());
  const auto steps = online_softmax(Q, K, V, options, sizes);
  if (!steps) return failure(steps.error());
  return Writer(in.out())
      .number("query_blocks", static_cast<double>(steps->query_blocks))
      .number("key_blocks", static_cast<double>(steps->key_blocks))
      .array("query_begin", steps->query_begin)
      .array("key_begin", steps->key_begin)
      .number("held_scores", static_cast<double>(steps->held_scores))
      .number("held_results", static_cast<double>(steps->held_results))
      .number("divisor", steps->divisor)
      .number("largest_difference", steps->largest_difference)
      .array("allowed", steps->allowed)
      .array("skipped", steps->skipped)
      .array("scores", steps->scores)
      .array("exponentials", steps->exponentials)
      .array("largest_before", steps->largest_before)
      .array("largest_after", steps->largest_after)
      .array("factors", steps->factors)
      .array("rescaled", steps->rescaled)
      .array("sums_before", steps->sums_before)
      .array("sums_after", steps->sums_after)
      .array("outputs_before", steps->outputs_before)
      .array("outputs_rescaled", steps->outputs_rescaled)
      .array("outputs_after", steps->outputs_after)
      .array("times_rescaled", steps->times_rescaled)
      .array("output", steps->output)
      .array("whole", steps->whole)
      .finish();
}

inline val attention_costs_of(Reader& in) {
  CostSizes sizes = {};
  const auto size = [&in](const char* field, std::uint64_t& value) {
    value = in.count_or(field, value, max_exact_count);
  };
  sizes.n = in.count("n", max_exact_count);
  size("n_heads", sizes.n_heads);
  size("d", sizes.d);
  size("bytes_per_number", sizes.bytes_per_number);
  size("tile_q", sizes.tile_q);
  size("tile_k", sizes.tile_k);
  size("fast_bytes", sizes.fast_bytes);
  if (in.failed()) return failure(in.error());
  const auto costs = attention_costs(sizes);
  if (!costs) return failure(costs.error());
  const auto whole = [](std::uint64_t count) { return static_cast<double>(count); };
  return Writer(val::undefined())
      .number("entries", whole(costs->entries))
      .number("entries_millions", costs->entries_millions)
      .number("score_bytes", whole(costs->score_bytes))
      .number("score_mebibytes", costs->score_mebibytes)
      .number("entries_doubled", whole(costs->entries_doubled))
      .number("growth", costs->growth)
      .number("product_flops", whole(costs->product_flops))
      .number("naive_softmax_flops", whole(costs->naive_softmax_flops))
      .number("fused_softmax_flops", whole(costs->fused_softmax_flops))
      .number("softmax_percent", costs->softmax_percent)
      .number("score_pass_read", whole(costs->score_pass.read))
      .number("score_pass_written", whole(costs->score_pass.written))
      .number("softmax_pass_read", whole(costs->softmax_pass.read))
      .number("softmax_pass_written", whole(costs->softmax_pass.written))
      .number("value_pass_read", whole(costs->value_pass.read))
      .number("value_pass_written", whole(costs->value_pass.written))
      .number("naive_bytes", whole(costs->naive_bytes))
      .number("fused_read", whole(costs->fused_pass.read))
      .number("fused_written", whole(costs->fused_pass.written))
      .number("fused_bytes", whole(costs->fused_bytes))
      .number("query_blocks", whole(costs->query_blocks))
      .number("bytes_ratio", costs->bytes_ratio)
      .number("tile_numbers", whole(costs->tile_numbers))
      .number("tile_bytes", whole(costs->tile_bytes))
      .value("fits", val(costs->fits))
      .finish();
}

}  // namespace attn::binding

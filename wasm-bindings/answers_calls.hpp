#pragma once

// The answers to n^2, as JavaScript calls them.

#include <array>
#include <cstdint>
#include <string_view>

#include "convert.hpp"
#include "core/limits.hpp"
#include "efficient/answer_curves.hpp"
#include "efficient/answer_pattern.hpp"
#include "efficient/recall.hpp"

namespace attn::binding {

/// In the order of RecallAnswer; of Answer, those before the hybrid.
inline constexpr std::array<std::string_view, answer_rows> answer_names = {
    "full", "window", "block_sparse", "linear", "gated_linear", "selective_state", "hybrid"};

inline val recall_of(Reader& in) {
  RecallOptions options;
  const auto size = [&in](const char* field, std::size_t& value) {
    value = as_size(in.count_or(field, value, max_tokens));
  };
  const auto answer = static_cast<RecallAnswer>(in.choice("answer", answer_names));
  size("n", options.n);
  size("state", options.state);
  size("window", options.window);
  if (in.has("sinks")) options.sinks = as_size(in.count("sinks", max_tokens, 0));
  size("block", options.block);
  size("top_k", options.top_k);
  size("texts", options.texts);
  size("bins", options.bins);
  if (in.has("seed")) options.seed = in.count("seed", max_exact_count, 0);
  const auto pairs = in.integers("pairs", max_recall_counts);
  if (in.failed()) return failure(in.error());
  const auto made = measure_recall(answer, options, pairs);
  if (!made) return failure(made.error());
  return Writer(in.out())
      .array("asked", made->asked)
      .array("right", made->right)
      .array("accuracy", made->accuracy)
      .array("bin_asked", made->bin_asked)
      .array("bin_right", made->bin_right)
      .array("bin_accuracy", made->bin_accuracy)
      .number("kept_numbers", static_cast<double>(made->kept_numbers))
      .finish();
}

inline val answer_pattern_of(Reader& in) {
  PatternOptions options;
  const auto size = [&in](const char* field, std::size_t& value) {
    value = as_size(in.count_or(field, value, max_tokens));
  };
  // The last name is of a stack, which has no pattern of its own.
  const auto answer =
      static_cast<Answer>(in.choice("answer", std::span(answer_names).first(answer_rows - 1)));
  size("n", options.n);
  size("window", options.window);
  if (in.has("sinks")) options.sinks = as_size(in.count("sinks", max_tokens, 0));
  size("block", options.block);
  size("top_k", options.top_k);
  size("state", options.state);
  if (in.has("gate")) options.gate = in.number("gate");
  if (in.has("seed")) options.seed = in.count("seed", max_exact_count, 0);
  if (in.failed()) return failure(in.error());
  const auto made = answer_pattern(answer, options);
  if (!made) return failure(made.error());
  return Writer(in.out())
      .array("left", made->left)
      .array("seen", made->seen)
      .number("pairs", static_cast<double>(made->pairs))
      .finish();
}

inline val answer_curves_of(Reader& in) {
  CurveOptions options;
  const auto size = [&in](const char* field, std::uint64_t& value) {
    value = in.count_or(field, value, max_exact_count);
  };
  size("n_heads", options.sizes.n_heads);
  size("n_kv_heads", options.sizes.n_kv_heads);
  size("d_k", options.sizes.d_k);
  size("d_v", options.sizes.d_v);
  size("bytes_per_number", options.sizes.bytes_per_number);
  size("window", options.sizes.window);
  if (in.has("sinks")) options.sizes.sinks = in.count("sinks", max_exact_count, 0);
  size("block", options.sizes.block);
  size("top_k", options.sizes.top_k);
  size("state", options.sizes.state);
  size("n_layers", options.n_layers);
  size("full_every", options.full_every);
  const auto lengths = in.integers("lengths", max_curve_lengths);
  if (in.failed()) return failure(in.error());
  const auto made = answer_curves(options, lengths);
  if (!made) return failure(made.error());
  return Writer(in.out())
      .array("layer_flops", made->layer_flops)
      .array("step_flops", made->step_flops)
      .array("state_bytes", made->state_bytes)
      .array("state_tokens", made->state_tokens)
      .number("full_layers", static_cast<double>(made->full_layers))
      .finish();
}

}  // namespace attn::binding

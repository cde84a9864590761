#pragma once

// The topic `training` as JavaScript calls it.

#include "convert.hpp"
#include "core/limits.hpp"
#include "training/training_run.hpp"

namespace attn::binding {

inline val train_attention_of(Reader& in) {
  TrainingOptions options;
  const auto size = [&in](const char* field, std::size_t otherwise) {
    return in.has(field) ? as_size(in.count(field, max_tokens, 0)) : otherwise;
  };
  options.sizes.vocab_size = as_size(in.count("vocab_size", max_tokens));
  options.sizes.n = as_size(in.count("n", max_tokens));
  options.sizes.d_model = size("d_model", options.sizes.d_model);
  options.sizes.d_k = size("d_k", options.sizes.d_k);
  options.seed = in.has("seed") ? in.count("seed", max_exact_count, 0) : options.seed;
  options.rounds = size("rounds", options.rounds);
  options.steps = size("steps", options.steps);
  options.batch = size("batch", options.batch);
  options.stride = size("stride", options.stride);
  options.rate = in.has("rate") ? in.number("rate") : options.rate;
  options.causal = in.flag_or("causal", options.causal);
  options.writes = size("writes", options.writes);
  const auto ids = in.integers("ids", max_tokens);
  const auto targets =
      in.has("targets") ? in.integers("targets", max_tokens) : std::vector<std::int32_t>{};
  if (in.failed()) return failure(in.error());
  const auto run = train(options, ids, targets);
  if (!run) return failure(run.error());
  return Writer(in.out())
      .array("losses", run->losses)
      .array("past_losses", run->past_losses)
      .array("weights", run->weights)
      .array("written", run->written)
      .number("even_loss", run->even_loss)
      .number("windows", static_cast<double>(run->windows))
      .finish();
}

}  // namespace attn::binding

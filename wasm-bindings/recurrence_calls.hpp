#pragma once

// The topic `recurrence` as JavaScript calls it.

#include <cstdint>

#include "convert.hpp"
#include "core/limits.hpp"
#include "recurrence/reach.hpp"

namespace attn::binding {

inline val gradient_reach_of(Reader& in) {
  ReachOptions options;
  options.n = as_size(in.count("n", max_tokens));
  options.scale = in.has("scale") ? in.number("scale") : options.scale;
  options.seed = in.has("seed") ? in.count("seed", max_exact_count, 0) : options.seed;
  options.seeds = in.has("seeds") ? as_size(in.count("seeds", max_reach_seeds, 0)) : options.seeds;
  options.forget_gate = in.has("forget_gate") ? in.number("forget_gate") : options.forget_gate;
  options.forget_bias = in.has("forget_bias") ? in.number("forget_bias") : options.forget_bias;
  const auto lengths = in.integers("lengths", max_reach_lengths);
  if (in.failed()) return failure(in.error());
  const auto reach = gradient_reach(options, lengths);
  if (!reach) return failure(reach.error());
  const auto& [curves, ends] = *reach;
  return Writer(in.out())
      .array("plain", curves.plain)
      .array("lower", curves.spread.lower)
      .array("median", curves.spread.median)
      .array("upper", curves.spread.upper)
      .array("cell_path", curves.cell_path)
      .array("lstm", curves.lstm)
      .array("attention", curves.attention)
      .array("plain_ends", ends.plain)
      .array("lower_ends", ends.spread.lower)
      .array("median_ends", ends.spread.median)
      .array("upper_ends", ends.spread.upper)
      .array("cell_path_ends", ends.cell_path)
      .array("lstm_ends", ends.lstm)
      .array("attention_ends", ends.attention)
      .finish();
}

}  // namespace attn::binding

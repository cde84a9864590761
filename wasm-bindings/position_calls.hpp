#pragma once

// Positions, a part of the topic `embedding`, as JavaScript calls it.

#include <cstdint>
#include <string_view>

#include "convert.hpp"
#include "core/limits.hpp"
#include "embedding/alibi.hpp"
#include "embedding/position_schemes.hpp"
#include "embedding/rotary_clocks.hpp"
#include "embedding/sinusoidal.hpp"

namespace attn::binding {

inline constexpr std::string_view scaling_names[] = {"none", "linear", "ntk", "dynamic-ntk",
                                                     "yarn"};
inline constexpr RotaryScaling scalings[] = {RotaryScaling::none, RotaryScaling::linear,
                                             RotaryScaling::ntk, RotaryScaling::dynamic_ntk,
                                             RotaryScaling::yarn};
inline constexpr std::string_view pairing_names[] = {"interleaved", "half-split", "mixed"};
inline constexpr RotaryPairing pairings[] = {RotaryPairing::interleaved, RotaryPairing::half_split,
                                             RotaryPairing::mixed};

inline val sinusoidal_positions_of(Reader& in) {
  const auto n = in.count("n", max_tokens);
  const auto d_model = in.count("d_model", max_width);
  const double base = in.has("base") ? in.number("base") : 10000;
  if (in.failed()) return failure(in.error());
  const auto P = sinusoidal_positions(as_size(n), as_size(d_model), base);
  if (!P) return failure(P.error());
  return Writer(in.out()).array("P", *P).finish();
}

inline val alibi_slopes_of(Reader& in) {
  const auto n_heads = in.count("n_heads", max_heads);
  if (in.failed()) return failure(in.error());
  const auto slopes = alibi_slopes(as_size(n_heads));
  if (!slopes) return failure(slopes.error());
  return Writer(in.out()).array("slopes", *slopes).finish();
}

inline RotaryOptions rotary_options_of(Reader& in) {
  RotaryOptions options;
  options.scaling = scalings[in.choice("scaling", scaling_names)];
  options.base = in.has("base") ? in.number("base") : options.base;
  options.factor = in.has("factor") ? in.number("factor") : options.factor;
  options.original_length =
      in.count_or("original_length", options.original_length, max_exact_count);
  options.mscale = in.has("mscale") ? in.number("mscale") : options.mscale;
  options.mscale_all_dim =
      in.has("mscale_all_dim") ? in.number("mscale_all_dim") : options.mscale_all_dim;
  return options;
}

inline val rotary_clocks_of(Reader& in) {
  ClockOptions options;
  options.m = in.count("m", max_exact_count, 0);
  options.n = in.count("n", max_exact_count, 0);
  options.shift = in.has("shift") ? in.count("shift", max_exact_count, 0) : options.shift;
  options.reach = in.has("reach") ? as_size(in.count("reach", max_tokens, 0)) : options.reach;
  options.pairing = pairings[in.choice("pairing", pairing_names)];
  options.rotary = rotary_options_of(in);
  const auto q = in.vector<double>("q", in.length("q", max_width));
  const auto k = in.vector<double>("k", in.length("k", max_width));
  if (in.failed()) return failure(in.error());
  const auto clocks = rotary_clocks(q, k, options);
  if (!clocks) return failure(clocks.error());
  return Writer(in.out())
      .array("query", clocks->query)
      .array("key", clocks->key)
      .array("query_start", clocks->query_start)
      .array("key_start", clocks->key_start)
      .array("terms", clocks->terms)
      .number("score", clocks->score)
      .number("start_score", clocks->start_score)
      .number("difference", clocks->difference)
      .number("change", clocks->change)
      .number("query_at", static_cast<double>(clocks->query_at))
      .number("key_at", static_cast<double>(clocks->key_at))
      .number("offset", static_cast<double>(clocks->offset))
      .array("curve", clocks->curve)
      .array("start_curve", clocks->start_curve)
      .array("plain_curve", clocks->plain_curve)
      .array("frequencies", clocks->schedule.frequencies)
      .array("tokens_per_turn", clocks->tokens_per_turn)
      .array("turned", clocks->turned)
      .array("kept", clocks->schedule.kept)
      .number("base", clocks->schedule.base)
      .number("rotary_factor", clocks->schedule.rotary_factor)
      .number("softmax_factor", clocks->schedule.softmax_factor)
      .number("score_factor", clocks->schedule.score_factor)
      .finish();
}

inline val position_schemes_of(Reader& in) {
  OrderOptions options;
  options.arrangement =
      in.has("arrangement") ? in.count("arrangement", max_exact_count, 0) : options.arrangement;
  options.seed = in.has("seed") ? in.count("seed", max_exact_count, 0) : options.seed;
  options.causal = in.flag_or("causal", options.causal);
  options.alibi_head = as_size(in.count_or("alibi_head", options.alibi_head, max_heads));
  options.query_at =
      in.has("query_at") ? as_size(in.count("query_at", max_tokens, 0)) : options.query_at;
  options.reach = in.has("reach") ? as_size(in.count("reach", max_tokens, 0)) : options.reach;
  const auto ids = in.integers("ids", max_tokens);
  if (in.failed()) return failure(in.error());
  const auto seen = order_seen(ids, options);
  if (!seen) return failure(seen.error());
  return Writer(in.out())
      .number("arrangement", static_cast<double>(seen->arrangement))
      .number("last_arrangement", static_cast<double>(seen->last_arrangement))
      .array("order", seen->order)
      .array("swaps", seen->swaps)
      .array("change", seen->change)
      .array("notices", seen->notices)
      .array("change_of_word", seen->change_of_word)
      .number("slope", seen->slope)
      .array("scores", seen->scores)
      .array("start_scores", seen->start_scores)
      .array("moved", seen->moved)
      .array("moves", seen->moves)
      .finish();
}

}  // namespace attn::binding

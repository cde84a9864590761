#pragma once

// What a mask does to a layer, as JavaScript calls it.

#include <array>
#include <string_view>

#include "attention/mask_effect.hpp"
#include "convert.hpp"
#include "core/limits.hpp"

namespace attn::binding {

/// The names of a run's results: flat, so that each may be written again into an earlier one.
struct RunNames {
  const char *weights, *output, *moved, *moved_by, *moved_rows, *padded_by, *padded_most;
};

inline constexpr RunNames open_names{"open_weights",    "open_output",     "open_moved",
                                     "open_moved_by",   "open_moved_rows", "open_padded_by",
                                     "open_padded_most"};
inline constexpr RunNames masked_names{"masked_weights",    "masked_output",     "masked_moved",
                                       "masked_moved_by",   "masked_moved_rows", "masked_padded_by",
                                       "masked_padded_most"};

inline Writer& write_run(Writer& writer, const RunNames& names, const MaskedRun& run) {
  return writer.array(names.weights, run.weights)
      .array(names.output, run.output)
      .array(names.moved, run.moved)
      .array(names.moved_by, run.moved_by)
      .number(names.moved_rows, static_cast<double>(run.moved_rows))
      .array(names.padded_by, run.padded_by)
      .number(names.padded_most, run.padded_most);
}

inline val mask_effect_of(Reader& in) {
  constexpr std::array<std::string_view, 3> positions{"none", "row", "real"};
  const auto size = [&in](const char* field, std::size_t otherwise) {
    return in.has(field) ? as_size(in.count(field, max_tokens, 0)) : otherwise;
  };
  MaskScene scene;
  scene.seed = in.has("seed") ? in.count("seed", max_exact_count, 0) : scene.seed;
  scene.tokens = as_size(in.count("tokens", max_tokens));
  scene.pads = size("pads", 0);
  scene.pads_left = in.flag_or("pads_left", false);
  scene.first_document = size("first_document", 0);
  if (in.has("asks")) scene.asks = size("asks", 0);
  scene.positions = static_cast<PositionSource>(in.choice("positions", positions));
  scene.causal = in.flag_or("causal", false);
  if (in.has("window")) scene.window = in.count("window", max_exact_count);
  scene.hides_padding = in.flag_or("hides_padding", false);
  scene.parts_documents = in.flag_or("parts_documents", false);
  scene.changed = size("changed", 0);
  scene.to_nan = in.flag_or("to_nan", false);
  if (in.failed()) return failure(in.error());
  const auto effect = mask_effect(scene);
  if (!effect) return failure(effect.error());
  Writer writer(in.out());
  writer.number("n_q", static_cast<double>(effect->n_q))
      .number("n", static_cast<double>(effect->n))
      .array("token", effect->token)
      .array("position", effect->position)
      .array("allowed", effect->allowed)
      .array("seen", effect->seen)
      .value("first_is_its_value", val(effect->first_is_its_value));
  write_run(writer, open_names, effect->open);
  return write_run(writer, masked_names, effect->masked).finish();
}

}  // namespace attn::binding

#pragma once

// The maps of a real model, recorded or live, as JavaScript calls them.

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "convert.hpp"
#include "core/limits.hpp"
#include "model/head_patterns.hpp"
#include "model/map_reading.hpp"
#include "model/recording.hpp"

namespace attn::binding {

/// The option `weights`, float32, or `parts`, the same in 255ths.
inline Vector<float> weights_option(Reader& in, std::uint64_t length) {
  if (!in.has("parts")) return in.vector<float>("weights", length);
  if (in.has("weights")) {
    in.refuse(ErrorCode::bad_argument, "parts",
              " and weights are the same maps in two forms: give one.");
  }
  const auto parts = in.vector<std::uint8_t>("parts", length);
  Vector<float> weights = make_vector<float>(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) weights(i) = static_cast<float>(parts(i)) / 255;
  return weights;
}

/// The sizes of the maps; `weights` holds the numbers that they refer to.
inline HeadMaps maps_option(Reader& in, Vector<float>& weights) {
  HeadMaps maps;
  maps.n_layers = in.count("n_layers", max_reading_heads);
  maps.n_heads = in.count("n_heads", max_reading_heads);
  maps.n = in.count("n", max_reading_tokens);
  weights = weights_option(in, maps.n_layers * maps.n_heads * maps.n * maps.n);
  maps.weights = flat(weights);
  return maps;
}

inline ShuffleOptions shuffle_options(Reader& in) {
  ShuffleOptions options;
  if (in.has("shuffles")) options.shuffles = in.count("shuffles", max_shuffles);
  if (in.has("seed")) options.seed = in.count("seed", max_exact_count, 0);
  return options;
}

inline val answer(Reader& in, const Expected<PatternSearch>& found) {
  if (!found) return failure(found.error());
  return Writer(in.out())
      .array("scores", found->scores)
      .array("rows", found->rows)
      .array("shuffled_best", found->shuffled_best)
      .array("shuffled_mean", found->shuffled_mean)
      .array("above", found->above)
      .array("above_count", found->above_count)
      .array("ranked", found->ranked)
      .finish();
}

inline val find_patterns_of(Reader& in) {
  Vector<float> weights;
  const HeadMaps maps = maps_option(in, weights);
  const auto ids = in.integers("ids", max_reading_tokens);
  const ShuffleOptions options = shuffle_options(in);
  if (in.failed()) return failure(in.error());
  return answer(in, find_patterns(maps, ids, options));
}

inline val find_pairs_of(Reader& in) {
  Vector<float> weights;
  const HeadMaps maps = maps_option(in, weights);
  const auto pairs = in.integers("pairs", 2 * max_reading_tokens * max_reading_tokens);
  const ShuffleOptions options = shuffle_options(in);
  if (in.failed()) return failure(in.error());
  return answer(in, find_pairs(maps, pairs, options));
}

inline val first_token_share_of(Reader& in) {
  Vector<float> weights;
  const HeadMaps maps = maps_option(in, weights);
  const auto first_row = in.has("first_row") ? in.count("first_row", max_reading_tokens, 0) : 0;
  if (in.failed()) return failure(in.error());
  const auto share = first_token_share(maps, first_row);
  if (!share) return failure(share.error());
  return Writer(in.out())
      .array("by_layer", share->by_layer)
      .number("mean", share->mean)
      .number("equal_share", share->equal_share)
      .finish();
}

inline val read_map_of(Reader& in) {
  LayerMaps layer;
  layer.n_heads = in.count("n_heads", max_reading_heads);
  layer.n_kv_heads = in.count("n_kv_heads", max_reading_heads);
  layer.n = in.count("n", max_reading_tokens);
  const Vector<float> weights = weights_option(in, layer.n_heads * layer.n * layer.n);
  const auto lengths = in.vector<float>("value_lengths", layer.n_kv_heads * layer.n);
  std::optional<std::uint64_t> head;
  if (in.has("head")) head = in.count("head", max_reading_heads, 0);
  const auto row = in.count("row", max_reading_tokens, 0);
  if (in.failed()) return failure(in.error());
  layer.weights = flat(weights);
  layer.value_lengths = flat(lengths);
  const auto reading = read_map(layer, head, row);
  if (!reading) return failure(reading.error());
  return Writer(in.out())
      .array("weights", reading->weights)
      .array("shares", reading->shares)
      .array("lengths", reading->lengths)
      .array("by_weight", reading->by_weight)
      .array("by_share", reading->by_share)
      .number("moved", reading->moved)
      .finish();
}

inline val written(const RecordedToken& token) {
  val made = val::object();
  made.set("id", token.id);
  made.set("text", val(token.text));
  return made;
}

/// An array of what `each` makes of the entries.
template <class Entries, class Make>
val list_of(const Entries& entries, Make each) {
  val list = val::array();
  for (const auto& entry : entries) list.call<void>("push", each(entry));
  return list;
}

inline val written(const RecordedText& text, std::size_t heads) {
  Writer made((val::undefined()));
  made.value("id", val(text.id))
      .value("text", val(text.text))
      .value("tokens", list_of(text.tokens, [](const auto& token) { return written(token); }))
      .floats("losses", text.losses)
      .value("candidates", list_of(text.candidates,
                                   [](const RecordedCandidate& candidate) {
                                     val one = written(candidate.token);
                                     one.set("probability", candidate.probability);
                                     return one;
                                   }))
      .floats("value_lengths", text.value_lengths)
      .array("weights", square_maps(text, heads));
  return made.object();
}

inline val read_recording_of(Reader& in) {
  const std::string file = in.bytes("file", max_recording_bytes);
  if (in.failed()) return failure(in.error());
  const auto read =
      read_recording({reinterpret_cast<const std::uint8_t*>(file.data()), file.size()});
  if (!read) return failure(read.error());
  const std::size_t heads = std::size_t{read->n_layers} * read->n_heads;
  return Writer(val::undefined())
      .value("model", val(read->model))
      .value("file", val(read->file))
      .value("machine", val(read->machine))
      .value("date", val(read->date))
      .number("n_layers", read->n_layers)
      .number("n_heads", read->n_heads)
      .number("n_kv_heads", read->n_kv_heads)
      .number("head_dim", read->head_dim)
      .number("d_model", read->d_model)
      .number("token_bytes", read->token_bytes)
      .value("prompt", val(read->prompt))
      .value("same_tokens", val(read->same_tokens))
      .floats("cached_ms", read->cached_ms)
      .floats("uncached_ms", read->uncached_ms)
      .value("long_text", val(read->long_text))
      .number("long_tokens", read->long_tokens)
      .floats("long_previous", read->long_previous)
      .floats("long_first", read->long_first)
      .value("texts",
             list_of(read->texts, [&](const RecordedText& text) { return written(text, heads); }))
      .finish();
}

}  // namespace attn::binding

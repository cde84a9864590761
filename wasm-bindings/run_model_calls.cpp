#include "run_model_calls.hpp"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/limits.hpp"
#include "model/sampling.hpp"
#include "open_model.hpp"

namespace attn::binding {
namespace {

/// Bytes of one text, and ids of one call.
constexpr std::uint64_t max_model_text = std::uint64_t{1} << 24;

Memory memory_of_ids(std::span<const std::uint32_t> ids) {
  return {ids.data(), ids.size(), ArrayKind::int32};
}

const Tokenizer* tokenizer_of(Reader& in, const OpenModel* model) {
  if (in.failed()) return nullptr;
  if (model->text.tokenizer) return &*model->text.tokenizer;
  in.refuse(ErrorCode::bad_argument, "model",
            " came without a vocabulary: its files have none, so that there are ids alone.");
  return nullptr;
}

std::vector<std::uint32_t> read_ids(Reader& in) {
  const auto ids = in.integers("ids", max_model_text);
  return {ids.begin(), ids.end()};
}

/// What is cut out, from the options within `ablation`.
struct Cut {
  std::vector<HeadPlace> heads;
  std::vector<std::uint64_t> positions;

  explicit Cut(Reader& in) {
    in.inside("ablation", [this](Reader& inner) {
      const auto pairs = inner.integers("heads", 1 << 20);
      const auto at = inner.integers("positions", max_model_context);
      const auto is_negative = [](std::int32_t number) { return number < 0; };
      if (pairs.size() % 2 != 0 || std::ranges::any_of(pairs, is_negative)) {
        inner.refuse(ErrorCode::out_of_range, "heads",
                     " must be pairs of a layer and a head, both counted from 0.");
      }
      if (std::ranges::any_of(at, is_negative)) {
        inner.refuse(ErrorCode::out_of_range, "positions", " must be counted from 0.");
      }
      if (inner.failed()) return;
      for (std::size_t i = 0; i < pairs.size(); i += 2) {
        heads.push_back(
            {static_cast<std::uint64_t>(pairs[i]), static_cast<std::uint64_t>(pairs[i + 1])});
      }
      for (const std::int32_t position : at) {
        positions.push_back(static_cast<std::uint64_t>(position));
      }
    });
  }
};

/// An array of a call's results; nothing is allocated before its size has been checked.
template <class T>
Expected<void> make_room(std::vector<T>& to, const char* field,
                         std::initializer_list<std::uint64_t> sizes) {
  const auto count = checked_product(field, sizes);
  ATTN_CHECK(count);
  ATTN_CHECK(check_bytes(field, *count * sizeof(T)));
  to.resize(as_size(*count));
  return {};
}

constexpr std::string_view weight_kinds[] = {"none", "floats", "bytes"};

/// The arrays that a call asks for.
struct Results {
  bool logits = false, losses = false, best = false, value_lengths = false;
  std::size_t weights = 0;
  std::vector<double> loss_numbers;
  std::vector<std::uint32_t> best_ids;
  std::vector<float> weight_floats, length_floats;
  std::vector<std::uint8_t> weight_bytes;

  explicit Results(Reader& in)
      : logits(in.flag_or("logits", false)),
        losses(in.flag_or("losses", false)),
        best(in.flag_or("best", false)),
        value_lengths(in.flag_or("value_lengths", false)),
        weights(in.choice("weights", weight_kinds)) {}

  Expected<void> make_room_for(const Transformer& model, std::uint64_t count) {
    const ModelConfig& config = model.config();
    const std::uint64_t length = model.length() + count;
    if (losses) ATTN_CHECK(make_room(loss_numbers, "losses", {count}));
    if (best) ATTN_CHECK(make_room(best_ids, "best", {count}));
    if (weights != 0) {
      const auto sizes = {config.n_layers, config.n_heads, count, length};
      ATTN_CHECK(weights == 1 ? make_room(weight_floats, "weights", sizes)
                              : make_room(weight_bytes, "weights", sizes));
    }
    if (!value_lengths) return {};
    return make_room(length_floats, "value_lengths", {config.n_layers, config.n_kv_heads, length});
  }
};

val length_of(const OpenModel& model) {
  return Writer(val::undefined())
      .number("length", static_cast<double>(model.transformer.length()))
      .number("visible_tokens", static_cast<double>(model.transformer.visible_tokens()))
      .finish();
}

}  // namespace

val encode_text_of(Reader& in) {
  const OpenModel* model = open_models().find(in, "model");
  const Tokenizer* tokenizer = tokenizer_of(in, model);
  const bool special_ids = in.flag_or("special_ids", false);
  const bool begin = in.flag_or("begin", !in.failed() && model->text.adds_begin);
  const std::string text = in.bytes("text", max_model_text);
  if (begin && !in.failed() && !model->text.begin_id) {
    in.refuse(ErrorCode::bad_argument, "begin", " must be false: the model has no such token.");
  }
  if (in.failed()) return failure(in.error());
  auto ids = tokenizer->encode(text, {special_ids});
  if (!ids) return failure(ids.error());
  std::erase(*ids, no_token);
  if (begin) ids->insert(ids->begin(), *model->text.begin_id);
  return Writer(val::undefined()).value("ids", copied(memory_of_ids(*ids))).finish();
}

val decode_ids_of(Reader& in) {
  const OpenModel* model = open_models().find(in, "model");
  const Tokenizer* tokenizer = tokenizer_of(in, model);
  const auto ids = read_ids(in);
  if (in.failed()) return failure(in.error());
  const auto bytes = tokenizer->decode(ids);
  if (!bytes) return failure(bytes.error());
  std::vector<std::uint32_t> offsets = {0};
  for (const std::uint32_t id : ids) {
    offsets.push_back(offsets.back() +
                      static_cast<std::uint32_t>(tokenizer->vocabulary().bytes(id).size()));
  }
  return Writer(val::undefined())
      .value("bytes", copied({bytes->data(), bytes->size(), ArrayKind::uint8}))
      .value("offsets", copied(memory_of_ids(offsets)))
      .finish();
}

val take_tokens_of(Reader& in) {
  OpenModel* model = open_models().find(in, "model");
  const auto ids = read_ids(in);
  const Cut cut(in);
  Results results(in);
  if (in.failed()) return failure(in.error());
  Transformer& transformer = model->transformer;
  const auto ready = results.make_room_for(transformer, ids.size());
  if (!ready) return failure(ready.error());
  // Those of the token before, which say what the first of these costs.
  std::vector<float> before = model->logits;
  std::vector<float> logits(as_size(transformer.config().vocab_size));
  const std::span<double> later = results.losses && !ids.empty()
                                      ? std::span(results.loss_numbers).subspan(1)
                                      : std::span<double>();
  const auto taken = transformer.take(ids,
                                      {.logits = logits,
                                       .losses = later,
                                       .best = results.best_ids,
                                       .weights = results.weight_floats,
                                       .weight_bytes = results.weight_bytes,
                                       .value_lengths = results.length_floats},
                                      {.heads = cut.heads, .positions = cut.positions});
  if (!taken) return failure(taken.error());
  model->logits = std::move(logits);
  Writer writer(in.out());
  writer.number("length", static_cast<double>(transformer.length()))
      .number("visible_tokens", static_cast<double>(transformer.visible_tokens()));
  if (results.logits) writer.floats("logits", model->logits);
  if (results.losses) {
    results.loss_numbers[0] =
        before.empty() ? std::numeric_limits<double>::quiet_NaN() : loss_of(before, ids[0]);
    writer.array("losses", results.loss_numbers);
  }
  if (results.best) writer.value("best", copied(memory_of_ids(results.best_ids)));
  if (results.weights == 1) writer.floats("weights", results.weight_floats);
  if (results.weights == 2) writer.array("weights", results.weight_bytes);
  if (results.value_lengths) writer.floats("value_lengths", results.length_floats);
  return writer.finish();
}

val candidate_tokens_of(Reader& in) {
  const OpenModel* model = open_models().find(in, "model");
  const std::uint64_t count = in.count("count", max_model_vocabulary);
  const double temperature = in.has("temperature") ? in.number("temperature") : 1;
  if (in.failed()) return failure(in.error());
  const auto best = most_probable(model->logits, count, temperature);
  if (!best) return failure(best.error());
  std::vector<std::uint32_t> ids;
  std::vector<double> probabilities;
  for (const Candidate& candidate : *best) {
    ids.push_back(candidate.token);
    probabilities.push_back(candidate.probability);
  }
  return Writer(val::undefined())
      .value("ids", copied(memory_of_ids(ids)))
      .array("probabilities", probabilities)
      .finish();
}

val next_token_of(Reader& in) {
  const OpenModel* model = open_models().find(in, "model");
  SamplingOptions options;
  if (in.has("temperature")) options.temperature = in.number("temperature");
  if (in.has("top_p")) options.top_p = in.number("top_p");
  if (in.has("top_k")) options.top_k = in.count("top_k", max_model_vocabulary, 0);
  const std::uint64_t seed = in.has("seed") ? in.count("seed", max_exact_count, 0) : 0;
  if (in.failed()) return failure(in.error());
  // One draw for each place of the sequence, so that a token depends on nothing but its place and the seed.
  SplitMix64 bits(seed);
  for (std::uint64_t i = 1; i < model->transformer.length(); ++i) bits.next();
  const auto token = next_token(model->logits, options, bits);
  if (!token) return failure(token.error());
  return Writer(val::undefined()).number("token", *token).finish();
}

val evict_tokens_of(Reader& in) {
  OpenModel* model = open_models().find(in, "model");
  const std::uint64_t kept = in.count("kept", max_model_context);
  if (in.failed()) return failure(in.error());
  const auto done = model->transformer.evict(kept);
  return done ? length_of(*model) : failure(done.error());
}

val roll_back_model_of(Reader& in) {
  OpenModel* model = open_models().find(in, "model");
  const std::uint64_t length = in.count("length", max_model_context, 0);
  if (in.failed()) return failure(in.error());
  if (length == model->transformer.length()) return length_of(*model);
  const auto done = model->transformer.roll_back(length);
  if (!done) return failure(done.error());
  model->logits = {};
  return length_of(*model);
}

val reset_model_of(Reader& in) {
  OpenModel* model = open_models().find(in, "model");
  const std::uint64_t pinned = in.has("pinned") ? in.count("pinned", max_model_context, 0) : 0;
  if (in.failed()) return failure(in.error());
  const auto done = model->transformer.reset(pinned);
  if (!done) return failure(done.error());
  model->logits = {};
  return length_of(*model);
}

val model_state_of(Reader& in) {
  const OpenModel* model = open_models().find(in, "model");
  if (in.failed()) return failure(in.error());
  const CacheStats cache = model->transformer.cache();
  return Writer(val::undefined())
      .number("length", static_cast<double>(model->transformer.length()))
      .number("visible_tokens", static_cast<double>(cache.visible_tokens))
      .number("cache_bytes", static_cast<double>(cache.needed_bytes))
      .number("allocated_bytes", static_cast<double>(cache.allocated_bytes))
      .finish();
}

val close_model_of(Reader& in) {
  const auto number = in.count("model", 0xFFFFFFFF);
  if (in.failed()) return failure(in.error());
  open_models().close(static_cast<std::uint32_t>(number));
  return Writer(val::undefined())
      .number("open", static_cast<double>(open_models().size()))
      .finish();
}

}  // namespace attn::binding

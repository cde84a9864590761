#include "run_model_calls.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/limits.hpp"
#include "model/sampling.hpp"
#include "open_model.hpp"
#include "take_request.hpp"

namespace attn::binding {
namespace {

const Tokenizer* tokenizer_of(Reader& in, const OpenModel* model) {
  if (in.failed()) return nullptr;
  if (model->text.tokenizer) return &*model->text.tokenizer;
  in.refuse(ErrorCode::bad_argument, "model",
            " came without a vocabulary: its files have none, so that there are ids alone.");
  return nullptr;
}

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
  TakeRequest request(in);
  if (in.failed()) return failure(in.error());
  const auto taken = request.take(*model);
  if (!taken) return failure(taken.error());
  Writer writer(in.out());
  request.write(*model, writer);
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

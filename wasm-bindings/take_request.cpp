#include "take_request.hpp"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <string_view>
#include <utility>

#include "core/limits.hpp"
#include "model/sampling.hpp"

namespace attn::binding {
namespace {

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

}  // namespace

Memory memory_of_ids(std::span<const std::uint32_t> ids) {
  return {ids.data(), ids.size(), ArrayKind::int32};
}

std::vector<std::uint32_t> read_ids(Reader& in) {
  const auto ids = in.integers("ids", max_model_text);
  return {ids.begin(), ids.end()};
}

TakeRequest::TakeRequest(Reader& in)
    : ids_(read_ids(in)),
      logits_(in.flag_or("logits", false)),
      losses_(in.flag_or("losses", false)),
      best_(in.flag_or("best", false)),
      value_lengths_(in.flag_or("value_lengths", false)),
      weights_(in.choice("weights", weight_kinds)) {
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
      heads_.push_back(
          {static_cast<std::uint64_t>(pairs[i]), static_cast<std::uint64_t>(pairs[i + 1])});
    }
    for (const std::int32_t position : at) {
      positions_.push_back(static_cast<std::uint64_t>(position));
    }
  });
}

bool TakeRequest::is_plain() const {
  return !losses_ && !best_ && !value_lengths_ && weights_ == 0 && heads_.empty() &&
         positions_.empty();
}

Expected<void> TakeRequest::make_room_for(const Transformer& model) {
  const ModelConfig& config = model.config();
  const std::uint64_t count = ids_.size();
  const std::uint64_t length = model.length() + count;
  if (losses_) ATTN_CHECK(make_room(loss_numbers_, "losses", {count}));
  if (best_) ATTN_CHECK(make_room(best_ids_, "best", {count}));
  if (weights_ != 0) {
    const auto sizes = {config.n_layers, config.n_heads, count, length};
    ATTN_CHECK(weights_ == 1 ? make_room(weight_floats_, "weights", sizes)
                             : make_room(weight_bytes_, "weights", sizes));
  }
  if (!value_lengths_) return {};
  return make_room(length_floats_, "value_lengths", {config.n_layers, config.n_kv_heads, length});
}

Expected<void> TakeRequest::take(OpenModel& model) {
  Transformer& transformer = model.transformer;
  ATTN_CHECK(make_room_for(transformer));
  std::vector<float> logits(as_size(transformer.config().vocab_size));
  const std::span<double> later =
      losses_ && !ids_.empty() ? std::span(loss_numbers_).subspan(1) : std::span<double>();
  ATTN_CHECK(transformer.take(ids_,
                              {.logits = logits,
                               .losses = later,
                               .best = best_ids_,
                               .weights = weight_floats_,
                               .weight_bytes = weight_bytes_,
                               .value_lengths = length_floats_},
                              {.heads = heads_, .positions = positions_}));
  if (losses_) {
    // The logits of the token before say what the first of these costs.
    loss_numbers_[0] = model.logits.empty() ? std::numeric_limits<double>::quiet_NaN()
                                            : loss_of(model.logits, ids_[0]);
  }
  model.logits = std::move(logits);
  return {};
}

void TakeRequest::write(const OpenModel& model, Writer& writer) const {
  writer.number("length", static_cast<double>(model.transformer.length()))
      .number("visible_tokens", static_cast<double>(model.transformer.visible_tokens()));
  if (logits_) writer.floats("logits", model.logits);
  if (losses_) writer.array("losses", loss_numbers_);
  if (best_) writer.value("best", copied(memory_of_ids(best_ids_)));
  if (weights_ == 1) writer.floats("weights", weight_floats_);
  if (weights_ == 2) writer.array("weights", weight_bytes_);
  if (value_lengths_) writer.floats("value_lengths", length_floats_);
}

}  // namespace attn::binding

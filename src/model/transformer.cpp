#include "model/transformer.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/limits.hpp"
#include "kernels/scalar/weights.hpp"
#include "model/sampling.hpp"

namespace attn {
namespace {

/// Tokens of a page of the cache: a multiple of 4, so that pages change no bit (decode_segments_simd).
constexpr std::uint64_t page_tokens = 64;
/// Rows whose logits are computed together.
constexpr std::size_t logit_rows = 4;

Expected<void> check_span(std::string_view field, std::size_t given, std::uint64_t wanted) {
  if (given == 0) return {};
  return check_length(field, given, wanted);
}

Expected<KvCache> make_cache(const ModelConfig& model, std::string_view format,
                             std::uint64_t pinned) {
  return KvCache::make({.n_layers = model.n_layers,
                        .n_heads = model.n_heads,
                        .n_kv_heads = model.n_kv_heads,
                        .d_k = model.head_dim,
                        .d_v = model.head_dim,
                        .layout = CacheLayout::paged,
                        .page_tokens = page_tokens,
                        .sinks = pinned,
                        .format = format});
}

}  // namespace

struct Transformer::Call {
  std::span<const std::uint32_t> tokens;
  const Wanted& wanted;
  const Ablation& ablation;
  /// Of the sequence before the first of the tokens, and after the last.
  std::uint64_t before, after;

  bool shows_weights() const { return !wanted.weights.empty() || !wanted.weight_bytes.empty(); }
  bool shows() const { return shows_weights() || !wanted.value_lengths.empty(); }
};

Transformer::Transformer(ModelWeights weights, std::string_view cache_format,
                         std::uint64_t capacity, Backend backend)
    : weights_(std::move(weights)),
      cache_format_(cache_format),
      capacity_(capacity),
      kernels_(backend) {
  if (config().architecture == Architecture::llama) {
    frequencies_ = rotary_frequencies_of(config());
    const std::span<const float> divisors = weights_.vector(Slot::rotary_divisors);
    for (std::size_t i = 0; i < divisors.size(); ++i) {
      frequencies_[i] /= static_cast<double>(divisors[i]);
    }
  }
}

Expected<void> Transformer::check(const ModelConfig& config, const TransformerOptions& options) {
  const Backend backend = options.backend.value_or(backends().back());
  if (std::ranges::find(backends(), backend) == backends().end()) {
    return fail(ErrorCode::bad_argument, "backend",
                {"This build has no back end ", name(backend), "."});
  }
  const std::uint64_t capacity = options.capacity == 0 ? config.context : options.capacity;
  // Rotary positions go on beyond the context that the model has learnt; learned ones do not.
  const bool ends = config.architecture == Architecture::gpt2;
  ATTN_CHECK(check_count("capacity", capacity, 1, ends ? config.context : max_model_context));
  ATTN_CHECK(check_count("pinned", options.pinned, 0, capacity));
  ATTN_CHECK(make_cache(config, options.cache_format, options.pinned));
  return {};
}

Expected<Transformer> Transformer::make(ModelWeights weights, const TransformerOptions& options) {
  const ModelConfig& config = weights.config();
  ATTN_CHECK(check(config, options));
  const std::uint64_t capacity = options.capacity == 0 ? config.context : options.capacity;
  Transformer made(std::move(weights), options.cache_format, capacity,
                   options.backend.value_or(backends().back()));
  ATTN_CHECK(made.reset(options.pinned));
  return made;
}

Expected<void> Transformer::reset(std::uint64_t pinned) {
  ATTN_CHECK(check_count("pinned", pinned, 0, capacity_));
  auto cache = make_cache(config(), cache_format_, pinned);
  ATTN_CHECK(cache);
  const auto sequence = cache->open();
  ATTN_CHECK(sequence);
  cache_.emplace(std::move(*cache));
  sequence_ = *sequence;
  length_ = 0;
  return {};
}

Expected<void> Transformer::evict(std::uint64_t kept) {
  ATTN_CHECK(check_count("kept", kept, 1, max_model_context));
  return cache_->evict(sequence_, kept);
}

Expected<void> Transformer::check(std::span<const std::uint32_t> tokens, const Wanted& wanted,
                                  const Ablation& ablation) const {
  const ModelConfig& model = config();
  if (tokens.empty()) {
    return fail(ErrorCode::out_of_range, "tokens", {"There must be at least one token."});
  }
  if (tokens.size() > capacity_ - length_) {
    return fail(ErrorCode::too_large, "tokens",
                {"The sequence has ", length_, " tokens and room for ", capacity_, "; ",
                 tokens.size(), " more do not fit."});
  }
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i] < model.vocab_size) continue;
    return fail(
        ErrorCode::out_of_range, "tokens",
        {"Token ", i, " is ", tokens[i], "; the vocabulary ends at ", model.vocab_size - 1, "."});
  }
  const std::uint64_t count = tokens.size();
  const std::uint64_t length = length_ + count;
  ATTN_CHECK(check_span("logits", wanted.logits.size(), model.vocab_size));
  ATTN_CHECK(check_span("losses", wanted.losses.size(), count - 1));
  ATTN_CHECK(check_span("best", wanted.best.size(), count));
  ATTN_CHECK(check_span("weights", wanted.weights.size(),
                        model.n_layers * model.n_heads * count * length));
  ATTN_CHECK(check_span("weight_bytes", wanted.weight_bytes.size(),
                        model.n_layers * model.n_heads * count * length));
  ATTN_CHECK(check_span("value_lengths", wanted.value_lengths.size(),
                        model.n_layers * model.n_kv_heads * length));
  for (const HeadPlace& at : ablation.heads) {
    if (at.layer < model.n_layers && at.head < model.n_heads) continue;
    return fail(ErrorCode::out_of_range, "heads",
                {"There is no head ", at.head, " of layer ", at.layer, ": layers go from 0 to ",
                 model.n_layers - 1, " and heads from 0 to ", model.n_heads - 1, "."});
  }
  for (std::size_t i = 0; i < ablation.positions.size(); ++i) {
    const std::uint64_t at = ablation.positions[i];
    if (at < length && (i == 0 || ablation.positions[i - 1] < at)) continue;
    return fail(ErrorCode::out_of_range, "positions",
                {"Positions must be in rising order and below ", length, "; the one in place ", i,
                 " is ", at, "."});
  }
  return {};
}

Expected<void> Transformer::take(std::span<const std::uint32_t> tokens, const Wanted& wanted,
                                 const Ablation& ablation) {
  ATTN_CHECK(check(tokens, wanted, ablation));
  const ModelConfig& model = config();
  const std::size_t rows = std::min(tokens.size(), rows_together);
  const std::size_t q_width = as_size(model.n_heads * model.head_dim);
  const std::size_t kv_width = as_size(model.n_kv_heads * model.head_dim);
  const std::size_t d_model = as_size(model.d_model);
  const std::size_t d_ff = as_size(model.d_ff);
  ATTN_CHECK(check_bytes(
      "tokens", std::uint64_t{sizeof(float)} * (rows * (3 * d_model + 2 * q_width + 2 * kv_width +
                                                        as_size(model.n_heads) + 2 * d_ff) +
                                                logit_rows * as_size(model.vocab_size))));
  for (auto* row : {&x_, &normed_, &part_}) row->resize(rows * d_model);
  for (auto* row : {&q_, &heads_}) row->resize(rows * q_width);
  for (auto* row : {&k_, &v_}) row->resize(rows * kv_width);
  for (auto* row : {&gate_, &up_}) row->resize(rows * d_ff);
  log_sums_.resize(rows * as_size(model.n_heads));
  const Call call = {tokens, wanted, ablation, length_, length_ + tokens.size()};
  if (call.shows()) {
    ATTN_CHECK(check_bytes("weights", 3 * call.after * kv_width * sizeof(float)));
  }
  ATTN_CHECK(cache_->grow(sequence_, tokens.size()));
  for (std::size_t first = 0; first < tokens.size(); first += rows_together) {
    auto taken = take_rows(call, first, std::min(rows_together, tokens.size() - first));
    if (!taken) {
      // Nothing that was visible has gone: this cannot fail.
      static_cast<void>(cache_->roll_back(sequence_, length_));
      return taken;
    }
  }
  length_ = call.after;
  return {};
}

/// scratch [d_model]
void Transformer::embed_row(std::uint32_t token, std::size_t position, float* x,
                            float* scratch) const {
  kernels::unpack_weights_scalar(weights_.matrix(Slot::token_embedding), token, x);
  if (!weights_.has(Slot::position_embedding)) return;
  kernels::unpack_weights_scalar(weights_.matrix(Slot::position_embedding), position, scratch);
  for (std::size_t c = 0; c < as_size(config().d_model); ++c) x[c] += scratch[c];
}

Expected<void> Transformer::embed(std::span<const std::uint32_t> tokens, std::span<float> x) const {
  ATTN_CHECK(check(tokens, {}, {}));
  const std::size_t d_model = as_size(config().d_model);
  ATTN_CHECK(check_length("x", x.size(), std::uint64_t{tokens.size()} * d_model));
  std::vector<float> scratch(d_model);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    embed_row(tokens[i], i, x.data() + i * d_model, scratch.data());
  }
  return {};
}

Expected<void> Transformer::adopt(std::uint64_t count, std::span<const float> K,
                                  std::span<const float> V, std::span<const float> last,
                                  std::span<float> logits) {
  if (!may_adopt()) {
    return fail(ErrorCode::bad_argument, "tokens",
                {"The sequence must be empty, and its cache one of f32, for what was computed "
                 "elsewhere to begin it."});
  }
  ATTN_CHECK(check_count("count", count, 1, capacity_));
  ATTN_CHECK(check_length("last", last.size(), config().d_model));
  ATTN_CHECK(check_length("logits", logits.size(), config().vocab_size));
  ATTN_CHECK(cache_->append(sequence_, count, K, V));
  length_ = count;
  kernels_.linear(weights_.output(), {}, last.data(), 1, logits.data());
  return {};
}

Expected<void> Transformer::take_rows(const Call& call, std::size_t first, std::size_t count) {
  const ModelConfig& model = config();
  const std::size_t d_model = as_size(model.d_model);
  const std::size_t kv_width = as_size(model.n_kv_heads * model.head_dim);
  const std::size_t before = as_size(call.before);
  for (std::size_t i = 0; i < count; ++i) {
    embed_row(call.tokens[first + i], before + first + i, x_.data() + i * d_model, part_.data());
  }
  for (std::size_t layer = 0; layer < model.n_layers; ++layer) {
    kernels_.norm(x_.data(), weights_.vector(Slot::attention_norm, layer),
                  weights_.vector(Slot::attention_norm_bias, layer), model.norm_epsilon, count,
                  normed_.data());
    project(layer, before + first, count);
    ATTN_CHECK(cache_->write(sequence_, layer, before + first, count,
                             std::span<const float>(k_).first(count * kv_width),
                             std::span<const float>(v_).first(count * kv_width)));
    ATTN_CHECK(attend(call, layer, first, count));
    kernels_.linear(weights_.matrix(Slot::o, layer), weights_.vector(Slot::o_bias, layer),
                    heads_.data(), count, part_.data());
    add(part_, count);
    feed_forward(layer, count);
  }
  predict(call, first, count);
  return {};
}

/// q, k and v of the rows, turned to their positions where these are rotary.
void Transformer::project(std::size_t layer, std::size_t first, std::size_t count) {
  const ModelConfig& model = config();
  const std::size_t head_dim = as_size(model.head_dim);
  const std::size_t q_width = as_size(model.n_heads) * head_dim;
  const std::size_t kv_width = as_size(model.n_kv_heads) * head_dim;
  if (weights_.has(Slot::qkv, layer)) {
    const kernels::WeightMatrix& all = weights_.matrix(Slot::qkv, layer);
    const std::span<const float> bias = weights_.vector(Slot::qkv_bias, layer);
    kernels_.linear(all.part(0, q_width), bias.first(q_width), normed_.data(), count, q_.data());
    kernels_.linear(all.part(q_width, kv_width), bias.subspan(q_width, kv_width), normed_.data(),
                    count, k_.data());
    kernels_.linear(all.part(q_width + kv_width, kv_width), bias.last(kv_width), normed_.data(),
                    count, v_.data());
  } else {
    kernels_.linear(weights_.matrix(Slot::q, layer), {}, normed_.data(), count, q_.data());
    kernels_.linear(weights_.matrix(Slot::k, layer), {}, normed_.data(), count, k_.data());
    kernels_.linear(weights_.matrix(Slot::v, layer), {}, normed_.data(), count, v_.data());
  }
  if (frequencies_.empty()) return;
  for (std::size_t i = 0; i < count; ++i) {
    const std::vector<RotaryTurn> turns =
        rotary_turns(frequencies_, static_cast<double>(first + i));
    for (std::size_t c = 0; c < q_width; c += head_dim) {
      turn(q_.data() + i * q_width + c, turns, model.rotary_pairs);
    }
    for (std::size_t c = 0; c < kv_width; c += head_dim) {
      turn(k_.data() + i * kv_width + c, turns, model.rotary_pairs);
    }
  }
}

Expected<void> Transformer::attend(const Call& call, std::size_t layer, std::size_t first,
                                   std::size_t count) {
  const ModelConfig& model = config();
  const std::size_t n_heads = as_size(model.n_heads);
  const std::size_t head_dim = as_size(model.head_dim);
  const std::size_t width = n_heads * head_dim;
  std::vector<std::uint64_t> hidden;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t position = call.before + first + i;
    // A token always sees itself.
    hidden.clear();
    for (const std::uint64_t at : call.ablation.positions) {
      if (at < position) hidden.push_back(at);
    }
    ATTN_CHECK(cache_->attend(sequence_, layer, kernels_.backend(),
                              std::span(q_).subspan(i * width, width),
                              std::span(heads_).subspan(i * width, width),
                              std::span(log_sums_).subspan(i * n_heads, n_heads),
                              {.length = position + 1, .hidden = hidden}));
  }
  for (const HeadPlace& at : call.ablation.heads) {
    if (at.layer != layer) continue;
    for (std::size_t i = 0; i < count; ++i) {
      std::fill_n(
          heads_.begin() + static_cast<std::ptrdiff_t>(i * width + as_size(at.head) * head_dim),
          head_dim, 0.0F);
    }
  }
  if (!call.shows()) return {};
  return show_weights(call, layer, first, count);
}

Expected<void> Transformer::show_weights(const Call& call, std::size_t layer, std::size_t first,
                                         std::size_t count) {
  const ModelConfig& model = config();
  const std::size_t n_heads = as_size(model.n_heads);
  const std::size_t n_kv_heads = as_size(model.n_kv_heads);
  const std::size_t head_dim = as_size(model.head_dim);
  const std::size_t length = as_size(call.after);
  const std::size_t tokens = call.tokens.size();
  const auto stats = cache_->stats(sequence_);
  ATTN_CHECK(stats);
  const std::size_t sinks = as_size(stats->sinks);
  const std::size_t seen = as_size(stats->visible_tokens);
  // Of the tokens that are left, in order: the pinned ones and those that came last.
  const auto position_of = [&](std::size_t j) { return j < sinks ? j : length - seen + j; };
  keys_.resize(seen * n_kv_heads * head_dim);
  values_.resize(keys_.size());
  ATTN_CHECK(cache_->read(sequence_, layer, keys_, values_));
  const bool is_last = first + count == tokens;
  if (!call.wanted.value_lengths.empty() && is_last) {
    for (std::size_t head = 0; head < n_kv_heads; ++head) {
      const auto lengths =
          call.wanted.value_lengths.subspan((layer * n_kv_heads + head) * length, length);
      std::ranges::fill(lengths, 0.0F);
      for (std::size_t j = 0; j < seen; ++j) {
        const float* const value = values_.data() + (j * n_kv_heads + head) * head_dim;
        double sum = 0;
        for (std::size_t c = 0; c < head_dim; ++c) {
          sum += static_cast<double>(value[c]) * static_cast<double>(value[c]);
        }
        lengths[position_of(j)] = static_cast<float>(std::sqrt(sum));
      }
    }
  }
  if (!call.shows_weights()) return {};
  const double scale = 1 / std::sqrt(static_cast<double>(head_dim));
  row_.resize(length);
  for (std::size_t head = 0; head < n_heads; ++head) {
    const std::size_t kv_head = head / (n_heads / n_kv_heads);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t position = as_size(call.before) + first + i;
      const float* const q = q_.data() + (i * n_heads + head) * head_dim;
      const auto log_sum = static_cast<double>(log_sums_[i * n_heads + head]);
      std::ranges::fill(row_, 0.0F);
      for (std::size_t j = 0; j < seen; ++j) {
        const std::size_t at = position_of(j);
        if (at > position) break;
        if (at < position && std::ranges::binary_search(call.ablation.positions, at)) continue;
        const float* const k = keys_.data() + (j * n_kv_heads + kv_head) * head_dim;
        double score = 0;
        for (std::size_t c = 0; c < head_dim; ++c) {
          score += static_cast<double>(q[c]) * static_cast<double>(k[c]);
        }
        row_[at] = static_cast<float>(std::exp(score * scale - log_sum));
      }
      show_row(call, (layer * n_heads + head) * tokens + first + i, row_);
    }
  }
  return {};
}

void Transformer::show_row(const Call& call, std::size_t row, std::span<const float> weights) {
  const std::size_t begin = row * weights.size();
  if (!call.wanted.weights.empty()) {
    std::ranges::copy(weights, call.wanted.weights.subspan(begin).begin());
  }
  if (call.wanted.weight_bytes.empty()) return;
  const auto bytes = call.wanted.weight_bytes.subspan(begin, weights.size());
  for (std::size_t j = 0; j < weights.size(); ++j) {
    bytes[j] = static_cast<std::uint8_t>(std::lround(255 * std::clamp(weights[j], 0.0F, 1.0F)));
  }
}

void Transformer::feed_forward(std::size_t layer, std::size_t count) {
  const ModelConfig& model = config();
  const std::size_t d_ff = as_size(model.d_ff);
  kernels_.norm(x_.data(), weights_.vector(Slot::ffn_norm, layer),
                weights_.vector(Slot::ffn_norm_bias, layer), model.norm_epsilon, count,
                normed_.data());
  kernels_.linear(weights_.matrix(Slot::up, layer), weights_.vector(Slot::up_bias, layer),
                  normed_.data(), count, up_.data());
  if (weights_.has(Slot::gate, layer)) {
    kernels_.linear(weights_.matrix(Slot::gate, layer), {}, normed_.data(), count, gate_.data());
    kernels_.swiglu(std::span(gate_).first(count * d_ff), up_.data());
  } else {
    kernels_.gelu(std::span(up_).first(count * d_ff));
  }
  kernels_.linear(weights_.matrix(Slot::down, layer), weights_.vector(Slot::down_bias, layer),
                  weights_.has(Slot::gate, layer) ? gate_.data() : up_.data(), count, part_.data());
  add(part_, count);
}

void Transformer::add(const std::vector<float>& part, std::size_t count) {
  const std::size_t numbers = count * as_size(config().d_model);
  for (std::size_t c = 0; c < numbers; ++c) x_[c] += part[c];
}

void Transformer::predict(const Call& call, std::size_t first, std::size_t count) {
  const bool is_last = first + count == call.tokens.size();
  const bool wants_logits = is_last && !call.wanted.logits.empty();
  const bool wants_all = !call.wanted.losses.empty() || !call.wanted.best.empty();
  if (!wants_logits && !wants_all) return;
  const ModelConfig& model = config();
  const std::size_t d_model = as_size(model.d_model);
  const std::size_t vocab = as_size(model.vocab_size);
  kernels_.norm(x_.data(), weights_.vector(Slot::output_norm),
                weights_.vector(Slot::output_norm_bias), model.norm_epsilon, count, normed_.data());
  if (wants_all) {
    logits_.resize(logit_rows * vocab);
    for (std::size_t i = 0; i < count; i += logit_rows) {
      const std::size_t together = std::min(logit_rows, count - i);
      kernels_.linear(weights_.output(), {}, normed_.data() + i * d_model, together,
                      logits_.data());
      for (std::size_t r = 0; r < together; ++r) {
        note(call, first + i + r, std::span<const float>(logits_).subspan(r * vocab, vocab));
      }
    }
  }
  if (!wants_logits) return;
  kernels_.linear(weights_.output(), {}, normed_.data() + (count - 1) * d_model, 1,
                  call.wanted.logits.data());
}

/// What is asked for of the logits of one token.
void Transformer::note(const Call& call, std::size_t row, std::span<const float> logits) {
  if (!call.wanted.best.empty()) {
    call.wanted.best[row] =
        static_cast<std::uint32_t>(std::ranges::max_element(logits) - logits.begin());
  }
  // The last token has none after it.
  if (call.wanted.losses.empty() || row + 1 == call.tokens.size()) return;
  call.wanted.losses[row] = loss_of(logits, call.tokens[row + 1]);
}

Expected<void> Transformer::roll_back(std::uint64_t length) {
  ATTN_CHECK(cache_->roll_back(sequence_, length));
  length_ = length;
  return {};
}

}  // namespace attn

#include "kv_cache/decode_run.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/limits.hpp"
#include "core/random.hpp"
#include "kernels/scalar/matmul.hpp"
#include "kernels/scalar/rms_norm.hpp"
#if defined(ATTN_HAS_SIMD_KERNELS)
#include "kernels/simd/matmul.hpp"
#include "kernels/simd/rms_norm.hpp"
#endif

namespace attn {
namespace {

constexpr float epsilon = 1e-5F;
constexpr double rope_base = 10000;

std::vector<float> weights(Normals& normals, std::uint64_t rows, std::uint64_t columns,
                           double divisor) {
  std::vector<float> made(as_size(rows * columns));
  for (float& each : made) each = static_cast<float>(normals.next() / divisor);
  return made;
}

std::vector<float> matrix(Normals& normals, std::uint64_t rows, std::uint64_t columns) {
  return weights(normals, rows, columns, std::sqrt(static_cast<double>(columns)));
}

void add(const std::vector<float>& from, std::size_t count, float* to) {
  for (std::size_t i = 0; i < count; ++i) to[i] += from[i];
}

/// [rows, heads, d] to [heads, rows, d], or back with rows and heads exchanged.
void exchange(const float* from, std::size_t rows, std::size_t heads, std::size_t d, float* to) {
  for (std::size_t t = 0; t < rows; ++t) {
    for (std::size_t h = 0; h < heads; ++h) {
      std::copy_n(from + (t * heads + h) * d, d, to + (h * rows + t) * d);
    }
  }
}

}  // namespace

DecodeRun::DecodeRun(const DecodeRunConfig& config, KvCache cache, std::uint64_t sequence)
    : config_(config), cache_(std::move(cache)), sequence_(sequence) {
  const DecodeModel& m = model_;
  Normals normals(config.seed);
  E_ = weights(normals, m.vocab_size, m.d_model, 1);
  for (std::uint64_t layer = 0; layer < m.n_layers; ++layer) {
    Layer made;
    made.W_Q = matrix(normals, m.n_heads * m.d_k, m.d_model);
    made.W_K = matrix(normals, m.n_kv_heads * m.d_k, m.d_model);
    made.W_V = matrix(normals, m.n_kv_heads * m.d_k, m.d_model);
    made.W_O = matrix(normals, m.d_model, m.n_heads * m.d_k);
    made.W_gate = matrix(normals, m.d_ff, m.d_model);
    made.W_up = matrix(normals, m.d_ff, m.d_model);
    made.W_down = matrix(normals, m.d_model, m.d_ff);
    layers_.push_back(std::move(made));
  }
  W_out_ = matrix(normals, m.vocab_size, m.d_model);
  for (std::uint64_t t = 0; t < config.n; ++t) {
    turns_.push_back(rotary_turns(as_size(m.d_k), t, rope_base));
  }
  const auto room = [&](std::uint64_t width) {
    return std::vector<float>(as_size(config.n * width));
  };
  x_ = room(m.d_model);
  a_ = room(m.d_model);
  q_ = room(m.n_heads * m.d_k);
  k_ = room(m.n_kv_heads * m.d_k);
  v_ = room(m.n_kv_heads * m.d_k);
  o_ = room(m.n_heads * m.d_k);
  up_ = room(m.d_ff);
  gate_ = room(m.d_ff);
  q_heads_ = q_;
  k_heads_ = k_;
  v_heads_ = v_;
  o_heads_ = o_;
}

Expected<DecodeRun> DecodeRun::make(const DecodeRunConfig& config) {
  ATTN_CHECK(check_count("n", config.n, 1, max_decode_tokens));
  if (std::ranges::find(backends(), config.backend) == backends().end()) {
    return fail(ErrorCode::bad_argument, "backend",
                {"This build has no back end ", name(config.backend), "."});
  }
  const DecodeModel model;
  // Rows of a pass, and the logits of both ways, generously.
  ATTN_CHECK(check_bytes("n", config.n * sizeof(float) *
                                  (8 * model.d_model + 2 * model.d_ff +
                                   8 * model.n_heads * model.d_k + 4 * model.vocab_size)));
  CacheConfig kept;
  kept.n_layers = model.n_layers;
  kept.n_heads = model.n_heads;
  kept.n_kv_heads = model.n_kv_heads;
  kept.d_k = kept.d_v = model.d_k;
  kept.layout = CacheLayout::paged;
  auto cache = KvCache::make(kept);
  ATTN_CHECK(cache);
  const auto sequence = cache->open();
  ATTN_CHECK(sequence);
  return DecodeRun(config, std::move(*cache), *sequence);
}

void DecodeRun::project(const std::vector<float>& W, const float* x, float* out, std::size_t rows,
                        std::size_t k) const {
  const std::size_t m = W.size() / k;
#if defined(ATTN_HAS_SIMD_KERNELS)
  if (config_.backend == Backend::simd) {
    if (rows == 1) {
      kernels::matvec_simd(W.data(), x, out, m, k);
    } else {
      kernels::matmul_transposed_simd(x, W.data(), out, rows, k, m);
    }
    return;
  }
#endif
  kernels::matmul_transposed_scalar(x, W.data(), out, rows, k, m);
}

void DecodeRun::normalise(const float* x, float* out, std::size_t rows) const {
  const std::size_t width = as_size(model_.d_model);
#if defined(ATTN_HAS_SIMD_KERNELS)
  if (config_.backend == Backend::simd) {
    kernels::rms_norm_simd(x, nullptr, epsilon, rows, width, out);
    return;
  }
#endif
  kernels::rms_norm_scalar<float>(x, nullptr, epsilon, rows, width, out);
}

template <class Attend>
Expected<void> DecodeRun::forward(std::size_t first, std::size_t rows, const Way& way,
                                  const Attend& attend, float* logits) {
  const std::size_t width = as_size(model_.d_model);
  const std::size_t d = as_size(model_.d_k);
  const std::size_t heads = as_size(model_.n_heads);
  const std::size_t kv_heads = as_size(model_.n_kv_heads);
  const std::size_t hidden = as_size(model_.d_ff);
  for (std::size_t t = 0; t < rows; ++t) {
    const std::size_t at = first + t;
    const auto token = static_cast<std::size_t>(at == 0 ? 0 : way.tokens[at - 1]);
    std::copy_n(E_.data() + token * width, width, x_.data() + t * width);
  }
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    const Layer& layer = layers_[l];
    normalise(x_.data(), a_.data(), rows);
    project(layer.W_Q, a_.data(), q_.data(), rows, width);
    project(layer.W_K, a_.data(), k_.data(), rows, width);
    project(layer.W_V, a_.data(), v_.data(), rows, width);
    for (std::size_t t = 0; t < rows; ++t) {
      const std::vector<RotaryTurn>& turns = turns_[first + t];
      for (std::size_t h = 0; h < heads; ++h) {
        turn_half_split(q_.data() + (t * heads + h) * d, turns);
      }
      for (std::size_t h = 0; h < kv_heads; ++h) {
        turn_half_split(k_.data() + (t * kv_heads + h) * d, turns);
      }
    }
    ATTN_CHECK(attend(l));
    project(layer.W_O, o_.data(), a_.data(), rows, heads * d);
    add(a_, rows * width, x_.data());
    normalise(x_.data(), a_.data(), rows);
    project(layer.W_gate, a_.data(), gate_.data(), rows, width);
    project(layer.W_up, a_.data(), up_.data(), rows, width);
    for (std::size_t i = 0; i < rows * hidden; ++i) {
      up_[i] *= gate_[i] / (1 + std::exp(-gate_[i]));
    }
    project(layer.W_down, up_.data(), a_.data(), rows, hidden);
    add(a_, rows * width, x_.data());
  }
  normalise(x_.data() + (rows - 1) * width, a_.data(), 1);
  project(W_out_, a_.data(), logits, 1, width);
  return {};
}

Expected<void> DecodeRun::check_step(const Way& way, std::uint64_t repeat) const {
  ATTN_CHECK(check_count("repeat", repeat, 1, max_exact_count));
  if (way.tokens.size() < config_.n) return {};
  return fail(
      ErrorCode::out_of_range, "n",
      {"All ", config_.n, " steps of this run are made. Begin another one with a larger n."});
}

DecodeStep DecodeRun::finish(Way& way, std::uint64_t passes, const std::vector<float>& logits,
                             double pairs) {
  way.logits.insert(way.logits.end(), logits.begin(), logits.end());
  way.passes += passes;
  DecodeStep step;
  step.tokens = way.tokens.size() + 1;
  step.token = static_cast<std::int32_t>(std::ranges::max_element(logits) - logits.begin());
  step.passes = passes;
  const std::uint64_t parameters = model_.parameters();
  const std::uint64_t last = model_.vocab_size * model_.d_model;
  step.flops = 2 * static_cast<double>((parameters - last) * passes + last) +
               4 * static_cast<double>(model_.d_k * model_.n_heads * model_.n_layers) * pairs;
  step.weight_bytes = parameters * sizeof(float);
  step.kv_bytes =
      step.tokens * model_.n_layers * model_.n_kv_heads * 2 * model_.d_k * sizeof(float);
  way.tokens.push_back(step.token);
  return step;
}

Expected<DecodeStep> DecodeRun::step_with(std::uint64_t repeat) {
  ATTN_CHECK(check_step(with_, repeat));
  const std::size_t at = with_.tokens.size();
  std::vector<float> logits(as_size(model_.vocab_size));
  const auto row = [](std::vector<float>& from, std::uint64_t count) {
    return std::span<float>(from).first(as_size(count));
  };
  const auto attend = [&](std::size_t layer) -> Expected<void> {
    const std::uint64_t kept = model_.n_kv_heads * model_.d_k;
    ATTN_CHECK(cache_.write(sequence_, layer, at, 1, row(k_, kept), row(v_, kept)));
    const std::uint64_t asked = model_.n_heads * model_.d_k;
    return cache_.attend(sequence_, layer, config_.backend, row(q_, asked), row(o_, asked), {});
  };
  for (; repeat != 0; --repeat) {
    ATTN_CHECK(cache_.roll_back(sequence_, at));
    ATTN_CHECK(cache_.grow(sequence_, 1));
    ATTN_CHECK(forward(at, 1, with_, attend, logits.data()));
  }
  return finish(with_, 1, logits, static_cast<double>(at + 1));
}

Expected<DecodeStep> DecodeRun::step_without(std::uint64_t repeat) {
  ATTN_CHECK(check_step(without_, repeat));
  const std::size_t rows = without_.tokens.size() + 1;
  std::vector<float> logits(as_size(model_.vocab_size));
  const std::size_t d = as_size(model_.d_k);
  const std::size_t heads = as_size(model_.n_heads);
  const std::size_t kv_heads = as_size(model_.n_kv_heads);
  HeadsInput input{
      .shape = {model_.n_heads, model_.n_kv_heads, rows, rows, model_.d_k, model_.d_k, rows}};
  input.mask.causal = true;
  input.Q = std::span<const float>(q_heads_).first(heads * rows * d);
  input.K = std::span<const float>(k_heads_).first(kv_heads * rows * d);
  input.V = std::span<const float>(v_heads_).first(kv_heads * rows * d);
  const auto attend = [&](std::size_t) -> Expected<void> {
    exchange(q_.data(), rows, heads, d, q_heads_.data());
    exchange(k_.data(), rows, kv_heads, d, k_heads_.data());
    exchange(v_.data(), rows, kv_heads, d, v_heads_.data());
    ATTN_CHECK(
        attention_heads(input, config_.backend, std::span(o_heads_).first(heads * rows * d), {}));
    exchange(o_heads_.data(), heads, rows, d, o_.data());
    return {};
  };
  for (; repeat != 0; --repeat) {
    ATTN_CHECK(forward(0, rows, without_, attend, logits.data()));
  }
  const auto n = static_cast<double>(rows);
  return finish(without_, rows, logits, n * (n + 1) / 2);
}

double DecodeRun::largest_difference() const {
  const std::size_t both = std::min(with_.logits.size(), without_.logits.size());
  double largest = 0;
  for (std::size_t i = 0; i < both; ++i) {
    const double apart =
        std::fabs(static_cast<double>(with_.logits[i]) - static_cast<double>(without_.logits[i]));
    // Not max, which would let a NaN pass.
    if (!(apart <= largest)) largest = apart;
  }
  return largest;
}

bool DecodeRun::same_tokens() const {
  const auto both =
      static_cast<std::ptrdiff_t>(std::min(with_.tokens.size(), without_.tokens.size()));
  return std::equal(with_.tokens.begin(), with_.tokens.begin() + both, without_.tokens.begin());
}

}  // namespace attn

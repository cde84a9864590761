#include "prefill_on_device.hpp"

#include <emscripten.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <numbers>
#include <string>
#include <string_view>
#include <utility>

#include "core/limits.hpp"
#include "embedding/rotary.hpp"
// Written while building, from src/kernels/webgpu.
#include <webgpu_kernels.hpp>

namespace attn::webgpu {
namespace {

constexpr Kernel norm_kernel = {"prefill_norm", wgsl::prefill_norm};
constexpr Kernel heads_kernel = {"prefill_heads", wgsl::prefill_heads};
constexpr Kernel attention_kernel = {"fused_attention", wgsl::fused_attention};
constexpr Kernel rows_kernel = {"prefill_rows", wgsl::prefill_rows};
constexpr Kernel activation_kernel = {"prefill_activation", wgsl::prefill_activation};

/// What the kernels are written for: invocations of a row, rows of a tile, queries and vec4 of attention.
constexpr std::uint32_t row_width = 64, tile = 64, fused_queries = 64, fused_columns = 16;

/// In one dimension of a dispatch; rows are one.
constexpr std::uint64_t most_workgroups = 65535;

/// WGSL refuses a constant that is NaN.
constexpr std::uint32_t nan_bits = 0x7FC00000;

using Words = std::vector<std::uint32_t>;

/// The kernel of products, written anew for weights of one format.
struct LinearKernel {
  std::string name, shader;
  Kernel kernel = {};
};

const Kernel& linear_kernel(kernels::WeightFormat format) {
  static std::array<LinearKernel, kernels::weight_formats.size()> written;
  static_assert(kernels::weight_formats.size() <= 10, "one digit names a format");
  const auto number = std::to_underlying(format);
  LinearKernel& made = written[number];
  if (made.kernel.name == nullptr) {
    constexpr std::string_view told = "FORMAT = 0u";
    const char digit = static_cast<char>('0' + number);
    made.shader = wgsl::prefill_linear;
    made.shader[made.shader.find(told) + told.size() - 2] = digit;
    made.name = std::string("prefill_linear ") + digit;
    made.kernel = {made.name.c_str(), made.shader.c_str()};
  }
  return made.kernel;
}

std::uint32_t word(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
std::uint32_t parts_of(std::uint64_t count, std::uint64_t each) {
  return word(ceil_div(count, each));
}

std::size_t place_of(Slot slot, std::size_t layer) {
  return layer * n_slots + static_cast<std::size_t>(slot);
}

/// Parts of a layer, and the last norm: all but what is looked up and what makes logits.
bool is_brought(Slot slot) {
  return slot >= first_layer_slot || slot == Slot::output_norm || slot == Slot::output_norm_bias;
}

std::size_t bytes_of(const kernels::WeightMatrix& matrix) {
  return matrix.rows * matrix.row_bytes();
}

/// Calls use(slot, layer, matrix) for each part that goes to the device; what stands once, with layer 0.
void each_part(const ModelWeights& weights, const auto& use) {
  for (std::size_t layer = 0; layer < weights.config().n_layers; ++layer) {
    for (std::size_t slot = 0; slot < n_slots; ++slot) {
      const auto of = static_cast<Slot>(slot);
      if (!is_brought(of) || (of < first_layer_slot && layer > 0)) continue;
      if (weights.has(of, layer)) use(of, layer, weights.matrix(of, layer));
    }
  }
}

/// Cosines and sines of the first positions, [count, head_dim / 2, 2].
std::vector<float> turns_of(const Transformer& model, std::size_t count) {
  std::vector<float> turns;
  turns.reserve(2 * count * model.frequencies().size());
  for (std::size_t i = 0; i < count; ++i) {
    for (const RotaryTurn& each : rotary_turns(model.frequencies(), static_cast<double>(i))) {
      turns.push_back(static_cast<float>(each.cosine));
      turns.push_back(static_cast<float>(each.sine));
    }
  }
  return turns;
}

std::uint32_t pairs_of(const Transformer& model) {
  if (model.frequencies().empty()) return 0;
  return model.config().rotary_pairs == RotaryPairs::interleaved ? 1 : 2;
}

/// The sizes of one prompt, and its buffers on the device.
struct Run {
  const Transformer& model;
  Device& device;
  Calls& calls;
  std::uint64_t n;
  const ModelConfig& config = model.config();
  std::uint64_t d_model = config.d_model, d = config.head_dim, d_ff = config.d_ff;
  /// Of a head, in whole vec4.
  std::uint64_t room = ceil_div(config.head_dim, 4) * 4;
  std::uint64_t all_heads = config.n_heads + 2 * config.n_kv_heads;
  /// Numbers of all keys, and where the last row stands behind keys and values.
  std::uint64_t kept_layer = n * config.n_kv_heads * d;
  std::uint64_t kept = config.n_layers * kept_layer;

  Buffer floats(std::uint64_t numbers) const {
    return device.storage(calls, numbers * sizeof(float));
  }

  Buffer nothing = floats(1);
  Buffer x = floats(n * d_model), normed = floats(n * d_model);
  Buffer qkv = floats(n * all_heads * d);
  Buffer q = floats(config.n_heads * n * room), k = floats(config.n_kv_heads * n * room);
  Buffer v = floats(config.n_kv_heads * n * room), answers = floats(config.n_heads * n * room);
  Buffer rows = floats(n * config.n_heads * d);
  Buffer inner = floats(2 * n * d_ff), activated = floats(n * d_ff);
  Buffer turns = floats(std::max<std::uint64_t>(2, n* d));
  Buffer result = floats(2 * kept + d_model);

  /// Sizes of a kernel: layers that are alike share them.
  std::map<Words, Buffer> uniforms = {};
  std::vector<Dispatch> dispatches = {};

  const Buffer* sizes(Words words) {
    const auto found = uniforms.find(words);
    if (found != uniforms.end()) return &found->second;
    Buffer made = device.uniform(calls, words);
    return &uniforms.emplace(std::move(words), std::move(made)).first->second;
  }

  const Buffer* or_nothing(const std::optional<Buffer>& buffer) const {
    return buffer ? &*buffer : &nothing;
  }

  /// `count` rows from number `from` of x on, normalised to number `to` of `output`.
  void norm(const std::optional<Buffer>& gain, const std::optional<Buffer>& bias,
            std::uint64_t count, std::uint64_t from, const Buffer& output, std::uint64_t to) {
    const Buffer* words =
        sizes({word(d_model), bias ? 1U : 0U, std::bit_cast<std::uint32_t>(config.norm_epsilon),
               word(from), word(to)});
    dispatches.push_back({&norm_kernel,
                          {words, &x, or_nothing(gain), or_nothing(bias), &output},
                          word(count),
                          1,
                          1});
  }

  /// from W^T + bias into columns `first` and on of rows of `stride` numbers; added to what is there if `adds`.
  void linear(const kernels::WeightMatrix& matrix, const std::optional<Buffer>& weights,
              const std::optional<Buffer>& bias, const Buffer& from, const Buffer& output,
              std::uint64_t stride, std::uint64_t first = 0, bool adds = false) {
    const Buffer* words = sizes({word(n), word(matrix.columns), word(matrix.rows), word(stride),
                                 word(first), bias ? 1U : 0U, adds ? 1U : 0U});
    dispatches.push_back({&linear_kernel(matrix.format),
                          {words, &from, or_nothing(weights), or_nothing(bias), &output},
                          parts_of(matrix.rows, tile),
                          parts_of(n, tile),
                          1});
  }

  void attend(std::size_t layer) {
    const std::uint64_t first = layer * kept_layer;
    const Buffer* places =
        sizes({word(config.n_heads), word(config.n_kv_heads), word(d), word(room), word(n),
               pairs_of(model), word(first), word(kept + first)});
    dispatches.push_back({&heads_kernel,
                          {places, &qkv, &turns, &q, &k, &v, &result},
                          parts_of(all_heads * room, row_width),
                          word(n),
                          1});
    const float scale = static_cast<float>(std::numbers::log2e / std::sqrt(static_cast<double>(d)));
    // `struct Problem` of the shader: causal, and no other mask.
    const Buffer* problem =
        sizes({word(config.n_heads), word(config.n_heads / config.n_kv_heads), word(n), word(n),
               word(room / 4), word(room / 4), std::bit_cast<std::uint32_t>(scale), 0, 1, 0, 0, 0,
               nan_bits, 0, 0, 0});
    dispatches.push_back({&attention_kernel,
                          {problem, &q, &k, &v, &nothing, &answers},
                          parts_of(n, fused_queries),
                          word(config.n_heads),
                          parts_of(room / 4, fused_columns)});
    dispatches.push_back(
        {&rows_kernel,
         {sizes({word(n), word(config.n_heads), word(d), word(room)}), &answers, &rows},
         parts_of(config.n_heads * d, row_width),
         word(n),
         1});
  }

  void activate(bool is_gated) {
    dispatches.push_back({&activation_kernel,
                          {sizes({word(d_ff), is_gated ? 1U : 0U}), &inner, &activated},
                          parts_of(d_ff, row_width),
                          word(n),
                          1});
  }

  /// Hands over what has come together.
  void hand_over() {
    device.submit(calls, dispatches);
    dispatches.clear();
  }
};

/// The largest buffer of a prompt, in bytes.
std::uint64_t largest_of(const ModelWeights& weights, std::uint64_t n) {
  const ModelConfig& config = weights.config();
  const std::uint64_t room = ceil_div(config.head_dim, 4) * 4;
  const std::uint64_t all_heads = config.n_heads + 2 * config.n_kv_heads;
  const std::uint64_t kept = 2 * config.n_layers * n * config.n_kv_heads * config.head_dim;
  std::uint64_t largest = sizeof(float) * std::max({n * config.d_model, n * all_heads * room,
                                                    2 * n * config.d_ff, kept + config.d_model});
  each_part(weights, [&](Slot, std::size_t, const kernels::WeightMatrix& matrix) {
    largest = std::max<std::uint64_t>(largest, bytes_of(matrix));
  });
  return largest;
}

}  // namespace

std::vector<const Kernel*> ModelOnDevice::kernels(const ModelWeights& weights) {
  std::vector<const Kernel*> needed = {&norm_kernel, &heads_kernel, &attention_kernel, &rows_kernel,
                                       &activation_kernel};
  each_part(weights, [&](Slot, std::size_t, const kernels::WeightMatrix& matrix) {
    needed.push_back(&linear_kernel(matrix.format));
  });
  return needed;
}

const ModelOnDevice::Maybe& ModelOnDevice::part(Slot slot, std::size_t layer) const {
  return parts_[place_of(slot, layer)];
}

void ModelOnDevice::bring(Calls& calls, const ModelWeights& weights) {
  parts_.resize(as_size(weights.config().n_layers) * n_slots);
  each_part(weights, [&](Slot slot, std::size_t layer, const kernels::WeightMatrix& matrix) {
    Maybe& to = parts_[place_of(slot, layer)];
    to.emplace(device_->storage(calls, bytes_of(matrix)));
    // Nothing else should find weights in a buffer, nor keep their room.
    to->spoil();
    device_->write(calls, *to, std::span(matrix.data, bytes_of(matrix)));
  });
}

Task<Result<Prefilled>> ModelOnDevice::prefill(std::shared_ptr<ModelOnDevice> self,
                                               const Transformer& model, std::span<const float> x) {
  using Kind = Failure::Kind;
  Device& device = *self->device_;
  const ModelConfig config = model.config();
  const ModelWeights& weights = model.weights();
  const std::uint64_t n = x.size() / config.d_model;
  if (n > most_workgroups) {
    co_return std::unexpected(Failure{
        Kind::too_large, "A prompt goes to the " + std::string(device.adapter().kind()) +
                             " with at most " + std::to_string(most_workgroups) + " tokens."});
  }
  const std::uint64_t largest = largest_of(weights, n);
  if (static_cast<double>(largest) > device.adapter().max_bytes) {
    co_return std::unexpected(
        Failure{Kind::too_large,
                "This prompt needs a buffer of " + std::to_string(largest) + " bytes, and the " +
                    device.adapter().kind() + " binds " +
                    std::to_string(static_cast<std::uint64_t>(device.adapter().max_bytes)) + "."});
  }
  Prefilled done;
  done.kept = as_size(config.n_layers * n * config.n_kv_heads * config.head_dim);
  const std::uint64_t numbers = 2 * std::uint64_t{done.kept} + config.d_model;
  const std::uint64_t bytes = (numbers + n * config.head_dim) * sizeof(float);
  if (!memory_is_available(bytes)) {
    co_return std::unexpected(Failure{
        Kind::too_large,
        "This prompt needs " + std::to_string(bytes) + " bytes on its way, which are not free."});
  }

  Calls calls;
  device.begin(calls);
  const double begun = emscripten_get_now();
  if (self->parts_.empty()) self->bring(calls, weights);
  Run run{model, device, calls, n};
  device.write(calls, run.x, 0, x);
  const std::vector<float> turns = turns_of(model, as_size(n));
  if (!turns.empty()) device.write(calls, run.turns, 0, turns);
  for (std::size_t layer = 0; layer < config.n_layers; ++layer) {
    const auto at = [&](Slot slot) -> const Maybe& { return self->part(slot, layer); };
    const auto matrix = [&](Slot slot) -> const kernels::WeightMatrix& {
      return weights.matrix(slot, layer);
    };
    const std::uint64_t width = run.all_heads * run.d;
    run.norm(at(Slot::attention_norm), at(Slot::attention_norm_bias), n, 0, run.normed, 0);
    if (at(Slot::qkv)) {
      run.linear(matrix(Slot::qkv), at(Slot::qkv), at(Slot::qkv_bias), run.normed, run.qkv, width);
    } else {
      std::uint64_t first = 0;
      for (const Slot slot : {Slot::q, Slot::k, Slot::v}) {
        run.linear(matrix(slot), at(slot), {}, run.normed, run.qkv, width, first);
        first += matrix(slot).rows;
      }
    }
    run.attend(layer);
    run.linear(matrix(Slot::o), at(Slot::o), at(Slot::o_bias), run.rows, run.x, run.d_model, 0,
               true);
    run.norm(at(Slot::ffn_norm), at(Slot::ffn_norm_bias), n, 0, run.normed, 0);
    const bool is_gated = at(Slot::gate).has_value();
    const std::uint64_t stride = is_gated ? 2 * run.d_ff : run.d_ff;
    if (is_gated) {
      run.linear(matrix(Slot::gate), at(Slot::gate), {}, run.normed, run.inner, stride);
    }
    run.linear(matrix(Slot::up), at(Slot::up), at(Slot::up_bias), run.normed, run.inner, stride,
               stride - run.d_ff);
    run.activate(is_gated);
    run.linear(matrix(Slot::down), at(Slot::down), at(Slot::down_bias), run.activated, run.x,
               run.d_model, 0, true);
    run.hand_over();
  }
  run.norm(self->part(Slot::output_norm, 0), self->part(Slot::output_norm_bias, 0), 1,
           (n - 1) * config.d_model, run.result, 2 * run.kept);
  done.numbers.resize(as_size(numbers));
  const auto time = co_await device.run(calls, run.dispatches, 1, run.result, done.numbers);
  done.ms = emscripten_get_now() - begun;
  const auto is_number = [](float each) { return std::isfinite(each); };
  const bool is_whole = time && std::ranges::all_of(done.numbers, is_number);
  // Whether the weights are whole nobody knows then.
  if (!is_whole) self->parts_.clear();
  if (!time) co_return std::unexpected(time.error());
  if (!is_whole) {
    co_return std::unexpected(Failure{Kind::failed, "The " + std::string(device.adapter().kind()) +
                                                        " gave numbers that are not finite."});
  }
  co_return done;
}

}  // namespace attn::webgpu

#pragma once

// Tiny models as files, whose weights are made of the tensors' names (weight_bytes.hpp): what make.py beside
// tests/golden/tiny_models/expected.json gives to an independent implementation.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gguf_writer.hpp"
#include "model/file_tensors.hpp"
#include "model/model_loader.hpp"
#include "model/weight_slots.hpp"
#include "support.hpp"
#include "weight_bytes.hpp"

namespace attn::test {

struct TinyModel {
  ModelConfig config;
  FileForm form = FileForm::gguf;
  kernels::WeightFormat format = kernels::WeightFormat::f32;
  bool tied = false;
  /// What a GGUF file is to divide its turns by.
  std::vector<float> divisors;
};

/// One tensor that a file is to have.
struct TinyTensor {
  std::string name;
  /// The outermost first, as the file stores them.
  std::vector<std::uint64_t> sizes;
  kernels::WeightFormat format;
  std::vector<std::byte> bytes;
};

inline std::vector<TinyTensor> tiny_tensors(const TinyModel& model) {
  std::vector<TinyTensor> made;
  const auto add = [&](SlotPlace place) {
    if (!slot_is_needed(model.config.architecture, place.slot) &&
        (place.slot != Slot::output || model.tied)) {
      return;
    }
    TinyTensor tensor;
    tensor.name = slot_name(model.config, model.form, place);
    const SlotShape shape = slot_shape(model.config, model.form, place.slot);
    if (shape.is_vector) {
      tensor.sizes = {shape.columns};
      tensor.format = kernels::WeightFormat::f32;
      const float base = tensor.name.ends_with("bias") ? 0.0F : 1.0F;
      const std::vector<float> numbers =
          named_floats(tensor.name, static_cast<std::size_t>(shape.columns), 0.25F, base);
      const auto* const from = reinterpret_cast<const std::byte*>(numbers.data());
      tensor.bytes.assign(from, from + 4 * numbers.size());
    } else {
      tensor.sizes = {shape.rows, shape.columns};
      if (shape.is_transposed) std::swap(tensor.sizes[0], tensor.sizes[1]);
      tensor.format = model.format;
      tensor.bytes = named_weights(tensor.name, model.format,
                                   static_cast<std::size_t>(shape.rows * shape.columns));
    }
    made.push_back(std::move(tensor));
  };
  if (!model.divisors.empty()) {
    const auto* const from = reinterpret_cast<const std::byte*>(model.divisors.data());
    made.push_back({"rope_freqs.weight",
                    {model.divisors.size()},
                    kernels::WeightFormat::f32,
                    {from, from + 4 * model.divisors.size()}});
  }
  for (std::size_t s = 0; s < n_slots; ++s) {
    const auto slot = static_cast<Slot>(s);
    if (slot < first_layer_slot) {
      add({slot, 0});
    } else {
      for (std::uint64_t layer = 0; layer < model.config.n_layers; ++layer) add({slot, layer});
    }
  }
  return made;
}

inline std::uint32_t gguf_type(kernels::WeightFormat format) {
  constexpr std::uint32_t types[] = {0, 1, 30, 8, 2, 3, 12, 14};
  return types[static_cast<std::size_t>(format)];
}

/// Fills up to a multiple of 32.
inline void pad(std::string& bytes) { bytes.resize((bytes.size() + 31) / 32 * 32); }

inline std::string tiny_gguf(const TinyModel& model) {
  const ModelConfig& config = model.config;
  const std::string of(name(config.architecture));
  const auto whole = [](std::uint64_t value) { return static_cast<std::uint32_t>(value); };
  GgufWriter file;
  file.text("general.architecture", of)
      .number(of + ".block_count", whole(config.n_layers))
      .number(of + ".context_length", whole(config.context))
      .number(of + ".embedding_length", whole(config.d_model))
      .number(of + ".feed_forward_length", whole(config.d_ff))
      .number(of + ".attention.head_count", whole(config.n_heads));
  if (config.architecture == Architecture::llama) {
    file.number(of + ".attention.head_count_kv", whole(config.n_kv_heads))
        .number(of + ".rope.dimension_count", whole(config.head_dim))
        .fraction(of + ".attention.layer_norm_rms_epsilon", config.norm_epsilon)
        .fraction(of + ".rope.freq_base", static_cast<float>(config.rope_base));
    if (config.rope_scaling == RotaryScaling::linear) {
      file.text(of + ".rope.scaling.type", "linear")
          .fraction(of + ".rope.scaling.factor", static_cast<float>(config.rope_factor));
    }
  } else {
    file.fraction(of + ".attention.layer_norm_epsilon", config.norm_epsilon);
  }
  std::string data;
  for (const TinyTensor& tensor : tiny_tensors(model)) {
    std::vector<std::uint64_t> sizes(tensor.sizes.rbegin(), tensor.sizes.rend());
    file.tensor(tensor.name, sizes, gguf_type(tensor.format), data.size());
    data.append(reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size());
    pad(data);
  }
  std::string made = file.bytes();
  pad(made);
  return made + data;
}

/// The files of the model, `count` of them: tensors are dealt out in turn.
inline std::vector<std::string> tiny_safetensors(const TinyModel& model, std::size_t count = 1) {
  std::vector<nlohmann::ordered_json> headers(count);
  std::vector<std::string> data(count);
  std::size_t next = 0;
  for (const TinyTensor& tensor : tiny_tensors(model)) {
    std::string& to = data[next];
    const std::size_t begin = to.size();
    to.append(reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size());
    headers[next][tensor.name] = {{"dtype", name(tensor.format)},
                                  {"shape", tensor.sizes},
                                  {"data_offsets", {begin, to.size()}}};
    next = (next + 1) % count;
  }
  std::vector<std::string> files(count);
  for (std::size_t i = 0; i < count; ++i) {
    headers[i]["__metadata__"] = {{"format", "pt"}};
    const std::string header = headers[i].dump();
    GgufWriter::little(files[i], header.size(), 8);
    files[i] += header + data[i];
  }
  return files;
}

inline std::string tiny_config(const ModelConfig& config) {
  nlohmann::json json;
  if (config.architecture == Architecture::llama) {
    json = {{"model_type", "llama"},
            {"hidden_size", config.d_model},
            {"intermediate_size", config.d_ff},
            {"num_hidden_layers", config.n_layers},
            {"num_attention_heads", config.n_heads},
            {"num_key_value_heads", config.n_kv_heads},
            {"max_position_embeddings", config.context},
            {"rms_norm_eps", 1e-5},
            {"rope_theta", config.rope_base},
            {"rope_scaling", nullptr},
            {"hidden_act", "silu"},
            {"vocab_size", config.vocab_size}};
  } else {
    json = {{"model_type", "gpt2"},           {"n_embd", config.d_model},
            {"n_inner", config.d_ff},         {"n_layer", config.n_layers},
            {"n_head", config.n_heads},       {"n_positions", config.context},
            {"layer_norm_epsilon", 1e-5},     {"activation_function", "gelu_new"},
            {"vocab_size", config.vocab_size}};
  }
  return json.dump();
}

inline std::span<const std::uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

/// Gives the loader what it wants in pieces of at most `piece` bytes, until all is there or something is wrong.
inline Expected<ModelWeights> load(ModelLoader& loader, const std::vector<std::string>& files,
                                   std::size_t piece = 1000) {
  while (const auto wanted = loader.wanted()) {
    const std::string_view file = files[wanted->file];
    REQUIRE(wanted->begin + wanted->bytes <= file.size());
    const auto count = std::min<std::size_t>(piece, static_cast<std::size_t>(wanted->bytes));
    ATTN_CHECK(loader.give(bytes_of(file.substr(static_cast<std::size_t>(wanted->begin), count))));
  }
  return loader.finish();
}

inline Expected<ModelWeights> load(const TinyModel& model, std::size_t files = 1,
                                   std::size_t piece = 1000) {
  if (model.form == FileForm::gguf) {
    const std::string file = tiny_gguf(model);
    ModelLoader loader = ModelLoader::of_gguf(file.size());
    return load(loader, {file}, piece);
  }
  const std::vector<std::string> parts = tiny_safetensors(model, files);
  std::vector<std::uint64_t> sizes;
  for (const std::string& part : parts) sizes.push_back(part.size());
  auto loader = ModelLoader::of_safetensors(tiny_config(model.config), sizes);
  ATTN_CHECK(loader);
  return load(*loader, parts, piece);
}

/// A small one for everything but numbers.
inline TinyModel some_tiny_model(Architecture architecture, FileForm form = FileForm::gguf) {
  TinyModel model;
  model.form = form;
  ModelConfig& config = model.config;
  config.architecture = architecture;
  config.n_layers = 2;
  config.d_model = 24;
  config.n_heads = 4;
  config.n_kv_heads = architecture == Architecture::llama ? 2 : 4;
  config.head_dim = 6;
  config.d_ff = 20;
  config.context = 200;
  config.vocab_size = 17;
  if (form == FileForm::gguf && architecture == Architecture::llama) {
    config.rotary_pairs = RotaryPairs::interleaved;
  }
  return model;
}

}  // namespace attn::test

#pragma once

// Models that run, and those on their way into memory, as they stay here between calls.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/model_loader.hpp"
#include "model/transformer.hpp"
#include "shelf.hpp"
#include "tokenizer/tokenizer.hpp"

namespace attn::webgpu {
class ModelOnDevice;
}

namespace attn::binding {

/// What is known of a model's text besides its weights.
struct ModelText {
  std::string name;
  std::optional<Tokenizer> tokenizer;
  std::optional<std::uint32_t> begin_id, end_id;
  bool adds_begin = false;
};

struct LoadingModel {
  ModelLoader loader;
  /// Of safetensors: the file beside them, until it has been read.
  std::string tokenizer_json;
  ModelText text;
  bool has_text = false;
};

struct OpenModel {
  Transformer transformer;
  ModelText text;
  /// Of the last token; empty before the first and after tokens were forgotten.
  std::vector<float> logits;
  /// Its weights on a device, once a prompt went there.
  std::shared_ptr<webgpu::ModelOnDevice> on_device = {};
};

inline Shelf<LoadingModel>& loading_models() {
  static Shelf<LoadingModel> shelf;
  return shelf;
}
inline Shelf<OpenModel>& open_models() {
  static Shelf<OpenModel> shelf;
  return shelf;
}

}  // namespace attn::binding

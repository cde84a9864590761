#pragma once

// The sizes of a model that runs here, from what its file or its config.json says of it.

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "embedding/rotary.hpp"
#include "embedding/rotary_scaling.hpp"
#include "kv_cache/gguf_file.hpp"

namespace attn {

enum class Architecture : std::uint8_t {
  llama,  ///< RMSNorm, rotary positions, grouped heads, SwiGLU (Touvron et al. 2023, arXiv:2302.13971)
  gpt2,  ///< LayerNorm, learned positions, GELU, biases (Radford et al. 2019)
};

std::string_view name(Architecture architecture);

struct ModelConfig {
  Architecture architecture = Architecture::llama;
  std::uint64_t n_layers = 0, d_model = 0, n_heads = 0, n_kv_heads = 0, head_dim = 0, d_ff = 0;
  /// Positions that the model was made for: what learned positions have rows for.
  std::uint64_t context = 0;
  /// 0 where the file does not say it: then it is the number of rows of the token embedding.
  std::uint64_t vocab_size = 0;
  float norm_epsilon = 1e-5F;
  double rope_base = 10'000;
  /// How the turns were changed for longer texts: `none`, `linear` or `llama3`, with what these ask for.
  RotaryScaling rope_scaling = RotaryScaling::none;
  double rope_factor = 1, rope_few_turns = 1, rope_many_turns = 4;
  std::uint64_t rope_original = 4096;
  /// Which numbers of a query and a key are turned together, as its weights are stored.
  RotaryPairs rotary_pairs = RotaryPairs::half_split;

  bool operator==(const ModelConfig&) const = default;
};

/// Radians that each pair of a head turns from one token to the next, as the configuration says it; of a configuration that
/// a reader below has made. Returns [head_dim / 2].
std::vector<double> rotary_frequencies_of(const ModelConfig& config);

/// Tokens that a cache of the model can be asked for, whatever the file says of its context.
inline constexpr std::uint64_t max_model_context = std::uint64_t{1} << 20;
/// Rows of a token embedding.
inline constexpr std::uint64_t max_model_vocabulary = std::uint64_t{1} << 20;

/// The keys of a GGUF file that this reads, and those of its vocabulary.
bool gguf_key_of_model(std::string_view key);

/// Of a file parsed with gguf_key_of_model. Weights of queries and keys lie in the order of interleaved pairs there, as
/// llama.cpp's converter permutes them.
/// Errors: bad_argument naming the key that is missing, of another kind, or asks for what is not done here (another
/// architecture, experts, rotary positions scaled in another way, a part of several); out_of_range and too_large naming it.
Expected<ModelConfig> model_config_of_gguf(const GgufFile& file);

/// Of a config.json of Hugging Face, of model_type llama or gpt2.
/// Errors: as model_config_of_gguf, naming the field; bad_argument naming `config` for what is no JSON.
Expected<ModelConfig> model_config_of_json(std::string_view json);

}  // namespace attn

#pragma once

// What the code of a class makes of the fields when it lays out its weights, and no field says: which matrices have
// biases, where norms stand, what is one matrix and what are two.

#include <array>
#include <cstdint>
#include <string_view>

namespace attn {

struct ClassWeights {
  /// Biases of attention: of no matrix, of Q, K and V alone, or of all four where attention_bias says so.
  enum class Bias : std::uint8_t { none, qkv, told };
  /// No experts, or experts whose width is intermediate_size or moe_intermediate_size.
  enum class Experts : std::uint8_t { none, mlp_width, own_width };
  /// What every token passes through beside its experts: nothing, one more expert, n_shared_experts of them, or an MLP of
  /// shared_expert_intermediate_size with a gate of its own.
  enum class Shared : std::uint8_t { none, one, told, gated };

  /// As a config.json says it.
  std::string_view model_type;
  /// GPT-2's layers and learnt positions, not Llama's.
  bool is_gpt2 = false;
  /// Multi-head latent attention.
  bool is_latent = false;
  Bias bias = Bias::none;
  Experts experts = Experts::none;
  Shared shared = Shared::none;
  /// Width of the MLP of layers without experts.
  std::string_view dense_width = "intermediate_size";
  std::uint64_t norms_per_layer = 2;
  /// Norms of each head's Q and K, with weights.
  bool qk_norm = false;
  /// Where the file leaves out tie_word_embeddings, and attention_bias.
  bool is_tied = false, is_biased = false;
  /// mlp_bias is a field of the class.
  bool tells_mlp_bias = false;
  /// A learnt sink for each head, and biases of all MLPs.
  bool has_sinks = false, mlp_bias = false;
  /// A learnt number for each expert's score, unless topk_method is another than noaux_tc.
  bool router_bias = false;
};

namespace class_weights_detail {

using Bias = ClassWeights::Bias;
using Experts = ClassWeights::Experts;

constexpr ClassWeights plain(std::string_view model_type, Bias bias,
                             Experts experts = Experts::none) {
  ClassWeights made;
  made.model_type = model_type;
  made.bias = bias;
  made.experts = experts;
  return made;
}

constexpr ClassWeights qk_norm(ClassWeights made) {
  made.qk_norm = true;
  return made;
}

constexpr ClassWeights gemma(std::string_view model_type, std::uint64_t norms_per_layer) {
  ClassWeights made = plain(model_type, Bias::told);
  made.norms_per_layer = norms_per_layer;
  made.is_tied = true;
  return made;
}

constexpr ClassWeights deepseek(std::string_view model_type, bool router_bias) {
  ClassWeights made = plain(model_type, Bias::told, Experts::own_width);
  made.shared = ClassWeights::Shared::told;
  made.is_latent = true;
  made.router_bias = router_bias;
  return made;
}

constexpr ClassWeights llama() {
  ClassWeights made = plain("llama", Bias::told);
  made.tells_mlp_bias = true;
  return made;
}

constexpr ClassWeights qwen2_moe() {
  ClassWeights made = plain("qwen2_moe", Bias::qkv, Experts::own_width);
  made.shared = ClassWeights::Shared::gated;
  return made;
}

/// Its norms of Q and K have no weights.
constexpr ClassWeights llama4() {
  ClassWeights made = plain("llama4_text", Bias::told, Experts::mlp_width);
  made.shared = ClassWeights::Shared::one;
  made.dense_width = "intermediate_size_mlp";
  return made;
}

constexpr ClassWeights gpt_oss() {
  ClassWeights made = plain("gpt_oss", Bias::told, Experts::mlp_width);
  made.is_biased = made.has_sinks = made.mlp_bias = made.router_bias = true;
  return made;
}

constexpr ClassWeights gpt2() {
  ClassWeights made = plain("gpt2", Bias::none);
  made.is_gpt2 = made.is_tied = true;
  return made;
}

constexpr std::array known = {
    llama(),
    plain("mistral", Bias::none),
    plain("mixtral", Bias::none, Experts::mlp_width),
    plain("phi3", Bias::none),
    plain("qwen2", Bias::qkv),
    qwen2_moe(),
    qk_norm(plain("qwen3", Bias::told)),
    qk_norm(plain("qwen3_moe", Bias::told, Experts::own_width)),
    gemma("gemma", 2),
    gemma("gemma2", 4),
    qk_norm(gemma("gemma3_text", 4)),
    llama4(),
    gpt_oss(),
    deepseek("deepseek_v2", false),
    deepseek("deepseek_v3", true),
    deepseek("kimi_k2", true),
    gpt2(),
};

}  // namespace class_weights_detail

/// From the modelling code of huggingface/transformers (src/transformers/models) and, of Kimi K2, of its authors, who
/// use DeepSeek-V3's. Only classes whose count has been compared with weights that were published, to the last one.
inline constexpr auto class_weights = class_weights_detail::known;

}  // namespace attn

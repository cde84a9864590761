#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "core/limits.hpp"
#include "kv_cache/class_weights.hpp"
#include "kv_cache/config_reading.hpp"
#include "kv_cache/field_limits.hpp"
#include "kv_cache/parameter_count.hpp"

namespace attn {
namespace {

using Bias = ClassWeights::Bias;
using Experts = ClassWeights::Experts;
using Shared = ClassWeights::Shared;

class WeightsReader : ConfigPart {
 public:
  explicit WeightsReader(ConfigReading& reading) : ConfigPart(reading) {}

  void read() {
    if (in_.failed()) return;
    const auto shape = decoder_shape();
    if (in_.failed()) return;
    if (!shape) {
      missing("parameters");
      missing("active_parameters");
      return;
    }
    const auto counted = count_parameters(*shape);
    if (!counted) {
      in_.refuse(counted.error().code, "parameters", {counted.error().message});
      return;
    }
    read_.model.parameters = counted->all;
    read_.model.active_parameters = counted->active;
    note({"The parameters are counted from the fields, as the class ", class_->model_type,
          " lays them out: ",
          shape->tied ? "one matrix for embedding and output, "
                      : "a matrix for the embedding and one for the output, ",
          shape->gated ? "gated MLPs of three matrices, " : "MLPs of two matrices, ",
          shape->norms_per_layer == 2 ? "two norms a layer, " : "four norms a layer, ",
          shape->qk_norm ? "norms of Q and K, " : "", shape->sinks ? "a sink for each head, " : "",
          shape->qkv_bias ? "biases for Q, K and V." : "no biases for Q, K and V."});
  }

 private:
  /// A number of a parameter count; a list that differs from layer to layer makes the shape no plain one.
  std::uint64_t plain_count(Names names, std::uint64_t most, std::uint64_t least = 1) {
    const ConfigValue* value = in_.find(names);
    if (value != nullptr && value->kind == Kind::list) {
      const bool is_one =
          !value->items.empty() &&
          std::ranges::all_of(value->items, [&](const auto& i) { return i == value->items[0]; });
      if (!is_one) {
        plain_ = false;
        return 0;
      }
    }
    return count(names, most, least);
  }

  std::optional<DecoderShape> decoder_shape() {
    const CacheModel& model = read_.model;
    const ConfigValue* type = in_.find({"model_type"});
    if (type == nullptr || type->kind != Kind::text) return {};
    class_ = std::ranges::find(class_weights, type->written, &ClassWeights::model_type);
    if (class_ == class_weights.end()) return {};
    DecoderShape shape;
    shape.vocabulary = in_.count_anywhere("vocab_size", 1, max_model_width).value_or(0);
    const bool is_whole = shape.vocabulary != 0 && model.n_layers != 0 &&
                          model.full_layers + model.local_layers == model.n_layers &&
                          model.state_layers == 0 && model.d_model != 0 && model.n_heads != 0 &&
                          model.d_k != 0 && model.d_v != 0;
    const bool is_plain = model.full_sharing + model.local_sharing == 0 && model.index_width == 0 &&
                          (model.latent_rank != 0) == class_->is_latent &&
                          !(class_->is_latent && model.local_layers != 0);
    if (!is_whole || !is_plain) return {};
    shape.d_model = model.d_model;
    shape.n_heads = model.n_heads;
    shape.full = {model.full_layers, model.n_kv_heads, model.d_k, model.d_v};
    shape.local = {model.local_layers, model.local_n_kv_heads, model.local_d_k, model.local_d_v};
    shape.tied = in_.flag("tie_word_embeddings").value_or(class_->is_tied);
    const bool is_told = class_->is_gpt2 ? gpt2_decoder(shape) : gated_decoder(shape);
    if (!is_told || !plain_ || in_.failed()) return {};
    return shape;
  }

  /// GPT-2's: learnt positions, biases everywhere, an MLP of two matrices.
  bool gpt2_decoder(DecoderShape& shape) {
    shape.learnt_positions = plain_count({"n_positions"}, max_model_tokens);
    shape.qkv_bias = shape.out_bias = shape.norm_bias = shape.mlp_bias = true;
    shape.gated = false;
    shape.dense_layers = read_.model.n_layers;
    const std::uint64_t width = plain_count({"n_inner"}, max_model_width);
    shape.dense_width = width != 0 ? width : 4 * shape.d_model;
    return shape.learnt_positions != 0;
  }

  /// Llama's, with what its successors changed: experts, latent attention, norms of Q and K, four norms a layer.
  bool gated_decoder(DecoderShape& shape) {
    shape.norms_per_layer = class_->norms_per_layer;
    shape.qk_norm = class_->qk_norm;
    shape.sinks = class_->has_sinks;
    const bool told = in_.flag("attention_bias").value_or(class_->is_biased);
    shape.out_bias = class_->bias == Bias::told && told;
    shape.qkv_bias =
        class_->bias == Bias::qkv ? in_.flag("qkv_bias").value_or(true) : shape.out_bias;
    shape.mlp_bias =
        class_->mlp_bias || (class_->tells_mlp_bias && in_.flag("mlp_bias").value_or(false));
    if (class_->is_latent && !latent_attention(shape)) return false;
    const std::uint64_t n_experts =
        plain_count({"num_local_experts", "n_routed_experts", "num_experts"}, most_experts, 0);
    if (class_->experts != Experts::none) return n_experts != 0 && experts(shape, n_experts);
    shape.dense_layers = read_.model.n_layers;
    shape.dense_width = plain_count({class_->dense_width}, max_model_width);
    return n_experts <= 1 && shape.dense_width != 0;
  }

  bool latent_attention(DecoderShape& shape) {
    shape.latent_rank = read_.model.latent_rank;
    shape.rope_width = read_.model.rope_width;
    shape.nope_width = plain_count({"qk_nope_head_dim"}, max_model_width);
    shape.q_rank = plain_count({"q_lora_rank"}, max_model_width);
    // Its biases are on other matrices. That Q has no rank is told by null.
    return shape.nope_width != 0 && in_.stands("q_lora_rank") && !shape.qkv_bias;
  }

  bool experts(DecoderShape& shape, std::uint64_t n_experts) {
    shape.experts = n_experts;
    shape.experts_used = plain_count({"num_experts_per_tok", "experts_per_token"}, most_experts);
    if (shape.experts_used == 0) return false;
    if (shape.experts_used > shape.experts) {
      in_.refuse(ErrorCode::shape_mismatch, "num_experts_per_tok",
                 {"A token chooses ", shape.experts_used, " experts of ", shape.experts,
                  "; it cannot choose more than there are."});
      return false;
    }
    const bool own = class_->experts == Experts::own_width;
    shape.expert_width =
        plain_count({own ? "moe_intermediate_size" : "intermediate_size"}, max_model_width);
    if (shape.expert_width == 0) return false;
    shape.router_bias = class_->router_bias;
    if (const ConfigValue* method = in_.find({"topk_method"})) {
      // Auxiliary-loss-free balancing.
      shape.router_bias = method->written == "noaux_tc";
    }
    return shared_expert(shape) && choose_expert_layers(shape);
  }

  bool shared_expert(DecoderShape& shape) {
    switch (class_->shared) {
      case Shared::none:
        return true;
      case Shared::one:
        shape.shared_width = shape.expert_width;
        return true;
      case Shared::told:
        shape.shared_width =
            shape.expert_width * plain_count({"n_shared_experts"}, most_experts, 0);
        return in_.stands("n_shared_experts");
      case Shared::gated:
        shape.shared_width = plain_count({"shared_expert_intermediate_size"}, max_model_width);
        shape.shared_gate = true;
        return shape.shared_width != 0;
    }
    return false;
  }

  /// Which layers have experts; the others have one MLP.
  bool choose_expert_layers(DecoderShape& shape) {
    const std::uint64_t n = read_.model.n_layers;
    std::vector<bool> has_experts(as_size(n), true);
    const auto every = [&](std::string_view name, bool is_last) {
      const std::uint64_t period = plain_count({name}, max_model_layers);
      for (std::size_t i = 0; period != 0 && i < has_experts.size(); ++i) {
        has_experts[i] = has_experts[i] && i % period == (is_last ? period - 1 : 0);
      }
    };
    every("decoder_sparse_step", true);
    every("moe_layer_freq", false);
    if (in_.has("moe_layers")) {
      has_experts.assign(as_size(n), false);
      mark(has_experts, "moe_layers", true);
    } else {
      every("interleave_moe_layer_step", true);
    }
    if (class_->is_latent && !in_.stands("first_k_dense_replace")) return false;
    const std::uint64_t first = plain_count({"first_k_dense_replace"}, max_model_layers, 0);
    std::fill_n(has_experts.begin(), as_size(std::min(first, n)), false);
    mark(has_experts, "mlp_only_layers", false);
    shape.expert_layers = static_cast<std::uint64_t>(std::ranges::count(has_experts, true));
    shape.dense_layers = n - shape.expert_layers;
    if (shape.dense_layers == 0) return true;
    shape.dense_width = plain_count({class_->dense_width}, max_model_width);
    return shape.dense_width != 0;
  }

  /// The layers that a list names.
  void mark(std::vector<bool>& layers, std::string_view name, bool value) {
    for (const std::uint64_t layer : in_.list(name, 0, layers.size())) {
      layers[as_size(layer)] = value;
    }
  }

  static constexpr std::uint64_t most_experts = 1 << 20;

  const ClassWeights* class_ = nullptr;
  bool plain_ = true;
};

}  // namespace

void read_weights(ConfigReading& reading) { WeightsReader(reading).read(); }

}  // namespace attn

#include "model/weight_slots.hpp"

#include <algorithm>

#include "core/json_reader.hpp"
#include "core/limits.hpp"

namespace attn {
namespace {

/// An empty name: there is no such part.
struct Names {
  Slot slot;
  std::string_view gguf, llama, gpt2;
};

constexpr std::array<Names, n_slots> names = {{
    {Slot::token_embedding, "token_embd.weight", "model.embed_tokens.weight", "wte.weight"},
    {Slot::position_embedding, "position_embd.weight", "", "wpe.weight"},
    {Slot::output_norm, "output_norm.weight", "model.norm.weight", "ln_f.weight"},
    {Slot::output_norm_bias, "output_norm.bias", "", "ln_f.bias"},
    {Slot::output, "output.weight", "lm_head.weight", "lm_head.weight"},
    {Slot::rotary_divisors, "rope_freqs.weight", "", ""},
    {Slot::attention_norm, "attn_norm.weight", "input_layernorm.weight", "ln_1.weight"},
    {Slot::attention_norm_bias, "attn_norm.bias", "", "ln_1.bias"},
    {Slot::q, "attn_q.weight", "self_attn.q_proj.weight", ""},
    {Slot::k, "attn_k.weight", "self_attn.k_proj.weight", ""},
    {Slot::v, "attn_v.weight", "self_attn.v_proj.weight", ""},
    {Slot::qkv, "attn_qkv.weight", "", "attn.c_attn.weight"},
    {Slot::qkv_bias, "attn_qkv.bias", "", "attn.c_attn.bias"},
    {Slot::o, "attn_output.weight", "self_attn.o_proj.weight", "attn.c_proj.weight"},
    {Slot::o_bias, "attn_output.bias", "", "attn.c_proj.bias"},
    {Slot::ffn_norm, "ffn_norm.weight", "post_attention_layernorm.weight", "ln_2.weight"},
    {Slot::ffn_norm_bias, "ffn_norm.bias", "", "ln_2.bias"},
    {Slot::gate, "ffn_gate.weight", "mlp.gate_proj.weight", ""},
    {Slot::up, "ffn_up.weight", "mlp.up_proj.weight", "mlp.c_fc.weight"},
    {Slot::up_bias, "ffn_up.bias", "", "mlp.c_fc.bias"},
    {Slot::down, "ffn_down.weight", "mlp.down_proj.weight", "mlp.c_proj.weight"},
    {Slot::down_bias, "ffn_down.bias", "", "mlp.c_proj.bias"},
}};

bool is_llama(const ModelConfig& config) { return config.architecture == Architecture::llama; }

bool has_slot(Architecture architecture, Slot slot) {
  if (slot == Slot::rotary_divisors) return architecture == Architecture::llama;
  const Names& of = names[static_cast<std::size_t>(slot)];
  return !(architecture == Architecture::llama ? of.llama : of.gpt2).empty();
}

std::string_view name_in(const ModelConfig& config, FileForm form, Slot slot) {
  const Names& of = names[static_cast<std::size_t>(slot)];
  if (!has_slot(config.architecture, slot)) return {};
  if (form == FileForm::gguf) return of.gguf;
  return is_llama(config) ? of.llama : of.gpt2;
}

/// What stands before the number of a layer.
std::string_view layer_prefix(const ModelConfig& config, FileForm form) {
  if (form == FileForm::gguf) return "blk.";
  return is_llama(config) ? "model.layers." : "h.";
}

std::unexpected<Error> unknown(const ModelConfig& config, std::string_view tensor) {
  return fail(ErrorCode::bad_argument, "file",
              {"The tensor ", json_string(tensor), " is no part of a ", name(config.architecture),
               " of ", config.n_layers, " layers as it is computed here."});
}

}  // namespace

Expected<std::optional<SlotPlace>> slot_of(const ModelConfig& config, FileForm form,
                                           std::string_view tensor) {
  std::string_view rest = tensor;
  if (form == FileForm::safetensors && !is_llama(config)) {
    constexpr std::string_view outer = "transformer.";
    if (rest.starts_with(outer)) rest.remove_prefix(outer.size());
  }
  const std::string_view prefix = layer_prefix(config, form);
  const bool in_layer = rest.starts_with(prefix);
  std::uint64_t layer = 0;
  if (in_layer) {
    rest.remove_prefix(prefix.size());
    const std::size_t point = rest.find('.');
    if (point == 0 || point > 5) return unknown(config, tensor);
    for (const char digit : rest.substr(0, point)) {
      if (digit < '0' || digit > '9') return unknown(config, tensor);
      layer = 10 * layer + static_cast<std::uint64_t>(digit - '0');
    }
    if (layer >= config.n_layers || (point > 1 && rest.front() == '0')) {
      return unknown(config, tensor);
    }
    rest.remove_prefix(point + 1);
  }
  for (const Names& of : names) {
    if ((of.slot >= first_layer_slot) != in_layer) continue;
    const std::string_view wanted = name_in(config, form, of.slot);
    if (!wanted.empty() && rest == wanted) return SlotPlace{of.slot, layer};
  }
  if (form == FileForm::safetensors && in_layer) {
    constexpr std::string_view computed[] = {"self_attn.rotary_emb.inv_freq", "attn.bias",
                                             "attn.masked_bias"};
    if (std::ranges::count(computed, rest) > 0) return std::optional<SlotPlace>();
  }
  return unknown(config, tensor);
}

std::string slot_name(const ModelConfig& config, FileForm form, SlotPlace place) {
  const std::string_view of = name_in(config, form, place.slot);
  if (place.slot < first_layer_slot) return std::string(of);
  return text({layer_prefix(config, form), place.layer, ".", of});
}

SlotShape slot_shape(const ModelConfig& config, FileForm form, Slot slot) {
  const std::uint64_t d = config.d_model;
  const std::uint64_t q_width = config.n_heads * config.head_dim;
  const std::uint64_t kv_width = config.n_kv_heads * config.head_dim;
  const bool turned = form == FileForm::safetensors && !is_llama(config);
  const auto matrix = [&](std::uint64_t rows, std::uint64_t columns) {
    return SlotShape{rows, columns, false, turned};
  };
  const auto vector = [](std::uint64_t columns) { return SlotShape{1, columns, true, false}; };
  switch (slot) {
    case Slot::token_embedding:
    case Slot::output:
      return {config.vocab_size, d, false, false};
    case Slot::position_embedding:
      return {config.context, d, false, false};
    case Slot::rotary_divisors:
      return vector(config.head_dim / 2);
    case Slot::q:
      return matrix(q_width, d);
    case Slot::k:
    case Slot::v:
      return matrix(kv_width, d);
    case Slot::qkv:
      return matrix(q_width + 2 * kv_width, d);
    case Slot::qkv_bias:
      return vector(q_width + 2 * kv_width);
    case Slot::o:
      return matrix(d, q_width);
    case Slot::gate:
    case Slot::up:
      return matrix(config.d_ff, d);
    case Slot::up_bias:
      return vector(config.d_ff);
    case Slot::down:
      return matrix(d, config.d_ff);
    default:
      return vector(d);
  }
}

bool slot_is_needed(Architecture architecture, Slot slot) {
  return slot != Slot::output && slot != Slot::rotary_divisors && has_slot(architecture, slot);
}

}  // namespace attn

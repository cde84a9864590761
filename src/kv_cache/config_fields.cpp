#include "kv_cache/config_fields.hpp"

#include <algorithm>
#include <array>
#include <unordered_set>
#include <utility>

#include "core/json_reader.hpp"
#include "core/utf8.hpp"
#include "kv_cache/class_defaults.hpp"
#include "kv_cache/field_limits.hpp"

namespace attn {
namespace {

using Kind = ConfigValue::Kind;

/// Objects that describe a language model inside another, in the order in which they are tried.
constexpr std::array language_models = {
    std::string_view("text_config."),     std::string_view("llm_config."),
    std::string_view("language_config."), std::string_view("thinker_config.text_config."),
    std::string_view("thinker_config."),
};

/// Objects whose fields belong to those around them.
bool is_entered(std::string_view name) {
  return name == "text_config" || name == "llm_config" || name == "language_config" ||
         name == "thinker_config" || name == "linear_attn_config" || name == "attn_config";
}

bool is_known(std::string_view name) {
  static const std::unordered_set<std::string_view> names = {
      "_sliding_window_pattern",
      "architectures",
      "attention_bias",
      "attention_chunk_size",
      "attention_head_dim",
      "attention_hidden_size",
      "attention_k_eq_v",
      "attention_layers",
      "attn_config",
      "attn_layer_indices",
      "attn_layer_offset",
      "attn_layer_period",
      "attn_type_list",
      "block_configs",
      "block_types",
      "cache_implementation",
      "cla_share_factor",
      "compress_ratios",
      "conv_L_cache",
      "conv_kernel",
      "d_head",
      "d_model",
      "decoder_sparse_step",
      "dim",
      "expand",
      "experts_per_token",
      "first_k_dense_replace",
      "full_attention_interval",
      "full_attn_idxs",
      "full_attn_layers",
      "global_head_dim",
      "head_dim",
      "hidden_size",
      "hybrid_layer_ids",
      "hybrid_layer_pattern",
      "hybrid_override_pattern",
      "index_head_dim",
      "index_topk",
      "interleave_moe_layer_step",
      "intermediate_size",
      "intermediate_size_mlp",
      "is_encoder_decoder",
      "kv_channels",
      "kv_lora_rank",
      "kv_n_heads",
      "kv_reuse_group",
      "kv_source_layer_ids",
      "language_config",
      "layer_group_size",
      "layer_types",
      "layers_block_type",
      "linear_attn_config",
      "linear_conv_kernel_dim",
      "linear_key_head_dim",
      "linear_num_key_heads",
      "linear_num_value_heads",
      "linear_value_head_dim",
      "llm_config",
      "mamba_d_conv",
      "mamba_d_head",
      "mamba_d_ssm",
      "mamba_d_state",
      "mamba_expand",
      "mamba_head_dim",
      "mamba_headdim",
      "mamba_n_groups",
      "mamba_n_heads",
      "mamba_ngroups",
      "mamba_num_heads",
      "max_position_embeddings",
      "max_seq_len",
      "max_seq_length",
      "max_sequence_length",
      "max_window_layers",
      "mb_per_layer",
      "mlp_bias",
      "mlp_only_layers",
      "model_type",
      "moe_intermediate_size",
      "moe_layer_freq",
      "moe_layers",
      "multi_query",
      "multi_query_group_num",
      "n_ctx",
      "n_embd",
      "n_embed",
      "n_groups",
      "n_head",
      "n_head_kv",
      "n_heads",
      "n_inner",
      "n_kv_heads",
      "n_layer",
      "n_layers",
      "n_mamba_heads",
      "n_positions",
      "n_routed_experts",
      "n_shared_experts",
      "new_decoder_architecture",
      "no_rope_layer_interval",
      "no_rope_layers",
      "num_attention_heads",
      "num_experts",
      "num_experts_per_tok",
      "num_global_key_value_heads",
      "num_heads",
      "num_hidden_layers",
      "num_key_value_heads",
      "num_key_value_heads_per_layer",
      "num_kv_heads",
      "num_kv_shared_layers",
      "num_layers",
      "num_local_experts",
      "num_query_groups",
      "q_lora_rank",
      "qk_nope_head_dim",
      "qk_rope_head_dim",
      "qkv_bias",
      "query_pre_attn_scalar",
      "rope_local_base_freq",
      "seq_length",
      "shared_expert_intermediate_size",
      "short_conv_kernel_size",
      "sliding_window",
      "sliding_window_pattern",
      "sliding_window_size",
      "ssm_state_size",
      "state_size",
      "swa_head_dim",
      "swa_num_key_value_heads",
      "swa_v_head_dim",
      "text_config",
      "thinker_config",
      "tie_word_embeddings",
      "topk_method",
      "use_cla",
      "use_sliding_window",
      "v_head_dim",
      "vocab_size",
      "window_size",
      "zero_expert_num",
  };
  return names.contains(name);
}

class FieldReader {
 public:
  explicit FieldReader(std::string_view file) : in_(file, JsonWords::python) {}

  JsonReader& in() { return in_; }
  std::map<std::string, ConfigValue, std::less<>>& values() { return values_; }
  const std::string& twice() const { return twice_; }

  void read() {
    object("", 0);
    in_.finish();
  }

 private:
  void object(const std::string& prefix, int depth) {
    in_.object([&](const std::string& key) {
      if (!is_known(key)) {
        in_.skip();
        return;
      }
      std::string name = prefix + key;
      ConfigValue made = value(name, depth);
      if (in_.failed()) return;
      const auto [there, is_new] = values_.try_emplace(std::move(name));
      if (is_new) {
        there->second = std::move(made);
      } else if (there->second != made && twice_.empty()) {
        twice_ = there->first;
      }
    });
  }

  ConfigValue value(const std::string& name, int depth) {
    constexpr int deepest = 3;
    ConfigValue made;
    const char next = in_.peek();
    if (next == '{') {
      made.kind = Kind::object;
      if (depth < deepest && is_entered(name.substr(name.rfind('.') + 1))) {
        object(name + ".", depth + 1);
      } else {
        in_.skip();
      }
    } else if (next == '[') {
      made.kind = Kind::list;
      in_.array([&] {
        ++made.length;
        if (made.length > max_model_layers) {
          in_.skip();
        } else if (++items_ > most_items) {
          in_.refuse("the lists of the file have more than " + std::to_string(most_items) +
                     " items together.");
        } else {
          made.items.push_back(scalar());
        }
      });
    } else {
      made = scalar();
    }
    return made;
  }

  ConfigValue scalar() {
    ConfigValue made;
    const char next = in_.peek();
    if (next == '[' || next == '{') {
      made.kind = next == '[' ? Kind::list : Kind::object;
      in_.skip();
    } else if (next == '"') {
      made.kind = Kind::text;
      made.written = in_.string();
    } else if (next == 't' || next == 'f') {
      made.kind = Kind::boolean;
      made.boolean = in_.boolean();
    } else if (in_.null()) {
      made.kind = Kind::null;
    } else if (const std::string_view word = in_.python_word(); !word.empty()) {
      made.kind = Kind::word;
      made.written = word;
    } else {
      made.kind = Kind::number;
      const JsonNumber number = in_.any_number();
      made.is_whole = number.is_whole;
      made.is_negative = number.is_negative;
      made.magnitude = number.magnitude;
      made.written = number.written;
    }
    return made;
  }

  JsonReader in_;
  std::map<std::string, ConfigValue, std::less<>> values_;
  std::string twice_;
  /// What all lists together may keep: a few for each layer of the deepest model.
  static constexpr std::uint64_t most_items = 16 * max_model_layers;
  std::uint64_t items_ = 0;
};

}  // namespace

std::string shown(std::string_view text) {
  constexpr std::size_t longest = 40;
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  std::size_t length = 0;
  while (length < text.size()) {
    const std::size_t next = length + utf8::step(bytes, text.size(), length).length;
    if (next > longest) break;
    length = next;
  }
  std::string made = "“";
  made.append(text.substr(0, length));
  return made + (length < text.size() ? "…”" : "”");
}

Expected<ConfigFields> ConfigFields::read(std::string_view file) {
  FieldReader reader(file);
  reader.read();
  if (reader.in().failed()) {
    return fail(ErrorCode::bad_argument, "file",
                {reader.in().problem(), " A config.json is one JSON object."});
  }
  if (!reader.twice().empty()) {
    return fail(ErrorCode::bad_argument, reader.twice(),
                {reader.twice(), " stands twice, with different values; leave one of them out."});
  }
  ConfigFields made;
  made.values_ = std::move(reader.values());
  const auto layers = {"num_hidden_layers", "n_layer",     "n_layers",
                       "num_layers",        "layer_types", "layers_block_type"};
  const auto tells_layers = [&](std::string_view prefix) {
    return std::ranges::any_of(layers, [&](const char* name) {
      return made.values_.contains(std::string(prefix) + name);
    });
  };
  if (!tells_layers("")) {
    for (const std::string_view prefix : language_models) {
      const auto first = made.values_.lower_bound(prefix);
      const bool is_there = first != made.values_.end() && first->first.starts_with(prefix);
      if (!tells_layers(prefix) && !(is_there && made.prefix_.empty())) continue;
      made.prefix_ = prefix;
      if (tells_layers(prefix)) break;
    }
  } else {
    // A model that is nested is the one to be priced, whatever is repeated around it.
    for (const std::string_view prefix : language_models) {
      if (!tells_layers(prefix)) continue;
      made.prefix_ = prefix;
      break;
    }
  }
  return made;
}

const ConfigValue* ConfigFields::find(std::initializer_list<std::string_view> names) const {
  for (const std::string_view name : names) {
    const auto at = values_.find(full_name(name));
    if (at != values_.end() && at->second.kind != Kind::null) return &at->second;
  }
  return nullptr;
}

std::string ConfigFields::supply_defaults() {
  const ConfigValue* type = find({"model_type"});
  if (type == nullptr || type->kind != ConfigValue::Kind::text) return {};
  const bool has_pattern =
      find({"layer_types", "sliding_window_pattern", "_sliding_window_pattern"}) != nullptr;
  const std::string model_type = type->written;
  std::string supplied;
  for (const auto& [name, field, value] : class_defaults) {
    if (name != model_type || (has_pattern && field == "sliding_window_pattern")) continue;
    // A field that is there and null says something else than one that is not.
    if (values_.contains(full_name(field))) continue;
    ConfigValue number;
    number.kind = ConfigValue::Kind::number;
    number.is_whole = true;
    number.magnitude = value;
    number.written = text({value});
    supplied += text({supplied.empty() ? "" : ", ", field, " ", value});
    values_.emplace(full_name(field), std::move(number));
  }
  if (supplied.empty()) return {};
  return text(
      {"The file leaves out what its class, ", model_type, ", has as defaults: ", supplied, "."});
}

std::string_view ConfigFields::name_of(std::initializer_list<std::string_view> names) const {
  for (const std::string_view name : names) {
    if (has(name)) return name;
  }
  return *names.begin();
}

const ConfigValue* ConfigFields::find_anywhere(std::string_view name) const {
  if (const ConfigValue* nested = find({name})) return nested;
  const auto at = values_.find(name);
  return at != values_.end() && at->second.kind != Kind::null ? &at->second : nullptr;
}

std::string ConfigFields::full_name(std::string_view name) const {
  return prefix_ + std::string(name);
}

void ConfigFields::refuse_at(std::string place, ErrorCode code,
                             std::initializer_list<Piece> message) {
  if (!failed()) problem_ = Error{code, std::move(place), text(message)};
}

void ConfigFields::refuse(ErrorCode code, std::string_view name,
                          std::initializer_list<Piece> message) {
  refuse_at(name == "file" ? std::string(name) : full_name(name), code, message);
}

std::optional<std::uint64_t> ConfigFields::number(const ConfigValue& given, const std::string& name,
                                                  std::uint64_t least, std::uint64_t most) {
  const ConfigValue* value = &given;
  if (value->kind == Kind::list) {
    const auto& items = value->items;
    const bool is_one = !items.empty() && items.size() == value->length &&
                        std::ranges::all_of(items, [&](const auto& i) { return i == items[0]; });
    if (!is_one) {
      refuse_at(name, ErrorCode::bad_argument,
                {name, " is a list of different values; here must be one number for all layers."});
      return {};
    }
    value = &items[0];
  }
  switch (value->kind) {
    case Kind::number:
      break;
    case Kind::text:
      refuse_at(name, ErrorCode::bad_argument,
                {name, " is the text ", shown(value->written),
                 "; it must be a whole number, without quotation marks."});
      return {};
    case Kind::word:
      refuse_at(name, ErrorCode::not_finite,
                {name, " is ", value->written, "; it must be a whole number from ", least, "."});
      return {};
    default:
      refuse_at(name, ErrorCode::bad_argument,
                {name, " is ",
                 value->kind == Kind::boolean ? (value->boolean ? "true" : "false")
                 : value->kind == Kind::null  ? "null"
                 : value->kind == Kind::list  ? "a list"
                                              : "an object",
                 "; it must be a whole number."});
      return {};
  }
  if (value->is_negative || !value->is_whole || value->magnitude < least) {
    refuse_at(name, ErrorCode::out_of_range,
              {name, " is ", value->written, "; it must be a whole number from ", least, "."});
    return {};
  }
  if (value->magnitude > most) {
    refuse_at(name, ErrorCode::too_large,
              {name, " is ", value->written.substr(0, 40), "; it must be at most ", most, "."});
    return {};
  }
  return value->magnitude;
}

std::optional<std::uint64_t> ConfigFields::count(std::initializer_list<std::string_view> names,
                                                 std::uint64_t least, std::uint64_t most) {
  std::optional<std::uint64_t> made;
  std::string made_name;
  for (const std::string_view short_name : names) {
    const ConfigValue* value = find({short_name});
    if (failed()) return {};
    if (value == nullptr) continue;
    const std::string name = full_name(short_name);
    const auto read = number(*value, name, least, most);
    if (!read) return {};
    if (made && *made != *read) {
      refuse(ErrorCode::bad_argument, short_name,
             {name, " is ", *read, " and ", made_name, " is ", *made,
              "; they mean the same and must be equal."});
      return {};
    }
    made = read;
    made_name = name;
  }
  return made;
}

std::optional<std::uint64_t> ConfigFields::count_anywhere(std::string_view name,
                                                          std::uint64_t least, std::uint64_t most) {
  const ConfigValue* value = find_anywhere(name);
  if (value == nullptr || failed()) return {};
  return number(*value, has(name) ? full_name(name) : std::string(name), least, most);
}

std::vector<std::uint64_t> ConfigFields::list(std::string_view name, std::uint64_t first,
                                              std::uint64_t end) {
  std::vector<std::uint64_t> made;
  const ConfigValue* value = find({name});
  if (value == nullptr || failed()) return made;
  const std::string place = full_name(name);
  const auto wants = [&](std::initializer_list<Piece> what) {
    const std::string range =
        first == 0 ? text({"below ", end})
                   : text({"from ", first, " to ", end - std::min<std::uint64_t>(end, 1)});
    return text({place, text(what), "it must be a list of whole numbers ", range, "."});
  };
  if (value->kind != Kind::list) {
    refuse(ErrorCode::bad_argument, name, {wants({" is no list; "})});
    return made;
  }
  if (value->items.size() != value->length) {
    refuse(ErrorCode::bad_argument, name,
           {wants({" has ", value->length, " items, more than a model has layers; "})});
    return made;
  }
  for (const ConfigValue& item : value->items) {
    if (item.kind != Kind::number || !item.is_whole) {
      refuse(ErrorCode::bad_argument, name, {wants({" has an item that is no whole number; "})});
      return {};
    }
    if (item.is_negative || item.magnitude < first || item.magnitude >= end) {
      refuse(ErrorCode::out_of_range, name,
             {wants({" has ", std::string_view(item.written).substr(0, 40), "; "})});
      return {};
    }
    made.push_back(item.magnitude);
  }
  return made;
}

std::optional<bool> ConfigFields::flag(std::string_view name) {
  const ConfigValue* value = find_anywhere(name);
  if (value == nullptr || failed()) return {};
  if (value->kind == Kind::boolean) return value->boolean;
  const std::string place = has(name) ? full_name(name) : std::string(name);
  refuse_at(place, ErrorCode::bad_argument, {place, " must be true or false."});
  return {};
}

std::optional<std::string> ConfigFields::word(std::string_view name) {
  const ConfigValue* value = find({name});
  if (value == nullptr || failed()) return {};
  if (value->kind == Kind::text) return value->written;
  refuse(ErrorCode::bad_argument, name, {full_name(name), " must be a text."});
  return {};
}

}  // namespace attn

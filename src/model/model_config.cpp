#include "model/model_config.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "core/json_reader.hpp"
#include "core/limits.hpp"

namespace attn {
namespace {

constexpr std::uint64_t max_layers = 1024;
constexpr std::uint64_t max_d_ff = std::uint64_t{1} << 18;
/// What Hugging Face's classes take where config.json is silent.
constexpr double usual_rms_epsilon = 1e-6;
constexpr double usual_norm_epsilon = 1e-5;

/// A field as either file has it.
struct Field {
  enum class Kind : std::uint8_t { null, boolean, whole, fraction, text, other };
  Kind kind = Kind::null;
  std::uint64_t whole = 0;
  double fraction = 0;
  std::string text;
};

std::unexpected<Error> not_done(std::string_view field, std::initializer_list<Piece> message) {
  return fail(ErrorCode::bad_argument, field, message);
}

/// Fields by name, with the first problem kept, so that callers check once.
class Fields {
 public:
  std::map<std::string, Field, std::less<>> values;

  const Field* find(std::string_view name) const {
    const auto at = values.find(name);
    return at == values.end() || at->second.kind == Field::Kind::null ? nullptr : &at->second;
  }
  bool has(std::string_view name) const { return find(name) != nullptr; }

  std::uint64_t count(std::string_view name, std::uint64_t least, std::uint64_t most,
                      std::optional<std::uint64_t> otherwise = {}) {
    const Field* const field = find(name);
    if (field == nullptr && otherwise) return *otherwise;
    if (field == nullptr || field->kind != Field::Kind::whole) {
      refuse(name, field == nullptr ? " is missing." : " must be a whole number.");
      return least;
    }
    if (auto checked = check_count(name, field->whole, least, most); !checked && !problem) {
      problem = std::move(checked.error());
    }
    return field->whole;
  }
  /// A number above 0 and below 1e12.
  double number(std::string_view name, std::optional<double> otherwise = {}) {
    const Field* const field = find(name);
    if (field == nullptr && otherwise) return *otherwise;
    double value = 0;
    if (field != nullptr && field->kind == Field::Kind::whole) value = as_double(field->whole);
    if (field != nullptr && field->kind == Field::Kind::fraction) value = field->fraction;
    if (!(value > 0 && value < 1e12)) {
      refuse(name, field == nullptr ? " is missing." : " must be a number above 0.");
      return 1;
    }
    return value;
  }
  std::string_view word(std::string_view name) const {
    const Field* const field = find(name);
    return field != nullptr && field->kind == Field::Kind::text ? std::string_view(field->text)
                                                                : std::string_view();
  }
  void refuse(std::string_view name, std::string_view what) {
    if (!problem) {
      problem = Error{ErrorCode::bad_argument, std::string(name), text({name, what})};
    }
  }

  std::optional<Error> problem;
};

Fields fields_of(const GgufFile& file) {
  Fields fields;
  for (const auto& [key, value] : file.values) {
    Field field;
    using Kind = GgufValue::Kind;
    if (value.is_array) {
      field.kind = Field::Kind::other;
      // Sizes that are said for each layer are one size where they are the same.
      const auto& numbers = value.numbers;
      if (value.kind == Kind::whole && !numbers.empty() &&
          std::ranges::count(numbers, numbers[0]) == std::ssize(numbers)) {
        field.kind = Field::Kind::whole;
        field.whole = numbers[0];
      }
    } else if (value.kind == Kind::text) {
      field.kind = Field::Kind::text;
      field.text = value.text;
    } else if (value.kind == Kind::fraction) {
      field.kind = Field::Kind::fraction;
      field.fraction = value.bytes_each == 4 ? static_cast<double>(std::bit_cast<float>(
                                                   static_cast<std::uint32_t>(value.numbers[0])))
                                             : std::bit_cast<double>(value.numbers[0]);
    } else {
      field.kind = value.kind == Kind::boolean ? Field::Kind::boolean
                   : value.kind == Kind::whole ? Field::Kind::whole
                                               : Field::Kind::other;
      field.whole = value.numbers[0];
    }
    fields.values.emplace(key, std::move(field));
  }
  return fields;
}

/// The fields of the outermost object; of what stands inside them, only that it is there, but for the rotary positions,
/// whose fields have names of two parts.
void read_fields(JsonReader& reader, const std::string& outer, Fields& fields) {
  reader.object([&](const std::string& key) {
    const std::string name = outer + key;
    const bool is_rotary = outer.empty() && (key == "rope_scaling" || key == "rope_parameters");
    Field field;
    switch (reader.peek()) {
      case 'n':
        reader.null();
        break;
      case 't':
      case 'f':
        field.kind = Field::Kind::boolean;
        field.whole = reader.boolean() ? 1 : 0;
        break;
      case '"':
        field.kind = Field::Kind::text;
        field.text = reader.string();
        break;
      case '{':
      case '[':
        field.kind = Field::Kind::other;
        if (is_rotary && reader.peek() == '{') {
          read_fields(reader, name + ".", fields);
        } else {
          reader.skip();
        }
        break;
      default: {
        const JsonNumber number = reader.any_number();
        if (number.is_whole && !number.is_negative) {
          field.kind = Field::Kind::whole;
          field.whole = number.magnitude;
        } else {
          field.kind = Field::Kind::fraction;
          field.fraction = std::strtod(std::string(number.written).c_str(), nullptr);
        }
      }
    }
    if (reader.failed()) return;
    if (!fields.values.emplace(name, std::move(field)).second) {
      reader.refuse("“" + name + "” stands twice.");
    }
  });
}

Expected<Fields> fields_of(std::string_view json) {
  Fields fields;
  JsonReader reader(json);
  read_fields(reader, "", fields);
  reader.finish();
  if (reader.failed()) {
    return fail(ErrorCode::bad_argument, "config",
                {"The configuration cannot be read. ", reader.problem()});
  }
  return fields;
}

Expected<void> check_sizes(const ModelConfig& config, std::string_view heads,
                           std::string_view kv_heads, std::string_view width) {
  if (config.n_heads % config.n_kv_heads != 0) {
    return fail(ErrorCode::shape_mismatch, kv_heads,
                {kv_heads, " must divide ", heads, "; ", config.n_kv_heads, " does not divide ",
                 config.n_heads, "."});
  }
  if (config.architecture == Architecture::llama && config.head_dim % 2 != 0) {
    return fail(ErrorCode::shape_mismatch, width,
                {"A head has ", config.head_dim,
                 " numbers; rotary positions turn them in pairs, so their count must be even."});
  }
  return {};
}

/// d_model / n_heads, where nothing else is said.
Expected<std::uint64_t> usual_head_dim(const ModelConfig& config, std::string_view heads) {
  if (config.d_model % config.n_heads == 0) return config.d_model / config.n_heads;
  return fail(ErrorCode::shape_mismatch, heads,
              {heads, " must divide the width of the model; ", config.n_heads, " does not divide ",
               config.d_model, "."});
}

RotaryOptions rotary_of(const ModelConfig& config) {
  RotaryOptions options;
  options.base = config.rope_base;
  options.scaling = config.rope_scaling;
  options.factor = config.rope_factor;
  options.original_length = config.rope_original;
  options.few_turns = config.rope_few_turns;
  options.many_turns = config.rope_many_turns;
  return options;
}

/// Whether the turns can be made of what was read, and nothing else of the file is wrong yet.
Expected<void> check_scaling(std::string_view field, const Fields& fields,
                             const ModelConfig& config) {
  if (fields.problem || config.rope_scaling == RotaryScaling::none) return {};
  const auto made = rotary_schedule(as_size(config.head_dim), rotary_of(config));
  if (made) return {};
  return fail(made.error().code, field, {field, ": ", made.error().message});
}

Expected<void> read_scaling_of_gguf(Fields& fields, const std::string& architecture,
                                    ModelConfig& config) {
  const std::string type_key = architecture + ".rope.scaling.type";
  const std::string factor_key = architecture + ".rope.scaling.factor";
  const std::string_view type = fields.word(type_key);
  if (type == "none") return {};
  // Files of before 2023 have the factor alone.
  const double old_factor = fields.number(architecture + ".rope.scale_linear", 1);
  if (type == "linear" || (type.empty() && old_factor != 1)) {
    config.rope_scaling = RotaryScaling::linear;
    config.rope_factor = fields.number(factor_key, old_factor);
  } else if (!type.empty()) {
    fields.refuse(type_key, " says that positions are scaled in a way that is not done here.");
  }
  return check_scaling(factor_key, fields, config);
}

/// `rope_scaling`, or `rope_parameters` as newer files have it.
Expected<void> read_scaling_of_json(Fields& fields, ModelConfig& config) {
  const std::string field = fields.has("rope_parameters") ? "rope_parameters" : "rope_scaling";
  if (!fields.has(field)) return {};
  const std::string inner = field + ".";
  std::string_view type = fields.word(inner + "rope_type");
  if (type.empty()) type = fields.word(inner + "type");
  if (type == "default") return {};
  if (type == "linear") {
    config.rope_scaling = RotaryScaling::linear;
  } else if (type == "llama3") {
    config.rope_scaling = RotaryScaling::llama3;
    config.rope_few_turns = fields.number(inner + "low_freq_factor");
    config.rope_many_turns = fields.number(inner + "high_freq_factor");
    config.rope_original =
        fields.count(inner + "original_max_position_embeddings", 1, max_exact_count);
  } else {
    fields.refuse(field, " says that positions are scaled in a way that is not done here.");
    return {};
  }
  config.rope_factor = fields.number(inner + "factor");
  return check_scaling(field, fields, config);
}

std::unexpected<Error> unknown_architecture(std::string_view field, std::string_view given) {
  return not_done(field, {"The file is of a model of the architecture “", given.substr(0, 40),
                          "”; those that run here are llama and gpt2."});
}

}  // namespace

std::vector<double> rotary_frequencies_of(const ModelConfig& config) {
  const auto width = as_size(config.head_dim);
  if (config.rope_scaling != RotaryScaling::none) {
    if (auto made = rotary_schedule(width, rotary_of(config))) return std::move(made->frequencies);
  }
  return rotary_frequencies(width, config.rope_base);
}

std::string_view name(Architecture architecture) {
  return architecture == Architecture::llama ? "llama" : "gpt2";
}

bool gguf_key_of_model(std::string_view key) {
  constexpr std::string_view general[] = {"general.architecture", "general.alignment",
                                          "general.name", "split.count"};
  if (std::ranges::count(general, key) > 0) return true;
  constexpr std::string_view vocabulary[] = {
      "tokenizer.ggml.model",           "tokenizer.ggml.pre",
      "tokenizer.ggml.tokens",          "tokenizer.ggml.token_type",
      "tokenizer.ggml.merges",          "tokenizer.ggml.bos_token_id",
      "tokenizer.ggml.eos_token_id",    "tokenizer.ggml.add_bos_token",
      "tokenizer.ggml.add_space_prefix"};
  if (key.starts_with("tokenizer.")) return std::ranges::count(vocabulary, key) > 0;
  constexpr std::string_view endings[] = {
      ".block_count",
      ".context_length",
      ".embedding_length",
      ".feed_forward_length",
      ".vocab_size",
      ".attention.head_count",
      ".attention.head_count_kv",
      ".attention.key_length",
      ".attention.value_length",
      ".attention.layer_norm_epsilon",
      ".attention.layer_norm_rms_epsilon",
      ".attention.sliding_window",
      ".rope.dimension_count",
      ".rope.freq_base",
      ".rope.scaling.type",
      ".rope.scaling.factor",
      ".rope.scale_linear",
      ".expert_count",
  };
  return std::ranges::any_of(endings, [&](std::string_view end) { return key.ends_with(end); });
}

Expected<ModelConfig> model_config_of_gguf(const GgufFile& file) {
  Fields fields = fields_of(file);
  ModelConfig config;
  const std::string architecture(fields.word("general.architecture"));
  if (architecture == "llama") {
    config.rotary_pairs = RotaryPairs::interleaved;
  } else if (architecture == "gpt2") {
    config.architecture = Architecture::gpt2;
  } else {
    return unknown_architecture("general.architecture", architecture);
  }
  const auto key = [&](std::string_view end) { return architecture + "." + std::string(end); };
  if (fields.count("split.count", 0, max_exact_count, 1) > 1) {
    return not_done("split.count", {"The file is one part of several; join them first (llama.cpp's "
                                    "llama-gguf-split --merge does)."});
  }
  const bool is_llama = config.architecture == Architecture::llama;
  config.n_layers = fields.count(key("block_count"), 1, max_layers);
  config.d_model = fields.count(key("embedding_length"), 1, max_width);
  config.d_ff = fields.count(key("feed_forward_length"), 1, max_d_ff);
  config.n_heads = fields.count(key("attention.head_count"), 1, max_heads);
  config.n_kv_heads = fields.count(key("attention.head_count_kv"), 1, max_heads, config.n_heads);
  config.context = fields.count(key("context_length"), 1, max_model_context);
  config.vocab_size = fields.count(key("vocab_size"), 0, max_model_vocabulary, 0);
  config.norm_epsilon = static_cast<float>(fields.number(
      key(is_llama ? "attention.layer_norm_rms_epsilon" : "attention.layer_norm_epsilon")));
  if (fields.problem) return std::unexpected<Error>(std::move(*fields.problem));
  const auto width = usual_head_dim(config, key("attention.head_count"));
  if (!fields.has(key("attention.key_length"))) ATTN_CHECK(width);
  config.head_dim = fields.count(key("attention.key_length"), 1, max_width, width.value_or(0));
  const std::string_view must_match[] = {"attention.value_length", "rope.dimension_count"};
  for (const std::string_view end : must_match) {
    const std::uint64_t given = fields.count(key(end), 1, max_width, config.head_dim);
    if (given != config.head_dim) {
      fields.refuse(key(end), " must be the width of a head here.");
    }
  }
  config.rope_base = fields.number(key("rope.freq_base"), 10'000);
  ATTN_CHECK(read_scaling_of_gguf(fields, architecture, config));
  if (fields.count(key("expert_count"), 0, max_exact_count, 0) > 0) {
    fields.refuse(key("expert_count"), " says that there are experts, which are not done here.");
  }
  if (fields.count(key("attention.sliding_window"), 0, max_exact_count, 0) > 0) {
    fields.refuse(key("attention.sliding_window"),
                  " says that layers see a window, which is not done here.");
  }
  if (fields.problem) return std::unexpected<Error>(std::move(*fields.problem));
  ATTN_CHECK(check_sizes(config, key("attention.head_count"), key("attention.head_count_kv"),
                         key("attention.key_length")));
  return config;
}

Expected<ModelConfig> model_config_of_json(std::string_view json) {
  auto read = fields_of(json);
  ATTN_CHECK(read);
  Fields& fields = *read;
  ModelConfig config;
  const std::string_view type = fields.word("model_type");
  if (type == "llama") {
    config.n_layers = fields.count("num_hidden_layers", 1, max_layers);
    config.d_model = fields.count("hidden_size", 1, max_width);
    config.d_ff = fields.count("intermediate_size", 1, max_d_ff);
    config.n_heads = fields.count("num_attention_heads", 1, max_heads);
    config.n_kv_heads = fields.count("num_key_value_heads", 1, max_heads, config.n_heads);
    config.context = fields.count("max_position_embeddings", 1, max_model_context, 2048);
    config.vocab_size = fields.count("vocab_size", 1, max_model_vocabulary, 0);
    config.norm_epsilon = static_cast<float>(fields.number("rms_norm_eps", usual_rms_epsilon));
    config.rope_base = fields.number(
        fields.has("rope_parameters.rope_theta") ? "rope_parameters.rope_theta" : "rope_theta",
        10'000);
    if (fields.problem) return std::unexpected<Error>(std::move(*fields.problem));
    if (fields.has("head_dim")) {
      config.head_dim = fields.count("head_dim", 1, max_width);
    } else {
      const auto width = usual_head_dim(config, "num_attention_heads");
      ATTN_CHECK(width);
      config.head_dim = *width;
    }
    ATTN_CHECK(read_scaling_of_json(fields, config));
    if (const auto word = fields.word("hidden_act"); !word.empty() && word != "silu") {
      fields.refuse("hidden_act", " must be silu.");
    }
    for (const std::string_view bias : {"attention_bias", "mlp_bias"}) {
      if (const Field* field = fields.find(bias); field != nullptr && field->whole != 0) {
        fields.refuse(bias, " says that there are biases, which no llama here has.");
      }
    }
  } else if (type == "gpt2") {
    config.architecture = Architecture::gpt2;
    config.n_layers = fields.count("n_layer", 1, max_layers);
    config.d_model = fields.count("n_embd", 1, max_width);
    config.d_ff = fields.count("n_inner", 1, max_d_ff, 4 * config.d_model);
    config.n_heads = fields.count("n_head", 1, max_heads);
    config.n_kv_heads = config.n_heads;
    config.context = fields.count("n_positions", 1, max_model_context, 1024);
    config.vocab_size = fields.count("vocab_size", 1, max_model_vocabulary, 0);
    config.norm_epsilon =
        static_cast<float>(fields.number("layer_norm_epsilon", usual_norm_epsilon));
    if (fields.problem) return std::unexpected<Error>(std::move(*fields.problem));
    const auto width = usual_head_dim(config, "n_head");
    ATTN_CHECK(width);
    config.head_dim = *width;
    if (const auto word = fields.word("activation_function");
        !word.empty() && word != "gelu_new" && word != "gelu_pytorch_tanh") {
      fields.refuse("activation_function", " must be gelu_new.");
    }
    for (const std::string_view flag : {"scale_attn_by_inverse_layer_idx", "add_cross_attention"}) {
      if (const Field* field = fields.find(flag); field != nullptr && field->whole != 0) {
        fields.refuse(flag, " asks for what is not done here.");
      }
    }
  } else {
    return unknown_architecture("model_type", type);
  }
  if (fields.problem) return std::unexpected<Error>(std::move(*fields.problem));
  ATTN_CHECK(check_sizes(config, "num_attention_heads", "num_key_value_heads", "head_dim"));
  return config;
}

}  // namespace attn

#include <algorithm>
#include <optional>
#include <string>

#include "core/limits.hpp"
#include "kv_cache/config_reading.hpp"
#include "kv_cache/field_limits.hpp"

namespace attn {
namespace {

/// What families call a kind of layer; nothing for a word that is not known.
std::optional<Layer> layer_of(std::string_view word) {
  struct Word {
    std::string_view word;
    Layer layer;
  };
  constexpr Word words[] = {
      {"full_attention", Layer::full},
      {"attention", Layer::full},
      {"full", Layer::full},
      {"global", Layer::full},
      {"global_attention", Layer::full},
      {"sliding_attention", Layer::local},
      {"chunked_attention", Layer::local},
      {"local", Layer::local},
      {"local_attention", Layer::local},
      {"sliding_window", Layer::local},
      {"linear_attention", Layer::state},
      {"mamba", Layer::state},
      {"mamba2", Layer::state},
      {"conv", Layer::state},
      {"hybrid", Layer::full_and_state},
      {"mlp", Layer::nothing},
      {"moe", Layer::nothing},
  };
  for (const Word& known : words) {
    if (known.word == word) return known.layer;
  }
  return {};
}

class LayersReader : ConfigPart {
 public:
  explicit LayersReader(ConfigReading& reading) : ConfigPart(reading) {}

  void plan() {
    if (in_.failed()) return;
    const bool is_planned =
        plan_from_words() || plan_from_letters() || plan_from_periods() || plan_from_chunks();
    if (!is_planned && !in_.failed()) plan_from_window();
    CacheModel& model = read_.model;
    if (in_.failed()) return;
    if (model.n_layers == 0) {
      missing("n_layers");
      missing("full_layers");
      return;
    }
    count_layers(model, layers_);
    if (model.local_layers > 0 && model.window == 0) find_window("sliding_window");
    if (model.local_layers > 0 && model.window == 0) missing("window");
  }

 private:
  bool has_local() const { return std::ranges::count(layers_, Layer::local) > 0; }

  /// The number of layers, from a list of them where the file does not tell it otherwise.
  bool agree_on_layers(std::string_view field, std::uint64_t length) {
    CacheModel& model = read_.model;
    if (model.n_layers == 0 && length > 0 && length <= max_model_layers) {
      model.n_layers = length;
      note({"The number of layers is the length of ", in_.full_name(field), ", ", length, "."});
    }
    if (length == model.n_layers) return true;
    in_.refuse(ErrorCode::shape_mismatch, field,
               {in_.full_name(field), " names ", length, " layers, and the model has ",
                model.n_layers, "; the two must be equal."});
    return false;
  }

  bool plan_from_words() {
    for (const std::string_view name : {"layer_types", "layers_block_type", "attention_layers"}) {
      const ConfigValue* list = in_.find({name});
      if (list == nullptr) continue;
      if (list->kind != Kind::list) {
        in_.refuse(ErrorCode::bad_argument, name,
                   {in_.full_name(name), " must be a list with a word for each layer."});
        return true;
      }
      if (!agree_on_layers(name, list->length)) return true;
      bool chunked = false;
      for (const ConfigValue& item : list->items) {
        const auto layer = item.kind == Kind::text ? layer_of(item.written) : std::nullopt;
        if (!layer) {
          in_.refuse(ErrorCode::bad_argument, name,
                     {in_.full_name(name), " has the kind of layer ", shown(item.written),
                      ", and what that keeps is not known here."});
          return true;
        }
        chunked = chunked || item.written == "chunked_attention";
        layers_.push_back(*layer);
      }
      if (chunked) find_window("attention_chunk_size");
      const bool local = has_local();
      if (local && !chunked && name == "attention_layers") find_window("window_size");
      if (local && !chunked && in_.flag("use_sliding_window") == false) {
        in_.refuse(ErrorCode::shape_mismatch, "use_sliding_window",
                   {"use_sliding_window is false and ", in_.full_name(name),
                    " has layers with a sliding window; the two contradict each other."});
      }
      return true;
    }
    return in_.has("hybrid_layer_pattern") && plan_from_bits("hybrid_layer_pattern");
  }

  /// A list of 0, a full layer, and 1, a local one.
  bool plan_from_bits(std::string_view name) {
    const std::vector<std::uint64_t> bits = in_.list(name, 0, 2);
    if (in_.failed() || !agree_on_layers(name, bits.size())) return true;
    for (const std::uint64_t bit : bits) layers_.push_back(bit == 1 ? Layer::local : Layer::full);
    return true;
  }

  /// Nemotron-H: M a state-space layer, * attention, - an MLP, E experts.
  bool plan_from_letters() {
    const auto letters = in_.word("hybrid_override_pattern");
    if (!letters) return in_.failed();
    if (!agree_on_layers("hybrid_override_pattern", letters->size())) return true;
    for (const char letter : *letters) {
      const std::size_t at = std::string_view("M*-E").find(letter);
      if (at == std::string_view::npos) {
        in_.refuse(ErrorCode::bad_argument, "hybrid_override_pattern",
                   {"hybrid_override_pattern must be made of M, *, - and E; it has ",
                    shown(std::string(1, letter)), "."});
        return true;
      }
      layers_.push_back(at == 0 ? Layer::state : at == 1 ? Layer::full : Layer::nothing);
    }
    return true;
  }

  bool plan_from_periods() {
    const std::uint64_t n = read_.model.n_layers;
    if (const std::uint64_t period = count({"attn_layer_period"}, max_model_layers); period > 0) {
      const std::uint64_t offset = count({"attn_layer_offset"}, max_model_layers, 0);
      if (offset >= period) {
        in_.refuse(ErrorCode::shape_mismatch, "attn_layer_offset",
                   {"attn_layer_offset must be below attn_layer_period, ", period, "; it is ",
                    offset, "."});
      }
      for (std::size_t i = 0; i < as_size(n); ++i) {
        layers_.push_back(i % period == offset ? Layer::full : Layer::state);
      }
      return true;
    }
    if (in_.has("attn_layer_indices")) return plan_from_indices("attn_layer_indices", 0);
    if (in_.has("linear_attn_config.full_attn_layers")) {
      return plan_from_indices("linear_attn_config.full_attn_layers", 1);
    }
    if (in_.has("full_attn_idxs")) return plan_from_indices("full_attn_idxs", 0);
    const bool recurrent = in_.has("linear_num_value_heads") || in_.has("linear_attn_config") ||
                           in_.has("conv_L_cache");
    if (const std::uint64_t every = count({"full_attention_interval"}, max_model_layers);
        every > 0) {
      for (std::size_t i = 0; i < as_size(n); ++i) {
        layers_.push_back((i + 1) % every == 0 ? Layer::full : Layer::state);
      }
      return true;
    }
    if (recurrent) {
      missing("full_layers");
      missing("state_layers");
      note(
          {"The file tells of layers with a recurrent state, and not which they are "
           "(layer_types or full_attention_interval)."});
      return true;
    }
    if (is_state_alone()) {
      layers_.assign(as_size(n), Layer::state);
      return true;
    }
    if (in_.find({"mamba_d_ssm", "mamba_n_heads", "mamba_num_heads"}) != nullptr) {
      layers_.assign(as_size(n), Layer::full_and_state);
      note(
          {"The file has a state-space part and no pattern of layers: every layer is taken to "
           "have attention and a state beside it."});
      return true;
    }
    return in_.failed();
  }

  /// The layers with attention, counted from `first`; the others have a state.
  bool plan_from_indices(std::string_view name, std::uint64_t first) {
    const std::uint64_t n = read_.model.n_layers;
    if (n == 0) return true;
    layers_.assign(as_size(n), Layer::state);
    for (const std::uint64_t layer : in_.list(name, first, n + first)) {
      layers_[as_size(layer - first)] = Layer::full;
    }
    return true;
  }

  /// Llama 4: attention within chunks, except in layers without rotary positions.
  bool plan_from_chunks() {
    if (!in_.has("attention_chunk_size")) return in_.failed();
    const std::uint64_t n = read_.model.n_layers;
    find_window("attention_chunk_size");
    const ConfigValue* list = in_.find({"no_rope_layers"});
    const bool is_empty = list != nullptr && list->kind == Kind::list && list->length == 0;
    if (list != nullptr && !is_empty) return plan_from_bits("no_rope_layers");
    std::uint64_t every = count({"no_rope_layer_interval"}, max_model_layers);
    if (every == 0) {
      every = 4;
      note(
          {"no_rope_layers and no_rope_layer_interval are not given: every fourth layer is taken "
           "to attend to everything, as is the rule where they are left out."});
    }
    for (std::size_t i = 0; i < as_size(n); ++i) {
      layers_.push_back((i + 1) % every == 0 ? Layer::full : Layer::local);
    }
    return true;
  }

  void plan_from_window() {
    CacheModel& model = read_.model;
    const std::uint64_t n = model.n_layers;
    const auto use = in_.flag("use_sliding_window");
    const bool has_window = in_.has("sliding_window") || in_.has("sliding_window_size");
    if (!has_window || use == false) {
      layers_.assign(as_size(n), Layer::full);
      return;
    }
    find_window("sliding_window");
    const std::uint64_t window = model.window;
    if (plan_from_window_pattern()) return;
    if (in_.has("max_window_layers")) {
      const std::uint64_t first = count({"max_window_layers"}, max_model_layers, 0);
      if (!use) {
        note(
            {"use_sliding_window is not given: no layer is taken to have the window, as is the "
             "rule where max_window_layers is given without it."});
      }
      for (std::size_t i = 0; i < as_size(n); ++i) {
        layers_.push_back(use == true && i >= first ? Layer::local : Layer::full);
      }
      return;
    }
    const ConfigValue* cache = in_.find({"cache_implementation"});
    const bool two_kinds = in_.has("rope_local_base_freq") || in_.has("query_pre_attn_scalar") ||
                           in_.has("global_head_dim") ||
                           (cache != nullptr && cache->written == "hybrid");
    if (two_kinds) {
      missing("full_layers");
      missing("local_layers");
      note({"The file gives a window of ", window,
            " tokens and fields of a model that has it in some layers only, and not in which "
            "(layer_types or sliding_window_pattern)."});
      return;
    }
    layers_.assign(as_size(n), Layer::local);
    note({"The file gives a window of ", window,
          " tokens and no pattern of layers: all layers are taken to have it."});
  }

  /// A number p: each p-th layer is full. Letters, L and G: repeated to the last layer.
  bool plan_from_window_pattern() {
    const std::uint64_t n = read_.model.n_layers;
    for (const std::string_view name : {"sliding_window_pattern", "_sliding_window_pattern"}) {
      const ConfigValue* pattern = in_.find({name});
      if (pattern == nullptr) continue;
      if (pattern->kind != Kind::text) {
        const std::uint64_t every = count({name}, max_model_layers);
        if (every == 0) return true;
        for (std::size_t i = 0; i < as_size(n); ++i) {
          layers_.push_back((i + 1) % every == 0 ? Layer::full : Layer::local);
        }
        return true;
      }
      const std::string& letters = pattern->written;
      if (letters.empty() || letters.find_first_not_of("LG") != std::string::npos) {
        in_.refuse(ErrorCode::bad_argument, name,
                   {in_.full_name(name), " is the text ", shown(letters),
                    "; it must be a whole number, or the letters L and G."});
        return true;
      }
      for (std::size_t i = 0; i < as_size(n); ++i) {
        layers_.push_back(letters[i % letters.size()] == 'G' ? Layer::full : Layer::local);
      }
      return true;
    }
    return in_.failed();
  }

  void find_window(std::string_view name) {
    read_.model.window = name == "sliding_window"
                             ? count({"sliding_window", "sliding_window_size"}, max_model_tokens)
                             : count({name}, max_model_tokens);
    if (name == "attention_chunk_size" && read_.model.window > 0) {
      note({"Attention in chunks of ", read_.model.window,
            " tokens is priced as a window of that size, the most that a chunk keeps."});
    }
  }
};

}  // namespace

void read_layers(ConfigReading& reading) { LayersReader(reading).plan(); }

}  // namespace attn

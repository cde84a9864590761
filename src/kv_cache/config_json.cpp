#include "kv_cache/config_json.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/limits.hpp"
#include "kv_cache/config_fields.hpp"
#include "kv_cache/field_limits.hpp"
#include "kv_cache/parameter_count.hpp"

namespace attn {
namespace {

using Kind = ConfigValue::Kind;
using Names = std::initializer_list<std::string_view>;

enum class Layer : std::uint8_t { nothing, full, local, state, full_and_state, unknown };

/// What families call a kind of layer.
Layer layer_of(std::string_view word) {
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
  return Layer::unknown;
}

class ConfigReader {
 public:
  explicit ConfigReader(ConfigFields fields) : in_(std::move(fields)) {}

  Expected<ReadModel> read() {
    architecture();
    if (in_.flag("is_encoder_decoder").value_or(false)) {
      in_.refuse(ErrorCode::bad_argument, "is_encoder_decoder",
                 {"is_encoder_decoder is true: an encoder with a decoder keeps a second cache for "
                  "what it attends to, which is not priced here; give a decoder's configuration."});
    }
    const bool any = in_.find({"num_hidden_layers", "n_layer", "n_layers", "num_layers",
                               "hidden_size", "n_embd", "d_model", "dim", "num_attention_heads",
                               "n_head", "n_heads", "num_heads", "layer_types"}) != nullptr;
    if (!any) {
      in_.refuse(ErrorCode::bad_argument, "file",
                 {"The file has none of a model's fields, such as num_hidden_layers, "
                  "num_attention_heads and hidden_size; give the model's own config.json."});
    }
    refuse_what_has_no_price();
    if (in_.is_nested()) {
      const std::string object = in_.prefix().substr(0, in_.prefix().size() - 1);
      note({"The fields are those of ", object, ", the language model in this file."});
    }
    if (std::string supplied = in_.supply_defaults(); !supplied.empty()) {
      read_.notes.push_back(std::move(supplied));
    }
    sizes();
    plan();
    widths();
    sharing();
    state();
    parameters();
    if (in_.failed()) return std::unexpected<Error>(in_.problem());
    if (read_.missing.empty() || only_parameters_are_missing()) {
      ATTN_CHECK(check_cache_model(read_.model));
    }
    return std::move(read_);
  }

 private:
  void note(std::initializer_list<Piece> sentence) { read_.notes.push_back(text(sentence)); }
  void missing(std::string_view field) { read_.missing.emplace_back(field); }

  bool only_parameters_are_missing() const {
    return std::ranges::all_of(read_.missing, [](const std::string& field) {
      return field == "parameters" || field == "active_parameters" || field == "max_tokens" ||
             field == "d_model";
    });
  }

  std::uint64_t count(Names names, std::uint64_t most, std::uint64_t least = 1) {
    return in_.count(names, least, most).value_or(0);
  }

  bool has_attention_heads() const {
    return in_.find({"num_attention_heads", "n_head", "n_heads"}) != nullptr;
  }

  /// A state-space model without attention: its num_heads and head_dim are those of its state.
  bool is_state_alone() const {
    return !has_attention_heads() && in_.find({"state_size", "ssm_state_size"}) != nullptr;
  }

  void architecture() {
    const ConfigValue* list = in_.find_anywhere("architectures");
    if (list != nullptr && list->kind == Kind::list && !list->items.empty() &&
        list->items[0].kind == Kind::text) {
      read_.architecture = list->items[0].written;
    } else if (const ConfigValue* type = in_.find_anywhere("model_type");
               type != nullptr && type->kind == Kind::text) {
      read_.architecture = type->written;
    }
    // It is shown; nothing needs it whole.
    if (read_.architecture.size() > 100) read_.architecture = shown(read_.architecture);
  }

  void sizes() {
    CacheModel& model = read_.model;
    model.n_layers =
        count({"num_hidden_layers", "n_layer", "n_layers", "num_layers"}, max_model_layers);
    model.d_model = count({"hidden_size", "n_embd", "n_embed", "d_model", "dim"}, max_model_width);
    model.n_heads = count({"num_attention_heads", "n_head", "n_heads"}, max_model_heads);
    if (model.n_heads == 0 && !is_state_alone())
      model.n_heads = count({"num_heads"}, max_model_heads);
    // A file may name the longest text in several ways that differ; the first is the one that engines read.
    for (const std::string_view name :
         {"max_position_embeddings", "n_positions", "max_sequence_length", "max_seq_len",
          "max_seq_length", "seq_length", "n_ctx"}) {
      model.max_tokens = count({name}, max_model_tokens);
      if (model.max_tokens != 0) break;
    }
    if (model.max_tokens == 0) missing("max_tokens");
    if (model.d_model == 0) missing("d_model");
    if (model.n_heads == 0 && !is_state_alone()) missing("n_heads");
  }

  /// Fields of models that keep what the bill has no term for: a wrong price would be worse than none.
  void refuse_what_has_no_price() {
    for (const std::string_view name :
         {"compress_ratios", "kv_source_layer_ids", "kv_reuse_group", "layer_group_size",
          "hybrid_layer_ids", "block_configs", "block_types", "num_key_value_heads_per_layer",
          "attention_hidden_size", "mb_per_layer", "zero_expert_num"}) {
      if (!in_.has(name)) continue;
      in_.refuse(ErrorCode::bad_argument, name,
                 {"The file has ", in_.full_name(name),
                  ", a field of models whose cache is not priced here; enter its layers by hand."});
    }
    // Of MiniMax: 1 for attention, 0 for a recurrence.
    const ConfigValue* types = in_.find({"attn_type_list"});
    if (types != nullptr && !std::ranges::all_of(types->items, [](const ConfigValue& item) {
          return item.is_whole && !item.is_negative && item.magnitude == 1;
        })) {
      in_.refuse(ErrorCode::bad_argument, "attn_type_list",
                 {in_.full_name("attn_type_list"),
                  " has layers other than attention (1), whose state is not priced here; enter its "
                  "layers by hand."});
    }
  }

  // --- Which layer keeps what ---

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
    for (const Layer layer : layers_) {
      model.full_layers += layer == Layer::full || layer == Layer::full_and_state;
      model.local_layers += layer == Layer::local;
      model.state_layers += layer == Layer::state || layer == Layer::full_and_state;
    }
    if (model.local_layers > 0 && model.window == 0) find_window("sliding_window");
    if (model.local_layers > 0 && model.window == 0) missing("window");
    if (model.local_layers == 0 && !layers_.empty()) model.window = 0;
  }

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
        const Layer layer = item.kind == Kind::text ? layer_of(item.written) : Layer::unknown;
        if (layer == Layer::unknown) {
          in_.refuse(ErrorCode::bad_argument, name,
                     {in_.full_name(name), " has the kind of layer ", shown(item.written),
                      ", and what that keeps is not known here."});
          return true;
        }
        chunked = chunked || item.written == "chunked_attention";
        layers_.push_back(layer);
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
    const ConfigValue* list = in_.find({name});
    if (!agree_on_layers(name, list->length)) return true;
    for (const ConfigValue& item : list->items) {
      if (item.kind != Kind::number || !item.is_whole || item.is_negative || item.magnitude > 1) {
        in_.refuse(ErrorCode::bad_argument, name,
                   {in_.full_name(name), " must be a list of 0 and 1, one for each layer."});
        return true;
      }
      layers_.push_back(item.magnitude == 1 ? Layer::local : Layer::full);
    }
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
    layers_.assign(as_size(read_.model.n_layers), Layer::state);
    const ConfigValue* list = in_.find({name});
    for (const ConfigValue& item : list->items) {
      const bool is_index = item.kind == Kind::number && item.is_whole && !item.is_negative &&
                            item.magnitude >= first && item.magnitude - first < layers_.size();
      if (!is_index) {
        in_.refuse(ErrorCode::shape_mismatch, name,
                   {in_.full_name(name), " must be a list of layers from ", first, " to ",
                    layers_.size() + first - (layers_.empty() ? 0 : 1), "."});
        return true;
      }
      layers_[as_size(item.magnitude - first)] = Layer::full;
    }
    if (list->kind != Kind::list) {
      in_.refuse(ErrorCode::bad_argument, name, {in_.full_name(name), " must be a list."});
    }
    return true;
  }

  /// Llama 4: attention within chunks, except in layers without rotary positions.
  bool plan_from_chunks() {
    if (!in_.has("attention_chunk_size")) return in_.failed();
    const std::uint64_t n = read_.model.n_layers;
    find_window("attention_chunk_size");
    const ConfigValue* list = in_.find({"no_rope_layers"});
    if (list != nullptr && list->length > 0) return plan_from_bits("no_rope_layers");
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

  // --- How wide ---

  void widths() {
    CacheModel& model = read_.model;
    if (in_.failed() || is_state_alone()) return;
    model.index_width = count({"index_head_dim"}, max_model_width);
    model.index_top_k = count({"index_topk"}, max_model_tokens);
    if (model.index_top_k != 0 && model.index_width == 0) missing("index_width");
    if (in_.has("kv_lora_rank")) {
      latent_widths();
    } else {
      head_widths();
    }
    if (in_.failed() || model.local_layers == 0) return;
    const std::uint64_t kv = count({"swa_num_key_value_heads"}, max_model_heads);
    const std::uint64_t d_k = count({"swa_head_dim"}, max_model_width);
    const std::uint64_t d_v = count({"swa_v_head_dim"}, max_model_width);
    model.local_n_kv_heads = kv != 0 ? kv : model.n_kv_heads;
    model.local_d_k = d_k != 0 ? d_k : model.d_k;
    model.local_d_v = d_v != 0 ? d_v : d_k != 0 ? d_k : model.d_v;
    // Gemma 4 gives the full layers' own beside the local ones'.
    if (const std::uint64_t d = count({"global_head_dim"}, max_model_width); d != 0) {
      model.d_k = model.d_v = d;
    }
    const bool applies = in_.flag("attention_k_eq_v").value_or(true);
    if (const std::uint64_t n = count({"num_global_key_value_heads"}, max_model_heads);
        n != 0 && applies) {
      model.n_kv_heads = n;
    }
  }

  void latent_widths() {
    CacheModel& model = read_.model;
    model.latent_rank = count({"kv_lora_rank"}, max_model_width);
    model.n_kv_heads = model.n_heads;
    for (const auto& [name, field] :
         {std::pair{"qk_rope_head_dim", &model.rope_width}, std::pair{"v_head_dim", &model.d_v}}) {
      *field = count({name}, max_model_width);
      if (*field == 0) missing(name == std::string_view("v_head_dim") ? "d_v" : "rope_width");
    }
    const std::uint64_t nope = count({"qk_nope_head_dim"}, max_model_width);
    if (nope == 0) {
      missing("d_k");
    } else {
      model.d_k = nope + model.rope_width;
    }
  }

  void head_widths() {
    CacheModel& model = read_.model;
    const Names kv_names = {"num_key_value_heads",
                            "num_kv_heads",
                            "n_kv_heads",
                            "n_head_kv",
                            "multi_query_group_num",
                            "num_query_groups",
                            "attn_config.kv_n_heads"};
    if (in_.flag("multi_query").value_or(false) &&
        !in_.flag("new_decoder_architecture").value_or(false)) {
      model.n_kv_heads = 1;
      note({"multi_query is true: one head of K and V serves all heads."});
    } else {
      model.n_kv_heads = count(kv_names, max_model_heads);
      if (model.n_kv_heads == 0 && model.n_heads != 0) {
        model.n_kv_heads = model.n_heads;
        note({"num_key_value_heads is not given: every one of the ", model.n_heads,
              " heads is taken to have K and V of its own (multi-head attention)."});
      }
    }
    if (in_.failed()) return;
    if (model.n_kv_heads == 0) missing("n_kv_heads");
    if (model.n_heads != 0 && model.n_kv_heads != 0 && model.n_heads % model.n_kv_heads != 0) {
      const std::string_view name = in_.name_of(kv_names);
      in_.refuse(ErrorCode::shape_mismatch, name,
                 {in_.full_name(name), " is ", model.n_kv_heads, ", and the model has ",
                  model.n_heads, " heads; KV heads must divide the heads."});
      return;
    }
    model.d_k = count({"head_dim", "attention_head_dim", "kv_channels", "d_head"}, max_model_width);
    if (in_.failed()) return;
    if (model.d_k == 0) {
      if (model.d_model == 0 || model.n_heads == 0) {
        missing("d_k");
        missing("d_v");
        return;
      }
      if (model.d_model % model.n_heads != 0) {
        in_.refuse(ErrorCode::shape_mismatch, "head_dim",
                   {"head_dim is not given, and ", model.d_model, " columns cannot be shared by ",
                    model.n_heads, " heads; the file must give head_dim."});
        return;
      }
      model.d_k = model.d_model / model.n_heads;
      note({"head_dim is not given: it is taken as ", model.d_model, " columns / ", model.n_heads,
            " heads = ", model.d_k, "."});
    }
    const std::uint64_t d_v = count({"v_head_dim"}, max_model_width);
    model.d_v = d_v != 0 ? d_v : model.d_k;
  }

  void sharing() {
    if (in_.failed()) return;
    CacheModel& model = read_.model;
    std::vector<bool> shares(layers_.size());
    if (const std::uint64_t last = count({"num_kv_shared_layers"}, max_model_layers, 0); last > 0) {
      if (last >= layers_.size()) {
        in_.refuse(ErrorCode::shape_mismatch, "num_kv_shared_layers",
                   {"num_kv_shared_layers must be below the number of layers, ", layers_.size(),
                    "; it is ", last, "."});
        return;
      }
      std::fill(shares.end() - static_cast<std::ptrdiff_t>(last), shares.end(), true);
    } else if (in_.flag("use_cla").value_or(false)) {
      const std::uint64_t factor = count({"cla_share_factor"}, max_model_layers);
      if (factor == 0) {
        missing("full_sharing");
        note(
            {"use_cla is true, and cla_share_factor, how many layers share a cache, is not "
             "given."});
        return;
      }
      for (std::size_t i = 0; i < shares.size(); ++i) shares[i] = i % factor != 0;
    }
    for (std::size_t i = 0; i < shares.size(); ++i) {
      if (!shares[i]) continue;
      model.full_sharing += layers_[i] == Layer::full;
      model.local_sharing += layers_[i] == Layer::local;
    }
    const bool none_keeps = (model.full_sharing != 0 && model.full_sharing == model.full_layers) ||
                            (model.local_sharing != 0 && model.local_sharing == model.local_layers);
    if (none_keeps) {
      const std::string_view name = in_.name_of({"num_kv_shared_layers", "cla_share_factor"});
      in_.refuse(ErrorCode::shape_mismatch, name,
                 {in_.full_name(name),
                  " leaves no layer of one kind that keeps what the others of its kind read."});
    }
  }

  // --- The recurrent state ---

  void state() {
    CacheModel& model = read_.model;
    if (in_.failed() || model.state_layers == 0) return;
    const auto state = state_numbers();
    if (!state) {
      if (!in_.failed()) missing("state_numbers");
    } else if (!*state) {
      in_.refuse(state->error().code, "state_numbers", {state->error().message});
    } else {
      model.state_numbers = **state;
    }
  }

  /// Nothing where the fields do not tell it.
  std::optional<Expected<std::uint64_t>> state_numbers() {
    const auto w = [&](Names names) { return count(names, max_model_width); };
    const auto sum = [](const Expected<std::uint64_t>& a,
                        const Expected<std::uint64_t>& b) -> Expected<std::uint64_t> {
      ATTN_CHECK(a);
      ATTN_CHECK(b);
      return checked_product("state_numbers", {*a + *b});
    };
    const auto product = [](std::initializer_list<std::uint64_t> factors) {
      return checked_product("state_numbers", factors);
    };
    if (in_.has("linear_num_value_heads")) {
      const std::uint64_t n_k = w({"linear_num_key_heads"}), n_v = w({"linear_num_value_heads"});
      const std::uint64_t d_k = w({"linear_key_head_dim"}), d_v = w({"linear_value_head_dim"});
      const std::uint64_t kernel = w({"linear_conv_kernel_dim"});
      if (n_k == 0 || n_v == 0 || d_k == 0 || d_v == 0 || kernel == 0) return {};
      return sum(product({kernel - 1, 2 * n_k * d_k + n_v * d_v}), product({n_v, d_k, d_v}));
    }
    if (in_.has("linear_attn_config")) {
      const std::uint64_t n = w({"linear_attn_config.num_heads"});
      const std::uint64_t d = w({"linear_attn_config.head_dim"});
      const std::uint64_t kernel = w({"linear_attn_config.short_conv_kernel_size"});
      if (n == 0 || d == 0 || kernel == 0) return {};
      return sum(product({kernel - 1, 3, n, d}), product({n, d, d}));
    }
    if (in_.has("conv_L_cache")) {
      const std::uint64_t length = w({"conv_L_cache"});
      if (length < 2 || read_.model.d_model == 0) return {};
      return product({length - 1, read_.model.d_model});
    }
    const std::uint64_t size = w({"ssm_state_size", "mamba_d_state", "state_size"});
    const std::uint64_t kernel = w({"conv_kernel", "mamba_d_conv"});
    if (size == 0 || kernel == 0) return {};
    const std::uint64_t expand = w({"mamba_expand", "expand"});
    const std::uint64_t expanded = expand * read_.model.d_model;
    std::uint64_t heads = w({"mamba_num_heads", "mamba_n_heads", "n_mamba_heads"});
    if (heads == 0 && is_state_alone()) heads = w({"num_heads"});
    if (heads == 0) {
      // The first Mamba: one state for each of the expanded columns.
      if (expanded == 0) return {};
      return sum(product({kernel - 1, expanded}), product({expanded, size}));
    }
    const std::uint64_t inner = inner_width(heads, expanded);
    const std::uint64_t groups = w({"n_groups", "mamba_n_groups", "mamba_ngroups"});
    if (inner == 0 || groups == 0) return {};
    return sum(product({kernel - 1, inner + 2 * groups * size}), product({inner, size}));
  }

  /// Of Mamba-2: its heads side by side.
  std::uint64_t inner_width(std::uint64_t heads, std::uint64_t expanded) {
    const ConfigValue* head = in_.find({"mamba_d_head"});
    if (head != nullptr && head->kind == Kind::text && head->written == "auto") {
      const std::uint64_t inner = count({"mamba_d_ssm"}, max_model_width);
      return inner != 0 ? inner : expanded;
    }
    std::uint64_t d = count({"mamba_head_dim", "mamba_d_head", "mamba_headdim"}, max_model_width);
    if (d == 0 && is_state_alone()) d = count({"head_dim"}, max_model_width);
    return heads * d;
  }

  // --- Weights ---

  void parameters() {
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
    note({"The parameters are counted from the fields: ",
          shape->tied ? "one matrix for embedding and output, "
                      : "a matrix for the embedding and one for the output, ",
          shape->gated ? "gated MLPs of three matrices, " : "MLPs of two matrices, ",
          shape->norms_per_layer == 2 ? "two norms a layer, " : "four norms a layer, ",
          shape->qk_norm ? "norms of Q and K, " : "",
          shape->qkv_bias ? "biases for Q, K and V." : "no biases for Q, K and V."});
  }

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
    const ConfigValue* vocabulary = in_.find_anywhere("vocab_size");
    const bool is_whole = model.state_layers == 0 && model.full_layers + model.local_layers > 0 &&
                          model.full_layers + model.local_layers == model.n_layers &&
                          model.d_model != 0 && model.n_heads != 0 && model.d_k != 0 &&
                          model.d_v != 0 && vocabulary != nullptr;
    const bool is_special =
        in_.find({"hidden_size_per_layer_input", "altup_num_inputs", "moe_layer_start_index",
                  "shared_intermediate_size", "index_head_dim", "attention_k_eq_v"}) != nullptr;
    if (!is_whole || is_special) return {};
    DecoderShape shape;
    shape.d_model = model.d_model;
    shape.n_heads = model.n_heads;
    if (in_.has("vocab_size")) {
      shape.vocabulary = plain_count({"vocab_size"}, max_model_width);
    } else if (vocabulary->kind == Kind::number && vocabulary->is_whole &&
               vocabulary->magnitude <= max_model_width) {
      shape.vocabulary = vocabulary->magnitude;
    } else {
      return {};
    }
    shape.full = {model.full_layers, 0, model.n_kv_heads, model.d_k, model.d_v};
    shape.local = {model.local_layers, 0, model.local_n_kv_heads, model.local_d_k, model.local_d_v};
    if (in_.flag("use_cla").value_or(false)) {
      shape.full.keyless = model.full_sharing;
      shape.local.keyless = model.local_sharing;
    } else if (model.full_sharing + model.local_sharing > 0) {
      return {};
    }
    const bool is_plain = in_.has("rms_norm_eps") ? gated_decoder(shape) : gpt2_decoder(shape);
    if (!is_plain || !plain_ || in_.failed()) return {};
    return shape;
  }

  /// GPT-2's: learnt positions, biases everywhere, an MLP of two matrices, one matrix for embedding and output.
  bool gpt2_decoder(DecoderShape& shape) {
    if (!in_.has("n_embd") || !in_.has("n_positions") || in_.has("rotary_dim")) return false;
    shape.tied = in_.flag("tie_word_embeddings").value_or(true);
    shape.learnt_positions = read_.model.max_tokens;
    shape.qkv_bias = shape.out_bias = shape.norm_bias = shape.mlp_bias = true;
    shape.gated = false;
    shape.dense_layers = read_.model.n_layers;
    const std::uint64_t width = plain_count({"n_inner"}, max_model_width);
    shape.dense_width = width != 0 ? width : 4 * shape.d_model;
    return true;
  }

  /// Llama's, with what its successors changed: experts, latent attention, norms of Q and K, four norms a layer.
  bool gated_decoder(DecoderShape& shape) {
    const ConfigValue* act = in_.find({"hidden_act", "hidden_activation"});
    if (act == nullptr || act->kind != Kind::text) return false;
    const std::string& kind = act->written;
    if (kind != "silu" && kind != "swiglu" && kind != "gelu_pytorch_tanh" && kind != "gelu") {
      return false;
    }
    const bool four_norms = in_.has("query_pre_attn_scalar");
    // Files are written without what is the library's default, and that is one matrix.
    shape.tied = in_.flag("tie_word_embeddings").value_or(true);
    shape.norms_per_layer = four_norms ? 4 : 2;
    // The two generations of Qwen give max_window_layers; the older has biases that no field tells, the newer norms.
    const auto bias = in_.flag("attention_bias");
    const bool like_qwen = in_.has("max_window_layers");
    shape.qkv_bias = bias.value_or(like_qwen);
    shape.out_bias = bias.value_or(false) && !in_.has("use_qk_norm");
    shape.mlp_bias = in_.flag("mlp_bias").value_or(false);
    shape.qk_norm = in_.flag("use_qk_norm").value_or(false) ||
                    in_.flag("qk_layernorm").value_or(false) || (like_qwen && bias.has_value());
    if (read_.model.latent_rank != 0) {
      shape.latent_rank = read_.model.latent_rank;
      shape.rope_width = read_.model.rope_width;
      shape.nope_width = plain_count({"qk_nope_head_dim"}, max_model_width);
      shape.q_rank = plain_count({"q_lora_rank"}, max_model_width);
      shape.qkv_bias = shape.out_bias = shape.qk_norm = false;
      if (shape.nope_width == 0) return false;
    }
    return layers_of_experts(shape);
  }

  bool layers_of_experts(DecoderShape& shape) {
    const std::uint64_t n = read_.model.n_layers;
    const std::uint64_t width = plain_count({"intermediate_size"}, max_model_width, 0);
    constexpr std::uint64_t most_experts = 1 << 20;
    const Names expert_names = {"num_local_experts", "n_routed_experts", "num_experts",
                                "moe_num_experts"};
    const bool off = in_.flag("enable_moe_block") == false;
    shape.experts = off ? 0 : plain_count(expert_names, most_experts, 0);
    if (shape.experts <= 1) {
      shape.experts = 0;
      shape.dense_layers = n;
      shape.dense_width = width;
      return width != 0;
    }
    shape.experts_used = plain_count({"num_experts_per_tok", "experts_per_token", "moe_topk",
                                      "top_k_experts", "moe_k", "n_experts_per_tok"},
                                     most_experts);
    if (shape.experts_used == 0) return false;
    if (shape.experts_used > shape.experts) {
      in_.refuse(ErrorCode::shape_mismatch, "num_experts_per_tok",
                 {"A token chooses ", shape.experts_used, " experts of ", shape.experts,
                  "; it cannot choose more than there are."});
      return false;
    }
    const std::uint64_t own_width = plain_count({"moe_intermediate_size"}, max_model_width);
    shape.expert_width = own_width != 0 ? own_width : width;
    if (shape.expert_width == 0) return false;
    const std::uint64_t shared = plain_count(
        {"n_shared_experts", "num_shared_experts", "num_shared_expert"}, most_experts, 0);
    shape.shared_width = shared * shape.expert_width;
    const std::uint64_t shared_width =
        plain_count({"shared_expert_intermediate_size"}, max_model_width, 0);
    if (shared_width != 0) {
      shape.shared_width = shared_width;
      shape.shared_gate = true;
    }
    // Auxiliary-loss-free balancing adds a learnt number to each expert's score.
    const ConfigValue* method = in_.find({"topk_method"});
    shape.router_bias = method != nullptr && method->written == "noaux_tc";
    return choose_expert_layers(shape, width);
  }

  /// Which layers have experts; the others have one MLP.
  bool choose_expert_layers(DecoderShape& shape, std::uint64_t width) {
    const std::uint64_t n = read_.model.n_layers;
    std::vector<bool> has_experts(as_size(n), true);
    const auto every = [&](std::uint64_t period, std::uint64_t at) {
      for (std::size_t i = 0; i < has_experts.size(); ++i)
        has_experts[i] = has_experts[i] && i % period == at;
    };
    if (const std::uint64_t s = plain_count({"decoder_sparse_step"}, max_model_layers); s != 0) {
      every(s, s - 1);
    }
    if (const std::uint64_t s = plain_count({"moe_layer_freq"}, max_model_layers); s != 0) {
      every(s, 0);
    }
    std::uint64_t dense_width = width;
    if (const std::uint64_t s = plain_count({"interleave_moe_layer_step"}, max_model_layers);
        s != 0) {
      every(s, s - 1);
      // Llama 4: one expert of the same width for every token, and dense layers of their own width.
      shape.shared_width = shape.expert_width;
      const std::uint64_t own = plain_count({"intermediate_size_mlp"}, max_model_width);
      dense_width = own != 0 ? own : width;
    }
    if (const std::uint64_t p = plain_count({"expert_layer_period"}, max_model_layers); p != 0) {
      every(p, plain_count({"expert_layer_offset"}, max_model_layers, 0));
    }
    const std::uint64_t first = plain_count({"first_k_dense_replace"}, max_model_layers, 0);
    std::fill_n(has_experts.begin(), as_size(std::min(first, n)), false);
    if (const ConfigValue* list = in_.find({"mlp_only_layers"})) {
      for (const ConfigValue& item : list->items) {
        if (item.kind == Kind::number && item.is_whole && item.magnitude < n) {
          has_experts[as_size(item.magnitude)] = false;
        }
      }
    }
    shape.expert_layers = static_cast<std::uint64_t>(std::ranges::count(has_experts, true));
    shape.dense_layers = n - shape.expert_layers;
    shape.dense_width = dense_width;
    return shape.dense_layers == 0 || dense_width != 0;
  }

  ConfigFields in_;
  ReadModel read_;
  std::vector<Layer> layers_;
  bool plain_ = true;
};

}  // namespace

Expected<ReadModel> read_config_json(std::string_view file) {
  if (file.size() > max_config_bytes) {
    return fail(ErrorCode::too_large, "file",
                {"A config.json may have at most ", max_config_bytes, " bytes; this file has ",
                 file.size(), ", so it is another file."});
  }
  ATTN_CHECK(check_bytes("file", std::uint64_t{file.size()} * 4));
  auto fields = ConfigFields::read(file);
  ATTN_CHECK(fields);
  return ConfigReader(std::move(*fields)).read();
}

}  // namespace attn

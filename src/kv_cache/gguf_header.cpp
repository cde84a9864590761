#include "kv_cache/gguf_header.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/limits.hpp"
#include "kv_cache/class_defaults.hpp"
#include "kv_cache/config_fields.hpp"
#include "kv_cache/field_limits.hpp"
#include "kv_cache/gguf_file.hpp"
#include "kv_cache/layer_plan.hpp"

namespace attn {
namespace {

using Kind = GgufValue::Kind;

class HeaderReader {
 public:
  explicit HeaderReader(GgufFile file) : file_(std::move(file)) {}

  Expected<ReadModel> read() {
    ATTN_CHECK(architecture());
    ATTN_CHECK(refuse_what_has_no_price());
    ATTN_CHECK(sizes());
    ATTN_CHECK(heads());
    ATTN_CHECK(plan());
    count_layers(read_.model, layers_);
    ATTN_CHECK(one_number_of_kv_heads());
    ATTN_CHECK(widths());
    ATTN_CHECK(sharing());
    ATTN_CHECK(state());
    ATTN_CHECK(parameters());
    ATTN_CHECK(check_read_model(read_));
    return std::move(read_);
  }

 private:
  void note(std::initializer_list<Piece> sentence) { read_.notes.push_back(text(sentence)); }
  void missing(std::string_view field) { read_.missing.emplace_back(field); }
  std::string key(std::string_view name) const { return prefix_ + std::string(name); }

  Expected<void> architecture() {
    const auto at = file_.values.find("general.architecture");
    if (at == file_.values.end() || at->second.kind != Kind::text || at->second.text.empty()) {
      return fail(ErrorCode::bad_argument, "general.architecture",
                  {"The file does not say general.architecture as a text, with which its keys "
                   "begin, so it holds no language model."});
    }
    read_.architecture = at->second.text.size() > 100 ? shown(at->second.text) : at->second.text;
    prefix_ = at->second.text + ".";
    return {};
  }

  const GgufValue* find(std::string_view name) const {
    const auto at = file_.values.find(key(name));
    return at == file_.values.end() ? nullptr : &at->second;
  }

  /// A number for each layer; an array stands for itself and a single number for all. Empty where the key is missing.
  /// A truth value is a number only where it is asked for.
  Expected<std::vector<std::uint64_t>> numbers(std::string_view name, std::uint64_t most,
                                               std::size_t layers, bool or_truth_values = false) {
    const GgufValue* value = find(name);
    if (value == nullptr) return std::vector<std::uint64_t>{};
    const std::string field = key(name);
    if (value->kind == Kind::negative) {
      return fail(ErrorCode::out_of_range, field, {field, " must not be negative."});
    }
    const bool is_boolean = value->kind == Kind::boolean;
    if (value->kind != Kind::whole && !(is_boolean && or_truth_values)) {
      return fail(ErrorCode::bad_argument, field,
                  {field,
                   is_boolean                  ? " is a truth value"
                   : value->kind == Kind::text ? " is a text"
                                               : " is a fraction",
                   "; it must be a whole number."});
    }
    for (const std::uint64_t number : value->numbers) {
      ATTN_CHECK(check_count(field, number, 0, most));
    }
    if (!value->is_array) return std::vector<std::uint64_t>(layers, value->numbers.at(0));
    if (value->length < layers) {
      return fail(ErrorCode::shape_mismatch, field,
                  {field, " has ", value->length, " numbers, and the model ", layers,
                   " layers; there must be one for each."});
    }
    return std::vector<std::uint64_t>(value->numbers.begin(),
                                      value->numbers.begin() + static_cast<std::ptrdiff_t>(layers));
  }

  /// One number; 0 where the key is missing. An array must hold the same everywhere.
  Expected<std::uint64_t> number(std::string_view name, std::uint64_t most) {
    const GgufValue* value = find(name);
    if (value == nullptr) return std::uint64_t{0};
    if (value->is_array && value->length == 0) return std::uint64_t{0};
    const auto all = numbers(name, most, value->is_array ? value->numbers.size() : 1);
    ATTN_CHECK(all);
    if (std::ranges::any_of(*all, [&](std::uint64_t n) { return n != all->front(); })) {
      return fail(ErrorCode::bad_argument, key(name),
                  {key(name), " differs from layer to layer; one number is needed for all."});
    }
    return all->front();
  }

  Expected<void> set(std::uint64_t& field, std::string_view name, std::uint64_t most) {
    const auto value = number(name, most);
    ATTN_CHECK(value);
    field = *value;
    return {};
  }

  /// Models that keep no cache, or what the bill has no term for.
  Expected<void> refuse_what_has_no_price() {
    const GgufValue* causal = find("attention.causal");
    if (causal != nullptr && causal->numbers == std::vector<std::uint64_t>{0}) {
      return fail(ErrorCode::bad_argument, key("attention.causal"),
                  {key("attention.causal"),
                   " is false: an encoder sees all tokens at once and keeps no cache."});
    }
    if (find("decoder_start_token_id") != nullptr) {
      return fail(ErrorCode::bad_argument, key("decoder_start_token_id"),
                  {"The file has ", key("decoder_start_token_id"),
                   ": an encoder with a decoder keeps a second cache for what it attends to, which "
                   "is not priced here."});
    }
    if (find("wkv.head_size") != nullptr) {
      return fail(ErrorCode::bad_argument, key("wkv.head_size"),
                  {"The file has ", key("wkv.head_size"),
                   ", a field of models whose state is not priced here."});
    }
    return {};
  }

  Expected<void> sizes() {
    CacheModel& model = read_.model;
    ATTN_CHECK(set(model.n_layers, "block_count", max_model_layers));
    ATTN_CHECK(set(model.d_model, "embedding_length", max_model_width));
    ATTN_CHECK(set(model.max_tokens, "context_length", max_model_tokens));
    if (find("block_count") == nullptr) {
      return fail(ErrorCode::bad_argument, key("block_count"),
                  {"The file does not say ", key("block_count"),
                   ", the number of layers, so it holds no language model."});
    }
    std::uint64_t extra = 0;
    ATTN_CHECK(set(extra, "nextn_predict_layers", max_model_layers));
    ATTN_CHECK(check_count(key("block_count"), model.n_layers, extra + 1, max_model_layers));
    if (extra > 0) {
      model.n_layers -= extra;
      note(
          {"Of the layers, ", extra,
           " only guess further tokens; they are left out, as their cache is used by that alone."});
    }
    if (model.d_model == 0) missing("d_model");
    if (model.max_tokens == 0) missing("max_tokens");
    return {};
  }

  Expected<void> heads() {
    CacheModel& model = read_.model;
    auto all = numbers("attention.head_count", max_model_heads, as_size(model.n_layers));
    ATTN_CHECK(all);
    heads_ = std::move(*all);
    for (const std::uint64_t n : heads_) {
      if (n == 0 || n == model.n_heads) continue;
      if (model.n_heads != 0) {
        return fail(ErrorCode::bad_argument, key("attention.head_count"),
                    {key("attention.head_count"), " differs from layer to layer, ", model.n_heads,
                     " and ", n, ", which cannot be priced here."});
      }
      model.n_heads = n;
    }
    auto kv = numbers("attention.head_count_kv", max_model_heads, as_size(model.n_layers));
    ATTN_CHECK(kv);
    kv_heads_ = std::move(*kv);
    if (kv_heads_.empty()) {
      kv_heads_ = heads_;
      if (model.n_heads != 0) {
        note({key("attention.head_count_kv"), " is not given: every one of the ", model.n_heads,
              " heads is taken to have K and V of its own (multi-head attention)."});
      }
    }
    return {};
  }

  bool has_state() const {
    return find("ssm.state_size") != nullptr || find("shortconv.l_cache") != nullptr ||
           find("kda.head_dim") != nullptr;
  }

  Expected<void> plan() {
    const std::uint64_t n = read_.model.n_layers;
    if (read_.model.n_heads == 0) {
      if (has_state()) {
        layers_.assign(as_size(n), Layer::state);
      } else {
        missing("n_heads");
        missing("full_layers");
      }
      return {};
    }
    layers_.assign(as_size(n), Layer::full);
    std::uint64_t every = 0;
    ATTN_CHECK(set(every, "full_attention_interval", max_model_layers));
    const bool some_without = std::ranges::count(kv_heads_, 0U) > 0;
    if (some_without) {
      ATTN_CHECK(layers_without_attention());
    } else if (has_state()) {
      for (std::size_t i = 0; i < as_size(n); ++i) {
        if (every == 0) {
          layers_[i] = Layer::full_and_state;
        } else if ((i + 1) % every != 0) {
          layers_[i] = Layer::state;
        }
      }
      if (every == 0) {
        note(
            {"The file has a state-space part and attention in every layer: both are taken to "
             "stand side by side in each."});
      }
    }
    return window();
  }

  /// Zero KV heads: a state, or, where a width of the MLP is given for each layer, an MLP alone.
  Expected<void> layers_without_attention() {
    const std::uint64_t n = read_.model.n_layers;
    const GgufValue* given = find("feed_forward_length");
    const auto mlp = numbers("feed_forward_length", max_model_width, as_size(n));
    ATTN_CHECK(mlp);
    const bool tells_mlps = given != nullptr && given->is_array && std::ranges::count(*mlp, 0U) > 0;
    for (std::size_t i = 0; i < as_size(n); ++i) {
      if (kv_heads_[i] != 0) continue;
      const bool has_mlp = tells_mlps && (*mlp)[i] != 0;
      layers_[i] = has_mlp || !has_state() ? Layer::nothing : Layer::state;
    }
    return {};
  }

  Expected<void> window() {
    CacheModel& model = read_.model;
    ATTN_CHECK(set(model.window, "attention.sliding_window", max_model_tokens));
    if (model.window == 0) return {};
    const GgufValue* pattern = find("attention.sliding_window_pattern");
    if (pattern == nullptr) {
      const auto* known =
          std::ranges::find(window_patterns, read_.architecture, &WindowPattern::architecture);
      if (known != window_patterns.end()) {
        for (std::size_t i = 0; i < layers_.size(); ++i) {
          if (layers_[i] == Layer::full && (i + 1) % known->every != 0) layers_[i] = Layer::local;
        }
        note({"The file leaves out ", key("attention.sliding_window_pattern"), "; files of ",
              read_.architecture, " are read with one full layer in ", known->every, "."});
        return {};
      }
      layers_.clear();
      missing("full_layers");
      missing("local_layers");
      note({"The file gives a window of ", model.window, " tokens and no ",
            key("attention.sliding_window_pattern"),
            ": which layers have the window is not in it."});
      return {};
    }
    const auto local = numbers("attention.sliding_window_pattern", max_model_layers,
                               as_size(model.n_layers), true);
    ATTN_CHECK(local);
    for (std::size_t i = 0; i < as_size(model.n_layers); ++i) {
      const std::uint64_t value = (*local)[i];
      const bool is_local = pattern->is_array || pattern->kind == Kind::boolean
                                ? value != 0
                                : value == 0 || (i + 1) % value != 0;
      if (is_local && layers_[i] == Layer::full) layers_[i] = Layer::local;
    }
    return {};
  }

  /// Of all full layers, and of all local ones.
  Expected<void> one_number_of_kv_heads() {
    CacheModel& model = read_.model;
    const auto one = [&](bool local, std::uint64_t& made) -> Expected<void> {
      for (std::size_t i = 0; i < layers_.size() && i < kv_heads_.size(); ++i) {
        if ((layers_[i] == Layer::local) != local || kv_heads_[i] == 0) continue;
        if (made != 0 && made != kv_heads_[i]) {
          return fail(ErrorCode::bad_argument, key("attention.head_count_kv"),
                      {key("attention.head_count_kv"), " differs between layers of one kind, ",
                       made, " and ", kv_heads_[i], ", which cannot be priced here."});
        }
        made = kv_heads_[i];
      }
      if (made != 0 && model.n_heads % made != 0) {
        return fail(ErrorCode::shape_mismatch, key("attention.head_count_kv"),
                    {key("attention.head_count_kv"), " is ", made, ", and the model has ",
                     model.n_heads, " heads; KV heads must divide the heads."});
      }
      return {};
    };
    ATTN_CHECK(one(false, model.n_kv_heads));
    ATTN_CHECK(one(true, model.local_n_kv_heads));
    if (model.n_kv_heads == 0) model.n_kv_heads = model.local_n_kv_heads;
    if (model.n_kv_heads == 0 && !kv_heads_.empty()) {
      const auto largest = std::ranges::max_element(kv_heads_);
      model.n_kv_heads = *largest;
    }
    return {};
  }

  Expected<void> widths() {
    CacheModel& model = read_.model;
    if (model.n_heads == 0) return {};
    ATTN_CHECK(set(model.d_k, "attention.key_length", max_model_width));
    ATTN_CHECK(set(model.d_v, "attention.value_length", max_model_width));
    ATTN_CHECK(set(model.latent_rank, "attention.kv_lora_rank", max_model_width));
    ATTN_CHECK(set(model.index_width, "attention.indexer.key_length", max_model_width));
    ATTN_CHECK(set(model.index_top_k, "attention.indexer.top_k", max_model_tokens));
    if (model.index_top_k != 0 && model.index_width == 0) missing("index_width");
    ATTN_CHECK(model.latent_rank != 0 ? latent_widths() : head_widths());
    if (model.local_layers == 0) return {};
    ATTN_CHECK(set(model.local_d_k, "attention.key_length_swa", max_model_width));
    ATTN_CHECK(set(model.local_d_v, "attention.value_length_swa", max_model_width));
    if (model.local_d_k == 0) model.local_d_k = model.d_k;
    if (model.local_d_v == 0) model.local_d_v = model.d_v;
    return {};
  }

  Expected<void> head_widths() {
    CacheModel& model = read_.model;
    if (model.d_k == 0 || model.d_v == 0) {
      if (model.d_model == 0) {
        missing("d_k");
        missing("d_v");
        return {};
      }
      if (model.d_model % model.n_heads != 0) {
        return fail(ErrorCode::shape_mismatch, key("attention.key_length"),
                    {key("attention.key_length"), " is not given, and ", model.d_model,
                     " columns cannot be shared by ", model.n_heads, " heads."});
      }
      const std::uint64_t d = model.d_model / model.n_heads;
      if (model.d_k == 0) model.d_k = d;
      if (model.d_v == 0) model.d_v = d;
      note({"The width of a head is not given: it is taken as ", model.d_model, " columns / ",
            model.n_heads, " heads = ", d, "."});
    }
    return {};
  }

  /// Files with one KV head keep the latent vector as its key; the widths of the heads then have keys of their own. Local
  /// layers keep the keys and values of the heads.
  Expected<void> latent_widths() {
    CacheModel& model = read_.model;
    ATTN_CHECK(set(model.rope_width, "rope.dimension_count", max_model_width));
    if (model.rope_width == 0) missing("rope_width");
    std::uint64_t d_k = 0, d_v = 0;
    ATTN_CHECK(set(d_k, "attention.key_length_mla", max_model_width));
    ATTN_CHECK(set(d_v, "attention.value_length_mla", max_model_width));
    if (d_k != 0) model.d_k = d_k;
    if (d_v != 0) model.d_v = d_v;
    if (model.d_k == 0) missing("d_k");
    if (model.d_v == 0) missing("d_v");
    model.n_kv_heads = model.n_heads;
    if (model.local_layers != 0) model.local_n_kv_heads = model.n_heads;
    return {};
  }

  Expected<void> sharing() {
    std::uint64_t last = 0;
    ATTN_CHECK(set(last, "attention.shared_kv_layers", max_model_layers));
    return share_last_layers(read_, layers_, last, key("attention.shared_kv_layers"));
  }

  /// Mamba, Mamba-2 and gated delta nets in the same four numbers: (kernel - 1) columns of what the convolution reads,
  /// and a state of state_size for each of inner_size.
  Expected<void> state() {
    CacheModel& model = read_.model;
    if (model.state_layers == 0) return {};
    std::uint64_t kernel = 0, inner = 0, size = 0, groups = 0, length = 0, head = 0;
    ATTN_CHECK(set(kernel, "ssm.conv_kernel", max_model_width));
    ATTN_CHECK(set(inner, "ssm.inner_size", max_model_width));
    ATTN_CHECK(set(size, "ssm.state_size", max_model_width));
    ATTN_CHECK(set(groups, "ssm.group_count", max_model_heads));
    ATTN_CHECK(set(length, "shortconv.l_cache", max_model_width));
    ATTN_CHECK(set(head, "kda.head_dim", max_model_width));
    if (head != 0 && kernel != 0) {
      // Kimi's delta attention: a square for each head, and the columns of three convolutions.
      const auto columns = checked_product("state_numbers", {kernel - 1, 3, model.n_heads, head});
      ATTN_CHECK(columns);
      const auto squares = checked_product("state_numbers", {model.n_heads, head, head});
      ATTN_CHECK(squares);
      model.state_numbers = *columns + *squares;
      return {};
    }
    if (kernel == 0 || inner == 0 || size == 0) {
      if (length > 1 && model.d_model != 0) {
        const auto columns = checked_product("state_numbers", {length - 1, model.d_model});
        ATTN_CHECK(columns);
        model.state_numbers = *columns;
      } else {
        missing("state_numbers");
      }
      return {};
    }
    const auto read = checked_product("state_numbers", {2, groups, size});
    ATTN_CHECK(read);
    const auto columns = checked_product("state_numbers", {kernel - 1, inner + *read});
    ATTN_CHECK(columns);
    const auto kept = checked_product("state_numbers", {inner, size});
    ATTN_CHECK(kept);
    model.state_numbers = *columns + *kept;
    return {};
  }

  Expected<void> parameters() {
    CacheModel& model = read_.model;
    std::uint64_t experts = 0, used = 0;
    ATTN_CHECK(set(experts, "expert_count", max_model_width));
    ATTN_CHECK(set(used, "expert_used_count", max_model_width));
    const auto parts = file_.values.find("split.count");
    const bool is_split = parts != file_.values.end() && !parts->second.numbers.empty() &&
                          parts->second.numbers[0] > 1;
    if (!file_.has_tensors || is_split || file_.tensors.weights == 0) {
      missing("parameters");
      missing("active_parameters");
      if (is_split) note({"The file is one part of several and lists its own tensors alone."});
      return {};
    }
    const GgufTensors& sums = file_.tensors;
    model.parameters = sums.weights;
    model.active_parameters = sums.weights;
    if (sums.expert_weights == 0) return {};
    if (experts == 0 || used == 0 || used > experts || sums.expert_weights % experts != 0) {
      model.active_parameters = 0;
      missing("active_parameters");
      return {};
    }
    model.active_parameters = sums.weights - sums.expert_weights / experts * (experts - used);
    return {};
  }

  GgufFile file_;
  ReadModel read_;
  std::string prefix_;
  std::vector<std::uint64_t> heads_, kv_heads_;
  std::vector<Layer> layers_;
};

std::unexpected<Error> cut_short(std::uint64_t there, std::uint64_t needed) {
  return fail(ErrorCode::bad_argument, "file",
              {"The file's header goes on beyond the ", there, " bytes that were read; it needs ",
               needed, " at least. If the file has no more, it is cut short: get it again."});
}

}  // namespace

Expected<ReadModel> read_gguf_header(std::span<const std::uint8_t> bytes) {
  auto file = parse_gguf(bytes);
  ATTN_CHECK(file);
  if (!file->has_keys) return cut_short(bytes.size(), file->needed);
  return HeaderReader(std::move(*file)).read();
}

std::uint64_t gguf_bytes_needed(std::span<const std::uint8_t> bytes) {
  const auto file = parse_gguf(bytes);
  return file ? file->needed : 0;
}

Expected<std::uint64_t> gguf_weight_bytes(std::span<const std::uint8_t> bytes) {
  const auto file = parse_gguf(bytes);
  ATTN_CHECK(file);
  if (!file->has_tensors) return cut_short(bytes.size(), file->needed);
  if (file->tensors.has_unknown_type) {
    return fail(ErrorCode::bad_argument, "file",
                {"A tensor has the type ", file->tensors.unknown_type,
                 ", whose size is not known here; enter the size of the weights by hand."});
  }
  return file->tensors.bytes;
}

}  // namespace attn

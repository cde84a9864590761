#include "kv_cache/config_json.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/limits.hpp"
#include "kv_cache/config_fields.hpp"
#include "kv_cache/config_reading.hpp"
#include "kv_cache/field_limits.hpp"
#include "kv_cache/layer_plan.hpp"

namespace attn {
namespace {

class ConfigReader : ConfigPart {
 public:
  explicit ConfigReader(ConfigReading& reading) : ConfigPart(reading), reading_(reading) {}

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
    read_layers(reading_);
    read_widths(reading_);
    read_sharing(reading_);
    read_state(reading_);
    read_weights(reading_);
    if (in_.failed()) return std::unexpected<Error>(in_.problem());
    ATTN_CHECK(check_read_model(read_));
    return std::move(read_);
  }

 private:
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
    if (std::ranges::count(in_.list("attn_type_list", 0, 2), 0U) > 0) {
      in_.refuse(ErrorCode::bad_argument, "attn_type_list",
                 {in_.full_name("attn_type_list"),
                  " has layers other than attention (1), whose state is not priced here; enter its "
                  "layers by hand."});
    }
  }

  ConfigReading& reading_;
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
  ConfigReading reading{std::move(*fields), {}, {}};
  return ConfigReader(reading).read();
}

}  // namespace attn

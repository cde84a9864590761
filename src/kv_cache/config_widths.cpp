#include <string>
#include <utility>

#include "kv_cache/config_reading.hpp"
#include "kv_cache/field_limits.hpp"

namespace attn {
namespace {

class WidthsReader : ConfigPart {
 public:
  explicit WidthsReader(ConfigReading& reading) : ConfigPart(reading) {}

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

 private:
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
};

}  // namespace

void read_widths(ConfigReading& reading) { WidthsReader(reading).widths(); }

}  // namespace attn

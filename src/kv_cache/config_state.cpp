#include <optional>

#include "core/limits.hpp"
#include "kv_cache/config_reading.hpp"
#include "kv_cache/field_limits.hpp"

namespace attn {
namespace {

class StateReader : ConfigPart {
 public:
  explicit StateReader(ConfigReading& reading) : ConfigPart(reading) {}

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

 private:
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
};

}  // namespace

void read_state(ConfigReading& reading) { StateReader(reading).state(); }

}  // namespace attn

#include "kv_cache/cache_model.hpp"

#include <initializer_list>
#include <string_view>
#include <utility>

#include "core/limits.hpp"

namespace attn {
namespace {

/// Layers, heads, widths: far above what exists, and low enough that their products are counted exactly or refused.
constexpr std::uint64_t most_layers = 1 << 20;
constexpr std::uint64_t most_heads = 1 << 20;
constexpr std::uint64_t most_width = 1 << 30;

struct Count {
  std::string_view field;
  std::uint64_t value, least, most;
};

Expected<void> check_counts(std::initializer_list<Count> counts) {
  for (const auto& [field, value, least, most] : counts) {
    ATTN_CHECK(check_count(field, value, least, most));
  }
  return {};
}

/// The heads and widths of one kind of attention layer: needed where there are such layers.
Expected<void> check_heads(std::uint64_t n_heads, const Count& n_kv_heads, const Count& d_k,
                           const Count& d_v) {
  ATTN_CHECK(check_counts({n_kv_heads, d_k, d_v}));
  if (n_kv_heads.value > n_heads || n_heads % n_kv_heads.value != 0) {
    return fail(ErrorCode::shape_mismatch, n_kv_heads.field,
                {n_kv_heads.field, " must divide n_heads: ", n_heads,
                 " heads cannot be shared out over ", n_kv_heads.value, " KV heads."});
  }
  return {};
}

Expected<void> check_full(const CacheModel& model) {
  if (model.full_layers == 0) {
    return check_counts({{"latent_rank", model.latent_rank, 0, 0},
                         {"index_width", model.index_width, 0, 0},
                         {"full_sharing", model.full_sharing, 0, 0}});
  }
  ATTN_CHECK(check_heads(model.n_heads, {"n_kv_heads", model.n_kv_heads, 1, most_heads},
                         {"d_k", model.d_k, 1, most_width}, {"d_v", model.d_v, 1, most_width}));
  ATTN_CHECK(check_counts({{"latent_rank", model.latent_rank, 0, most_width},
                           {"rope_width", model.rope_width, 0, most_width},
                           {"index_width", model.index_width, 0, most_width},
                           {"full_sharing", model.full_sharing, 0, model.full_layers}}));
  if (model.rope_width != 0 && model.latent_rank == 0) {
    return fail(ErrorCode::shape_mismatch, "rope_width",
                {"rope_width is ", model.rope_width,
                 " and latent_rank is 0: only a cache of latents keeps a rotary key apart. Give a "
                 "latent_rank, or leave rope_width out."});
  }
  return {};
}

Expected<void> check_local(const CacheModel& model) {
  if (model.local_layers == 0) {
    if (model.window != 0) {
      return fail(ErrorCode::shape_mismatch, "window",
                  {"A window of ", model.window,
                   " tokens is given and no layer is local. Give local_layers, or no window."});
    }
    return check_counts(
        {{"sinks", model.sinks, 0, 0}, {"local_sharing", model.local_sharing, 0, 0}});
  }
  ATTN_CHECK(check_heads(model.n_heads, {"local_n_kv_heads", model.local_n_kv_heads, 1, most_heads},
                         {"local_d_k", model.local_d_k, 1, most_width},
                         {"local_d_v", model.local_d_v, 1, most_width}));
  return check_counts({{"window", model.window, 1, max_exact_count / 2},
                       {"sinks", model.sinks, 0, max_exact_count / 2},
                       {"local_sharing", model.local_sharing, 0, model.local_layers}});
}

}  // namespace

Expected<void> check_cache_model(const CacheModel& model) {
  ATTN_CHECK(check_counts({{"n_layers", model.n_layers, 1, most_layers},
                           {"full_layers", model.full_layers, 0, most_layers},
                           {"local_layers", model.local_layers, 0, most_layers},
                           {"state_layers", model.state_layers, 0, model.n_layers},
                           {"d_model", model.d_model, 0, most_width},
                           {"parameters", model.parameters, 0, max_exact_count},
                           {"active_parameters", model.active_parameters, 0, max_exact_count},
                           {"max_tokens", model.max_tokens, 0, max_exact_count}}));
  const std::uint64_t attention = model.full_layers + model.local_layers;
  if (attention > model.n_layers) {
    return fail(ErrorCode::shape_mismatch, "n_layers",
                {"There are ", model.full_layers, " full and ", model.local_layers,
                 " local layers, which is more than n_layers, ", model.n_layers, "."});
  }
  if (model.active_parameters > model.parameters) {
    return fail(ErrorCode::shape_mismatch, "active_parameters",
                {"active_parameters, ", model.active_parameters, ", is more than all parameters, ",
                 model.parameters, "."});
  }
  ATTN_CHECK(check_counts({{"n_heads", model.n_heads, attention == 0 ? 0U : 1U, most_heads},
                           {"state_numbers", model.state_numbers, model.state_layers == 0 ? 0U : 1U,
                            model.state_layers == 0 ? 0 : max_exact_count}}));
  ATTN_CHECK(check_full(model));
  ATTN_CHECK(check_local(model));
  const std::uint64_t keeping = attention - model.full_sharing - model.local_sharing;
  if (keeping == 0 && model.state_layers == 0) {
    return fail(ErrorCode::shape_mismatch, attention == 0 ? "full_layers" : "full_sharing",
                {"No layer keeps a cache or a state: at least one has to."});
  }
  return {};
}

}  // namespace attn

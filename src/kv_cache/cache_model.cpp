#include "kv_cache/cache_model.hpp"

#include "core/limits.hpp"
#include "kv_cache/field_limits.hpp"

namespace attn {
namespace {

struct Heads {
  std::string_view layers_field, kv_field, k_field, v_field, sharing_field;
  std::uint64_t layers, n_kv_heads, d_k, d_v, sharing;
};

/// One kind of attention layer.
Expected<void> check_heads(const CacheModel& model, const Heads& heads) {
  ATTN_CHECK(check_count(heads.kv_field, heads.n_kv_heads, 0, max_model_heads));
  ATTN_CHECK(check_count(heads.k_field, heads.d_k, 0, max_model_width));
  ATTN_CHECK(check_count(heads.v_field, heads.d_v, 0, max_model_width));
  if (heads.layers > 0) {
    ATTN_CHECK(check_count("n_heads", model.n_heads, 1, max_model_heads));
    // Of latents too: keys and values are what a prompt is read with.
    ATTN_CHECK(check_count(heads.kv_field, heads.n_kv_heads, 1, max_model_heads));
    ATTN_CHECK(check_count(heads.k_field, heads.d_k, 1, max_model_width));
    ATTN_CHECK(check_count(heads.v_field, heads.d_v, 1, max_model_width));
    if (model.n_heads % heads.n_kv_heads != 0) {
      return fail(ErrorCode::shape_mismatch, heads.kv_field,
                  {heads.kv_field, " must divide n_heads; ", heads.n_kv_heads, " does not divide ",
                   model.n_heads, "."});
    }
  }
  if (heads.sharing != 0 && heads.sharing >= heads.layers) {
    return fail(ErrorCode::shape_mismatch, heads.sharing_field,
                {heads.sharing_field, " is ", heads.sharing, " of ", heads.layers,
                 " layers; at least one must keep what the others read."});
  }
  return {};
}

/// Two fields of which each asks for the other.
Expected<void> check_together(std::string_view one, std::uint64_t one_value, std::string_view other,
                              std::uint64_t other_value) {
  if ((one_value == 0) == (other_value == 0)) return {};
  const bool one_is_there = one_value != 0;
  return fail(ErrorCode::shape_mismatch, one_is_there ? other : one,
              {one_is_there ? one : other, " is ", one_is_there ? one_value : other_value, " and ",
               one_is_there ? other : one, " is 0; give both or neither."});
}

}  // namespace

Expected<void> check_cache_model(const CacheModel& model) {
  ATTN_CHECK(check_count("n_layers", model.n_layers, 1, max_model_layers));
  ATTN_CHECK(check_count("n_heads", model.n_heads, 0, max_model_heads));
  ATTN_CHECK(check_count("d_model", model.d_model, 0, max_model_width));
  ATTN_CHECK(check_count("full_layers", model.full_layers, 0, model.n_layers));
  ATTN_CHECK(check_count("local_layers", model.local_layers, 0, model.n_layers));
  ATTN_CHECK(check_count("state_layers", model.state_layers, 0, model.n_layers));
  if (model.full_layers + model.local_layers > model.n_layers) {
    return fail(ErrorCode::shape_mismatch, "local_layers",
                {"full_layers and local_layers are ", model.full_layers, " and ",
                 model.local_layers, ", together more than n_layers, ", model.n_layers, "."});
  }
  if (model.full_layers + model.local_layers + model.state_layers == 0) {
    return fail(ErrorCode::shape_mismatch, "full_layers",
                {"No layer keeps anything: at least one of full_layers, local_layers and "
                 "state_layers must be above 0."});
  }
  ATTN_CHECK(check_count("latent_rank", model.latent_rank, 0, max_model_width));
  ATTN_CHECK(check_count("rope_width", model.rope_width, 0, max_model_width));
  ATTN_CHECK(check_count("index_width", model.index_width, 0, max_model_width));
  ATTN_CHECK(check_count("index_top_k", model.index_top_k, 0, max_model_tokens));
  ATTN_CHECK(check_count("window", model.window, 0, max_model_tokens));
  ATTN_CHECK(check_count("sinks", model.sinks, 0, max_model_tokens));
  ATTN_CHECK(check_count("state_numbers", model.state_numbers, 0, max_state_numbers));
  ATTN_CHECK(check_count("parameters", model.parameters, 0, max_exact_count));
  ATTN_CHECK(check_count("active_parameters", model.active_parameters, 0, max_exact_count));
  ATTN_CHECK(check_count("max_tokens", model.max_tokens, 0, max_model_tokens));
  ATTN_CHECK(check_heads(
      model, {"full_layers", "n_kv_heads", "d_k", "d_v", "full_sharing", model.full_layers,
              model.n_kv_heads, model.d_k, model.d_v, model.full_sharing}));
  ATTN_CHECK(check_heads(model, {"local_layers", "local_n_kv_heads", "local_d_k", "local_d_v",
                                 "local_sharing", model.local_layers, model.local_n_kv_heads,
                                 model.local_d_k, model.local_d_v, model.local_sharing}));
  ATTN_CHECK(check_together("window", model.window, "local_layers", model.local_layers));
  ATTN_CHECK(
      check_together("state_numbers", model.state_numbers, "state_layers", model.state_layers));
  const auto needs = [](std::string_view field, std::uint64_t value, std::string_view other,
                        std::uint64_t other_value) -> Expected<void> {
    if (value == 0 || other_value != 0) return {};
    return fail(ErrorCode::shape_mismatch, field,
                {field, " is ", value, " and ", other, " is 0; set ", field, " to 0 too."});
  };
  ATTN_CHECK(needs("sinks", model.sinks, "local_layers", model.local_layers));
  ATTN_CHECK(needs("latent_rank", model.latent_rank, "full_layers", model.full_layers));
  ATTN_CHECK(needs("rope_width", model.rope_width, "latent_rank", model.latent_rank));
  ATTN_CHECK(needs("index_width", model.index_width, "full_layers", model.full_layers));
  ATTN_CHECK(needs("index_top_k", model.index_top_k, "index_width", model.index_width));
  if (model.latent_rank != 0 && model.rope_width >= model.d_k) {
    return fail(ErrorCode::shape_mismatch, "rope_width",
                {"rope_width is the rotary part of a head's d_k, ", model.d_k,
                 ", and must be less; it is ", model.rope_width, "."});
  }
  if (model.active_parameters > model.parameters) {
    return fail(ErrorCode::shape_mismatch, "active_parameters",
                {"active_parameters must be at most parameters, ", model.parameters, "; it is ",
                 model.active_parameters, "."});
  }
  return {};
}

}  // namespace attn

#include "cache_model_option.hpp"

#include "core/limits.hpp"

namespace attn::binding {
namespace {

struct Field {
  const char* name;
  std::uint64_t CacheModel::* place;
};

constexpr Field fields[] = {
    {"n_layers", &CacheModel::n_layers},
    {"n_heads", &CacheModel::n_heads},
    {"d_model", &CacheModel::d_model},
    {"full_layers", &CacheModel::full_layers},
    {"n_kv_heads", &CacheModel::n_kv_heads},
    {"d_k", &CacheModel::d_k},
    {"d_v", &CacheModel::d_v},
    {"latent_rank", &CacheModel::latent_rank},
    {"rope_width", &CacheModel::rope_width},
    {"index_width", &CacheModel::index_width},
    {"index_top_k", &CacheModel::index_top_k},
    {"local_layers", &CacheModel::local_layers},
    {"window", &CacheModel::window},
    {"sinks", &CacheModel::sinks},
    {"local_n_kv_heads", &CacheModel::local_n_kv_heads},
    {"local_d_k", &CacheModel::local_d_k},
    {"local_d_v", &CacheModel::local_d_v},
    {"full_sharing", &CacheModel::full_sharing},
    {"local_sharing", &CacheModel::local_sharing},
    {"state_layers", &CacheModel::state_layers},
    {"state_numbers", &CacheModel::state_numbers},
    {"parameters", &CacheModel::parameters},
    {"active_parameters", &CacheModel::active_parameters},
    {"max_tokens", &CacheModel::max_tokens},
};

}  // namespace

CacheModel read_cache_model(Reader& in) {
  CacheModel model;
  in.inside("model", [&model](Reader& inner) {
    for (const auto& [name, place] : fields) {
      if (inner.has(name)) model.*place = inner.count(name, max_exact_count, 0);
    }
  });
  return model;
}

val written(const CacheModel& model) {
  val object = val::object();
  for (const auto& [name, place] : fields) {
    object.set(name, static_cast<double>(model.*place));
  }
  return object;
}

}  // namespace attn::binding

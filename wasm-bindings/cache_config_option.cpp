#include "cache_config_option.hpp"

#include <array>

#include "core/limits.hpp"

namespace attn::binding {
namespace {

constexpr std::array<std::string_view, 2> layout_names = {"contiguous", "paged"};
constexpr std::array<std::string_view, 4> format_names = {"f32", "f16", "q8_0", "q4_0"};

}  // namespace

std::uint64_t optional_count(Reader& in, const char* field) {
  return in.has(field) ? in.count(field, max_exact_count, 0) : 0;
}

std::string_view read_kept_format(Reader& in) {
  return format_names[in.choice("format", format_names)];
}

CacheConfig read_cache_config(Reader& in) {
  CacheConfig config;
  config.n_layers = in.count_or("n_layers", 1, max_exact_count);
  config.n_heads = in.count_or("n_heads", 1, max_exact_count);
  config.d_k = in.count("d_k", max_exact_count);
  config.latent_rank = optional_count(in, "latent_rank");
  config.rope_width = optional_count(in, "rope_width");
  if (config.latent_rank == 0) {
    config.n_kv_heads = in.count_or("n_kv_heads", config.n_heads, max_exact_count);
    config.d_v = in.count_or("d_v", config.d_k, max_exact_count);
  } else {
    config.n_kv_heads = optional_count(in, "n_kv_heads");
    config.d_v = optional_count(in, "d_v");
  }
  if (in.has("scale")) config.scale = in.number("scale");
  config.layout =
      in.choice("layout", layout_names) == 0 ? CacheLayout::contiguous : CacheLayout::paged;
  config.capacity = optional_count(in, "capacity");
  config.page_tokens = optional_count(in, "page_tokens");
  config.window = optional_count(in, "window");
  config.sinks = optional_count(in, "sinks");
  config.format = read_kept_format(in);
  return config;
}

}  // namespace attn::binding

#include "compare_calls.hpp"

#include "cache_model_option.hpp"
#include "core/limits.hpp"
#include "kv_cache/compare.hpp"

namespace attn::binding {
val with_kv_heads_of(Reader& in) {
  const CacheModel model = read_cache_model(in);
  const std::uint64_t n_kv_heads = in.count("n_kv_heads", max_exact_count);
  if (in.failed()) return failure(in.error());
  const auto made = with_kv_heads(model, n_kv_heads);
  if (!made) return failure(made.error());
  return Writer(val::undefined()).value("model", binding::written(*made)).finish();
}

val prompt_growth_of(Reader& in) {
  const CacheModel model = read_cache_model(in);
  const std::uint64_t tokens = in.count("tokens", max_exact_count);
  const std::uint64_t against = in.count("against", max_exact_count);
  if (in.failed()) return failure(in.error());
  const auto growth = prompt_growth(model, tokens, against);
  if (!growth) return failure(growth.error());
  return Writer(val::undefined())
      .number("tokens", growth->tokens)
      .number("all_pairs", growth->all_pairs)
      .number("linear", growth->linear)
      .number("attention", growth->attention)
      .number("total", growth->total)
      .finish();
}

val token_passes_of(Reader& in) {
  const std::uint64_t n = in.count("n", max_exact_count);
  if (in.failed()) return failure(in.error());
  const auto passes = token_passes(n);
  if (!passes) return failure(passes.error());
  return Writer(val::undefined())
      .number("with_cache", as_double(passes->with_cache))
      .number("without_cache", as_double(passes->without_cache))
      .number("ratio", passes->ratio)
      .finish();
}

val byte_units_of(Reader& in) {
  const std::uint64_t bytes = in.count("bytes", max_exact_count, 0);
  if (in.failed()) return failure(in.error());
  const auto units = in_units(bytes);
  if (!units) return failure(units.error());
  return Writer(val::undefined())
      .number("kB", units->kB)
      .number("MB", units->MB)
      .number("GB", units->GB)
      .number("KiB", units->KiB)
      .number("MiB", units->MiB)
      .number("GiB", units->GiB)
      .finish();
}

}  // namespace attn::binding

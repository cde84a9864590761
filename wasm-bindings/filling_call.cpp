#include "filling_call.hpp"

#include "cache_answers.hpp"
#include "cache_config_option.hpp"
#include "core/limits.hpp"
#include "kv_cache/filling.hpp"

namespace attn::binding {
namespace {

val written(const FilledRequest& request) {
  Writer writer(val::undefined());
  write_sequence(writer, request.stats);
  write_pages(writer, request.pages);
  return writer.array("pages_before", page_ids(request.pages_before))
      .value("begins", val(request.begins))
      .object();
}

}  // namespace

val fill_cache_of(Reader& in) {
  const CacheConfig config = read_cache_config(in);
  const std::uint64_t tokens = in.count("tokens", max_exact_count, 0);
  const std::uint64_t shared = in.count("shared_tokens", max_exact_count, 0);
  if (in.failed()) return failure(in.error());
  const auto filling = fill(config, tokens, shared);
  if (!filling) return failure(filling.error());
  val requests = val::array();
  for (const FilledRequest& request : filling->requests) {
    requests.call<void>("push", written(request));
  }
  Writer writer(val::undefined());
  write_cache(writer, filling->stats);
  return writer.value("requests", requests).finish();
}

}  // namespace attn::binding

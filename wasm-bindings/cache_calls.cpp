#include "cache_calls.hpp"

#include <emscripten.h>

#include <string>

#include "cache_answers.hpp"
#include "cache_backend_option.hpp"
#include "cache_config_option.hpp"
#include "kv_cache/cache.hpp"
#include "kv_cache/stored_error.hpp"
#include "shelf.hpp"

namespace attn::binding {
namespace {

Shelf<KvCache>& caches() {
  static Shelf<KvCache> shelf;
  return shelf;
}

/// The cache and the sequence that a call is about.
struct Named {
  explicit Named(Reader& in)
      : cache(caches().find(in, "cache")), sequence(in.count("sequence", max_exact_count)) {}
  KvCache* cache;
  std::uint64_t sequence;
};

val answer_stats(const KvCache& cache, std::uint64_t sequence) {
  const auto stats = cache.stats(sequence);
  if (!stats) return failure(stats.error());
  const auto table = cache.table(sequence);
  if (!table) return failure(table.error());
  Writer writer(val::undefined());
  writer.number("sequence", as_double(sequence));
  write_sequence(writer, *stats);
  write_pages(writer, *table);
  return writer.finish();
}

/// Answers with what the sequence holds after a change.
template <class Change>
val changed(Reader& in, const Change& change) {
  const Named named(in);
  if (in.failed()) return failure(in.error());
  const Expected<void> done = change(*named.cache, named.sequence);
  if (in.failed()) return failure(in.error());
  if (!done) return failure(done.error());
  return answer_stats(*named.cache, named.sequence);
}

}  // namespace

val open_cache_of(Reader& in) {
  const CacheConfig config = read_cache_config(in);
  if (in.failed()) return failure(in.error());
  auto cache = KvCache::make(config);
  if (!cache) return failure(cache.error());
  const CacheStats stats = cache->stats();
  Writer writer(val::undefined());
  writer.number("token_bytes", as_double(stats.token_bytes))
      .number("block_bytes", as_double(stats.block_bytes))
      .number("block_tokens", as_double(stats.block_bytes / stats.token_bytes))
      .number("key_width", as_double(cache->key_width()))
      .number("value_width", as_double(cache->value_width()))
      .number("kept_heads", as_double(cache->kept_heads()));
  return writer.number("cache", caches().put(std::move(*cache))).finish();
}

val close_cache_of(Reader& in) {
  const auto number = in.count("cache", 0xFFFFFFFF);
  if (in.failed()) return failure(in.error());
  caches().close(static_cast<std::uint32_t>(number));
  return Writer(val::undefined()).number("open", static_cast<double>(caches().size())).finish();
}

val cache_stats_of(Reader& in) {
  const KvCache* cache = caches().find(in, "cache");
  if (in.failed()) return failure(in.error());
  Writer writer(val::undefined());
  write_cache(writer, cache->stats());
  return writer.finish();
}

val open_sequence_of(Reader& in) {
  KvCache* cache = caches().find(in, "cache");
  if (in.failed()) return failure(in.error());
  const auto sequence = cache->open();
  if (!sequence) return failure(sequence.error());
  return answer_stats(*cache, *sequence);
}

val close_sequence_of(Reader& in) {
  const Named named(in);
  if (in.failed()) return failure(in.error());
  const auto done = named.cache->close(named.sequence);
  if (!done) return failure(done.error());
  return Writer(val::undefined())
      .number("sequences", as_double(named.cache->stats().sequences))
      .finish();
}

val sequence_stats_of(Reader& in) {
  const Named named(in);
  if (in.failed()) return failure(in.error());
  return answer_stats(*named.cache, named.sequence);
}

val append_tokens_of(Reader& in) {
  return changed(in, [&in](KvCache& cache, std::uint64_t sequence) -> Expected<void> {
    const std::uint64_t count = in.count_or("count", 1, max_cached_tokens);
    if (in.failed()) return {};
    const auto rows =
        checked_product("count", {cache.config().n_layers, count, cache.kept_heads()});
    ATTN_CHECK(rows);
    const auto keys = checked_product("K", {*rows, cache.key_width()});
    ATTN_CHECK(keys);
    const auto values = checked_product("V", {*rows, cache.value_width()});
    ATTN_CHECK(values);
    const Vector<float> K = in.vector<float>("K", *keys);
    if (cache.keeps_latent() && in.has("V")) {
      in.refuse(ErrorCode::bad_argument, "V", " must not be given with latent_rank.");
    }
    const Vector<float> V =
        cache.keeps_latent() ? make_vector<float>(0) : in.vector<float>("V", *values);
    if (in.failed()) return {};
    return cache.append(sequence, count, flat(K), flat(V));
  });
}

val attend_cache_of(Reader& in) {
  constexpr std::uint64_t most_sequences = 4096;
  KvCache* cache = caches().find(in, "cache");
  const std::vector<std::int32_t> sequences = in.integers("sequences", most_sequences);
  const std::uint64_t layer = optional_count(in, "layer");
  const Backend backend = read_cache_backend(in);
  const std::uint64_t repeat = in.count_or("repeat", 1, 1'000'000);
  const bool wants_sums = in.flag_or("log_sum_exp", false);
  if (in.failed()) return failure(in.error());
  const std::uint64_t heads = sequences.size() * cache->config().n_heads;
  const Vector<float> q = in.vector<float>("q", heads * cache->key_width());
  if (in.failed()) return failure(in.error());
  const std::size_t asked = static_cast<std::size_t>(cache->config().n_heads);
  if (!in.accept(check_bytes("q", heads * cache->value_width() * sizeof(float)))) {
    return failure(in.error());
  }
  std::vector<float> output(Reader::size(heads) * cache->value_width());
  std::vector<float> sums(wants_sums ? Reader::size(heads) : 0);
  const double begin = emscripten_get_now();
  for (std::uint64_t run = 0; run < repeat; ++run) {
    for (std::size_t s = 0; s < sequences.size(); ++s) {
      // A negative number was never given.
      const auto sequence = static_cast<std::uint32_t>(sequences[s]);
      const auto done = cache->attend(
          sequence, layer, backend,
          std::span<const float>(flat(q)).subspan(s * asked * cache->key_width(),
                                                  asked * cache->key_width()),
          std::span(output).subspan(s * asked * cache->value_width(), asked * cache->value_width()),
          wants_sums ? std::span(sums).subspan(s * asked, asked) : std::span<float>());
      if (!done) return failure(done.error());
    }
  }
  const double compute_ms = (emscripten_get_now() - begin) / static_cast<double>(repeat);
  Writer writer(in.out());
  writer.value("backend", val(std::string(name(backend)))).number("compute_ms", compute_ms);
  writer.floats("output", output);
  if (wants_sums) writer.floats("log_sum_exp", sums);
  return writer.finish();
}

val read_rows_of(Reader& in) {
  const Named named(in);
  const std::uint64_t layer = optional_count(in, "layer");
  if (in.failed()) return failure(in.error());
  const auto stats = named.cache->stats(named.sequence);
  if (!stats) return failure(stats.error());
  const std::uint64_t rows = stats->visible_tokens * named.cache->kept_heads();
  const std::uint64_t keys = rows * named.cache->key_width();
  const std::uint64_t values = named.cache->keeps_latent() ? 0 : rows * named.cache->value_width();
  if (!in.accept(check_bytes("sequence", (keys + values) * sizeof(float)))) {
    return failure(in.error());
  }
  std::vector<float> K(Reader::size(keys));
  std::vector<float> V(Reader::size(values));
  const auto done = named.cache->read(named.sequence, layer, K, V);
  if (!done) return failure(done.error());
  Writer writer(in.out());
  writer.floats("K", K);
  if (!named.cache->keeps_latent()) writer.floats("V", V);
  return writer.finish();
}

val roll_back_of(Reader& in) {
  return changed(in, [&in](KvCache& cache, std::uint64_t sequence) -> Expected<void> {
    const std::uint64_t length = in.count("length", max_exact_count, 0);
    if (in.failed()) return {};
    return cache.roll_back(sequence, length);
  });
}

val fork_sequence_of(Reader& in) {
  const Named named(in);
  if (in.failed()) return failure(in.error());
  const auto stats = named.cache->stats(named.sequence);
  if (!stats) return failure(stats.error());
  const std::uint64_t length =
      in.has("length") ? in.count("length", max_exact_count, 0) : stats->length;
  if (in.failed()) return failure(in.error());
  const auto made = named.cache->fork(named.sequence, length);
  if (!made) return failure(made.error());
  return answer_stats(*named.cache, *made);
}

val evict_tokens_of(Reader& in) {
  return changed(in, [&in](KvCache& cache, std::uint64_t sequence) -> Expected<void> {
    const std::uint64_t kept = in.count("kept", max_exact_count, 0);
    if (in.failed()) return {};
    return cache.evict(sequence, kept);
  });
}

val stored_rows_of(Reader& in) {
  const std::string_view format = read_kept_format(in);
  const std::uint64_t width = in.count("width", max_width);
  const std::uint64_t length = in.length("rows", max_bytes / sizeof(float));
  const Vector<float> rows = in.vector<float>("rows", length);
  if (in.failed()) return failure(in.error());
  const auto stored = store_rows(format, width, flat(rows));
  if (!stored) return failure(stored.error());
  return Writer(in.out())
      .number("bytes", as_double(stored->bytes))
      .number("largest_error", stored->largest_error)
      .number("relative_error", stored->relative_error)
      .number("bound", stored->bound)
      .floats("rows", stored->rows)
      .finish();
}

}  // namespace attn::binding

#include "decode_run_calls.hpp"

#include <emscripten.h>

#include <string>

#include "cache_backend_option.hpp"
#include "kv_cache/decode_run.hpp"
#include "shelf.hpp"

namespace attn::binding {
namespace {

Shelf<DecodeRun>& runs() {
  static Shelf<DecodeRun> shelf;
  return shelf;
}

Memory memory_of_tokens(std::span<const std::int32_t> tokens) {
  return {tokens.data(), tokens.size(), ArrayKind::int32};
}

}  // namespace

val open_decode_run_of(Reader& in) {
  DecodeRunConfig config;
  config.n = in.count_or("n", config.n, max_exact_count);
  if (in.has("seed")) config.seed = in.count("seed", max_exact_count, 0);
  config.backend = read_cache_backend(in);
  if (in.failed()) return failure(in.error());
  auto run = DecodeRun::make(config);
  if (!run) return failure(run.error());
  const DecodeModel model = run->model();
  return Writer(val::undefined())
      .number("run", runs().put(std::move(*run)))
      .number("n", as_double(config.n))
      .value("backend", val(std::string(name(config.backend))))
      .number("n_layers", as_double(model.n_layers))
      .number("n_heads", as_double(model.n_heads))
      .number("n_kv_heads", as_double(model.n_kv_heads))
      .number("d_k", as_double(model.d_k))
      .number("d_model", as_double(model.d_model))
      .number("vocab_size", as_double(model.vocab_size))
      .number("parameters", as_double(model.parameters()))
      .finish();
}

val close_decode_run_of(Reader& in) {
  const auto number = in.count("run", 0xFFFFFFFF);
  if (in.failed()) return failure(in.error());
  runs().close(static_cast<std::uint32_t>(number));
  return Writer(val::undefined()).number("open", static_cast<double>(runs().size())).finish();
}

val step_decode_run_of(Reader& in) {
  DecodeRun* run = runs().find(in, "run");
  const bool cached = in.flag_or("cached", true);
  const std::uint64_t repeat = in.count_or("repeat", 1, 1'000'000);
  if (in.failed()) return failure(in.error());
  const double begin = emscripten_get_now();
  const auto step = cached ? run->step_with(repeat) : run->step_without(repeat);
  const double compute_ms = (emscripten_get_now() - begin) / static_cast<double>(repeat);
  if (!step) return failure(step.error());
  return Writer(val::undefined())
      .number("token", step->token)
      .number("tokens", as_double(step->tokens))
      .number("passes", as_double(step->passes))
      .number("flops", step->flops)
      .number("weight_bytes", as_double(step->weight_bytes))
      .number("kv_bytes", as_double(step->kv_bytes))
      .number("compute_ms", compute_ms)
      .finish();
}

val decode_run_state_of(Reader& in) {
  const DecodeRun* run = runs().find(in, "run");
  if (in.failed()) return failure(in.error());
  const CacheStats stats = run->cache_stats();
  Writer writer(in.out());
  writer.number("passes_with", as_double(run->passes_with()))
      .number("passes_without", as_double(run->passes_without()))
      .value("same_tokens", val(run->same_tokens()))
      .number("largest_difference", run->largest_difference())
      .number("needed_bytes", as_double(stats.needed_bytes))
      .number("allocated_bytes", as_double(stats.allocated_bytes));
  writer.value("tokens_with", copied(memory_of_tokens(run->tokens_with())));
  return writer.value("tokens_without", copied(memory_of_tokens(run->tokens_without()))).finish();
}

}  // namespace attn::binding

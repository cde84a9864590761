#include "backend_option.hpp"

#include <emscripten.h>

#include <algorithm>
#include <limits>
#include <string>

namespace attn::binding {
namespace {

/// Browsers let a clock tick only every 0.1 ms, so a sample lasts as long as this, whatever it repeats.
constexpr double sample_ms = 2;

/// Two sizes that lie on either side of what a worked example and a real layer ask.
constexpr std::uint64_t small_n = 4, large_n = 64, width = 64;

CostSample sample(Backend backend, std::uint64_t n) {
  const std::vector<float> numbers(static_cast<std::size_t>(n * width), 0.5F);
  std::vector<float> output(numbers.size());
  const HeadsInput input = {
      .shape = {.n_heads = 1, .n_kv_heads = 1, .n_q = n, .n_k = n, .d_k = width, .d_v = width, .capacity = n},
      .Q = numbers,
      .K = numbers,
      .V = numbers};
  const auto run = [&] { return attention_heads(input, backend, output, {}).has_value(); };
  run();
  double runs = 0;
  const double begin = emscripten_get_now();
  double spent = 0;
  while (spent < sample_ms) {
    for (int i = 0; i < 8; ++i) run();
    runs += 8;
    spent = emscripten_get_now() - begin;
  }
  return {.flops = attention_flops(input.shape, input.mask), .ms = spent / runs};
}

}  // namespace

std::span<const BackendCost> measured_costs() {
  static std::vector<BackendCost> costs;
  for (std::size_t i = costs.size(); i < backends().size(); ++i) {
    costs.push_back(fit_cost(sample(backends()[i], small_n), sample(backends()[i], large_n)));
  }
  return costs;
}

Backend read_backend(Reader& in, double flops) {
  std::vector<std::string_view> names = {"auto"};
  for (const Backend backend : backends()) names.push_back(name(backend));
  const std::size_t chosen = in.choice("backend", names);
  if (chosen > 0) return backends()[chosen - 1];
  if (in.failed() || backends().size() == 1) return backends().front();
  return backends()[quickest(measured_costs(), flops)];
}

val backends_of(Reader& in) {
  if (in.failed()) return failure(in.error());
  val list = val::array();
  for (const Backend backend : backends()) {
    list.call<void>("push", val(std::string(name(backend))));
  }
  return Writer(val::undefined()).value("backends", list).finish();
}

val backend_costs_of(Reader& in) {
  if (in.failed()) return failure(in.error());
  const std::span<const BackendCost> costs = measured_costs();
  val list = val::array();
  for (std::size_t i = 0; i < costs.size(); ++i) {
    double from = 0;
    for (std::size_t other = 0; other < i; ++other) {
      from = std::max(from, crossover_flops(costs[other], costs[i]));
    }
    val entry = val::object();
    entry.set("name", val(std::string(name(backends()[i]))));
    entry.set("start_ms", costs[i].start_ms);
    entry.set("ms_per_flop", costs[i].ms_per_flop);
    entry.set("from_flops", from);
    list.call<void>("push", entry);
  }
  return Writer(val::undefined()).value("costs", list).finish();
}

}  // namespace attn::binding

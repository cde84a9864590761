#include "backend_option.hpp"

#include <emscripten.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

namespace attn::binding {
namespace {

/// Browsers let a clock tick only every 0.1 ms, so a sample lasts as long as this, whatever it repeats.
constexpr double sample_ms = 0.6;
/// Of so many the quickest counts: whatever else runs on a machine only ever makes them slower.
constexpr int samples = 4;

/// Two sizes that lie on either side of what a worked example and a real layer ask.
constexpr std::uint64_t small_n = 4, large_n = 64, width = 64;

template <class Run>
double quickest_ms(const Run& run) {
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < samples; ++i) {
    double runs = 0;
    double spent = 0;
    const double begin = emscripten_get_now();
    while (spent < sample_ms) {
      for (int each = 0; each < 8; ++each) run();
      runs += 8;
      spent = emscripten_get_now() - begin;
    }
    least = std::min(least, spent / runs);
  }
  return least;
}

CostSample sample(Backend backend, std::uint64_t n) {
  const std::vector<float> numbers(static_cast<std::size_t>(n * width), 0.5F);
  std::vector<float> output(numbers.size());
  const HeadsInput input = {
      .shape = {1, 1, n, n, width, width, n}, .Q = numbers, .K = numbers, .V = numbers};
  const auto run = [&] { return attention_heads(input, backend, output, {}).has_value(); };
  run();
  return {.flops = attention_flops(input.shape, input.mask), .ms = quickest_ms(run)};
}

/// What a GPU costs, once the runtime has measured it: the border and the way there included.
std::optional<BackendCost>& webgpu_cost() {
  static std::optional<BackendCost> cost;
  return cost;
}

struct NamedCost {
  std::string_view name;
  BackendCost cost;
};

/// Every back end that was measured, the processor's first.
std::vector<NamedCost> all_costs() {
  std::vector<NamedCost> all;
  const std::span<const BackendCost> costs = measured_costs();
  for (std::size_t i = 0; i < costs.size(); ++i) all.push_back({name(backends()[i]), costs[i]});
  if (webgpu_cost()) all.push_back({"webgpu", *webgpu_cost()});
  return all;
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
  const std::vector<NamedCost> costs = all_costs();
  val list = val::array();
  for (std::size_t i = 0; i < costs.size(); ++i) {
    double from = 0;
    for (std::size_t other = 0; other < i; ++other) {
      from = std::max(from, crossover_flops(costs[other].cost, costs[i].cost));
    }
    val entry = val::object();
    entry.set("name", val(std::string(costs[i].name)));
    entry.set("start_ms", costs[i].cost.start_ms);
    entry.set("ms_per_flop", costs[i].cost.ms_per_flop);
    entry.set("from_flops", from);
    list.call<void>("push", entry);
  }
  return Writer(val::undefined()).value("costs", list).finish();
}

val note_webgpu_cost_of(Reader& in) {
  const auto sample_of = [&in](const char* size, const char* time) {
    const std::uint64_t n = in.count(size, max_tiled_tokens);
    const double ms = in.number(time);
    const HeadsShape shape = {1, 1, n, n, width, width, n};
    return CostSample{.flops = attention_flops(shape, {}), .ms = ms};
  };
  const CostSample small = sample_of("small_n", "small_ms");
  const CostSample large = sample_of("large_n", "large_ms");
  if (in.failed()) return failure(in.error());
  webgpu_cost() = fit_cost(small, large);
  return Writer(val::undefined()).number("width", width).finish();
}

val quickest_backend_of(Reader& in) {
  const HeadsShape shape = read_heads_shape(in);
  if (in.failed()) return failure(in.error());
  const auto lengths = check_heads(shape);
  if (!lengths) return failure(lengths.error());
  const Mask mask = read_mask(in, shape.n_q, shape.n_k);
  if (in.failed()) return failure(in.error());
  const std::vector<NamedCost> all = all_costs();
  std::vector<BackendCost> costs;
  for (const NamedCost& each : all) costs.push_back(each.cost);
  const std::size_t chosen = quickest(costs, attention_flops(shape, mask));
  return Writer(val::undefined()).value("backend", val(std::string(all[chosen].name))).finish();
}

}  // namespace attn::binding

#include "bill_calls.hpp"

#include <array>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cache_model_option.hpp"
#include "core/limits.hpp"
#include "kv_cache/bill.hpp"
#include "kv_cache/compare.hpp"

namespace attn::binding {
namespace {

constexpr std::array schemes = {Scheme::own, Scheme::mha,     Scheme::gqa,   Scheme::mqa,
                                Scheme::mla, Scheme::sliding, Scheme::hybrid};

/// Points of one series.
constexpr std::uint64_t most_points = 4096;

std::vector<std::string_view> format_names() {
  std::vector<std::string_view> names;
  for (const NumberFormat& format : number_formats()) names.push_back(format.name);
  return names;
}

NumberFormat read_format(Reader& in, const char* field, std::string_view otherwise) {
  if (in.has(field)) return number_formats()[in.choice(field, format_names())];
  return *number_format(field, otherwise);
}

Scheme read_scheme(Reader& in) {
  std::array<std::string_view, schemes.size()> names;
  for (std::size_t i = 0; i < schemes.size(); ++i) names[i] = name(schemes[i]);
  return schemes[in.choice("scheme", names)];
}

/// What every bill is asked.
struct Request {
  /// The model's own attention, and what it is replaced by.
  CacheModel model;
  Scheme scheme = Scheme::own;
  CachePlan plan;
  Accelerator accelerator;
};

/// A model that does not hold together is told before its scheme is changed.
std::optional<Request> read_request(Reader& in) {
  Request request;
  CachePlan& plan = request.plan;
  request.model = read_cache_model(in);
  request.scheme = read_scheme(in);
  plan.cache_format = read_format(in, "cache_format", "f16");
  plan.weight_format = read_format(in, "weight_format", "f16");
  plan.state_format = read_format(in, "state_format", "f32");
  plan.tokens = in.count("tokens", max_exact_count);
  plan.sequences = in.count_or("sequences", 1, max_exact_count);
  constexpr std::array<std::string_view, 2> allocations = {"paged", "reserved"};
  plan.allocation =
      in.choice("allocation", allocations) == 0 ? Allocation::paged : Allocation::reserved;
  plan.page_tokens = in.count_or("page_tokens", plan.page_tokens, max_exact_count);
  if (in.has("reserved_tokens")) {
    plan.reserved_tokens = in.count("reserved_tokens", max_exact_count, 0);
  }
  plan.keeps_whole_windows = in.flag_or("keeps_whole_windows", false);
  Accelerator& accelerator = request.accelerator;
  accelerator.count = in.count_or("accelerators", 1, max_exact_count);
  accelerator.memory_bytes = in.count("memory_bytes", max_exact_count);
  accelerator.bandwidth_bytes_s = in.count("bandwidth_bytes_s", max_exact_count);
  accelerator.flops_s = in.count("flops_s", max_exact_count);
  if (in.has("other_bytes")) accelerator.other_bytes = in.count("other_bytes", max_exact_count, 0);
  if (in.failed() || !in.accept(check_cache_model(request.model))) return std::nullopt;
  return request;
}

struct Entry {
  const char* name;
  double value;
};

val object_of(std::initializer_list<Entry> entries) {
  val object = val::object();
  for (const auto& [name, value] : entries) object.set(name, value);
  return object;
}

val written(const LayersBill& layers) {
  return object_of({{"layers", as_double(layers.layers)},
                    {"keeping", as_double(layers.keeping)},
                    {"numbers", as_double(layers.numbers)},
                    {"layer_token_bytes", as_double(layers.layer_token_bytes)},
                    {"token_bytes", as_double(layers.token_bytes)},
                    {"needed_tokens", as_double(layers.needed_tokens)},
                    {"needed_bytes", as_double(layers.needed_bytes)},
                    {"allocated_tokens", as_double(layers.allocated_tokens)},
                    {"allocated_bytes", as_double(layers.allocated_bytes)},
                    {"pages", as_double(layers.pages)}});
}

val written(const Roofline& roof) {
  val object = object_of({{"bytes", roof.bytes},
                          {"flops", roof.flops},
                          {"intensity", roof.intensity},
                          {"ridge", roof.ridge},
                          {"peak_flops_s", roof.peak_flops_s},
                          {"bandwidth_s", roof.bandwidth_s},
                          {"arithmetic_s", roof.arithmetic_s},
                          {"seconds", roof.seconds},
                          {"attained_flops_s", roof.attained_flops_s}});
  object.set("bound_by", val(std::string(name(roof.bound_by))));
  return object;
}

val written(const MemoryBill& memory) {
  val object = object_of({{"weight_bytes", as_double(memory.weight_bytes)},
                          {"memory_bytes", as_double(memory.memory_bytes)},
                          {"total_bytes", as_double(memory.total_bytes)},
                          {"free_bytes", as_double(memory.free_bytes)},
                          {"missing_bytes", as_double(memory.missing_bytes)}});
  object.set("fits", memory.fits);
  return object;
}

val written(const MemoryRoom& room) {
  val object = object_of({{"most_sequences", as_double(room.most_sequences)},
                          {"most_tokens", as_double(room.most_tokens)}});
  object.set("tokens_unbounded", room.tokens_unbounded);
  return object;
}

val written(const DecodeBill& decode) {
  val object = object_of({{"weight_bytes", decode.weight_bytes},
                          {"cache_bytes", decode.cache_bytes},
                          {"weight_flops", decode.weight_flops},
                          {"attention_flops", decode.attention_flops},
                          {"tokens_per_s", decode.tokens_per_s},
                          {"sequence_tokens_per_s", decode.sequence_tokens_per_s}});
  object.set("roof", written(decode.roof));
  return object;
}

val written(const PromptGrowth& growth) {
  return object_of({{"tokens", growth.tokens},
                    {"all_pairs", growth.all_pairs},
                    {"linear", growth.linear},
                    {"attention", growth.attention},
                    {"total", growth.total}});
}

val written(const PrefillBill& prefill) {
  val object = object_of({{"linear_flops", prefill.linear_flops},
                          {"attention_flops", prefill.attention_flops},
                          {"linear_percent", prefill.linear_percent},
                          {"attention_percent", prefill.attention_percent}});
  object.set("roof", written(prefill.roof));
  return object;
}

/// All bills of one plan.
struct Bills {
  CacheBill cache;
  MemoryBill memory;
  DecodeBill decode;
  PrefillBill prefill;
};

std::optional<Bills> bills_of(Reader& in, const CacheModel& model, const CachePlan& plan,
                              const Accelerator& accelerator) {
  const auto cache = cache_bill(model, plan);
  const auto memory = memory_bill(model, plan, accelerator);
  const auto decode = decode_bill(model, plan, accelerator);
  const auto prefill = prefill_bill(model, plan, accelerator);
  if (!in.accept(cache) || !in.accept(memory) || !in.accept(decode) || !in.accept(prefill)) {
    return std::nullopt;
  }
  return Bills{*cache, *memory, *decode, *prefill};
}

}  // namespace

val bill_of(Reader& in) {
  const auto request = read_request(in);
  if (!request) return failure(in.error());
  const auto& [own, scheme, plan, accelerator] = *request;
  const CacheModel model = with_scheme(own, scheme);
  const auto bills = bills_of(in, model, plan, accelerator);
  if (!bills) return failure(in.error());
  CachePlan doubled = plan;
  doubled.tokens = 2 * plan.tokens;
  const auto longer = prefill_bill(model, doubled, accelerator);
  const auto room = memory_room(model, plan, accelerator);
  if (!room) return failure(room.error());
  const auto crossing = prefill_crossing(model);
  if (!crossing) return failure(crossing.error());
  const CacheBill& cache = bills->cache;
  Writer writer(val::undefined());
  writer.value("model", binding::written(model))
      .value("full", written(cache.full))
      .value("local", written(cache.local))
      .number("state_bytes", as_double(cache.state_bytes))
      .number("token_bytes", as_double(cache.token_bytes))
      .number("late_token_bytes", as_double(cache.late_token_bytes))
      .number("mha_token_bytes", as_double(cache.mha_token_bytes))
      .number("mha_share", cache.mha_token_bytes == 0
                               ? 0
                               : as_double(cache.token_bytes) / as_double(cache.mha_token_bytes))
      .number("mha_times", cache.token_bytes == 0
                               ? 0
                               : as_double(cache.mha_token_bytes) / as_double(cache.token_bytes))
      .number("sequence_needed_bytes", as_double(cache.sequence_needed_bytes))
      .number("sequence_allocated_bytes", as_double(cache.sequence_allocated_bytes))
      .number("needed_bytes", as_double(cache.needed_bytes))
      .number("allocated_bytes", as_double(cache.allocated_bytes))
      .number("unused_bytes", as_double(cache.unused_bytes))
      .value("memory", written(bills->memory))
      .value("decode", written(bills->decode))
      .value("prefill", written(bills->prefill))
      .value("room", written(*room))
      .number("crossing_tokens", as_double(*crossing));
  // A prompt that can be priced may be too long to be doubled.
  if (longer) {
    writer.number("doubled_tokens", as_double(doubled.tokens))
        .value("prefill_doubled", written(*longer));
  }
  // Without weights there is no linear work to grow.
  if (longer && model.active_parameters != 0) {
    const auto growth = prompt_growth(model, doubled.tokens, plan.tokens);
    if (!growth) return failure(growth.error());
    writer.value("prefill_growth", written(*growth));
  }
  if (model.d_model != 0) {
    const auto projections = key_value_parameters(model);
    if (!projections) return failure(projections.error());
    writer.number("key_value_parameters", as_double(*projections));
  }
  return writer.finish();
}

val bill_series_of(Reader& in) {
  constexpr std::array<std::string_view, 2> ways = {"tokens", "sequences"};
  const bool along_tokens = in.choice("along", ways) == 0;
  const std::uint64_t points = in.length("at", most_points);
  const std::vector<double> at = in.list_or_empty<double>("at", points);
  if (!in.failed() && at.empty()) {
    in.refuse(ErrorCode::bad_argument, "at", " must hold at least one number.");
  }
  const auto request = read_request(in);
  if (!request) return failure(in.error());
  const auto& [own, scheme, plan, accelerator] = *request;
  const CacheModel model = with_scheme(own, scheme);
  struct Series {
    const char* name;
    double (*value)(const Bills& bills);
    std::vector<double> values = {};
  };
  Series all[] = {
      {"needed_bytes", [](const Bills& b) { return as_double(b.cache.needed_bytes); }},
      {"allocated_bytes", [](const Bills& b) { return as_double(b.cache.allocated_bytes); }},
      {"total_bytes", [](const Bills& b) { return as_double(b.memory.total_bytes); }},
      {"step_seconds", [](const Bills& b) { return b.decode.roof.seconds; }},
      {"tokens_per_s", [](const Bills& b) { return b.decode.tokens_per_s; }},
      {"decode_intensity", [](const Bills& b) { return b.decode.roof.intensity; }},
      {"decode_flops_s", [](const Bills& b) { return b.decode.roof.attained_flops_s; }},
      {"prefill_intensity", [](const Bills& b) { return b.prefill.roof.intensity; }},
      {"prefill_flops_s", [](const Bills& b) { return b.prefill.roof.attained_flops_s; }},
      {"prefill_seconds", [](const Bills& b) { return b.prefill.roof.seconds; }},
      {"linear_flops", [](const Bills& b) { return b.prefill.linear_flops; }},
      {"attention_flops", [](const Bills& b) { return b.prefill.attention_flops; }},
  };
  for (const double place : at) {
    // Written so that NaN fails.
    if (!(place >= 1 && place <= as_double(max_exact_count)) ||
        place != as_double(static_cast<std::uint64_t>(place))) {
      in.refuse(ErrorCode::out_of_range, "at", " must hold whole numbers from 1 to 2^53.");
      return failure(in.error());
    }
    CachePlan moved = plan;
    (along_tokens ? moved.tokens : moved.sequences) = static_cast<std::uint64_t>(place);
    const auto bills = bills_of(in, model, moved, accelerator);
    if (!bills) return failure(in.error());
    for (Series& each : all) each.values.push_back(each.value(*bills));
  }
  Writer writer(in.out());
  for (const Series& each : all) writer.array(each.name, each.values);
  return writer.finish();
}

val scheme_bills_of(Reader& in) {
  const auto request = read_request(in);
  if (!request) return failure(in.error());
  const auto& [own, asked, plan, accelerator] = *request;
  val bills = val::object();
  for (const Scheme scheme : schemes) {
    const CacheModel model = with_scheme(own, scheme);
    const auto cache = cache_bill(model, plan);
    const auto memory = memory_bill(model, plan, accelerator);
    val bill = val::object();
    if (cache && memory) {
      bill = object_of({{"token_bytes", as_double(cache->token_bytes)},
                        {"needed_bytes", as_double(cache->needed_bytes)},
                        {"allocated_bytes", as_double(cache->allocated_bytes)}});
      bill.set("memory", written(*memory));
    } else {
      // What does not hold together in one scheme may in another.
      bill.set("problem", (cache ? memory.error() : cache.error()).message);
    }
    bills.set(std::string(name(scheme)), bill);
  }
  return Writer(val::undefined()).value("bills", bills).finish();
}

val with_scheme_of(Reader& in) {
  const CacheModel model = read_cache_model(in);
  const Scheme scheme = read_scheme(in);
  if (in.failed() || !in.accept(check_cache_model(model))) return failure(in.error());
  return Writer(val::undefined())
      .value("model", binding::written(with_scheme(model, scheme)))
      .finish();
}

val number_formats_of(Reader& in) {
  if (in.failed()) return failure(in.error());
  val list = val::array();
  for (const NumberFormat& format : number_formats()) {
    val entry = object_of({{"bits", as_double(format.bits)},
                           {"block", as_double(format.block)},
                           {"block_bytes", as_double(format.block_bytes)}});
    entry.set("name", val(std::string(format.name)));
    list.call<void>("push", entry);
  }
  return Writer(val::undefined()).value("formats", list).finish();
}

}  // namespace attn::binding

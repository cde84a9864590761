#include "model_calls.hpp"

#include <string>
#include <string_view>

#include "cache_model_option.hpp"
#include "kv_cache/accelerators.hpp"
#include "kv_cache/published_models.hpp"

namespace attn::binding {
namespace {

val text(std::string_view words) { return val(std::string(words)); }

}  // namespace

val published_models_of(Reader& in) {
  if (in.failed()) return failure(in.error());
  val list = val::array();
  for (const PublishedModel& model : published_models()) {
    val entry = val::object();
    entry.set("id", text(model.id));
    entry.set("name", text(model.name));
    entry.set("source", text(model.source));
    entry.set("exact_parameters", model.exact_parameters);
    entry.set("model", binding::written(model.model));
    list.call<void>("push", entry);
  }
  return Writer(val::undefined()).value("models", list).finish();
}

val accelerators_of(Reader& in) {
  if (in.failed()) return failure(in.error());
  val list = val::array();
  for (const PublishedAccelerator& each : accelerators()) {
    val entry = val::object();
    entry.set("id", text(each.id));
    entry.set("name", text(each.name));
    entry.set("source", text(each.source));
    entry.set("memory_bytes", static_cast<double>(each.memory_bytes));
    entry.set("bandwidth_bytes_s", static_cast<double>(each.bandwidth_bytes_s));
    entry.set("flops_s", static_cast<double>(each.flops_s));
    list.call<void>("push", entry);
  }
  return Writer(val::undefined()).value("accelerators", list).finish();
}

}  // namespace attn::binding

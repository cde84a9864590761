// The module `bill`: what it exports, and nothing else. Each call takes one options object and answers
// {ok: true, value} or {ok: false, code, field, message}, and keeps nothing.

#include <emscripten/bind.h>

#include "bill_calls.hpp"
#include "compare_calls.hpp"
#include "filling_call.hpp"
#include "model_calls.hpp"
#include "plain_call.hpp"

namespace attn::binding {
namespace {

EMSCRIPTEN_BINDINGS(attention_deck_bill) {
  using emscripten::function;
  function("numberFormats(options)", &plain<number_formats_of>);
  function("publishedModels(options)", &plain<published_models_of>);
  function("accelerators(options)", &plain<accelerators_of>);
  function("withScheme(options)", &plain<with_scheme_of>);
  function("bill(options)", &plain<bill_of>);
  function("schemeBills(options)", &plain<scheme_bills_of>);
  function("billSeries(options)", &plain<bill_series_of>);
  function("withKvHeads(options)", &plain<with_kv_heads_of>);
  function("promptGrowth(options)", &plain<prompt_growth_of>);
  function("fillCache(options)", &plain<fill_cache_of>);
  function("byteUnits(options)", &plain<byte_units_of>);
}

}  // namespace
}  // namespace attn::binding

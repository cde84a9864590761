// The module `cache`: what it exports, and nothing else. Each call takes one options object and answers
// {ok: true, value} or {ok: false, code, field, message}.

#include <emscripten/bind.h>

#include "bill_calls.hpp"
#include "compare_calls.hpp"
#include "model_calls.hpp"
#include "plain_call.hpp"

namespace attn::binding {
namespace {

EMSCRIPTEN_BINDINGS(attention_deck_cache) {
  using emscripten::function;
  function("numberFormats(options)", &plain<number_formats_of>);
  function("publishedModels(options)", &plain<published_models_of>);
  function("accelerators(options)", &plain<accelerators_of>);
  function("readModel(options)", &plain<read_model_of>);
  function("withScheme(options)", &plain<with_scheme_of>);
  function("bill(options)", &plain<bill_of>);
  function("billSeries(options)", &plain<bill_series_of>);
  function("withKvHeads(options)", &plain<with_kv_heads_of>);
  function("promptGrowth(options)", &plain<prompt_growth_of>);
  function("tokenPasses(options)", &plain<token_passes_of>);
  function("byteUnits(options)", &plain<byte_units_of>);
}

}  // namespace
}  // namespace attn::binding

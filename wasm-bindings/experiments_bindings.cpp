// The module `experiments`: what it exports, and nothing else. Each call takes one options object and answers
// {ok: true, value} or {ok: false, code, field, message}, and keeps nothing.

#include <emscripten/bind.h>

#include "plain_call.hpp"
#include "recurrence_calls.hpp"
#include "weight_map_calls.hpp"

namespace attn::binding {
namespace {

EMSCRIPTEN_BINDINGS(attention_deck_experiments) {
  using emscripten::function;
  function("gradientReach(options)", &plain<gradient_reach_of>);
  function("drawVectors(options)", &plain<draw_vectors_of>);
  function("attentionMap(options)", &plain<attention_map_of>);
}

}  // namespace
}  // namespace attn::binding

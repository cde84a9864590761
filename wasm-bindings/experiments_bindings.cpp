// The module `experiments`: what it exports, and nothing else. Each call takes one options object and answers
// {ok: true, value} or {ok: false, code, field, message}, and keeps nothing.

#include <emscripten/bind.h>

#include "plain_call.hpp"
#include "position_calls.hpp"
#include "recurrence_calls.hpp"

namespace attn::binding {
namespace {

EMSCRIPTEN_BINDINGS(attention_deck_experiments) {
  using emscripten::function;
  function("gradientReach(options)", &plain<gradient_reach_of>);
  function("sinusoidalPositions(options)", &plain<sinusoidal_positions_of>);
  function("alibiSlopes(options)", &plain<alibi_slopes_of>);
  function("positionSchemes(options)", &plain<position_schemes_of>);
  function("rotaryClocks(options)", &plain<rotary_clocks_of>);
}

}  // namespace
}  // namespace attn::binding

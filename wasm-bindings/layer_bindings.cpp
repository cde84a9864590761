// The module `layer`: what it exports, and nothing else. Each call takes one options object and answers
// {ok: true, value} or {ok: false, code, field, message}, and keeps nothing.

#include <emscripten/bind.h>

#include "attention_calls.hpp"
#include "heads_calls.hpp"
#include "mask_effect_calls.hpp"
#include "plain_call.hpp"
#include "position_calls.hpp"
#include "training_calls.hpp"

namespace attn::binding {
namespace {

EMSCRIPTEN_BINDINGS(attention_deck_layer) {
  using emscripten::function;
  function("influence(options)", &plain<influence_of>);
  function("maskedSoftmax(options)", &plain<softmax_of<double>>);
  function("maskEffect(options)", &plain<mask_effect_of>);
  function("trainAttention(options)", &plain<train_attention_of>);
  function("sinusoidalPositions(options)", &plain<sinusoidal_positions_of>);
  function("alibiSlopes(options)", &plain<alibi_slopes_of>);
  function("positionSchemes(options)", &plain<position_schemes_of>);
  function("rotaryClocks(options)", &plain<rotary_clocks_of>);
}

}  // namespace
}  // namespace attn::binding

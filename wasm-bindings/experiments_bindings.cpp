// The module `experiments`: what it exports, and nothing else. Each call takes one options object and answers
// {ok: true, value} or {ok: false, code, field, message}, and keeps nothing.

#include <emscripten/bind.h>

#include "attention_calls.hpp"
#include "heads_calls.hpp"
#include "mask_effect_calls.hpp"
#include "plain_call.hpp"
#include "recurrence_calls.hpp"
#include "training_calls.hpp"
#include "weight_map_calls.hpp"

namespace attn::binding {
namespace {

EMSCRIPTEN_BINDINGS(attention_deck_experiments) {
  using emscripten::function;
  function("gradientReach(options)", &plain<gradient_reach_of>);
  function("drawVectors(options)", &plain<draw_vectors_of>);
  function("attentionMap(options)", &plain<attention_map_of>);
  function("influence(options)", &plain<influence_of>);
  function("multiHeadShapes(options)", &plain<multi_head_shapes_of>);
  function("maskedSoftmax(options)", &plain<softmax_of<double>>);
  function("maskEffect(options)", &plain<mask_effect_of>);
  function("trainAttention(options)", &plain<train_attention_of>);
}

}  // namespace
}  // namespace attn::binding

// The module `answers`: what it exports, and nothing else. Each call takes one options object and answers
// {ok: true, value} or {ok: false, code, field, message}, and keeps nothing.

#include <emscripten/bind.h>

#include "answers_calls.hpp"
#include "plain_call.hpp"

namespace attn::binding {
namespace {

EMSCRIPTEN_BINDINGS(attention_deck_answers) {
  using emscripten::function;
  function("recall(options)", &plain<recall_of>);
  function("answerPattern(options)", &plain<answer_pattern_of>);
  function("answerCurves(options)", &plain<answer_curves_of>);
}

}  // namespace
}  // namespace attn::binding

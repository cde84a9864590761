// The module `decode`: what it exports, and nothing else. Each call takes one options object and answers
// {ok: true, value} or {ok: false, code, field, message}.

#include <emscripten/bind.h>

#include "compare_calls.hpp"
#include "decode_run_calls.hpp"
#include "plain_call.hpp"

namespace attn::binding {
namespace {

EMSCRIPTEN_BINDINGS(attention_deck_decode) {
  using emscripten::function;
  function("openDecodeRun(options)", &plain<open_decode_run_of>);
  function("stepDecodeRun(options)", &plain<step_decode_run_of>);
  function("decodeRunState(options)", &plain<decode_run_state_of>);
  function("closeDecodeRun(options)", &plain<close_decode_run_of>);
  function("tokenPasses(options)", &plain<token_passes_of>);
}

}  // namespace
}  // namespace attn::binding

// The module `reading`: what it exports, and nothing else. Each call takes one options object and answers
// {ok: true, value} or {ok: false, code, field, message}, and keeps nothing.

#include <emscripten/bind.h>

#include "plain_call.hpp"
#include "reading_calls.hpp"

namespace attn::binding {
namespace {

EMSCRIPTEN_BINDINGS(attention_deck_reading) {
  using emscripten::function;
  function("readRecording(options)", &plain<read_recording_of>);
  function("findPatterns(options)", &plain<find_patterns_of>);
  function("findPairs(options)", &plain<find_pairs_of>);
  function("firstTokenShare(options)", &plain<first_token_share_of>);
  function("readMap(options)", &plain<read_map_of>);
}

}  // namespace
}  // namespace attn::binding

// The module `files`: what it exports, and nothing else. Each call takes one options object and answers
// {ok: true, value} or {ok: false, code, field, message}, and keeps nothing.

#include <emscripten/bind.h>

#include "plain_call.hpp"
#include "read_model_call.hpp"
#include "vocabulary_file_calls.hpp"

namespace attn::binding {
namespace {

EMSCRIPTEN_BINDINGS(attention_deck_files) {
  using emscripten::function;
  function("readModel(options)", &plain<read_model_of>);
  function("readVocabulary(options)", &plain<read_vocabulary_of>);
  function("writeVocabulary(options)", &plain<write_vocabulary_of>);
}

}  // namespace
}  // namespace attn::binding

// The module `tokens`: what it exports, and nothing else. Each call takes one options object and answers
// {ok: true, value} or {ok: false, code, field, message}.

#include <emscripten/bind.h>

#include "plain_call.hpp"
#include "tokens_calls.hpp"

namespace attn::binding {
namespace {

EMSCRIPTEN_BINDINGS(attention_deck_tokens) {
  using emscripten::function;
  function("openTokenizer(options)", &plain<open_tokenizer_of>);
  function("closeTokenizer(options)", &plain<close_tokenizer_of>);
  function("vocabulary(options)", &plain<vocabulary_of>);
  function("saveVocabulary(options)", &plain<save_vocabulary_of>);
  function("encode(options)", &plain<encode_of>);
  function("decode(options)", &plain<decode_of>);
  function("offsets(options)", &plain<offsets_of>);
  function("replay(options)", &plain<replay_of>);
  function("measure(options)", &plain<measure_of>);
  function("idsInList(options)", &plain<ids_in_list_of>);
  function("openTrainer(options)", &plain<open_trainer_of>);
  function("train(options)", &plain<train_of>);
  function("trainerState(options)", &plain<trainer_state_of>);
  function("trainedTokenizer(options)", &plain<trained_tokenizer_of>);
  function("closeTrainer(options)", &plain<close_trainer_of>);
}

}  // namespace
}  // namespace attn::binding

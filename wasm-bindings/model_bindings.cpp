// The module `model`: what it exports, and nothing else. Each call takes one options object and answers
// {ok: true, value} or {ok: false, code, field, message}.

#include <emscripten/bind.h>

#include "load_model_calls.hpp"
#include "plain_call.hpp"
#include "prefill_calls.hpp"
#include "run_model_calls.hpp"

namespace attn::binding {
namespace {

EMSCRIPTEN_BINDINGS(attention_deck_model) {
  using emscripten::function;
  function("loadGguf(options)", &plain<load_gguf_of>);
  function("loadSafetensors(options)", &plain<load_safetensors_of>);
  function("shardNames(options)", &plain<shard_names_of>);
  function("loadingState(options)", &plain<loading_state_of>);
  function("giveBytes(options)", &plain<give_bytes_of>);
  function("finishModel(options)", &plain<finish_model_of>);
  function("closeLoading(options)", &plain<close_loading_of>);
  function("encodeText(options)", &plain<encode_text_of>);
  function("decodeIds(options)", &plain<decode_ids_of>);
  function("takeTokens(options)", &plain<take_tokens_of>);
  // Answers with a promise.
  function("takePrompt(options)", &webgpu::promised<webgpu::take_prompt_call>);
  function("candidateTokens(options)", &plain<candidate_tokens_of>);
  function("nextToken(options)", &plain<next_token_of>);
  function("evictTokens(options)", &plain<evict_tokens_of>);
  function("rollBackModel(options)", &plain<roll_back_model_of>);
  function("resetModel(options)", &plain<reset_model_of>);
  function("modelState(options)", &plain<model_state_of>);
  function("closeModel(options)", &plain<close_model_of>);
}

}  // namespace
}  // namespace attn::binding

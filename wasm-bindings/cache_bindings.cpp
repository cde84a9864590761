// The module `cache`: what it exports, and nothing else. Each call takes one options object and answers
// {ok: true, value} or {ok: false, code, field, message}.

#include <emscripten/bind.h>

#include "cache_calls.hpp"
#include "plain_call.hpp"

namespace attn::binding {
namespace {

EMSCRIPTEN_BINDINGS(attention_deck_cache) {
  using emscripten::function;
  function("openCache(options)", &plain<open_cache_of>);
  function("closeCache(options)", &plain<close_cache_of>);
  function("cacheStats(options)", &plain<cache_stats_of>);
  function("openSequence(options)", &plain<open_sequence_of>);
  function("closeSequence(options)", &plain<close_sequence_of>);
  function("sequenceStats(options)", &plain<sequence_stats_of>);
  function("appendTokens(options)", &plain<append_tokens_of>);
  function("attendCache(options)", &plain<attend_cache_of>);
  function("readRows(options)", &plain<read_rows_of>);
  function("rollBack(options)", &plain<roll_back_of>);
  function("forkSequence(options)", &plain<fork_sequence_of>);
  function("evictTokens(options)", &plain<evict_tokens_of>);
  function("storedRows(options)", &plain<stored_rows_of>);
}

}  // namespace
}  // namespace attn::binding

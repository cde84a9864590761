// The module `experiments`: what it exports, and nothing else. Each call takes one options object and answers
// {ok: true, value} or {ok: false, code, field, message}, and keeps nothing.

#include <emscripten/bind.h>

#include "plain_call.hpp"
#include "recurrence_calls.hpp"
#include "scaling_calls.hpp"

namespace attn::binding {
namespace {

EMSCRIPTEN_BINDINGS(attention_deck_experiments) {
  using emscripten::function;
  function("gradientReach(options)", &plain<gradient_reach_of>);
  function("scalingExperiment(options)", &plain<scaling_experiment_of>);
  function("scoreStatistics(options)", &plain<score_statistics_of>);
  function("quantiles(options)", &plain<quantiles_of>);
  function("softmaxWayBack(options)", &plain<softmax_way_back_of>);
  function("drawnScores(options)", &plain<drawn_scores_of>);
}

}  // namespace
}  // namespace attn::binding

// The module `experiments`: what it exports, and nothing else. Each call takes one options object and answers
// {ok: true, value} or {ok: false, code, field, message}, and keeps nothing.

#include <emscripten/bind.h>

#include "efficient_calls.hpp"
#include "heads_calls.hpp"
#include "plain_call.hpp"
#include "recurrence_calls.hpp"
#include "scaling_calls.hpp"
#include "weight_map_calls.hpp"

namespace attn::binding {
namespace {

EMSCRIPTEN_BINDINGS(attention_deck_experiments) {
  using emscripten::function;
  function("gradientReach(options)", &plain<gradient_reach_of>);
  function("drawVectors(options)", &plain<draw_vectors_of>);
  function("drawValues(options)", &plain<draw_values_of>);
  function("attentionMap(options)", &plain<attention_map_of>);
  function("multiHeadShapes(options)", &plain<multi_head_shapes_of>);
  function("scalingExperiment(options)", &plain<scaling_experiment_of>);
  function("scoreStatistics(options)", &plain<score_statistics_of>);
  function("quantiles(options)", &plain<quantiles_of>);
  function("softmaxWayBack(options)", &plain<softmax_way_back_of>);
  function("drawnScores(options)", &plain<drawn_scores_of>);
  function("onlineSoftmax(options)", &plain<online_softmax_of>);
  function("attentionCosts(options)", &plain<attention_costs_of>);
}

}  // namespace
}  // namespace attn::binding

// The module `core`: what it exports, and nothing else. Each call takes one options object, answers
// {ok: true, value} or {ok: false, code, field, message}, and keeps nothing.

#include <emscripten/bind.h>

#include "attention_calls.hpp"
#include "core_types.hpp"
#include "embedding_calls.hpp"
#include "random_calls.hpp"

namespace attn::binding {
namespace {

ErrorCodes list_error_codes() {
  val list = val::array();
  for (const ErrorCode code : error_codes) list.call<void>("push", val(std::string(name(code))));
  return ErrorCodes(list);
}

/// A call that computes in float32 or float64, as the option `dtype` asks.
template <auto in_float64, auto in_float32, class Answer, class Request>
Answer in_dtype(Request request) {
  Reader in(request);
  const bool single = in.wants_float32();
  return Answer(single ? in_float32(in) : in_float64(in));
}

/// A call that has one precision.
template <auto compute, class Answer, class Request>
Answer plain(Request request) {
  Reader in(request);
  return Answer(compute(in));
}

EMSCRIPTEN_BINDINGS(attention_deck_core) {
  using emscripten::function;
  register_core_types();

  function("errorCodes", &list_error_codes);

  function("attention(options)", &in_dtype<attention_of<double>, attention_of<float>,  //
                                           AttentionAnswer, AttentionRequest>);
  function("attentionByHand(options)", &plain<attention_by_hand_of,  //
                                              AttentionAnswer, AttentionByHandRequest>);
  function("attentionBackward(options)",
           &in_dtype<attention_backward_of<double>, attention_backward_of<float>,
                     AttentionBackwardAnswer, AttentionBackwardRequest>);
  function("softmax(options)", &in_dtype<softmax_of<double>, softmax_of<float>,  //
                                         SoftmaxAnswer, SoftmaxRequest>);
  function("softmaxBackward(options)",
           &in_dtype<softmax_backward_of<double>, softmax_backward_of<float>, SoftmaxBackwardAnswer,
                     SoftmaxBackwardRequest>);
  function("multiHead(options)", &in_dtype<multi_head_of<double>, multi_head_of<float>,  //
                                           MultiHeadAnswer, MultiHeadRequest>);
  function("attentionShapes(options)", &plain<attention_shapes_of,  //
                                              AttentionShapesAnswer, AttentionShapesRequest>);
  function("embed(options)", &plain<embed_of, EmbedAnswer, EmbedRequest>);
  function("gpt2EmbeddingSizes(options)", &plain<gpt2_embedding_sizes_of,  //
                                                 EmbeddingSizesAnswer, EmbeddingSizesRequest>);
  function("randomNormals(options)", &plain<random_normals_of,  //
                                            RandomNormalsAnswer, RandomNormalsRequest>);
}

}  // namespace
}  // namespace attn::binding

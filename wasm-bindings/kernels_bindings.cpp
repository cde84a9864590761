// The module `kernels`: what it exports, and nothing else. Each call takes one options object and answers
// {ok: true, value} or {ok: false, code, field, message}.

#include <emscripten/bind.h>

#include "fast_answers_calls.hpp"
#include "kernels_calls.hpp"
#include "plain_call.hpp"
#include "three_passes_call.hpp"
#include "webgpu/webgpu_calls.hpp"

namespace attn::binding {
namespace {

EMSCRIPTEN_BINDINGS(attention_deck_kernels) {
  using emscripten::function;
  function("backends(options)", &plain<backends_of>);
  function("backendCosts(options)", &plain<backend_costs_of>);
  function("noteWebgpuCost(options)", &plain<note_webgpu_cost_of>);
  function("quickestBackend(options)", &plain<quickest_backend_of>);
  function("openTensor(options)", &plain<open_tensor_of>);
  function("writeTensor(options)", &plain<write_tensor_of>);
  function("readTensor(options)", &plain<read_tensor_of>);
  function("closeTensor(options)", &plain<close_tensor_of>);
  function("peak(options)", &plain<peak_of>);
  function("attention(options)", &plain<heads_of>);
  function("attentionBackward(options)", &plain<heads_backward_of>);
  function("attentionNaive(options)", &plain<three_passes_of>);
  function("linearAttention(options)", &plain<linear_heads_of>);
  function("selectiveScan(options)", &plain<scan_channels_of>);
  function("blockSparse(options)", &plain<sparse_heads_of>);
  // These answer with a promise.
  function("webgpuOpen(options)", &webgpu::promised<webgpu::open_call>);
  function("webgpuAttention(options)", &webgpu::promised<webgpu::attention_call>);
  function("webgpuMatmul(options)", &webgpu::promised<webgpu::matmul_call>);
  function("webgpuClose(options)", &webgpu::promised<webgpu::close_call>);
}

}  // namespace
}  // namespace attn::binding

#pragma once

// The kernels as JavaScript calls them: whole batches of heads in float32, on kept tensors or on arrays.

#include <emscripten.h>

#include <string>
#include <vector>

#include "attention/heads.hpp"
#include "backend_option.hpp"
#include "convert.hpp"
#include "mask_option.hpp"
#include "tensor.hpp"

namespace attn::binding {

inline HeadsShape read_heads_shape(Reader& in) {
  HeadsShape shape = {};
  shape.n_heads = in.count_or("n_heads", 1, max_heads);
  shape.n_kv_heads = in.count_or("n_kv_heads", shape.n_heads, max_heads);
  shape.n_q = in.count("n_q", max_tiled_tokens);
  shape.n_k = in.count("n_k", max_tiled_tokens);
  shape.d_k = in.count("d_k", max_width);
  shape.d_v = in.count("d_v", max_width);
  shape.capacity = in.count_or("capacity", shape.n_k, max_tiled_tokens);
  return shape;
}

inline val heads_of(Reader& in) {
  HeadsInput input = {.shape = read_heads_shape(in)};
  const auto repeat = in.count_or("repeat", 1, 1'000'000);
  const bool wants_sums = in.flag_or("log_sum_exp", false);
  if (in.has("scale")) input.scale = in.number("scale");
  if (in.failed()) return failure(in.error());
  const auto lengths = check_heads(input.shape);
  if (!lengths) return failure(lengths.error());
  input.mask = read_mask(in, input.shape.n_q, input.shape.n_k);
  const Backend backend = read_backend(in, attention_flops(input.shape, input.mask));
  const Floats Q(in, "Q", lengths->q), K(in, "K", lengths->k), V(in, "V", lengths->v);
  FloatsOut output(in, "output", lengths->output);
  if (in.failed()) return failure(in.error());
  input.Q = Q.numbers();
  input.K = K.numbers();
  input.V = V.numbers();
  std::vector<float> sums(wants_sums ? Reader::size(lengths->log_sum_exp) : 0);
  const double begin = emscripten_get_now();
  for (std::uint64_t run = 0; run < repeat; ++run) {
    const auto done = attention_heads(input, backend, output.numbers(), sums);
    if (!done) return failure(done.error());
  }
  const double compute_ms = (emscripten_get_now() - begin) / static_cast<double>(repeat);
  Writer writer(in.out());
  writer.value("backend", val(std::string(name(backend)))).number("compute_ms", compute_ms);
  if (wants_sums) writer.floats("log_sum_exp", sums);
  output.write(writer);
  return writer.finish();
}

/// The two roofs of this machine in this build, as measured now: multiply-adds, and reading memory in order.
val peak_of(Reader& in);

}  // namespace attn::binding

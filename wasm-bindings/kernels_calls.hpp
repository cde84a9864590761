#pragma once

// The kernels as JavaScript calls them: whole batches of heads in float32, on kept tensors or on arrays.

#include <emscripten.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "attention/heads.hpp"
#include "backend_option.hpp"
#include "convert.hpp"
#include "heads_option.hpp"
#include "tensor.hpp"

namespace attn::binding {

/// What every attention over a batch of heads is asked: sizes, mask, arrays, back end and how often.
class HeadsCall {
 public:
  /// Reads and checks all of it; what is wrong is kept in `in`.
  explicit HeadsCall(Reader& in) : input_{.shape = read_heads_shape(in)} {
    repeat_ = in.count_or("repeat", 1, 1'000'000);
    if (in.has("scale")) input_.scale = in.number("scale");
    if (in.failed()) return;
    const auto lengths = check_heads(input_.shape);
    if (!in.accept(lengths)) return;
    lengths_ = *lengths;
    input_.mask = read_mask(in, input_.shape.n_q, input_.shape.n_k);
    backend_ = read_backend(in, attention_flops(input_.shape, input_.mask));
    Q_.emplace(in, "Q", lengths_.q);
    K_.emplace(in, "K", lengths_.k);
    V_.emplace(in, "V", lengths_.v);
    input_.Q = Q_->numbers();
    input_.K = K_->numbers();
    input_.V = V_->numbers();
  }

  const HeadsInput& input() const { return input_; }
  const HeadsLengths& lengths() const { return lengths_; }
  Backend backend() const { return backend_; }

  /// Computes as often as asked, and begins the answer: which back end, and how long each time took.
  template <class Compute>
  Expected<Writer> answer(Reader& in, const Compute& compute) const {
    const double begin = emscripten_get_now();
    for (std::uint64_t run = 0; run < repeat_; ++run) {
      if (Expected<void> done = compute(); !done) return std::unexpected(std::move(done).error());
    }
    const double compute_ms = (emscripten_get_now() - begin) / static_cast<double>(repeat_);
    Writer writer(in.out());
    writer.value("backend", val(std::string(name(backend_)))).number("compute_ms", compute_ms);
    return writer;
  }

 private:
  HeadsInput input_;
  HeadsLengths lengths_ = {};
  Backend backend_ = Backend::scalar;
  std::uint64_t repeat_ = 1;
  std::optional<Floats> Q_, K_, V_;
};

inline val heads_of(Reader& in) {
  const HeadsCall call(in);
  FloatsOut output(in, "output", call.lengths().output);
  const bool wants_sums = in.flag_or("log_sum_exp", false);
  if (in.failed()) return failure(in.error());
  std::vector<float> sums(wants_sums ? Reader::size(call.lengths().log_sum_exp) : 0);
  auto answer = call.answer(
      in, [&] { return attention_heads(call.input(), call.backend(), output.numbers(), sums); });
  if (!answer) return failure(answer.error());
  if (wants_sums) answer->floats("log_sum_exp", sums);
  output.write(*answer);
  return answer->finish();
}

inline val heads_backward_of(Reader& in) {
  const HeadsCall call(in);
  const HeadsShape& shape = call.input().shape;
  const std::uint64_t keys = shape.n_kv_heads * shape.n_k;
  const Floats dO(in, "dO", call.lengths().output);
  FloatsOut dQ(in, "dQ", call.lengths().q);
  FloatsOut dK(in, "dK", keys * shape.d_k);
  FloatsOut dV(in, "dV", keys * shape.d_v);
  if (in.failed()) return failure(in.error());
  auto answer = call.answer(in, [&] {
    return attention_heads_backward(call.input(), call.backend(), dO.numbers(),
                                    {dQ.numbers(), dK.numbers(), dV.numbers()});
  });
  if (!answer) return failure(answer.error());
  for (const FloatsOut* each : {&dQ, &dK, &dV}) each->write(*answer);
  return answer->finish();
}

/// The two roofs of this machine in this build, as measured now: multiply-adds, and reading memory in order.
val peak_of(Reader& in);

}  // namespace attn::binding

#pragma once

// The three passes that fused attention is compared with, as JavaScript calls them.

#include <cstdint>

#include "attention/three_passes.hpp"
#include "convert.hpp"
#include "core/limits.hpp"
#include "kernels_calls.hpp"
#include "tensor.hpp"

namespace attn::binding {

inline val three_passes_of(Reader& in) {
  const HeadsCall call(in);
  FloatsOut output(in, "output", call.lengths().output);
  const bool wants_weights = in.flag_or("weights", false);
  if (in.failed()) return failure(in.error());
  std::uint64_t pairs = 0;
  if (wants_weights) {
    const HeadsShape& shape = call.input().shape;
    const auto counted = checked_product("n_k", {shape.n_heads, shape.n_q, shape.n_k});
    if (!counted) return failure(counted.error());
    pairs = *counted;
    if (!in.accept(check_bytes("n_k", pairs * sizeof(float)))) return failure(in.error());
  }
  Vector<float> weights = make_vector<float>(Reader::size(pairs));
  auto answer = call.answer(in, [&] {
    return attention_three_passes(call.input(), call.backend(), output.numbers(),
                                  {weights.data(), weights.size()});
  });
  if (!answer) return failure(answer.error());
  if (wants_weights) answer->array("weights", weights);
  output.write(*answer);
  return answer->finish();
}

}  // namespace attn::binding

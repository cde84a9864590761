#include "attention/three_passes.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <new>

#include "core/limits.hpp"
#include "kernels/scalar/attention.hpp"
#include "kernels/scalar/matmul.hpp"
#include "kernels/scalar/softmax.hpp"
#if defined(ATTN_HAS_SIMD_KERNELS)
#include "kernels/simd/matmul.hpp"
#include "kernels/simd/softmax.hpp"
#endif

namespace attn {
namespace {

bool masks_anything(const Mask& mask) {
  return mask.causal || mask.window || !mask.key_valid.empty() || !mask.query_document.empty();
}

/// What the passes need beside their input: S unless it has a place, the pairs that a mask lets count, and two numbers
/// for each row.
struct Workspace {
  std::unique_ptr<float[]> scores, rows;
  Matrix<std::uint8_t> allowed;
};

Expected<Workspace> make_workspace(const HeadsInput& input, bool with_scores) {
  const HeadsShape& shape = input.shape;
  const auto pairs = checked_product("n_k", {shape.n_q, shape.n_k});
  if (!pairs) return std::unexpected(pairs.error());
  const bool masks = masks_anything(input.mask);
  const auto bytes = checked_product("n_k", {*pairs, sizeof(float)});
  if (!bytes) return std::unexpected(bytes.error());
  ATTN_CHECK(check_bytes("n_k", (with_scores ? *bytes : 0) + (masks ? *pairs : 0)));
  Workspace space;
  const auto take = [](std::uint64_t count) {
    return std::unique_ptr<float[]>(new (std::nothrow) float[static_cast<std::size_t>(count)]);
  };
  space.rows = take(2 * shape.n_q);
  if (with_scores) space.scores = take(*pairs);
  if (space.rows == nullptr || (with_scores && space.scores == nullptr)) {
    return fail(ErrorCode::out_of_memory, "n_k",
                {"The matrix of scores needs ", *bytes,
                 " bytes of memory, which are not free. Choose a smaller n_k."});
  }
  if (masks) {
    auto allowed = allowed_pairs(input.mask, static_cast<std::size_t>(shape.n_q),
                                 static_cast<std::size_t>(shape.n_k));
    if (!allowed) return std::unexpected(allowed.error());
    space.allowed = std::move(*allowed);
  }
  return space;
}

/// One head. S [n_q, n_k] holds the scores, then the weights; rows [2 n_q] is working memory.
struct Head {
  const float* q;
  const float* k;
  const float* v;
  const std::uint8_t* allowed;
  float* S;
  float* rows;
  float* output;
};

void scale_scores(const kernels::AttentionProblem& problem, float* S) {
  for (std::size_t at = 0; at < problem.n_q * problem.n_k; ++at) S[at] *= problem.scale;
}

void three_passes_scalar(const kernels::AttentionProblem& problem, const Head& head) {
  const auto& [q, k, v, allowed, S, rows, output] = head;
  kernels::matmul_transposed_scalar(q, k, S, problem.n_q, problem.d_k, problem.n_k);
  scale_scores(problem, S);
  kernels::softmax_rows_scalar(S, allowed, problem.n_q, problem.n_k, rows, S, rows + problem.n_q,
                               S);
  kernels::weigh_rows_scalar(S, allowed, v, output, problem.n_q, problem.n_k, problem.d_v);
}

#if defined(ATTN_HAS_SIMD_KERNELS)
bool are_finite(const float* values, std::size_t count) {
  return std::all_of(values, values + count, [](float value) { return std::isfinite(value); });
}

void three_passes_simd(const kernels::AttentionProblem& problem, const Head& head) {
  const auto& [q, k, v, allowed, S, rows, output] = head;
  kernels::matmul_transposed_simd(q, k, S, problem.n_q, problem.d_k, problem.n_k);
  scale_scores(problem, S);
  kernels::softmax_rows_simd(S, allowed, problem.n_q, problem.n_k, S);
  // A product reads every value, and 0 x NaN is NaN: where some value is none, the plain sum looks at allowed pairs alone.
  if (allowed == nullptr || are_finite(v, problem.n_k * problem.d_v)) {
    kernels::matmul_simd(S, v, output, problem.n_q, problem.n_k, problem.d_v);
  } else {
    kernels::weigh_rows_scalar(S, allowed, v, output, problem.n_q, problem.n_k, problem.d_v);
  }
}
#endif

}  // namespace

Expected<void> attention_three_passes(const HeadsInput& input, Backend backend,
                                      std::span<float> output, std::span<float> weights) {
  const auto lengths = check_heads_input(input, backend);
  if (!lengths) return std::unexpected(lengths.error());
  const HeadsShape& shape = input.shape;
  const auto all_pairs = checked_product("weights", {shape.n_heads, shape.n_q, shape.n_k});
  if (!weights.empty() && !all_pairs) return std::unexpected(all_pairs.error());
  ATTN_CHECK(check_arrays(
      {{"Q", input.Q, lengths->q}, {"K", input.K, lengths->k}, {"V", input.V, lengths->v}},
      {{"weights", weights, all_pairs.value_or(0), true}, {"output", output, lengths->output}}));
  auto space = make_workspace(input, weights.empty());
  if (!space) return std::unexpected(space.error());
  const kernels::AttentionProblem problem = problem_of(input);
  const std::size_t pairs = problem.n_q * problem.n_k;
  for (std::size_t head = 0; head < problem.n_heads; ++head) {
    const std::size_t kv_head = head / problem.heads_per_kv_head();
    const Head of_one = {
        .q = problem.q + head * problem.n_q * problem.d_k,
        .k = problem.k + kv_head * problem.k_stride(),
        .v = problem.v + kv_head * problem.v_stride(),
        .allowed = space->allowed.size() > 0 ? space->allowed.data() : nullptr,
        .S = weights.empty() ? space->scores.get() : weights.data() + head * pairs,
        .rows = space->rows.get(),
        .output = output.data() + head * problem.n_q * problem.d_v,
    };
#if defined(ATTN_HAS_SIMD_KERNELS)
    if (backend == Backend::simd) {
      three_passes_simd(problem, of_one);
      continue;
    }
#endif
    three_passes_scalar(problem, of_one);
  }
  return {};
}

}  // namespace attn

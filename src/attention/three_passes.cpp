#include "attention/three_passes.hpp"

#include <memory>
#include <new>

#include "core/limits.hpp"
#include "kernels/scalar/attention.hpp"
#include "kernels/scalar/matmul.hpp"
#include "kernels/scalar/softmax.hpp"

namespace attn {
namespace {

/// The back ends whose kernels the passes below call: no result may name one that did not run.
bool has_passes(Backend backend) { return backend == Backend::scalar; }

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

}  // namespace

Expected<void> attention_three_passes(const HeadsInput& input, Backend backend,
                                      std::span<float> output, std::span<float> weights) {
  const auto lengths = check_heads_input(input, backend, output);
  if (!lengths) return std::unexpected(lengths.error());
  if (!has_passes(backend)) {
    return fail(ErrorCode::bad_argument, "backend",
                {"The three passes have no kernels of the back end ", name(backend), "."});
  }
  const HeadsShape& shape = input.shape;
  if (!weights.empty()) {
    const auto wanted = checked_product("weights", {shape.n_heads, shape.n_q, shape.n_k});
    if (!wanted) return std::unexpected(wanted.error());
    if (weights.size() != *wanted) {
      return fail(ErrorCode::shape_mismatch, "weights",
                  {"weights must hold ", *wanted, " numbers for the sizes given; it holds ",
                   std::uint64_t{weights.size()}, "."});
    }
  }
  auto space = make_workspace(input, weights.empty());
  if (!space) return std::unexpected(space.error());
  const kernels::AttentionProblem problem = problem_of(input);
  const auto& [n_heads, n_kv_heads, n_q, n_k, d_k, d_v, scale, mask, q, k, v, k_step, v_step] =
      problem;
  const std::uint8_t* allowed = space->allowed.size() > 0 ? space->allowed.data() : nullptr;
  float* shift = space->rows.get();
  float* sums = shift + n_q;
  for (std::size_t head = 0; head < n_heads; ++head) {
    const std::size_t kv_head = head / problem.heads_per_kv_head();
    float* S = weights.empty() ? space->scores.get() : weights.data() + head * n_q * n_k;
    kernels::matmul_transposed_scalar(q + head * n_q * d_k, k + kv_head * problem.k_stride(), S,
                                      n_q, d_k, n_k);
    for (std::size_t at = 0; at < n_q * n_k; ++at) S[at] *= scale;
    kernels::softmax_rows_scalar(S, allowed, n_q, n_k, shift, S, sums, S);
    kernels::weigh_rows_scalar(S, allowed, v + kv_head * problem.v_stride(),
                               output.data() + head * n_q * d_v, n_q, n_k, d_v);
  }
  return {};
}

}  // namespace attn

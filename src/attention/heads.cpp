#include "attention/heads.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/limits.hpp"
#include "kernels/scalar/attention.hpp"
#include "kernels/scalar/attention_backward.hpp"
#if defined(ATTN_HAS_SIMD_KERNELS)
#include "kernels/simd/attention.hpp"
#include "kernels/simd/attention_backward.hpp"
#endif

namespace attn {
kernels::AttentionProblem problem_of(const HeadsInput& input) {
  const auto size = [](std::uint64_t count) { return static_cast<std::size_t>(count); };
  const HeadsShape& shape = input.shape;
  const double scale = input.scale.value_or(1 / std::sqrt(static_cast<double>(shape.d_k)));
  const Mask& mask = input.mask;
  return {
      .n_heads = size(shape.n_heads),
      .n_kv_heads = size(shape.n_kv_heads),
      .n_q = size(shape.n_q),
      .n_k = size(shape.n_k),
      .d_k = size(shape.d_k),
      .d_v = size(shape.d_v),
      .scale = static_cast<float>(scale),
      .mask =
          {
              .causal = mask.causal,
              // A window wider than the keys masks nothing but what lies ahead.
              .window = size(mask.window ? std::min(*mask.window, shape.n_k + shape.n_q) : 0),
              .key_valid = mask.key_valid.empty() ? nullptr : mask.key_valid.data(),
              .query_document = mask.query_document.empty() ? nullptr : mask.query_document.data(),
              .key_document = mask.key_document.empty() ? nullptr : mask.key_document.data(),
          },
      .q = input.Q.data(),
      .k = input.K.data(),
      .v = input.V.data(),
      .k_head_stride = size(shape.capacity * shape.d_k),
      .v_head_stride = size(shape.capacity * shape.d_v),
  };
}

std::string_view name(Backend backend) { return backend == Backend::scalar ? "scalar" : "simd"; }

std::span<const Backend> backends() {
#if defined(ATTN_HAS_SIMD_KERNELS)
  static constexpr Backend present[] = {Backend::scalar, Backend::simd};
#else
  static constexpr Backend present[] = {Backend::scalar};
#endif
  return present;
}

Expected<HeadsLengths> check_heads(const HeadsShape& shape) {
  ATTN_CHECK(check_count("n_heads", shape.n_heads, 1, max_heads));
  ATTN_CHECK(check_count("n_kv_heads", shape.n_kv_heads, 1, max_heads));
  ATTN_CHECK(check_count("n_q", shape.n_q, 1, max_tiled_tokens));
  ATTN_CHECK(check_count("n_k", shape.n_k, 1, max_tiled_tokens));
  ATTN_CHECK(check_count("d_k", shape.d_k, 1, max_width));
  ATTN_CHECK(check_count("d_v", shape.d_v, 1, max_width));
  ATTN_CHECK(check_count("capacity", shape.capacity, 1, max_tiled_tokens));
  if (shape.n_heads % shape.n_kv_heads != 0) {
    return fail(ErrorCode::shape_mismatch, "n_kv_heads",
                {"n_kv_heads must divide n_heads, so that each group has as many heads; ",
                 shape.n_kv_heads, " does not divide ", shape.n_heads, "."});
  }
  if (shape.capacity < shape.n_k) {
    return fail(ErrorCode::shape_mismatch, "capacity",
                {"capacity must be at least n_k: ", shape.n_k, " keys do not fit into ",
                 shape.capacity, "."});
  }
  HeadsLengths lengths = {};
  const auto product = [](std::uint64_t& length, std::string_view field,
                          std::initializer_list<std::uint64_t> factors) -> Expected<void> {
    const auto checked = checked_product(field, factors);
    if (!checked) return std::unexpected(checked.error());
    if (*checked > max_bytes / sizeof(float)) return check_bytes(field, *checked * sizeof(float));
    length = *checked;
    return {};
  };
  ATTN_CHECK(product(lengths.q, "Q", {shape.n_heads, shape.n_q, shape.d_k}));
  ATTN_CHECK(product(lengths.k, "K", {shape.n_kv_heads, shape.capacity, shape.d_k}));
  ATTN_CHECK(product(lengths.v, "V", {shape.n_kv_heads, shape.capacity, shape.d_v}));
  ATTN_CHECK(product(lengths.output, "output", {shape.n_heads, shape.n_q, shape.d_v}));
  lengths.log_sum_exp = shape.n_heads * shape.n_q;
  return lengths;
}

double attention_flops(const HeadsShape& shape, const Mask& mask) {
  std::uint64_t pairs = shape.n_q * shape.n_k;
  if (mask.causal || mask.window) {
    pairs = 0;
    for (std::uint64_t i = 0; i < shape.n_q; ++i) {
      // Position i + n_k - n_q and all before it, as far as they exist.
      const std::uint64_t past =
          i + shape.n_k >= shape.n_q ? std::min(i + shape.n_k - shape.n_q + 1, shape.n_k) : 0;
      pairs += mask.window ? std::min(past, *mask.window) : past;
    }
  }
  return 2.0 * static_cast<double>(shape.d_k + shape.d_v) * static_cast<double>(pairs) *
         static_cast<double>(shape.n_heads);
}

Expected<HeadsLengths> check_heads_input(const HeadsInput& input, Backend backend) {
  if (std::ranges::find(backends(), backend) == backends().end()) {
    return fail(ErrorCode::bad_argument, "backend",
                {"This build has no back end ", name(backend), "."});
  }
  const auto lengths = check_heads(input.shape);
  if (!lengths) return std::unexpected(lengths.error());
  ATTN_CHECK(check_mask(input.mask, static_cast<std::size_t>(input.shape.n_q),
                        static_cast<std::size_t>(input.shape.n_k)));
  return lengths;
}

Expected<void> attention_heads(const HeadsInput& input, Backend backend, std::span<float> output,
                               std::span<float> log_sum_exp) {
  const auto lengths = check_heads_input(input, backend);
  if (!lengths) return std::unexpected(lengths.error());
  ATTN_CHECK(check_arrays(
      {{"Q", input.Q, lengths->q}, {"K", input.K, lengths->k}, {"V", input.V, lengths->v}},
      {{"output", output, lengths->output},
       {"log_sum_exp", log_sum_exp, lengths->log_sum_exp, true}}));
  const kernels::AttentionProblem problem = problem_of(input);
  float* sums = log_sum_exp.empty() ? nullptr : log_sum_exp.data();
  if (backend == Backend::scalar) {
    const auto row = scratch_of<double>("n_k", kernels::attention_heads_scalar_row(problem));
    if (!row) return std::unexpected(row.error());
    kernels::attention_heads_scalar(problem, output.data(), row->get(), sums);
    return {};
  }
#if defined(ATTN_HAS_SIMD_KERNELS)
  const auto scratch = scratch_of<float>("n_k", kernels::attention_simd_scratch(problem));
  if (!scratch) return std::unexpected(scratch.error());
  kernels::attention_simd(problem, output.data(), scratch->get(), sums);
#endif
  return {};
}

Expected<void> attention_heads_backward(const HeadsInput& input, Backend backend,
                                        std::span<const float> dO,
                                        const HeadsGradients& gradients) {
  const auto lengths = check_heads_input(input, backend);
  if (!lengths) return std::unexpected(lengths.error());
  const HeadsShape& shape = input.shape;
  const std::uint64_t keys = shape.n_kv_heads * shape.n_k;
  ATTN_CHECK(check_arrays({{"Q", input.Q, lengths->q},
                           {"K", input.K, lengths->k},
                           {"V", input.V, lengths->v},
                           {"dO", dO, lengths->output}},
                          {{"dQ", gradients.dQ, lengths->q},
                           {"dK", gradients.dK, keys * shape.d_k},
                           {"dV", gradients.dV, keys * shape.d_v}}));
  const kernels::AttentionProblem problem = problem_of(input);
  const kernels::AttentionGradients into = {gradients.dQ.data(), gradients.dK.data(),
                                            gradients.dV.data()};
  if (backend == Backend::scalar) {
    const auto scratch =
        scratch_of<double>("n_k", kernels::attention_backward_scalar_scratch(problem));
    if (!scratch) return std::unexpected(scratch.error());
    kernels::attention_backward_scalar(problem, dO.data(), into, scratch->get());
    return {};
  }
#if defined(ATTN_HAS_SIMD_KERNELS)
  // The way forward leaves what the way back starts from.
  ATTN_CHECK(check_bytes("n_q", (lengths->output + lengths->log_sum_exp) * sizeof(float)));
  std::vector<float> output(static_cast<std::size_t>(lengths->output));
  std::vector<float> sums(static_cast<std::size_t>(lengths->log_sum_exp));
  ATTN_CHECK(attention_heads(input, backend, output, sums));
  const auto scratch = scratch_of<float>("n_k", kernels::attention_backward_simd_scratch(problem));
  if (!scratch) return std::unexpected(scratch.error());
  kernels::attention_backward_simd(problem, output.data(), dO.data(), sums.data(), into,
                                   scratch->get());
#endif
  return {};
}

}  // namespace attn

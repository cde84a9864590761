#include "efficient/fast_answers.hpp"

#include <algorithm>
#include <cmath>

#include "core/arrays.hpp"
#include "core/limits.hpp"
#include "kernels/scalar/block_sparse.hpp"
#include "kernels/scalar/linear_attention.hpp"
#include "kernels/scalar/selective_scan.hpp"
#if defined(ATTN_HAS_SIMD_KERNELS)
#include "kernels/simd/block_sparse.hpp"
#include "kernels/simd/linear_attention.hpp"
#include "kernels/simd/selective_scan.hpp"
#endif

namespace attn {
namespace {

/// The most channels, and the most numbers of a state.
constexpr std::uint64_t most_channels = 65536, most_state = 1024;

/// Numbers of an array of that shape, within what one array may hold.
Expected<std::uint64_t> length_of(std::string_view field,
                                  std::initializer_list<std::uint64_t> factors) {
  const auto length = checked_product(field, factors);
  if (!length) return std::unexpected(length.error());
  if (*length > max_bytes / sizeof(float)) {
    ATTN_CHECK(check_bytes(field, *length * sizeof(float)));
  }
  return *length;
}

Expected<void> check_backend(Backend backend) {
  if (std::ranges::find(backends(), backend) != backends().end()) return {};
  return fail(ErrorCode::bad_argument, "backend",
              {"This build has no back end ", name(backend), "."});
}

kernels::LinearProblem problem_of(const LinearHeads& input) {
  return {.n_heads = as_size(input.n_heads),
          .n = as_size(input.n),
          .d_k = as_size(input.d_k),
          .d_v = as_size(input.d_v),
          .features = static_cast<kernels::Features>(input.feature_map),
          .normalize = input.normalize,
          .q = input.Q.data(),
          .k = input.K.data(),
          .v = input.V.data(),
          .gates = input.gates.empty() ? nullptr : input.gates.data()};
}

kernels::ScanProblem problem_of(const ScanChannels& input) {
  return {.n = as_size(input.n),
          .channels = as_size(input.channels),
          .state_size = as_size(input.state_size),
          .x = input.x.data(),
          .delta = input.delta.data(),
          .A = input.A.data(),
          .B = input.B.data(),
          .C = input.C.data(),
          .skip = input.skip.empty() ? nullptr : input.skip.data()};
}

kernels::SparseProblem problem_of(const SparseHeads& input) {
  const auto tokens = [&input](std::uint64_t count) {
    // More than all tokens is all of them.
    return as_size(std::min(count, input.n));
  };
  return {.n_heads = as_size(input.n_heads),
          .n_kv_heads = as_size(input.n_kv_heads),
          .n = as_size(input.n),
          .d_k = as_size(input.d_k),
          .d_v = as_size(input.d_v),
          .block = tokens(input.block),
          .top_k = tokens(input.top_k),
          .first_blocks = tokens(input.first_blocks),
          .window = tokens(input.window),
          .scale = static_cast<float>(1 / std::sqrt(as_double(input.d_k))),
          .q = input.Q.data(),
          .k = input.K.data(),
          .v = input.V.data()};
}

}  // namespace

Expected<LinearLengths> check_linear_heads(const LinearHeads& input) {
  ATTN_CHECK(check_count("n_heads", input.n_heads, 1, max_heads));
  ATTN_CHECK(check_count("n", input.n, 1, max_tiled_tokens));
  // A state of d_k x d_v numbers is kept for each head, and each token touches all of it.
  ATTN_CHECK(check_count("d_k", input.d_k, 1, max_tokens));
  ATTN_CHECK(check_count("d_v", input.d_v, 1, max_tokens));
  const auto q = length_of("Q", {input.n_heads, input.n, input.d_k});
  if (!q) return std::unexpected(q.error());
  const auto v = length_of("V", {input.n_heads, input.n, input.d_v});
  if (!v) return std::unexpected(v.error());
  const auto state = length_of("state", {input.n_heads, input.d_k, input.d_v});
  if (!state) return std::unexpected(state.error());
  return LinearLengths{*q, *v, input.n_heads * input.n, *state, input.n_heads * input.d_k};
}

Expected<void> linear_attention_heads(const LinearHeads& input, Backend backend,
                                      std::span<float> output, const LinearHeadsKept& kept) {
  ATTN_CHECK(check_backend(backend));
  const auto lengths = check_linear_heads(input);
  if (!lengths) return std::unexpected(lengths.error());
  if (kept.state.empty() != kept.sums.empty()) {
    const std::string_view missing = kept.state.empty() ? "state" : "sums";
    return fail(
        ErrorCode::bad_argument, missing,
        {missing, " is missing: what is kept of the tokens before is state and sums together."});
  }
  ATTN_CHECK(check_arrays({{"Q", input.Q, lengths->q},
                           {"K", input.K, lengths->q},
                           {"V", input.V, lengths->v},
                           {"gates", input.gates, lengths->gates, true}},
                          {{"output", output, lengths->v},
                           {"sums", kept.sums, lengths->sums, true},
                           {"state", kept.state, lengths->state, true}}));
  for (const float gate : input.gates) {
    ATTN_CHECK(check_between("gates", static_cast<double>(gate), 0, 1));
  }
  if (input.normalize && input.feature_map == FeatureMap::identity) {
    return fail(ErrorCode::bad_argument, "normalize",
                {"Weights that may be below 0 cannot be divided by their sum: with the identity, "
                 "set normalize to false."});
  }
  const kernels::LinearProblem problem = problem_of(input);
  const kernels::LinearState before = {kept.state.empty() ? nullptr : kept.state.data(),
                                       kept.sums.empty() ? nullptr : kept.sums.data()};
#if defined(ATTN_HAS_SIMD_KERNELS)
  if (backend == Backend::simd) {
    const auto scratch = scratch_of<float>("d_k", kernels::linear_attention_simd_scratch(problem));
    if (!scratch) return std::unexpected(scratch.error());
    kernels::linear_attention_simd(problem, before, output.data(), scratch->get());
    return {};
  }
#endif
  const auto scratch = scratch_of<double>("d_k", kernels::linear_attention_scalar_scratch(problem));
  if (!scratch) return std::unexpected(scratch.error());
  kernels::linear_attention_scalar(problem, before, output.data(), scratch->get());
  return {};
}

double linear_attention_heads_flops(const LinearHeads& input, Backend backend) {
#if defined(ATTN_HAS_SIMD_KERNELS)
  if (backend == Backend::simd) return kernels::linear_attention_flops(problem_of(input));
#endif
  static_cast<void>(backend);
  return 4 * as_double(input.n_heads) * as_double(input.n) * as_double(input.d_k) *
         as_double(input.d_v);
}

Expected<ScanLengths> check_scan_channels(const ScanChannels& input) {
  ATTN_CHECK(check_count("n", input.n, 1, max_tiled_tokens));
  ATTN_CHECK(check_count("channels", input.channels, 1, most_channels));
  ATTN_CHECK(check_count("state_size", input.state_size, 1, most_state));
  const auto x = length_of("x", {input.n, input.channels});
  if (!x) return std::unexpected(x.error());
  const auto A = length_of("A", {input.channels, input.state_size});
  if (!A) return std::unexpected(A.error());
  const auto B = length_of("B", {input.n, input.state_size});
  if (!B) return std::unexpected(B.error());
  return ScanLengths{*x, *A, *B, *A};
}

Expected<void> selective_scan_channels(const ScanChannels& input, Backend backend,
                                       std::span<float> output, std::span<float> state) {
  ATTN_CHECK(check_backend(backend));
  const auto lengths = check_scan_channels(input);
  if (!lengths) return std::unexpected(lengths.error());
  ATTN_CHECK(
      check_arrays({{"x", input.x, lengths->x},
                    {"delta", input.delta, lengths->x},
                    {"A", input.A, lengths->A},
                    {"B", input.B, lengths->B},
                    {"C", input.C, lengths->B},
                    {"skip", input.skip, input.channels, true}},
                   {{"output", output, lengths->x}, {"state", state, lengths->state, true}}));
  if (std::ranges::any_of(input.delta, [](float step) { return step < 0; })) {
    return fail(ErrorCode::out_of_range, "delta",
                {"A token cannot move the state backwards: delta must be 0 or more."});
  }
  if (std::ranges::any_of(input.A, [](float rate) { return rate > 0; })) {
    return fail(ErrorCode::out_of_range, "A",
                {"With an A above 0 the state grows without end: A must be 0 or less."});
  }
  const kernels::ScanProblem problem = problem_of(input);
  float* const held = state.empty() ? nullptr : state.data();
#if defined(ATTN_HAS_SIMD_KERNELS)
  if (backend == Backend::simd) {
    const auto scratch =
        scratch_of<float>("channels", kernels::selective_scan_simd_scratch(problem));
    if (!scratch) return std::unexpected(scratch.error());
    kernels::selective_scan_simd(problem, held, output.data(), scratch->get());
    return {};
  }
#endif
  const auto scratch =
      scratch_of<double>("channels", kernels::selective_scan_scalar_scratch(problem));
  if (!scratch) return std::unexpected(scratch.error());
  kernels::selective_scan_scalar(problem, held, output.data(), scratch->get());
  return {};
}

double selective_scan_channels_flops(const ScanChannels& input) {
  return 22 * as_double(input.n) * as_double(input.channels) * as_double(input.state_size);
}

Expected<HeadsLengths> check_sparse_heads(const SparseHeads& input) {
  ATTN_CHECK(check_count("block", input.block, 1, max_tiled_tokens));
  ATTN_CHECK(check_count("top_k", input.top_k, 1, max_tiled_tokens));
  ATTN_CHECK(check_count("first_blocks", input.first_blocks, 0, max_tiled_tokens));
  ATTN_CHECK(check_count("window", input.window, 0, max_tiled_tokens));
  ATTN_CHECK(check_count("n", input.n, 1, max_tiled_tokens));
  return check_heads({.n_heads = input.n_heads,
                      .n_kv_heads = input.n_kv_heads,
                      .n_q = input.n,
                      .n_k = input.n,
                      .d_k = input.d_k,
                      .d_v = input.d_v,
                      .capacity = input.n});
}

Expected<std::uint64_t> block_sparse_heads(const SparseHeads& input, Backend backend,
                                           std::span<float> output) {
  ATTN_CHECK(check_backend(backend));
  const auto lengths = check_sparse_heads(input);
  if (!lengths) return std::unexpected(lengths.error());
  ATTN_CHECK(check_arrays(
      {{"Q", input.Q, lengths->q}, {"K", input.K, lengths->k}, {"V", input.V, lengths->v}},
      {{"output", output, lengths->output}}));
  const kernels::SparseProblem problem = problem_of(input);
#if defined(ATTN_HAS_SIMD_KERNELS)
  if (backend == Backend::simd) {
    const kernels::SparseScratch needed = kernels::block_sparse_simd_scratch(problem);
    const auto scratch = scratch_of<float>("n", needed.floats);
    if (!scratch) return std::unexpected(scratch.error());
    const auto places = scratch_of<std::uint32_t>("top_k", needed.places);
    if (!places) return std::unexpected(places.error());
    return kernels::block_sparse_simd(problem, output.data(), scratch->get(), places->get());
  }
#endif
  const auto scratch = scratch_of<double>("n", kernels::block_sparse_scalar_scratch(problem));
  if (!scratch) return std::unexpected(scratch.error());
  return kernels::block_sparse_scalar(problem, output.data(), scratch->get());
}

}  // namespace attn

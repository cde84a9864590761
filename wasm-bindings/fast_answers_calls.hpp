#pragma once

// The kernels of the answers to n^2, as JavaScript calls them.

#include <emscripten.h>

#include <array>
#include <optional>
#include <string>

#include "backend_option.hpp"
#include "convert.hpp"
#include "core/limits.hpp"
#include "efficient/fast_answers.hpp"
#include "tensor.hpp"

namespace attn::binding {

/// A state that a call reads and writes: a tensor, or none. An array could only be read.
inline std::span<float> kept_in(Reader& in, const char* field, std::uint64_t length,
                                std::optional<FloatsOut>& held) {
  if (in.has(field))
    in.refuse(ErrorCode::bad_argument, field, " must be a tensor: it is written as well.");
  if (!in.has((std::string(field) + "_tensor").c_str())) return {};
  held.emplace(in, field, length);
  return held->numbers();
}

/// Numbers that may be left out.
inline std::span<const float> numbers_or_none(Reader& in, const char* field, std::uint64_t length,
                                              std::optional<Floats>& held) {
  if (!in.has(field) && !in.has((std::string(field) + "_tensor").c_str())) return {};
  held.emplace(in, field, length);
  return held->numbers();
}

/// Computes as often as asked, and begins the answer: which back end, and how long each time took.
template <class Compute>
Expected<Writer> timed(Reader& in, Backend backend, std::uint64_t repeat, const Compute& compute) {
  const double begin = emscripten_get_now();
  for (std::uint64_t run = 0; run < repeat; ++run) {
    if (Expected<void> done = compute(); !done) return std::unexpected(std::move(done).error());
  }
  const double compute_ms = (emscripten_get_now() - begin) / static_cast<double>(repeat);
  Writer writer(in.out());
  writer.value("backend", val(std::string(name(backend)))).number("compute_ms", compute_ms);
  return writer;
}

inline constexpr std::uint64_t most_repeats = 1'000'000;

inline val linear_heads_of(Reader& in) {
  LinearHeads input;
  constexpr std::array<std::string_view, 3> maps = {"elu_plus_one", "relu", "identity"};
  input.n_heads = in.count_or("n_heads", 1, max_heads);
  input.n = in.count("n", max_tiled_tokens);
  input.d_k = in.count("d_k", max_tokens);
  input.d_v = in.count("d_v", max_tokens);
  input.feature_map = static_cast<FeatureMap>(in.choice("feature_map", maps));
  input.normalize = in.flag_or("normalize", input.feature_map != FeatureMap::identity);
  const std::uint64_t repeat = in.count_or("repeat", 1, most_repeats);
  if (in.failed()) return failure(in.error());
  const auto lengths = check_linear_heads(input);
  if (!lengths) return failure(lengths.error());
  const Backend backend = read_backend(in, linear_attention_heads_flops(input, backends().back()));
  const Floats Q(in, "Q", lengths->q), K(in, "K", lengths->q), V(in, "V", lengths->v);
  std::optional<Floats> gates;
  std::optional<FloatsOut> state, sums;
  input.Q = Q.numbers();
  input.K = K.numbers();
  input.V = V.numbers();
  input.gates = numbers_or_none(in, "gates", lengths->gates, gates);
  const LinearHeadsKept kept = {kept_in(in, "state", lengths->state, state),
                                kept_in(in, "sums", lengths->sums, sums)};
  FloatsOut output(in, "output", lengths->v);
  if (in.failed()) return failure(in.error());
  auto answer = timed(in, backend, repeat, [&] {
    return linear_attention_heads(input, backend, output.numbers(), kept);
  });
  if (!answer) return failure(answer.error());
  answer->number("flops", linear_attention_heads_flops(input, backend));
  output.write(*answer);
  return answer->finish();
}

inline val scan_channels_of(Reader& in) {
  ScanChannels input;
  input.n = in.count("n", max_tiled_tokens);
  input.channels = in.count("channels", max_exact_count);
  input.state_size = in.count("state_size", max_exact_count);
  const std::uint64_t repeat = in.count_or("repeat", 1, most_repeats);
  if (in.failed()) return failure(in.error());
  const auto lengths = check_scan_channels(input);
  if (!lengths) return failure(lengths.error());
  const Backend backend = read_backend(in, selective_scan_channels_flops(input));
  const Floats x(in, "x", lengths->x), delta(in, "delta", lengths->x), A(in, "A", lengths->A);
  const Floats B(in, "B", lengths->B), C(in, "C", lengths->B);
  std::optional<Floats> skip;
  std::optional<FloatsOut> state;
  input.x = x.numbers();
  input.delta = delta.numbers();
  input.A = A.numbers();
  input.B = B.numbers();
  input.C = C.numbers();
  input.skip = numbers_or_none(in, "skip", input.channels, skip);
  const std::span<float> kept = kept_in(in, "state", lengths->state, state);
  FloatsOut output(in, "output", lengths->x);
  if (in.failed()) return failure(in.error());
  auto answer = timed(in, backend, repeat, [&] {
    return selective_scan_channels(input, backend, output.numbers(), kept);
  });
  if (!answer) return failure(answer.error());
  answer->number("flops", selective_scan_channels_flops(input));
  output.write(*answer);
  return answer->finish();
}

inline val sparse_heads_of(Reader& in) {
  SparseHeads input;
  input.n_heads = in.count_or("n_heads", 1, max_heads);
  input.n_kv_heads = in.count_or("n_kv_heads", input.n_heads, max_heads);
  input.n = in.count("n", max_tiled_tokens);
  input.d_k = in.count("d_k", max_width);
  input.d_v = in.count("d_v", max_width);
  input.block = in.count_or("block", input.block, max_tiled_tokens);
  input.top_k = in.count_or("top_k", input.top_k, max_tiled_tokens);
  if (in.has("first_blocks")) input.first_blocks = in.count("first_blocks", max_tiled_tokens, 0);
  if (in.has("window")) input.window = in.count("window", max_tiled_tokens, 0);
  const std::uint64_t repeat = in.count_or("repeat", 1, most_repeats);
  if (in.failed()) return failure(in.error());
  const auto lengths = check_sparse_heads(input);
  if (!lengths) return failure(lengths.error());
  // About what is seen: each query its blocks.
  const double pairs = as_double(input.n_heads) * as_double(input.n) *
                       as_double(std::min(input.n, input.block * input.top_k + input.window));
  const Backend backend = read_backend(in, 2 * as_double(input.d_k + input.d_v) * pairs);
  const Floats Q(in, "Q", lengths->q), K(in, "K", lengths->k), V(in, "V", lengths->v);
  input.Q = Q.numbers();
  input.K = K.numbers();
  input.V = V.numbers();
  FloatsOut output(in, "output", lengths->output);
  if (in.failed()) return failure(in.error());
  std::uint64_t seen = 0;
  auto answer = timed(in, backend, repeat, [&]() -> Expected<void> {
    const auto counted = block_sparse_heads(input, backend, output.numbers());
    if (!counted) return std::unexpected(counted.error());
    seen = *counted;
    return {};
  });
  if (!answer) return failure(answer.error());
  answer->number("pairs", as_double(seen));
  output.write(*answer);
  return answer->finish();
}

}  // namespace attn::binding

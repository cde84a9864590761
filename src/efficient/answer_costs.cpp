#include "efficient/answer_costs.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/exact.hpp"
#include "core/limits.hpp"

namespace attn {
namespace {

constexpr std::uint64_t most_layers = 1024;

Expected<void> check(const AnswerSizes& sizes) {
  const std::pair<std::string_view, std::uint64_t> fields[] = {
      {"n", sizes.n},           {"n_heads", sizes.n_heads},
      {"d_k", sizes.d_k},       {"d_v", sizes.d_v},
      {"window", sizes.window}, {"bytes_per_number", sizes.bytes_per_number},
      {"block", sizes.block},   {"top_k", sizes.top_k},
      {"state", sizes.state}};
  for (const auto& [field, size] : fields) {
    ATTN_CHECK(check_count(field, size, 1, max_exact_count));
  }
  ATTN_CHECK(check_count("n_kv_heads", sizes.n_kv_heads, 0, sizes.n_heads));
  if (sizes.n_kv_heads != 0 && sizes.n_heads % sizes.n_kv_heads != 0) {
    return fail(
        ErrorCode::out_of_range, "n_kv_heads",
        {"n_kv_heads must divide the ", sizes.n_heads, " heads: it is ", sizes.n_kv_heads, "."});
  }
  return check_count("sinks", sizes.sinks, 0, max_exact_count);
}

/// 1 + 2 + ... + n, halved before it is multiplied.
std::uint64_t triangle(Exact& exact, std::uint64_t n) {
  return n % 2 == 0 ? exact.product({n / 2, n + 1}) : exact.product({n, (n + 1) / 2});
}

/// How much softmax attention does with what it sees.
struct Seen {
  std::uint64_t pairs;  ///< of n tokens
  std::uint64_t last;   ///< keys that the last token sees
  std::uint64_t kept;   ///< keys that the next one may see
};

Seen see_all(Exact& exact, const AnswerSizes& sizes) {
  return {triangle(exact, sizes.n), sizes.n, sizes.n};
}

/// The window is full after `window` tokens; a sink counts for token i once it has left the window.
Seen see_window(Exact& exact, const AnswerSizes& sizes) {
  const std::uint64_t n = sizes.n, window = std::min(sizes.window, n);
  const std::uint64_t past = n - window;
  const std::uint64_t sinks = std::min(sizes.sinks, past);
  // After the window has filled, token i = window, ..., n - 1 sees min(sinks, i - window + 1) sinks.
  const std::uint64_t pinned =
      exact.sum({triangle(exact, sinks), exact.product({past - sinks, sinks})});
  const std::uint64_t in_window =
      exact.sum({triangle(exact, window), exact.product({past, window})});
  return {exact.sum({in_window, pinned}), window + sinks, window + sinks};
}

/// Token i of its block sees the block up to itself, and top_k - 1 whole blocks before it as soon as there are as many.
Seen see_blocks(Exact& exact, const AnswerSizes& sizes) {
  const std::uint64_t whole = sizes.n / sizes.block, rest = sizes.n % sizes.block;
  const std::uint64_t more = sizes.top_k - 1;
  const std::uint64_t growing = std::min(more, whole);
  // Blocks 0, 1, ... of which each has as many before it as `more` allows.
  const std::uint64_t before = exact.sum(
      {growing == 0 ? 0 : triangle(exact, growing - 1), exact.product({whole - growing, more})});
  const std::uint64_t last_before = std::min(more, whole);
  const std::uint64_t others = exact.sum({exact.product({before, sizes.block, sizes.block}),
                                          exact.product({last_before, sizes.block, rest})});
  const std::uint64_t own =
      exact.sum({exact.product({whole, triangle(exact, sizes.block)}), triangle(exact, rest)});
  const std::uint64_t own_last = rest == 0 ? sizes.block : rest;
  const std::uint64_t earlier = std::min(more, (sizes.n - 1) / sizes.block);
  return {exact.sum({own, others}), exact.sum({own_last, exact.product({earlier, sizes.block})}),
          sizes.n};
}

/// Scores of blocks: each token scores those that are over before its own.
std::uint64_t scored_blocks(Exact& exact, const AnswerSizes& sizes) {
  const std::uint64_t whole = sizes.n / sizes.block, rest = sizes.n % sizes.block;
  const std::uint64_t in_whole =
      whole == 0 ? 0 : exact.product({triangle(exact, whole - 1), sizes.block});
  return exact.sum({in_whole, exact.product({whole, rest})});
}

void count_attention(Exact& exact, const AnswerSizes& sizes, const Seen& seen, AnswerCosts& costs) {
  const std::uint64_t per_pair =
      exact.sum({exact.product({2, sizes.d_k}), exact.product({2, sizes.d_v}), 6});
  costs.pairs = seen.pairs;
  costs.flops = exact.product({sizes.n_heads, seen.pairs, per_pair});
  costs.step_flops = exact.product({sizes.n_heads, seen.last, per_pair});
  costs.state_bytes = exact.product(
      {sizes.n_kv_heads, seen.kept, exact.sum({sizes.d_k, sizes.d_v}), sizes.bytes_per_number});
}

void count_choice(Exact& exact, const AnswerSizes& sizes, AnswerCosts& costs) {
  const std::uint64_t per_score = exact.sum({exact.product({2, sizes.d_k}), 1});
  const std::uint64_t scores =
      exact.product({sizes.n_heads, scored_blocks(exact, sizes), per_score});
  const std::uint64_t means = exact.product({sizes.n_kv_heads, sizes.n, sizes.d_k});
  costs.flops = exact.sum({costs.flops, scores, means});
  const std::uint64_t over = (sizes.n - 1) / sizes.block;
  costs.step_flops = exact.sum({costs.step_flops, exact.product({sizes.n_heads, over, per_score}),
                                exact.product({sizes.n_kv_heads, sizes.d_k})});
  const std::uint64_t blocks = ceil_div(sizes.n, sizes.block);
  costs.state_bytes =
      exact.sum({costs.state_bytes,
                 exact.product({sizes.n_kv_heads, blocks, sizes.d_k, sizes.bytes_per_number})});
}

/// A state of fixed size: every step costs the same.
void count_state(Exact& exact, const AnswerSizes& sizes, std::uint64_t step, std::uint64_t numbers,
                 AnswerCosts& costs) {
  costs.step_flops = step;
  costs.flops = exact.product({sizes.n, step});
  costs.state_bytes = exact.product({numbers, sizes.bytes_per_number});
}

void count_linear(Exact& exact, const AnswerSizes& sizes, bool is_gated, AnswerCosts& costs) {
  const std::uint64_t matrix = exact.product({sizes.d_k, sizes.d_v});
  const std::uint64_t keep = is_gated ? matrix : sizes.d_k;
  const std::uint64_t write = exact.sum({exact.product({2, matrix}), keep});
  const std::uint64_t divide = is_gated ? 0 : exact.sum({exact.product({2, sizes.d_k}), sizes.d_v});
  const std::uint64_t read = exact.sum({exact.product({2, matrix}), divide});
  const std::uint64_t numbers = exact.sum({matrix, is_gated ? 0 : sizes.d_k});
  const std::uint64_t step =
      exact.sum({exact.product({sizes.n_kv_heads, write}), exact.product({sizes.n_heads, read})});
  count_state(exact, sizes, step, exact.product({sizes.n_kv_heads, numbers}), costs);
}

void count_selective(Exact& exact, const AnswerSizes& sizes, AnswerCosts& costs) {
  const std::uint64_t channels = exact.product({sizes.n_heads, sizes.d_v});
  const std::uint64_t numbers = exact.product({channels, sizes.state});
  count_state(exact, sizes, exact.sum({exact.product({7, numbers}), exact.product({3, channels})}),
              numbers, costs);
}

}  // namespace

Expected<AnswerCosts> answer_costs(Answer answer, const AnswerSizes& asked) {
  ATTN_CHECK(check(asked));
  Exact exact("n");
  // One block that is larger than the text is the text.
  AnswerSizes sizes = asked;
  sizes.block = std::min(sizes.block, sizes.n);
  if (sizes.n_kv_heads == 0) sizes.n_kv_heads = sizes.n_heads;
  AnswerCosts costs{};
  switch (answer) {
    case Answer::full:
      count_attention(exact, sizes, see_all(exact, sizes), costs);
      break;
    case Answer::window:
      count_attention(exact, sizes, see_window(exact, sizes), costs);
      break;
    case Answer::block_sparse:
      count_attention(exact, sizes, see_blocks(exact, sizes), costs);
      count_choice(exact, sizes, costs);
      break;
    case Answer::linear:
    case Answer::gated_linear:
      count_linear(exact, sizes, answer == Answer::gated_linear, costs);
      break;
    case Answer::selective_state:
      count_selective(exact, sizes, costs);
      break;
  }
  if (exact.error()) return std::unexpected(*exact.error());
  return costs;
}

Expected<AnswerCosts> stack_costs(std::span<const Answer> layers, const AnswerSizes& sizes) {
  ATTN_CHECK(check_count("layers", layers.size(), 1, most_layers));
  Exact exact("n");
  AnswerCosts total{};
  for (const Answer answer : layers) {
    const auto costs = answer_costs(answer, sizes);
    ATTN_CHECK(costs);
    total.pairs = exact.sum({total.pairs, costs->pairs});
    total.flops = exact.sum({total.flops, costs->flops});
    total.state_bytes = exact.sum({total.state_bytes, costs->state_bytes});
    total.step_flops = exact.sum({total.step_flops, costs->step_flops});
  }
  if (exact.error()) return std::unexpected(*exact.error());
  total.pairs /= layers.size();
  return total;
}

}  // namespace attn

#include "efficient/attention_costs.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/exact.hpp"
#include "core/limits.hpp"

namespace attn {
namespace {

Expected<void> check(const CostSizes& sizes) {
  const std::pair<std::string_view, std::uint64_t> fields[] = {
      {"n", sizes.n},
      {"n_heads", sizes.n_heads},
      {"d", sizes.d},
      {"bytes_per_number", sizes.bytes_per_number},
      {"tile_q", sizes.tile_q},
      {"tile_k", sizes.tile_k},
      {"fast_bytes", sizes.fast_bytes}};
  for (const auto& [field, size] : fields) {
    ATTN_CHECK(check_count(field, size, 1, max_exact_count));
  }
  return {};
}

std::uint64_t blocks(std::uint64_t n, std::uint64_t tile) { return (n + tile - 1) / tile; }

double ratio(std::uint64_t a, std::uint64_t b) {
  return static_cast<double>(a) / static_cast<double>(b);
}

void count_scores(const CostSizes& sizes, Exact& exact, AttentionCosts& costs) {
  costs.entries = exact.product({sizes.n, sizes.n});
  costs.entries_doubled = exact.product({2, sizes.n, 2, sizes.n});
  costs.score_bytes = exact.product({sizes.n_heads, costs.entries, sizes.bytes_per_number});
}

void count_operations(const CostSizes& sizes, Exact& exact, AttentionCosts& costs) {
  const auto& [n, n_heads, d, bytes_per_number, tile_q, tile_k, fast_bytes] = sizes;
  costs.product_flops = exact.product({4, n_heads, costs.entries, d});
  costs.naive_softmax_flops = exact.product({6, n_heads, costs.entries});
  const std::uint64_t rescaling = exact.product({n_heads, n, blocks(n, tile_k), exact.sum({3, d})});
  costs.fused_softmax_flops = exact.sum(
      {exact.product({5, n_heads, costs.entries}), rescaling, exact.product({n_heads, n, d})});
}

void count_traffic(const CostSizes& sizes, Exact& exact, AttentionCosts& costs) {
  // Bytes of Q, of K, of V or of O.
  const std::uint64_t matrix =
      exact.product({sizes.n_heads, sizes.n, sizes.d, sizes.bytes_per_number});
  const std::uint64_t S = costs.score_bytes;
  costs.score_pass = {.read = exact.sum({matrix, matrix}), .written = S};
  costs.softmax_pass = {.read = S, .written = S};
  costs.value_pass = {.read = exact.sum({S, matrix}), .written = matrix};
  costs.naive_bytes = exact.sum({exact.product({4, matrix}), exact.product({4, S})});
  costs.query_blocks = blocks(sizes.n, sizes.tile_q);
  costs.fused_pass = {.read = exact.sum({matrix, exact.product({2, costs.query_blocks, matrix})}),
                      .written = matrix};
  costs.fused_bytes = exact.sum({costs.fused_pass.read, costs.fused_pass.written});
}

void count_tile(const CostSizes& sizes, Exact& exact, AttentionCosts& costs) {
  const std::uint64_t rows = std::min(sizes.tile_q, sizes.n);
  const std::uint64_t keys = std::min(sizes.tile_k, sizes.n);
  costs.tile_numbers =
      exact.sum({exact.product({2, rows, sizes.d}), exact.product({2, keys, sizes.d}),
                 exact.product({rows, keys}), exact.product({2, rows})});
  costs.tile_bytes = exact.product({costs.tile_numbers, sizes.bytes_per_number});
  costs.fits = costs.tile_bytes <= sizes.fast_bytes;
}

}  // namespace

Expected<AttentionCosts> attention_costs(const CostSizes& sizes) {
  ATTN_CHECK(check(sizes));
  Exact exact("n");
  AttentionCosts costs{};
  count_scores(sizes, exact, costs);
  count_operations(sizes, exact, costs);
  count_traffic(sizes, exact, costs);
  count_tile(sizes, exact, costs);
  if (exact.error()) return std::unexpected(*exact.error());
  costs.entries_millions = static_cast<double>(costs.entries) / 1e6;
  costs.score_mebibytes = static_cast<double>(costs.score_bytes) / (1024.0 * 1024.0);
  costs.growth = ratio(costs.entries_doubled, costs.entries);
  costs.softmax_percent = 100 * ratio(costs.naive_softmax_flops, costs.product_flops);
  costs.bytes_ratio = ratio(costs.naive_bytes, costs.fused_bytes);
  return costs;
}

}  // namespace attn

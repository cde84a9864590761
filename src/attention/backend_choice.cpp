#include "attention/backend_choice.hpp"

#include <algorithm>
#include <limits>

namespace attn {

BackendCost fit_cost(const CostSample& a, const CostSample& b) {
  const auto& [small, large] = std::minmax(
      a, b,
      [](const CostSample& left, const CostSample& right) { return left.flops < right.flops; });
  const double slope = large.flops > small.flops
                           ? std::max(0.0, (large.ms - small.ms) / (large.flops - small.flops))
                           : 0.0;
  return {.start_ms = std::max(0.0, small.ms - slope * small.flops), .ms_per_flop = slope};
}

std::size_t quickest(std::span<const BackendCost> costs, double flops) {
  const auto first = std::ranges::min_element(
      costs, {}, [flops](const BackendCost& cost) { return cost.ms(flops); });
  return static_cast<std::size_t>(first - costs.begin());
}

double crossover_flops(const BackendCost& first, const BackendCost& second) {
  const double saved = first.ms_per_flop - second.ms_per_flop;
  const double paid = second.start_ms - first.start_ms;
  if (paid < 0) {
    // Ahead at the start; whether it stays ahead is asked of the pair the other way round.
    return 0;
  }
  return saved > 0 ? paid / saved : std::numeric_limits<double>::infinity();
}

}  // namespace attn

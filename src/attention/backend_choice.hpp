#pragma once

// Which back end is the quickest for a size, from what was measured on this machine.

#include <cstddef>
#include <span>
#include <vector>

namespace attn {

/// One measurement: so many floating-point operations took so long.
struct CostSample {
  double flops;
  double ms;
};

/// What a back end takes: start_ms for a call of any size, and ms_per_flop for each operation. Together the line
/// ms = start_ms + ms_per_flop x flops.
struct BackendCost {
  double start_ms;
  double ms_per_flop;

  double ms(double flops) const { return start_ms + ms_per_flop * flops; }
};

/// The line through a small and a large measurement, in any order. A start below 0 is noise and becomes 0, as does a
/// slope below 0.
BackendCost fit_cost(const CostSample& a, const CostSample& b);

/// The place of the back end that is expected to answer first; the earlier one when two are level.
/// costs: at least one.
std::size_t quickest(std::span<const BackendCost> costs, double flops);

/// From how many operations on `second` is quicker than `first`: 0 when always, infinity when never.
double crossover_flops(const BackendCost& first, const BackendCost& second);

}  // namespace attn

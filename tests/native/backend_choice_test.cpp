#include "attention/backend_choice.hpp"

#include <cmath>
#include <vector>

#include "support.hpp"

using namespace attn;

TEST_CASE("two measurements give the line through them, in either order") {
  const CostSample small{.flops = 1000, .ms = 0.5};
  const CostSample large{.flops = 5000, .ms = 1.5};
  for (const BackendCost& cost : {fit_cost(small, large), fit_cost(large, small)}) {
    CHECK(std::abs(cost.start_ms - 0.25) < 1e-12);
    CHECK(std::abs(cost.ms_per_flop - 0.00025) < 1e-15);
    CHECK(std::abs(cost.ms(3000) - 1.0) < 1e-12);
  }
}

TEST_CASE("noise makes no negative cost") {
  const BackendCost falling = fit_cost({.flops = 10, .ms = 2}, {.flops = 100, .ms = 1});
  CHECK(falling.ms_per_flop == 0);
  CHECK(falling.start_ms == 2);
  const BackendCost steep = fit_cost({.flops = 10, .ms = 0}, {.flops = 100, .ms = 9});
  CHECK(steep.start_ms == 0);
  const BackendCost level = fit_cost({.flops = 10, .ms = 3}, {.flops = 10, .ms = 3});
  CHECK(level.ms_per_flop == 0);
  CHECK(level.start_ms == 3);
}

TEST_CASE("the quickest back end changes exactly at the crossover") {
  const std::vector<BackendCost> costs = {{.start_ms = 0.001, .ms_per_flop = 1e-6},
                                          {.start_ms = 0.002, .ms_per_flop = 1e-7},
                                          {.start_ms = 2.0, .ms_per_flop = 1e-9}};
  for (std::size_t i = 0; i + 1 < costs.size(); ++i) {
    const double at = crossover_flops(costs[i], costs[i + 1]);
    REQUIRE(std::isfinite(at));
    CHECK(quickest(costs, at * 0.99) == i);
    CHECK(quickest(costs, at * 1.01) == i + 1);
  }
  CHECK(quickest(costs, 0) == 0);
  CHECK(quickest(costs, 1e15) == 2);
}

TEST_CASE("a back end that is always slower never takes over, one that never is does at once") {
  const BackendCost quick{.start_ms = 0.001, .ms_per_flop = 1e-7};
  const BackendCost slow{.start_ms = 0.002, .ms_per_flop = 1e-6};
  CHECK(std::isinf(crossover_flops(quick, slow)));
  CHECK(crossover_flops(slow, quick) == 0);
  CHECK(quickest(std::vector{quick, quick}, 100) == 0);
}

#include "attention/steps.hpp"

#include <cmath>
#include <limits>

#include "support.hpp"

using namespace attn;
using namespace attn::test;

namespace {

template <class T>
T steps_below(T value, int steps) {
  for (int k = 0; k < steps; ++k) value = std::nextafter(value, T{0});
  return value;
}

}  // namespace

TEST_CASE("weights a rounding error apart tie for the largest; any farther they do not") {
  const auto marks = [](auto value, int steps) {
    using T = decltype(value);
    Matrix<T> weights = make_matrix<T>(1, 3);
    weights(0, 0) = steps_below(value, steps);
    weights(0, 1) = value;
    weights(0, 2) = 0;
    const Matrix<std::uint8_t> marked = mark_largest(weights);
    CHECK(marked(0, 1) == 1);
    CHECK(marked(0, 2) == 0);
    return marked(0, 0) == 1;
  };
  for (const double largest : {0.37, 1e-3, 0.99}) {
    CHECK(marks(largest, 2));
    CHECK_FALSE(marks(largest, 12));
    CHECK(marks(static_cast<float>(largest), 2));
    CHECK_FALSE(marks(static_cast<float>(largest), 12));
  }
}

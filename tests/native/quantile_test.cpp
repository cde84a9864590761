#include "core/quantile.hpp"

#include "support.hpp"

using namespace attn;
using namespace attn::test;

TEST_CASE("quantiles lie between the nearest values, as NumPy's do") {
  const Vector<double> shares = {0, 0.25, 0.5, 0.975, 1};
  const Vector<double> found = value_of(quantiles({4, 1, 3, 2}, shares));
  const Vector<double> wanted = {1, 1.75, 2.5, 3.925, 4};
  for (std::size_t k = 0; k < 5; ++k) CHECK(std::fabs(found(k) - wanted(k)) < 1e-15);
  CHECK(value_of(quantiles({7}, {0.3}))(0) == 7);
  CHECK(value_of(quantiles({7}, Vector<double>::from_shape({0}))).size() == 0);
}

TEST_CASE("quantiles of nothing, of no numbers and beyond the ends are refused") {
  CHECK(error_of(quantiles(Vector<double>::from_shape({0}), {0.5})).field == "values");
  CHECK(error_of(quantiles({1, quiet_nan}, {0.5})).field == "values");
  CHECK(error_of(quantiles({1}, {infinity})).code == ErrorCode::not_finite);
  CHECK(error_of(quantiles({1}, {0, 1.1})).field == "shares[1]");
  CHECK(error_of(quantiles({1}, {-0.1})).code == ErrorCode::out_of_range);
}

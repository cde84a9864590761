#include "embedding/positions.hpp"

#include <vector>

#include "attention/scaled_dot_product.hpp"
#include "support.hpp"

using namespace attn;
using namespace attn::test;

TEST_CASE("positions count the real tokens alone") {
  using Positions = std::vector<std::int32_t>;
  const auto positions = [](std::vector<std::uint8_t> valid) { return positions_of(valid); };
  CHECK(positions({1, 1, 1}) == Positions{0, 1, 2});
  CHECK(positions({0, 0, 1, 1, 1}) == Positions{0, 0, 0, 1, 2});
  CHECK(positions({1, 1, 0, 0}) == Positions{0, 1, 0, 0});
  CHECK(positions({0, 1, 0, 1}) == Positions{0, 0, 0, 1});
  CHECK(positions({}) == Positions{});
}

TEST_CASE("a row padded on the left equals the row alone, exactly") {  // hard case N9
  Normals normals(61);
  const Matrix<double> token = random_matrix(normals, 4, 6);
  const Matrix<double> position = random_matrix(normals, 10, 6);
  const auto placed = [&](const std::vector<std::uint8_t>& valid) {
    const std::vector<std::int32_t> positions = positions_of(valid);
    Matrix<double> x = make_matrix<double>(valid.size(), 6);
    std::size_t next = 0;
    for (std::size_t i = 0; i < valid.size(); ++i) {
      // Padding repeats the first token: it is masked, so that it may be anything.
      const std::size_t which = valid[i] != 0 ? next++ : 0;
      for (std::size_t c = 0; c < 6; ++c) {
        x(i, c) = token(which, c) + position(static_cast<std::size_t>(positions[i]), c);
      }
    }
    const Mask mask{.causal = true, .key_valid = valid};
    return value_of(scaled_dot_product(x, x, x, {.mask = mask})).output;
  };
  const Matrix<double> alone = placed({1, 1, 1, 1});
  CHECK(same(rows_of(placed({0, 0, 0, 1, 1, 1, 1}), 3, 7), alone));
  CHECK(same(rows_of(placed({1, 1, 1, 1, 0, 0}), 0, 4), alone));
}

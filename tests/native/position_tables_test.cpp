// Sinusoidal positions and ALiBi's slopes: what comes out for the counts that others got wrong.

#include <cmath>
#include <vector>

#include "embedding/alibi.hpp"
#include "embedding/sinusoidal.hpp"
#include "support.hpp"

using namespace attn;
using namespace attn::test;

TEST_CASE("row 0 of the sinusoidal positions is 0, 1, 0, 1, ... for every width") {
  for (const std::size_t width : {1U, 2U, 5U, 8U, 17U}) {
    const auto P = value_of(sinusoidal_positions(3, width));
    REQUIRE(P.shape(1) == width);
    for (std::size_t j = 0; j < width; ++j) CHECK(P(0, j) == static_cast<double>(j % 2));
  }
}

TEST_CASE("an odd width has one sine more than cosines") {
  const auto P = value_of(sinusoidal_positions(8, 5));
  for (std::size_t pos = 0; pos < 8; ++pos) {
    const auto p = static_cast<double>(pos);
    const double angles[] = {p, p / std::pow(10000, 0.4), p / std::pow(10000, 0.8)};
    for (std::size_t i = 0; i < 3; ++i) {
      CHECK(std::fabs(P(pos, 2 * i) - std::sin(angles[i])) < 1e-14);
      if (i < 2) CHECK(std::fabs(P(pos, 2 * i + 1) - std::cos(angles[i])) < 1e-14);
    }
  }
}

TEST_CASE("the product of two sinusoidal positions depends on their distance alone") {
  const auto P = value_of(sinusoidal_positions(300, 16));
  const auto product = [&](std::size_t a, std::size_t b) {
    double sum = 0;
    for (std::size_t j = 0; j < 16; ++j) sum += P(a, j) * P(b, j);
    return sum;
  };
  for (const std::size_t offset : {0U, 1U, 7U, 100U}) {
    CHECK(std::fabs(product(offset, 0) - product(190 + offset, 190)) < 1e-12);
  }
}

TEST_CASE("sizes and bases that make no sinusoid are refused by name") {
  CHECK(error_of(sinusoidal_positions(0, 4)).field == "n");
  CHECK(error_of(sinusoidal_positions(4097, 4)).code == ErrorCode::too_large);
  CHECK(error_of(sinusoidal_positions(4, 0)).field == "d_model");
  CHECK(error_of(sinusoidal_positions(4096, 65536)).code == ErrorCode::too_large);
  for (const double base : {1.0, -2.0, quiet_nan, infinity}) {
    CHECK(error_of(sinusoidal_positions(2, 2, base)).field == "base");
  }
}

TEST_CASE("ALiBi's slopes for a power of two halve from head to head, and never start at 1") {
  const auto eight = value_of(alibi_slopes(8));
  for (std::size_t h = 0; h < 8; ++h) CHECK(eight[h] == std::ldexp(1.0, -static_cast<int>(h) - 1));
  CHECK(value_of(alibi_slopes(1)) == std::vector<double>{1.0 / 256});
  const auto sixteen = value_of(alibi_slopes(16));
  CHECK(std::fabs(sixteen[0] - std::sqrt(0.5)) < 1e-15);
  CHECK(sixteen[15] == 1.0 / 256);
  for (std::size_t heads = 1; heads <= 64; ++heads) {
    for (const double slope : value_of(alibi_slopes(heads))) CHECK((slope > 0 && slope < 1));
  }
}

TEST_CASE("for another count ALiBi borrows every other slope of the next power of two") {
  // As in the paper's code: get_slopes(8), then get_slopes(16)[0::2].
  const auto twelve = value_of(alibi_slopes(12));
  REQUIRE(twelve.size() == 12);
  for (std::size_t h = 0; h < 8; ++h) CHECK(twelve[h] == std::ldexp(1.0, -static_cast<int>(h) - 1));
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(std::fabs(twelve[8 + i] - std::exp2(-0.5 - static_cast<double>(i))) < 1e-15);
  }
  const auto three = value_of(alibi_slopes(3));
  CHECK(three == std::vector<double>{std::exp2(-4), std::exp2(-8), std::exp2(-2)});
  CHECK(error_of(alibi_slopes(0)).field == "n_heads");
  CHECK(error_of(alibi_slopes(1025)).code == ErrorCode::too_large);
}

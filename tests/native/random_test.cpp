#include "core/random.hpp"

#include <cmath>

#include "core/limits.hpp"
#include "core/normal_stream.hpp"
#include "support.hpp"

using namespace attn;
using namespace attn::test;

TEST_CASE("a stream of normals does not depend on the pieces in which it is drawn") {
  const Vector<double> odd = value_of(random_normals(7, 5));
  const Vector<double> more = value_of(random_normals(7, 12));
  Normals normals(7);
  for (std::size_t i = 0; i < 12; ++i) {
    CHECK(normals.next() == more(i));
    if (i < 5) CHECK(odd(i) == more(i));
  }
}

TEST_CASE("normals have the mean and the variance of N(0, 1), and another seed other numbers") {
  const std::size_t count = 100'000;
  const Vector<double> numbers = value_of(random_normals(1, count));
  double sum = 0;
  double squares = 0;
  for (const double x : numbers) {
    sum += x;
    squares += x * x;
  }
  // Four standard errors.
  CHECK(std::fabs(sum / count) < 4 / std::sqrt(count));
  CHECK(std::fabs(squares / count - 1) < 4 * std::sqrt(2.0 / count));
  CHECK(value_of(random_normals(2, 1))(0) != numbers(0));
}

TEST_CASE("the extreme states give finite normals") {
  // The seed whose first number is 0, of which there is no logarithm.
  const std::uint64_t to_zero = 0 - std::uint64_t{0x9E3779B97F4A7C15};
  REQUIRE(SplitMix64(to_zero).next() == 0);
  CHECK(std::fabs(std::hypot(value_of(random_normals(to_zero, 2))(0),
                             value_of(random_normals(to_zero, 2))(1)) -
                  std::sqrt(106 * std::log(2.0))) < 1e-12);
  for (const std::uint64_t seed : {std::uint64_t{0}, UINT64_MAX, max_exact_count}) {
    CHECK(all_finite(value_of(random_normals(seed, 1000))));
  }
}

TEST_CASE("no normals and too many are refused") {
  CHECK(error_of(random_normals(1, 0)).code == ErrorCode::out_of_range);
  CHECK(error_of(random_normals(1, max_exact_count)).code == ErrorCode::too_large);
  CHECK(error_of(random_normals(1, max_bytes / 8 + 1)).field == "count");
}

TEST_CASE("the stream of blocks has the numbers of the plain one, in whatever pieces") {
  const std::uint64_t to_zero = 0 - std::uint64_t{0x9E3779B97F4A7C15};
  for (const std::uint64_t seed : {std::uint64_t{1}, std::uint64_t{48}, to_zero, UINT64_MAX}) {
    Normals plain(seed);
    NormalStream blocks(seed);
    for (const std::size_t count : {1U, 2U, 3U, 255U, 256U, 257U, 1000U, 20'000U}) {
      std::vector<double> numbers(count);
      blocks.fill(numbers);
      double worst = 0;
      for (const double number : numbers) {
        const double wanted = plain.next();
        worst = std::max(worst, std::fabs(number - wanted) / std::max(1.0, std::fabs(wanted)));
      }
      CHECK(worst < 1e-14);
    }
  }
}

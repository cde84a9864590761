#include "attention/scaling_experiment.hpp"

#include <array>
#include <numeric>

#include "attention/softmax.hpp"
#include "support.hpp"

using namespace attn;
using namespace attn::test;

namespace {

double relative(double value, double wanted) { return std::fabs(value / wanted - 1); }

}  // namespace

TEST_CASE("the experiment is its definition, written out") {
  const ScalingOptions options = {.d_k = 5, .keys = 3, .rows = 7, .seed = 9};
  const ScalingRun run = value_of(scaling_experiment(options));
  REQUIRE(run.rows == 7);

  // One stream: all queries, the keys row by row, the gradients.
  Normals normals(9);
  const Matrix<double> Q = random_matrix(normals, 7, 5);
  const Matrix<double> K = random_matrix(normals, 7 * 3, 5);
  const Matrix<double> dA = random_matrix(normals, 7, 3);
  const std::array divisors = {1.0, std::sqrt(5.0), 5.0};
  for (std::size_t d = 0; d < 3; ++d) {
    const DividedScores& divided = run.by_divisor[d];
    CHECK(divided.divisor == divisors[d]);
    for (std::size_t i = 0; i < 7; ++i) {
      std::array<double, 3> e{};
      for (std::size_t j = 0; j < 3; ++j) {
        double score = 0;
        for (std::size_t c = 0; c < 5; ++c) score += Q(i, c) * K(3 * i + j, c);
        e[j] = std::exp(score / divisors[d]);
      }
      const double sum = e[0] + e[1] + e[2];
      double mean = 0;
      for (std::size_t j = 0; j < 3; ++j) mean += dA(i, j) * e[j] / sum;
      double squares = 0;
      for (std::size_t j = 0; j < 3; ++j) {
        // With respect to what enters the softmax: no factor 1 / divisor.
        const double entry = e[j] / sum * (dA(i, j) - mean);
        squares += entry * entry;
      }
      CHECK(relative(divided.largest_weights[i], std::max({e[0], e[1], e[2]}) / sum) < 1e-12);
      CHECK(relative(divided.gradient_norms[i], std::sqrt(squares)) < 1e-10);
    }
    // The fourth of seven.
    std::vector<double> norms = divided.gradient_norms;
    std::sort(norms.begin(), norms.end());
    CHECK(divided.gradient_norm == norms[3]);
  }
}

TEST_CASE("the variance of a dot product of N(0, 1) vectors is their length") {
  for (const std::size_t d_k : {1U, 2U, 3U, 16U, 64U, 333U, 1024U}) {
    const ScalingRun run = value_of(scaling_experiment({.d_k = d_k, .seed = 3}));
    const auto length = static_cast<double>(d_k);
    // 3,200 scores, 16 of each query, so that |q|^2 counts 200 times: five standard errors.
    const double error = 5 * std::sqrt(2 / (200 * length) + 4.0 / 3200 + 6 / (3200 * length));
    const std::array wanted = {length, 1.0, 1 / length};
    for (std::size_t d = 0; d < 3; ++d) {
      CHECK(relative(run.by_divisor[d].variance, wanted[d]) < error);
    }
  }
}

TEST_CASE("every score is in one bin, and dividing moves them to the middle") {
  const ScalingRun run = value_of(scaling_experiment({.d_k = 64, .seed = 40188, .bins = 32}));
  CHECK(run.reach == 32);
  for (const DividedScores& divided : run.by_divisor) {
    CHECK(std::accumulate(divided.histogram.begin(), divided.histogram.end(), 0) == 3200);
  }
  const auto& divided = run.by_divisor[1].histogram;
  CHECK(std::accumulate(divided.begin() + 13, divided.begin() + 19, 0) > 2900);
  const ScalingRun one = value_of(scaling_experiment({.d_k = 1, .bins = 1}));
  CHECK(one.by_divisor[0].histogram == std::vector<std::int32_t>{3200});
}

TEST_CASE("one key takes all the weight, and its row returns nothing") {
  const ScalingRun run = value_of(scaling_experiment({.d_k = 8, .keys = 1, .rows = 5}));
  for (const DividedScores& divided : run.by_divisor) {
    CHECK(divided.largest_weight == 1);
    CHECK(divided.gradient_norm == 0);
    CHECK(divided.dead_percent == 100);
  }
}

TEST_CASE("a limit on the numbers drawn cuts rows, and the run says how many are left") {
  const ScalingOptions whole = {.d_k = 64, .rows = 40, .seed = 2};
  // 17 x 64 + 16 numbers a row.
  ScalingOptions cut = whole;
  cut.most_numbers = 10 * 1104 + 500;
  CHECK(value_of(scaling_experiment(cut)).rows == 10);
  const ScalingRun ten = value_of(scaling_experiment({.d_k = 64, .rows = 10, .seed = 2}));
  CHECK(value_of(scaling_experiment(cut)).by_divisor[0].gradient_norms ==
        ten.by_divisor[0].gradient_norms);
  cut.most_numbers = 1;
  CHECK(value_of(scaling_experiment(cut)).rows == 1);
  CHECK(value_of(scaling_experiment(whole)).rows == 40);
}

TEST_CASE("the seed of another run gives other numbers, the same seed the same") {
  const auto norms = [](std::uint64_t seed) {
    return value_of(scaling_experiment({.d_k = 4, .rows = 20, .seed = seed}))
        .by_divisor[0]
        .gradient_norms;
  };
  CHECK(norms(1) == norms(1));
  CHECK(norms(1) != norms(2));
}

TEST_CASE("an experiment that cannot be is refused by name") {
  const auto refused = [](const ScalingOptions& options) {
    return error_of(scaling_experiment(options));
  };
  CHECK(refused({.d_k = 0}).field == "d_k");
  CHECK(refused({.d_k = 4097}).code == ErrorCode::too_large);
  CHECK(refused({.keys = 0}).field == "keys");
  CHECK(refused({.keys = 257}).field == "keys");
  CHECK(refused({.rows = 0}).code == ErrorCode::out_of_range);
  CHECK(refused({.rows = 2001}).field == "rows");
  CHECK(refused({.bins = 0}).field == "bins");
  CHECK(refused({.bins = 513}).field == "bins");
  CHECK(refused({.most_numbers = 0}).field == "most_numbers");
  // Each within its limit, together 2.1e9 numbers.
  const Error together = refused({.d_k = 4096, .keys = 256, .rows = 2000});
  CHECK(together.code == ErrorCode::too_large);
  CHECK(together.field == "rows");
  CHECK(together.message.find(" 63 rows") != std::string::npos);
}

TEST_CASE("what is known of scores without drawing them") {
  const ScoreStatistics known = value_of(score_statistics(64, 16, 20));
  CHECK(known.variance == 64);
  CHECK(known.deviation == 8);
  CHECK(known.mean_range == 8 * 3.532);
  // The range of two is the mean distance 2 / sqrt(pi); of one there is none.
  CHECK(value_of(score_statistics(1, 2, 0)).mean_range == 1.1284);
  CHECK(value_of(score_statistics(1, 1, 0)).mean_range == 0);
  CHECK(value_of(score_statistics(1, 1, 0)).differ_probability == 1);
  CHECK(value_of(score_statistics(9, 256, 0)).left_behind == 1);
  CHECK(error_of(score_statistics(0, 1, 1)).field == "d_k");
  CHECK(error_of(score_statistics(1, 0, 1)).field == "keys");
  for (const double gap : {-1.0, 701.0, quiet_nan}) {
    CHECK(error_of(score_statistics(1, 1, gap)).field == "gap");
  }
}

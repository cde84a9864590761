#include "attention/scaling_experiment.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

#include "attention/softmax.hpp"
#include "core/limits.hpp"
#include "core/normal_stream.hpp"
#include "core/quantile.hpp"

namespace attn {
namespace {

constexpr std::size_t widest = 4096;
constexpr std::size_t most_keys = 256;
constexpr std::size_t most_rows = 2000;
constexpr std::size_t most_bins = 512;
constexpr std::uint64_t most_drawn = std::uint64_t{1} << 26;

Expected<void> check_row(std::size_t d_k, std::size_t keys) {
  ATTN_CHECK(check_count("d_k", d_k, 1, widest));
  return check_count("keys", keys, 1, most_keys);
}

/// Random numbers that one row takes: its query, its keys, its gradient.
std::uint64_t numbers_of_row(const ScalingOptions& options) {
  const std::uint64_t d_k = options.d_k;
  return d_k + options.keys * d_k + options.keys;
}

Expected<void> check(const ScalingOptions& options) {
  ATTN_CHECK(check_row(options.d_k, options.keys));
  ATTN_CHECK(check_count("rows", options.rows, 1, most_rows));
  ATTN_CHECK(check_count("bins", options.bins, 1, most_bins));
  ATTN_CHECK(check_count("most_numbers", options.most_numbers, 1, most_drawn));
  const std::uint64_t fit = most_drawn / numbers_of_row(options);
  if (options.rows > fit) {
    return fail(ErrorCode::too_large, "rows",
                {"With this d_k and so many keys at most ", fit, " rows can be run."});
  }
  return check_bytes("rows",
                     options.rows * (8 * options.d_k + 64 * options.keys + 64) + 64 * most_bins);
}

/// In four parts, which do not wait for each other.
double dot(std::span<const double> a, std::span<const double> b) {
  std::array<double, 4> sums{};
  std::size_t i = 0;
  for (; i + 4 <= a.size(); i += 4) {
    for (std::size_t part = 0; part < 4; ++part) sums[part] += a[i + part] * b[i + part];
  }
  for (; i < a.size(); ++i) sums[0] += a[i] * b[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

struct Drawn {
  Matrix<double> scores;  ///< [rows, keys]
  Matrix<double> dA;      ///< [rows, keys]
};

Drawn draw(const ScalingOptions& options, std::size_t rows) {
  const auto [d_k, keys] = std::pair(options.d_k, options.keys);
  NormalStream normals(options.seed);
  std::vector<double> queries(rows * d_k);
  normals.fill(queries);
  Drawn drawn{make_matrix<double>(rows, keys), make_matrix<double>(rows, keys)};
  std::vector<double> key(d_k);
  for (std::size_t i = 0; i < rows; ++i) {
    const std::span<const double> query(queries.data() + i * d_k, d_k);
    for (std::size_t j = 0; j < keys; ++j) {
      normals.fill(key);
      drawn.scores(i, j) = dot(query, key);
    }
  }
  normals.fill({drawn.dA.data(), drawn.dA.size()});
  return drawn;
}

double variance_of(std::span<const double> values) {
  const auto count = static_cast<double>(values.size());
  double sum = 0;
  for (const double value : values) sum += value;
  const double mean = sum / count;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return squares / count;
}

std::vector<std::int32_t> histogram_of(std::span<const double> values, double reach,
                                       std::size_t bins) {
  std::vector<std::int32_t> counts(bins, 0);
  const double width = 2 * reach / static_cast<double>(bins);
  for (const double value : values) {
    const double place = std::clamp((value + reach) / width, 0.0, static_cast<double>(bins - 1));
    ++counts[static_cast<std::size_t>(place)];
  }
  return counts;
}

double median_of(std::vector<double> values) {
  std::ranges::sort(values);
  return quantile(values, 0.5);
}

Expected<DividedScores> divided_by(double divisor, const Drawn& drawn, double reach,
                                   std::size_t bins) {
  const auto [rows, keys] = std::pair(drawn.scores.shape(0), drawn.scores.shape(1));
  Matrix<double> scores = make_matrix<double>(rows, keys);
  std::transform(drawn.scores.begin(), drawn.scores.end(), scores.begin(),
                 [divisor](double score) { return score / divisor; });
  const auto trace = softmax(scores);
  ATTN_CHECK(trace);
  const auto dS = softmax_backward(trace->weights, drawn.dA);
  ATTN_CHECK(dS);

  DividedScores found;
  found.divisor = divisor;
  found.variance = variance_of(flat(scores));
  found.histogram = histogram_of(flat(scores), reach, bins);
  std::size_t dead = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    double largest = 0;
    double squares = 0;
    for (std::size_t j = 0; j < keys; ++j) {
      largest = std::max(largest, trace->weights(i, j));
      squares += (*dS)(i, j) * (*dS)(i, j);
    }
    const double norm = std::sqrt(squares);
    if (norm < dead_below) ++dead;
    found.largest_weights.push_back(largest);
    found.gradient_norms.push_back(norm);
  }
  found.largest_weight = median_of(found.largest_weights);
  found.gradient_norm = median_of(found.gradient_norms);
  found.dead_percent = 100 * static_cast<double>(dead) / static_cast<double>(rows);
  return found;
}

/// The mean distance between the largest and the smallest of so many N(0, 1): the integral of
/// 1 - P(x)^n - (1 - P(x))^n, by the rule of rectangles, which is exact here to all places that count.
double mean_range_of_normals(std::size_t n) {
  const auto power = static_cast<double>(n);
  double sum = 0;
  for (int step = -512; step <= 512; ++step) {
    const double x = step / 64.0;
    const double below = 0.5 * std::erfc(-x / std::numbers::sqrt2);
    const double above = 0.5 * std::erfc(x / std::numbers::sqrt2);
    sum += 1 - std::pow(below, power) - std::pow(above, power);
  }
  return std::round(1e4 * sum / 64) / 1e4;
}

}  // namespace

Expected<ScalingRun> scaling_experiment(const ScalingOptions& options) {
  ATTN_CHECK(check(options));
  const std::uint64_t affordable = options.most_numbers / numbers_of_row(options);
  ScalingRun run;
  run.rows = static_cast<std::size_t>(
      std::clamp<std::uint64_t>(affordable, 1, std::uint64_t{options.rows}));
  const auto d_k = static_cast<double>(options.d_k);
  const double root = std::sqrt(d_k);
  // Four standard deviations of a score that nobody divided.
  run.reach = 4 * root;
  const Drawn drawn = draw(options, run.rows);
  const std::array divisors = {1.0, root, d_k};
  for (std::size_t k = 0; k < divisors.size(); ++k) {
    auto found = divided_by(divisors[k], drawn, run.reach, options.bins);
    ATTN_CHECK(found);
    run.by_divisor[k] = std::move(*found);
  }
  return run;
}

Expected<ScoreStatistics> score_statistics(std::size_t d_k, std::size_t keys, double gap) {
  ATTN_CHECK(check_row(d_k, keys));
  if (!(gap >= 0 && gap <= 700)) {
    return fail(ErrorCode::out_of_range, "gap", {"gap must be a number from 0 to 700."});
  }
  ScoreStatistics known;
  known.variance = static_cast<double>(d_k);
  known.deviation = std::sqrt(known.variance);
  // P(|N(0, 2 d_k)| > gap), and erfc has the square root of two inside.
  known.differ_probability = std::erfc(gap / (2 * known.deviation));
  known.mean_range = known.deviation * mean_range_of_normals(keys);
  known.left_behind = std::exp(-gap);
  known.variance_over_d_k = 1 / known.variance;
  known.uniform_weight = 1 / static_cast<double>(keys);
  return known;
}

}  // namespace attn

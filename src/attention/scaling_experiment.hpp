#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/error.hpp"
#include "core/matrix.hpp"

namespace attn {

struct ScalingOptions {
  std::size_t d_k = 64;      ///< length of a query and of a key
  std::size_t keys = 16;     ///< of each row
  std::size_t rows = 200;    ///< each with its own query, its own keys and its own gradient
  std::uint64_t seed = 1;
  std::size_t bins = 48;     ///< of the histograms
  /// As many rows are run as draw no more random numbers than this, but one at least: for a slider that moves.
  std::uint64_t most_numbers = std::uint64_t{1} << 26;
};

/// A row whose gradient is shorter than this learns nothing: "dead".
inline constexpr double dead_below = 1e-3;

/// What becomes of the scores, divided by one divisor before they enter the softmax.
struct DividedScores {
  double divisor = 1;
  double variance = 0;  ///< of all scores around their own mean, after the division
  double largest_weight = 0;  ///< median over the rows
  double gradient_norm =
      0;  ///< median over the rows, of the gradient of the scores that enter the softmax
  double dead_percent = 0;  ///< of the rows
  std::vector<std::int32_t> histogram;  ///< [bins] of the scores; see ScalingRun::reach
  std::vector<double> largest_weights;  ///< [rows]
  std::vector<double> gradient_norms;  ///< [rows]
};

struct ScalingRun {
  std::size_t rows = 0;  ///< that were run
  double reach = 0;  ///< The bins part [-reach, reach] evenly; what lies beyond counts in the last.
  std::array<DividedScores, 3> by_divisor;  ///< 1, sqrt(d_k), d_k
};

/// The experiment of section 3.2.1 of Vaswani et al. (2017), run: what large scores do to a softmax and to its gradient.
/// Query, keys and dL/dA of each row are N(0, 1); S = q . k / divisor, A = softmax(S), dS = A o (dA - rowsum(dA o A)).
/// One stream of numbers (Normals) per seed: all queries, then the keys row by row, then dL/dA.
/// A larger d_k draws longer vectors; no score is multiplied.
/// Errors: out_of_range or too_large naming "d_k" (1 to 4,096), "keys" (1 to 256), "rows" (1 to 2,000), "bins" (1 to 512)
/// and "most_numbers" (1 to 2^26), and naming "rows" when all of them would draw more numbers than 2^26.
/// Promise: the same options give the same numbers to 1e-9 on every machine, counts of bins and of dead rows to a few.
Expected<ScalingRun> scaling_experiment(const ScalingOptions& options);

/// What is known of the scores of N(0, 1) vectors without drawing any.
struct ScoreStatistics {
  double variance = 0;  ///< of one score: d_k
  double deviation = 0;  ///< sqrt(d_k)
  double differ_probability =
      0;  ///< that two scores differ by more than `gap`, their difference being N(0, 2 d_k)
  double mean_range = 0;  ///< between the largest and the smallest score of a row of `keys`
  double left_behind =
      0;  ///< e^-gap, the weight of a score that is `gap` below, relative to the one above
  double variance_over_d_k = 0;  ///< of a score divided by d_k: 1 / d_k
  double uniform_weight = 0;  ///< 1 / keys
};

/// By the normal approximation of q . k, which is exact for the first two. The mean range of so many normals is
/// taken to four places, as it has been printed since Tippett (1925).
/// Errors: out_of_range or too_large naming "d_k" and "keys" as above; out_of_range naming "gap" outside [0, 700].
Expected<ScoreStatistics> score_statistics(std::size_t d_k, std::size_t keys, double gap);

}  // namespace attn

#pragma once

// The experiments with scores, their softmax and its gradient, as JavaScript calls them.

#include <cstdint>
#include <string>
#include <utility>

#include "attention/scaling_experiment.hpp"
#include "attention/way_back.hpp"
#include "convert.hpp"
#include "core/limits.hpp"
#include "core/quantile.hpp"

namespace attn::binding {

inline val scaling_experiment_of(Reader& in) {
  ScalingOptions options;
  options.d_k = as_size(in.count("d_k", max_width));
  options.keys = as_size(in.count_or("keys", options.keys, max_tokens));
  options.rows = as_size(in.count_or("rows", options.rows, max_tokens));
  options.seed = in.has("seed") ? in.count("seed", max_exact_count, 0) : options.seed;
  options.bins = as_size(in.count_or("bins", options.bins, max_tokens));
  options.most_numbers = in.count_or("most_numbers", options.most_numbers, max_exact_count);
  if (in.failed()) return failure(in.error());
  const auto run = scaling_experiment(options);
  if (!run) return failure(run.error());

  // One of each for every divisor: 1, sqrt(d_k), d_k.
  std::vector<double> divisors, variances, largest, norms, dead, all_largest, all_norms;
  std::vector<std::int32_t> histograms;
  for (const DividedScores& divided : run->by_divisor) {
    divisors.push_back(divided.divisor);
    variances.push_back(divided.variance);
    largest.push_back(divided.largest_weight);
    norms.push_back(divided.gradient_norm);
    dead.push_back(divided.dead_percent);
    all_largest.insert(all_largest.end(), divided.largest_weights.begin(),
                       divided.largest_weights.end());
    all_norms.insert(all_norms.end(), divided.gradient_norms.begin(), divided.gradient_norms.end());
    histograms.insert(histograms.end(), divided.histogram.begin(), divided.histogram.end());
  }
  return Writer(in.out())
      .number("rows", static_cast<double>(run->rows))
      .number("reach", run->reach)
      .array("divisors", divisors)
      .array("variances", variances)
      .array("largest_weights", largest)
      .array("gradient_norms", norms)
      .array("dead_percents", dead)
      .array("row_largest_weights", all_largest)
      .array("row_gradient_norms", all_norms)
      .array("histograms", histograms)
      .finish();
}

inline val score_statistics_of(Reader& in) {
  const auto d_k = as_size(in.count("d_k", max_width));
  const auto keys = as_size(in.count("keys", max_tokens));
  const double gap = in.number("gap");
  if (in.failed()) return failure(in.error());
  const auto known = score_statistics(d_k, keys, gap);
  if (!known) return failure(known.error());
  return Writer(in.out())
      .number("variance", known->variance)
      .number("deviation", known->deviation)
      .number("differ_probability", known->differ_probability)
      .number("mean_range", known->mean_range)
      .number("left_behind", known->left_behind)
      .number("variance_over_d_k", known->variance_over_d_k)
      .number("uniform_weight", known->uniform_weight)
      .finish();
}

inline val quantiles_of(Reader& in) {
  auto values = in.vector<double>("values", in.length("values", max_tokens));
  const auto shares = in.vector<double>("shares", in.length("shares", max_tokens));
  if (in.failed()) return failure(in.error());
  const auto found = quantiles(std::move(values), shares);
  if (!found) return failure(found.error());
  return Writer(in.out()).array("quantiles", *found).finish();
}

inline val softmax_way_back_of(Reader& in) {
  const auto n = in.count("n", max_tokens);
  const auto m = in.count("m", max_tokens);
  const auto S = in.matrix<double>("S", n, m);
  const auto dA = in.matrix<double>("dA", n, m);
  if (in.failed()) return failure(in.error());
  const auto back = way_back_through_softmax(S, dA);
  if (!back) return failure(back.error());
  return Writer(in.out())
      .array("A", back->weights)
      .array("largest_weights", back->largest_weight)
      .array("products", back->products)
      .array("means", back->means)
      .array("deviations", back->deviations)
      .array("dS", back->dS)
      .array("sums", back->sums)
      .array("norms", back->norms)
      .finish();
}

inline val drawn_scores_of(Reader& in) {
  const auto seed = in.count("seed", max_exact_count, 0);
  const auto n = as_size(in.count("n", max_tokens));
  const auto d_k = as_size(in.count("d_k", max_width));
  const double factor = in.number("factor");
  if (in.failed()) return failure(in.error());
  const auto drawn = drawn_scores(seed, n, d_k, factor);
  if (!drawn) return failure(drawn.error());
  return Writer(in.out()).array("S", drawn->S).array("dA", drawn->dA).finish();
}

}  // namespace attn::binding

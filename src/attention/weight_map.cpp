#include "attention/weight_map.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/finite.hpp"
#include "core/limits.hpp"
#include "kernels/scalar/attention.hpp"

namespace attn {
namespace {

/// Each of the four masks alone.
std::vector<std::pair<std::uint8_t, Mask>> apart(const Mask& mask) {
  std::vector<std::pair<std::uint8_t, Mask>> masks;
  if (mask.causal) masks.push_back({hidden_by_causal, Mask{.causal = true}});
  if (!mask.key_valid.empty())
    masks.push_back({hidden_by_padding, Mask{.key_valid = mask.key_valid}});
  if (mask.window) masks.push_back({hidden_by_window, Mask{.window = mask.window}});
  if (!mask.query_document.empty()) {
    masks.push_back({hidden_by_document, Mask{.query_document = mask.query_document,
                                              .key_document = mask.key_document}});
  }
  return masks;
}

Matrix<std::uint8_t> hiding(const Mask& mask, std::size_t n) {
  Matrix<std::uint8_t> by = make_matrix<std::uint8_t>(n, n);
  by.fill(0);
  for (const auto& [bit, alone] : apart(mask)) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        if (!is_allowed(alone, i, j, n, n)) by(i, j) = static_cast<std::uint8_t>(by(i, j) | bit);
      }
    }
  }
  return by;
}

/// What the masked entries of a row would weigh if nothing were masked; `sum` is that of e^(scaled - shift) over the
/// others.
double weight_without_mask(const double* scaled, const std::uint8_t* hidden, std::size_t n,
                           double sum, double shift) {
  double top = shift;
  for (std::size_t j = 0; j < n; ++j) {
    if (hidden[j] != 0) top = std::max(top, scaled[j]);
  }
  double masked = 0;
  for (std::size_t j = 0; j < n; ++j) {
    if (hidden[j] != 0) masked += std::exp(scaled[j] - top);
  }
  // A row that sees nothing has a sum of 0, and hidden scores may all lie far below its shift, which is 0 then.
  if (sum == 0) return 1;
  return masked / (masked + sum * std::exp(shift - top));
}

void rank(const double* weights, std::size_t n, std::size_t ranks, std::int32_t* ranked) {
  std::vector<std::int32_t> keys(n);
  std::iota(keys.begin(), keys.end(), 0);
  const auto end = keys.begin() + static_cast<std::ptrdiff_t>(ranks);
  std::partial_sort(keys.begin(), end, keys.end(), [weights](std::int32_t a, std::int32_t b) {
    return weights[a] != weights[b] ? weights[a] > weights[b] : a < b;
  });
  std::copy(keys.begin(), end, ranked);
}

}  // namespace

Expected<WeightMap> weight_map(const Matrix<double>& scores, std::uint64_t d_k, bool divide,
                               const Mask& mask) {
  ATTN_CHECK(check_count("d_k", d_k, 1, max_width));
  ATTN_CHECK(check_finite("scores", scores));
  const std::size_t n = scores.shape(0);
  if (scores.shape(1) != n) {
    return fail(ErrorCode::shape_mismatch, "scores",
                {"scores must be a square; it is ", n, " x ", scores.shape(1), "."});
  }
  ATTN_CHECK(check_count("n", n, 1, max_tokens));
  ATTN_CHECK(check_bytes("n", std::uint64_t{n} * n * (4 * sizeof(double) + 4)));
  WeightMap map;
  map.divisor = divide ? std::sqrt(static_cast<double>(d_k)) : 1;
  map.scaled = make_matrix<double>(n, n);
  for (std::size_t k = 0; k < scores.size(); ++k) {
    map.scaled.data()[k] = scores.data()[k] / map.divisor;
  }
  auto softmax_of = softmax(map.scaled, mask);
  ATTN_CHECK(softmax_of);
  map.softmax = std::move(*softmax_of);
  map.hidden_by = hiding(mask, n);

  map.seen.assign(n, 0);
  map.hidden_weight.assign(n, 0);
  map.largest_weight.assign(n, 0);
  const std::size_t ranks = std::min(n, map_ranks);
  map.ranked = make_matrix<std::int32_t>(n, ranks);
  double sum = 0;
  std::size_t with_choice = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double* weights = map.softmax.weights.data() + i * n;
    const std::uint8_t* hidden = map.hidden_by.data() + i * n;
    map.seen[i] = static_cast<std::int32_t>(std::count(hidden, hidden + n, 0));
    map.largest_weight[i] = *std::max_element(weights, weights + n);
    if (static_cast<std::size_t>(map.seen[i]) < n) {
      map.hidden_weight[i] = weight_without_mask(map.scaled.data() + i * n, hidden, n,
                                                 map.softmax.sums[i], map.softmax.shift[i]);
    }
    rank(weights, n, ranks, map.ranked.data() + i * ranks);
    if (map.seen[i] < 2) continue;
    sum += map.largest_weight[i];
    with_choice += 1;
  }
  if (with_choice > 0) map.mean_largest = sum / static_cast<double>(with_choice);
  return map;
}

Expected<Matrix<double>> map_outputs(const WeightMap& map, const Matrix<double>& values) {
  const std::size_t n = map.scaled.shape(0);
  if (values.shape(0) != n) {
    return fail(
        ErrorCode::shape_mismatch, "values",
        {"values must have a row for each of ", n, " tokens; it has ", values.shape(0), "."});
  }
  ATTN_CHECK(check_finite("values", values));
  Matrix<double> outputs = make_matrix<double>(n, values.shape(1));
  // A hidden pair has a weight of 0 and a value that is finite, so none needs to be skipped.
  kernels::weigh_rows_scalar<double>(map.softmax.weights.data(), nullptr, values.data(),
                                     outputs.data(), n, n, values.shape(1));
  return outputs;
}

}  // namespace attn

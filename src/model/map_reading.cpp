#include "model/map_reading.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/finite.hpp"
#include "core/limits.hpp"
#include "model/head_patterns.hpp"

namespace attn {
namespace {

Expected<void> check_lengths(const LayerMaps& layer) {
  ATTN_CHECK(check_count("n_kv_heads", layer.n_kv_heads, 1, layer.n_heads));
  if (layer.n_heads % layer.n_kv_heads != 0) {
    return fail(ErrorCode::bad_argument, "n_kv_heads",
                {"n_kv_heads must divide n_heads: ", layer.n_heads, " heads cannot share ",
                 layer.n_kv_heads, " evenly."});
  }
  const std::uint64_t length = layer.n_kv_heads * layer.n;
  if (layer.value_lengths.size() != length) {
    return fail(ErrorCode::shape_mismatch, "value_lengths",
                {"value_lengths must hold ", length, " numbers, [n_kv_heads, n]; it holds ",
                 layer.value_lengths.size(), "."});
  }
  for (std::size_t at = 0; at < layer.value_lengths.size(); ++at) {
    const auto value = static_cast<double>(layer.value_lengths[at]);
    if (!std::isfinite(value)) return not_finite("value_lengths", text({"[", at, "]"}), value);
    if (value < 0) {
      return fail(ErrorCode::out_of_range, "value_lengths",
                  {"value_lengths[", at, "] must not be negative: it is a length."});
    }
  }
  return {};
}

/// The first `count` keys by their numbers, largest first.
Vector<std::int32_t> ranked(const double* numbers, std::size_t count) {
  Vector<std::int32_t> order = make_vector<std::int32_t>(count);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::int32_t a, std::int32_t b) { return numbers[a] > numbers[b]; });
  return order;
}

}  // namespace

Expected<MapReading> read_map(const LayerMaps& layer, std::optional<std::uint64_t> head,
                              std::uint64_t row) {
  ATTN_CHECK(check_maps(
      {.n_layers = 1, .n_heads = layer.n_heads, .n = layer.n, .weights = layer.weights}));
  ATTN_CHECK(check_lengths(layer));
  if (head) ATTN_CHECK(check_count("head", *head, 0, layer.n_heads - 1));
  ATTN_CHECK(check_count("row", row, 0, layer.n - 1));
  const auto n = as_size(layer.n);
  const auto first = as_size(head.value_or(0)), last = head ? first + 1 : as_size(layer.n_heads);
  const auto heads = static_cast<double>(last - first);
  const auto group = as_size(layer.n_heads / layer.n_kv_heads);
  MapReading reading{.weights = make_matrix<double>(n, n),
                     .shares = make_matrix<double>(n, n),
                     .lengths = make_vector<double>(n),
                     .by_weight = {},
                     .by_share = {}};
  std::ranges::fill(reading.weights, 0);
  std::ranges::fill(reading.shares, 0);
  std::ranges::fill(reading.lengths, 0);
  for (std::size_t h = first; h < last; ++h) {
    const float* const map = layer.weights.data() + h * n * n;
    const float* const lengths = layer.value_lengths.data() + h / group * n;
    for (std::size_t j = 0; j < n; ++j) {
      const auto length = static_cast<double>(lengths[j]);
      reading.lengths(j) += length / heads;
      for (std::size_t i = j; i < n; ++i) {
        const auto weight = static_cast<double>(map[i * n + j]);
        reading.weights(i, j) += weight / heads;
        reading.shares(i, j) += weight * length;
      }
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    double arrives = 0;
    for (std::size_t j = 0; j <= i; ++j) arrives += reading.shares(i, j);
    for (std::size_t j = 0; j <= i; ++j) {
      reading.shares(i, j) = arrives > 0 ? reading.shares(i, j) / arrives : 0;
    }
  }
  const auto at = as_size(row);
  reading.by_weight = ranked(&reading.weights(at, 0), at + 1);
  reading.by_share = ranked(&reading.shares(at, 0), at + 1);
  for (std::size_t j = 0; j <= at; ++j) {
    reading.moved += std::fabs(reading.shares(at, j) - reading.weights(at, j)) / 2;
  }
  return reading;
}

}  // namespace attn

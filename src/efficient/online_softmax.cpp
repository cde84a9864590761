#include "efficient/online_softmax.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "attention/prepare.hpp"
#include "attention/steps.hpp"
#include "core/limits.hpp"

namespace attn {
namespace {

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

/// Rows or columns first to last - 1.
struct Range {
  std::size_t first, last;
};

Range block(std::size_t index, std::size_t tile, std::size_t n) {
  return {index * tile, std::min((index + 1) * tile, n)};
}

std::size_t blocks(std::size_t n, std::size_t tile) { return (n + tile - 1) / tile; }

/// Where each block begins, and where the last one ends.
Vector<std::int32_t> begins(std::size_t n, std::size_t tile) {
  Vector<std::int32_t> places = make_vector<std::int32_t>(blocks(n, tile) + 1);
  for (std::size_t b = 0; b < places.size(); ++b) {
    places(b) = static_cast<std::int32_t>(std::min(b * tile, n));
  }
  return places;
}

/// What a row carries from tile to tile: all that is ever kept of its scores.
struct Running {
  double largest = minus_infinity;
  double sum = 0;
};

bool sees_any(const Matrix<std::uint8_t>& allowed, const Range& queries, const Range& keys) {
  for (std::size_t i = queries.first; i < queries.last; ++i) {
    for (std::size_t j = keys.first; j < keys.last; ++j) {
      if (allowed(i, j) != 0) return true;
    }
  }
  return false;
}

/// The bytes of everything in OnlineSoftmax, within the limits of prepare at most 2^50.
std::uint64_t bytes_of(std::uint64_t n_q, std::uint64_t n_k, std::uint64_t d_v,
                       std::uint64_t key_blocks) {
  const std::uint64_t pairs = n_q * n_k;
  const std::uint64_t numbers = 2 * pairs + n_q * key_blocks * (5 + 3 * d_v) + 2 * n_q * d_v + n_q;
  // The flags of pairs, of tiles and of rescaled rows are at most three bytes for each pair.
  return numbers * sizeof(double) + 3 * pairs;
}

OnlineSoftmax make_steps(Prepared& prepared, const TileSizes& sizes) {
  const std::size_t n_q = prepared.n_q, n_k = prepared.n_k, d_v = prepared.d_v;
  const std::size_t key_blocks = blocks(n_k, sizes.tile_k);
  const std::size_t query_blocks = blocks(n_q, sizes.tile_q);
  OnlineSoftmax steps{};
  steps.n_q = n_q;
  steps.n_k = n_k;
  steps.d_k = prepared.d_k;
  steps.d_v = d_v;
  steps.query_blocks = query_blocks;
  steps.key_blocks = key_blocks;
  steps.query_begin = begins(n_q, sizes.tile_q);
  steps.key_begin = begins(n_k, sizes.tile_k);
  const std::size_t held_rows = std::min(sizes.tile_q, n_q);
  steps.held_scores = held_rows * std::min(sizes.tile_k, n_k);
  steps.held_results = held_rows * (2 + d_v);
  steps.divisor = prepared.divisor;
  steps.allowed = std::move(prepared.allowed);
  steps.skipped = make_matrix<std::uint8_t>(query_blocks, key_blocks);
  steps.rescaled = make_matrix<std::uint8_t>(n_q, key_blocks);
  for (Matrix<double>* pairs : {&steps.scores, &steps.exponentials}) {
    *pairs = make_matrix<double>(n_q, n_k);
  }
  steps.scores.fill(minus_infinity);
  steps.exponentials.fill(0);
  for (Matrix<double>* rows : {&steps.largest_before, &steps.largest_after, &steps.factors,
                               &steps.sums_before, &steps.sums_after}) {
    *rows = make_matrix<double>(n_q, key_blocks);
  }
  for (Tensor3<double>* outputs :
       {&steps.outputs_before, &steps.outputs_rescaled, &steps.outputs_after}) {
    *outputs = make_tensor3<double>(n_q, key_blocks, d_v);
  }
  steps.times_rescaled = make_vector<std::int32_t>(n_q);
  steps.times_rescaled.fill(0);
  steps.output = make_matrix<double>(n_q, d_v);
  return steps;
}

/// The scores of row i in one tile; returns the largest of them and of what came before.
double score(const Matrix<double>& Q, const Matrix<double>& K, std::size_t i, const Range& keys,
             double largest, OnlineSoftmax& steps) {
  for (std::size_t j = keys.first; j < keys.last; ++j) {
    if (steps.allowed(i, j) == 0) continue;
    double sum = 0;
    for (std::size_t c = 0; c < steps.d_k; ++c) sum += Q(i, c) * K(j, c);
    steps.scores(i, j) = sum / steps.divisor;
    if (std::isnan(steps.scores(i, j)) || steps.scores(i, j) > largest) {
      largest = steps.scores(i, j);
    }
  }
  return largest;
}

/// Row i passes key block b: rescales what it carries, and adds the tile to it.
void pass(const Matrix<double>& V, std::size_t i, std::size_t b, const Range& keys, double largest,
          Running& row, OnlineSoftmax& steps) {
  // Until something is seen there is nothing to rescale, and minus infinity minus itself is no number.
  const bool empty = row.largest == minus_infinity;
  const double factor = largest == row.largest ? 1 : empty ? 0 : std::exp(row.largest - largest);
  steps.largest_after(i, b) = largest;
  steps.factors(i, b) = factor;
  steps.rescaled(i, b) = !empty && factor != 1 ? 1 : 0;
  steps.times_rescaled(i) += steps.rescaled(i, b);

  double added = 0;
  for (std::size_t j = keys.first; j < keys.last; ++j) {
    if (steps.allowed(i, j) == 0 || largest == minus_infinity) continue;
    steps.exponentials(i, j) = std::exp(steps.scores(i, j) - largest);
    added += steps.exponentials(i, j);
  }
  for (std::size_t c = 0; c < steps.d_v; ++c) {
    const double rescaled = factor * steps.outputs_before(i, b, c);
    double total = rescaled;
    for (std::size_t j = keys.first; j < keys.last; ++j) {
      // 0 x NaN is NaN: what is masked is not read.
      if (steps.allowed(i, j) != 0) total += steps.exponentials(i, j) * V(j, c);
    }
    steps.outputs_rescaled(i, b, c) = rescaled;
    steps.outputs_after(i, b, c) = total;
  }
  row = {.largest = largest, .sum = factor * row.sum + added};
  steps.sums_after(i, b) = row.sum;
}

/// Row i in a tile of which it sees nothing that is read: all stays as it is.
void stay(std::size_t i, std::size_t b, const Running& row, OnlineSoftmax& steps) {
  steps.largest_after(i, b) = row.largest;
  steps.factors(i, b) = 1;
  steps.rescaled(i, b) = 0;
  steps.sums_after(i, b) = row.sum;
  for (std::size_t c = 0; c < steps.d_v; ++c) {
    steps.outputs_rescaled(i, b, c) = steps.outputs_after(i, b, c) = steps.outputs_before(i, b, c);
  }
}

void run(const Matrix<double>& Q, const Matrix<double>& K, const Matrix<double>& V,
         const TileSizes& sizes, OnlineSoftmax& steps) {
  for (std::size_t a = 0; a < steps.query_blocks; ++a) {
    const Range queries = block(a, sizes.tile_q, steps.n_q);
    std::vector<Running> rows(queries.last - queries.first);
    for (std::size_t b = 0; b < steps.key_blocks; ++b) {
      const Range keys = block(b, sizes.tile_k, steps.n_k);
      const bool skipped = !sees_any(steps.allowed, queries, keys);
      steps.skipped(a, b) = skipped ? 1 : 0;
      for (std::size_t i = queries.first; i < queries.last; ++i) {
        Running& row = rows[i - queries.first];
        steps.largest_before(i, b) = row.largest;
        steps.sums_before(i, b) = row.sum;
        for (std::size_t c = 0; c < steps.d_v; ++c) {
          steps.outputs_before(i, b, c) = b == 0 ? 0 : steps.outputs_after(i, b - 1, c);
        }
        if (skipped) {
          stay(i, b, row, steps);
        } else {
          pass(V, i, b, keys, score(Q, K, i, keys, row.largest, steps), row, steps);
        }
      }
    }
    for (std::size_t i = queries.first; i < queries.last; ++i) {
      const double sum = rows[i - queries.first].sum;
      for (std::size_t c = 0; c < steps.d_v; ++c) {
        const double total = steps.outputs_after(i, steps.key_blocks - 1, c);
        steps.output(i, c) = sum == 0 ? 0 : total / sum;
      }
    }
  }
}

}  // namespace

Expected<OnlineSoftmax> online_softmax(const Matrix<double>& Q, const Matrix<double>& K,
                                       const Matrix<double>& V, const AttentionOptions& options,
                                       const TileSizes& sizes) {
  ATTN_CHECK(check_count("tile_q", sizes.tile_q, 1, max_tokens));
  ATTN_CHECK(check_count("tile_k", sizes.tile_k, 1, max_tokens));
  AttentionOptions whole_rows = options;
  whole_rows.trace = false;
  auto prepared = prepare(Q, K, V, whole_rows, false);
  ATTN_CHECK(prepared);
  const std::uint64_t bytes =
      bytes_of(prepared->n_q, prepared->n_k, prepared->d_v, blocks(prepared->n_k, sizes.tile_k));
  ATTN_CHECK(check_bytes("n_k", bytes));
  // First, so that scores which overflow are reported by it.
  auto whole = scaled_dot_product(Q, K, V, whole_rows);
  ATTN_CHECK(whole);
  OnlineSoftmax steps = make_steps(*prepared, sizes);
  run(Q, K, V, sizes, steps);
  steps.whole = std::move(whole->output);
  for (std::size_t at = 0; at < steps.output.size(); ++at) {
    const double difference = std::fabs(steps.output.data()[at] - steps.whole.data()[at]);
    steps.largest_difference = std::max(steps.largest_difference, difference);
  }
  return steps;
}

}  // namespace attn

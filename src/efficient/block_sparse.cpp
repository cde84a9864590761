#include "efficient/block_sparse.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "attention/steps.hpp"
#include "core/finite.hpp"
#include "core/limits.hpp"

namespace attn {
namespace {

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

double product(const Matrix<double>& a, std::size_t i, const Matrix<double>& b, std::size_t j) {
  double sum = 0;
  for (std::size_t c = 0; c < a.shape(1); ++c) sum += a(i, c) * b(j, c);
  return sum;
}

Matrix<double> block_means(const Matrix<double>& K, std::size_t block, std::size_t blocks) {
  Matrix<double> means = make_matrix<double>(blocks, K.shape(1));
  means.fill(0);
  for (std::size_t b = 0; b < blocks; ++b) {
    const std::size_t first = b * block, last = first + std::min(block, K.shape(0) - first);
    for (std::size_t c = 0; c < K.shape(1); ++c) {
      for (std::size_t j = first; j < last; ++j) means(b, c) += K(j, c);
      means(b, c) /= static_cast<double>(last - first);
    }
  }
  return means;
}

/// The earlier block with the largest score that row i has not chosen yet; its own block when none is left.
std::size_t next_block(const BlockSparse& made, std::size_t i, std::size_t own) {
  std::size_t best = own;
  for (std::size_t b = 0; b < own; ++b) {
    if (made.chosen(i, b) != 0) continue;
    if (best == own || made.block_scores(i, b) > made.block_scores(i, best)) best = b;
  }
  return best;
}

/// Scores the blocks that are over before the one of token i, and chooses. Its own is not over: the mean of all of its
/// keys would tell what comes later. It is seen in any case and needs no score.
Expected<void> choose(const Matrix<double>& Q, const BlockSparseOptions& options, double divisor,
                      std::size_t i, BlockSparse& made) {
  const std::size_t own = i / options.block;
  for (std::size_t b = 0; b < own; ++b) {
    made.block_scores(i, b) = product(Q, i, made.means, b) / divisor;
    if (!std::isfinite(made.block_scores(i, b))) return scores_overflow(i);
  }
  made.chosen(i, own) = 1;
  std::size_t count = 1;
  for (std::size_t b = 0; b < std::min(options.first_blocks, own); ++b, ++count) {
    made.chosen(i, b) = 1;
  }
  for (; count < options.top_k; ++count) {
    const std::size_t next = next_block(made, i, own);
    if (next == own) break;
    made.chosen(i, next) = 1;
  }
  return {};
}

/// Softmax of row i over what it sees, and the weighted values.
Expected<void> attend(const Matrix<double>& Q, const Matrix<double>& K, const Matrix<double>& V,
                      double divisor, std::size_t i, BlockSparse& made) {
  double largest = minus_infinity;
  for (std::size_t j = 0; j <= i; ++j) {
    if (made.allowed(i, j) == 0) continue;
    made.weights(i, j) = product(Q, i, K, j) / divisor;
    if (!std::isfinite(made.weights(i, j))) return scores_overflow(i);
    largest = std::max(largest, made.weights(i, j));
  }
  double sum = 0;
  for (std::size_t j = 0; j <= i; ++j) {
    if (made.allowed(i, j) == 0) continue;
    made.weights(i, j) = std::exp(made.weights(i, j) - largest);
    sum += made.weights(i, j);
  }
  for (std::size_t j = 0; j <= i; ++j) {
    if (made.allowed(i, j) == 0) continue;
    made.weights(i, j) /= sum;
    for (std::size_t c = 0; c < V.shape(1); ++c) made.output(i, c) += made.weights(i, j) * V(j, c);
  }
  return {};
}

Expected<void> check(const Matrix<double>& Q, const Matrix<double>& K, const Matrix<double>& V,
                     const BlockSparseOptions& options) {
  const std::size_t n = Q.shape(0);
  ATTN_CHECK(check_count("n", n, 1, max_tokens));
  ATTN_CHECK(check_count("d_k", Q.shape(1), 1, max_width));
  ATTN_CHECK(check_count("d_v", V.shape(1), 1, max_width));
  ATTN_CHECK(check_count("block", options.block, 1, max_tokens));
  ATTN_CHECK(check_count("top_k", options.top_k, 1, max_tokens));
  ATTN_CHECK(check_count("first_blocks", options.first_blocks, 0, max_tokens));
  ATTN_CHECK(check_count("window", options.window, 0, max_tokens));
  if (K.shape(0) != n || K.shape(1) != Q.shape(1)) {
    return fail(ErrorCode::shape_mismatch, "K",
                {"K must have the shape of Q, [", n, ", ", Q.shape(1), "]: it is [", K.shape(0),
                 ", ", K.shape(1), "]."});
  }
  if (V.shape(0) != n) {
    return fail(ErrorCode::shape_mismatch, "V",
                {"V must have one row for each of the ", n, " tokens: it has ", V.shape(0), "."});
  }
  return {};
}

}  // namespace

Expected<BlockSparse> block_sparse_attention(const Matrix<double>& Q, const Matrix<double>& K,
                                             const Matrix<double>& V,
                                             const BlockSparseOptions& options) {
  ATTN_CHECK(check(Q, K, V, options));
  const std::size_t n = Q.shape(0), d_k = Q.shape(1), d_v = V.shape(1);
  const std::size_t blocks = as_size(ceil_div(n, options.block));
  // Within the limits above nothing here exceeds 2^33.
  const std::uint64_t numbers =
      std::uint64_t{n} * (std::uint64_t{n} + blocks + d_v) + std::uint64_t{blocks} * d_k;
  ATTN_CHECK(check_bytes("n", numbers * sizeof(double) + std::uint64_t{n} * (n + blocks)));
  ATTN_CHECK(check_finite("Q", Q));
  ATTN_CHECK(check_finite("K", K));
  ATTN_CHECK(check_finite("V", V));

  BlockSparse made{blocks,
                   block_means(K, options.block, blocks),
                   make_matrix<double>(n, blocks),
                   make_matrix<std::uint8_t>(n, blocks),
                   make_matrix<std::uint8_t>(n, n),
                   make_matrix<double>(n, n),
                   make_matrix<double>(n, d_v),
                   0};
  made.block_scores.fill(minus_infinity);
  made.chosen.fill(0);
  made.allowed.fill(0);
  made.weights.fill(0);
  made.output.fill(0);
  const double divisor = std::sqrt(static_cast<double>(d_k));
  for (std::size_t i = 0; i < n; ++i) {
    ATTN_CHECK(choose(Q, options, divisor, i, made));
    for (std::size_t j = 0; j <= i; ++j) {
      const bool is_seen = made.chosen(i, j / options.block) != 0 || i - j < options.window;
      made.allowed(i, j) = is_seen ? 1 : 0;
      made.pairs += made.allowed(i, j);
    }
    ATTN_CHECK(attend(Q, K, V, divisor, i, made));
  }
  return made;
}

}  // namespace attn

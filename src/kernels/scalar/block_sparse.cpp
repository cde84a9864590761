#include "kernels/scalar/block_sparse.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn::kernels {
namespace {

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

/// means [blocks, d_k] of the keys of one head.
void find_means(const SparseProblem& problem, const float* k, double* means) {
  for (std::size_t b = 0; b < problem.blocks(); ++b) {
    const std::size_t first = b * problem.block;
    const std::size_t last = std::min(first + problem.block, problem.n);
    for (std::size_t c = 0; c < problem.d_k; ++c) {
      double sum = 0;
      for (std::size_t j = first; j < last; ++j) {
        sum += static_cast<double>(k[j * problem.d_k + c]);
      }
      means[b * problem.d_k + c] = sum / static_cast<double>(last - first);
    }
  }
}

/// scores [blocks] of the blocks before `own`; those that are chosen become plus infinity.
void choose(const SparseProblem& problem, const float* q, const double* means, std::size_t own,
            double* scores) {
  constexpr double chosen = std::numeric_limits<double>::infinity();
  for (std::size_t b = 0; b < own; ++b) {
    scores[b] = 0;
    for (std::size_t c = 0; c < problem.d_k; ++c) {
      scores[b] += static_cast<double>(q[c]) * means[b * problem.d_k + c];
    }
    // What cannot be compared is seen, so that it shows in the result.
    if (!std::isfinite(scores[b])) scores[b] = std::numeric_limits<double>::max();
  }
  std::size_t count = 1;
  for (std::size_t b = 0; b < std::min(problem.first_blocks, own); ++b, ++count) scores[b] = chosen;
  for (; count < problem.top_k; ++count) {
    std::size_t best = own;
    for (std::size_t b = 0; b < own; ++b) {
      if (scores[b] == chosen) continue;
      if (best == own || scores[b] > scores[best]) best = b;
    }
    if (best == own) break;
    scores[best] = chosen;
  }
}

/// Softmax of one query over the keys whose entry in `row` [i + 1] is not minus infinity, and the weighed values.
void attend(const SparseProblem& problem, const float* v, double* row, std::size_t i,
            float* output) {
  double largest = minus_infinity;
  for (std::size_t j = 0; j <= i; ++j) {
    largest = row[j] <= largest ? largest : row[j];
  }
  double total = 0;
  for (std::size_t j = 0; j <= i; ++j) {
    row[j] = row[j] == minus_infinity ? 0 : std::exp(row[j] - largest);
    total += row[j];
  }
  for (std::size_t c = 0; c < problem.d_v; ++c) {
    double sum = 0;
    for (std::size_t j = 0; j <= i; ++j) {
      if (row[j] != 0) sum += row[j] * static_cast<double>(v[j * problem.d_v + c]);
    }
    output[c] = static_cast<float>(total == 0 ? 0 : sum / total);
  }
}

}  // namespace

std::size_t block_sparse_scalar_scratch(const SparseProblem& problem) {
  return problem.blocks() * (problem.d_k + 1) + problem.n;
}

std::uint64_t block_sparse_scalar(const SparseProblem& problem, float* output, double* scratch) {
  const std::size_t n = problem.n, d_k = problem.d_k;
  double* const means = scratch;
  double* const scores = means + problem.blocks() * d_k;
  double* const row = scores + problem.blocks();
  std::uint64_t pairs = 0;
  for (std::size_t head = 0; head < problem.n_heads; ++head) {
    const std::size_t kv_head = head / problem.heads_per_kv_head();
    const float* const k = problem.k + kv_head * n * d_k;
    const float* const v = problem.v + kv_head * n * problem.d_v;
    find_means(problem, k, means);
    for (std::size_t i = 0; i < n; ++i) {
      const float* const q = problem.q + (head * n + i) * d_k;
      const std::size_t own = i / problem.block;
      choose(problem, q, means, own, scores);
      for (std::size_t j = 0; j <= i; ++j) {
        const std::size_t b = j / problem.block;
        row[j] = minus_infinity;
        const bool is_chosen = b == own || scores[b] == std::numeric_limits<double>::infinity();
        if (!is_chosen && i - j >= problem.window) continue;
        ++pairs;
        double sum = 0;
        for (std::size_t c = 0; c < d_k; ++c) {
          sum += static_cast<double>(q[c]) * static_cast<double>(k[j * d_k + c]);
        }
        row[j] = sum * static_cast<double>(problem.scale);
      }
      attend(problem, v, row, i, output + (head * n + i) * problem.d_v);
    }
  }
  return pairs;
}

}  // namespace attn::kernels

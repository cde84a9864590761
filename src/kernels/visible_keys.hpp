#pragma once

// Which keys a query sees, as a range and what is left to ask inside it.

#include <algorithm>
#include <cstddef>

#include "kernels/attention_problem.hpp"

namespace attn::kernels {

/// Keys first to last - 1.
struct KeyRange {
  std::size_t first = 0, last = 0;

  bool empty() const { return first >= last; }
  KeyRange within(std::size_t from, std::size_t to) const {
    return {std::max(first, from), std::min(last, to)};
  }
};

/// The keys that the causal mask and the window leave to query i. Both ends never fall as i rises.
inline KeyRange visible_range(const AttentionProblem& problem, std::size_t i) {
  const AttentionMask& mask = problem.mask;
  if (!mask.causal && mask.window == 0) return {0, problem.n_k};
  // One past the query's own position i + n_k - n_q, which may lie before the first key.
  const std::size_t before = i + 1 + problem.n_k;
  if (before <= problem.n_q) return {0, 0};
  const std::size_t last = before - problem.n_q;
  return {mask.window != 0 && last > mask.window ? last - mask.window : 0, last};
}

/// Whether something other than the range may forbid a pair.
inline bool has_holes(const AttentionMask& mask) {
  return mask.key_valid != nullptr || mask.query_document != nullptr;
}

/// Whether padding and documents allow query i to see key j of its range.
inline bool allows_inside(const AttentionMask& mask, std::size_t i, std::size_t j) {
  if (mask.key_valid != nullptr && mask.key_valid[j] == 0) return false;
  return mask.query_document == nullptr || mask.query_document[i] == mask.key_document[j];
}

}  // namespace attn::kernels

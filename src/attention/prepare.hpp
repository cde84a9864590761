#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "attention/scaled_dot_product.hpp"

namespace attn {

/// What every way through the attention of one head needs before it computes.
struct Prepared {
  std::size_t n_q, n_k, d_k, d_v;
  double divisor;
  Matrix<std::uint8_t> allowed;    ///< [n_q, n_k]
  std::vector<std::uint8_t> sees;  ///< [n_q] 1 where a query has something left to see
};

/// Checks sizes, divisor, mask, memory and numbers, in this order; `trace` tells how much memory.
/// Q [n_q, d_k], K [n_k, d_k], V [n_k, d_v].
/// Errors: those of scaled_dot_product.
template <class T>
Expected<Prepared> prepare(const Matrix<T>& Q, const Matrix<T>& K, const Matrix<T>& V,
                           const AttentionOptions& options, bool trace);

}  // namespace attn

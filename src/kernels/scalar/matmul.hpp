#pragma once

// Matrix products, one multiply-add at a time.
//
// Ladder
//   plain   Three loops in the order of the formula; the sum is kept in double and rounded once.
//           The oracle that later versions are compared with.
//
// Each matrix is row-major and dense; `out` is written whole and overlaps no operand.
// T is float or double.

#include <cstddef>

namespace attn::kernels {

/// out = a b.
/// a [n, k], b [k, m], out [n, m].
/// Promise: each entry is the sum over k in ascending order, in double, rounded once to T.
template <class T>
void matmul_scalar(const T* a, const T* b, T* out, std::size_t n, std::size_t k, std::size_t m);

/// out = a b^T, the product of queries and keys: both operands are read along their rows.
/// a [n, k], b [m, k], out [n, m].
/// Promise: as matmul_scalar.
template <class T>
void matmul_transposed_scalar(const T* a, const T* b, T* out, std::size_t n, std::size_t k,
                              std::size_t m);

}  // namespace attn::kernels

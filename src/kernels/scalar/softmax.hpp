#pragma once

// The softmax of rows under a mask, and its way back.
//
// Ladder
//   plain   Per row: one pass for the range, one for the exponentials and their sum, one for the
//           division. The sum is kept in double. The oracle that later versions are compared with.
//
// Each matrix is row-major and dense. T is float or double.

#include <cstddef>
#include <cstdint>

namespace attn::kernels {

/// While all entries of a row lie within this of 0, nothing is subtracted before exponentiating:
/// e^30 is 1.1e13 and e^-30 is 9.4e-14, far from the ends of float, and the numbers on the way are
/// the textbook's.
inline constexpr double unshifted_range = 30;

/// What to subtract from the m entries of one row before exponentiating: 0 when all allowed ones
/// lie within unshifted_range of 0, else the largest of them. Minus infinity is masked in effect
/// and does not count; a row with nothing left gets 0.
/// x [m], allowed [m] or null for all.
/// Promise: NaN in an allowed entry gives NaN.
template <class T>
T row_shift_scalar(const T* x, const std::uint8_t* allowed, std::size_t m);

/// weights = softmax of each row of x over its allowed entries, keeping the steps.
/// x [n, m], allowed [n, m] or null for all; shift [n], exponentials [n, m], sums [n],
/// weights [n, m]. `exponentials` and `weights` may be the same memory, and may be x.
/// Promise: masked entries are not read and get exactly 0; a row with nothing left gets zeros in
/// all four; NaN and plus infinity in an allowed entry make the row's weights NaN.
template <class T>
void softmax_rows_scalar(const T* x, const std::uint8_t* allowed, std::size_t n, std::size_t m,
                         T* shift, T* exponentials, T* sums, T* weights);

/// d_s = a o (d_a - rowsum(d_a o a)): the gradient with respect to what entered the softmax.
/// a [n, m], d_a [n, m], d_s [n, m].
/// Promise: where a is exactly 0, d_s is exactly 0 and d_a is not read.
template <class T>
void softmax_backward_scalar(const T* a, const T* d_a, std::size_t n, std::size_t m, T* d_s);

}  // namespace attn::kernels

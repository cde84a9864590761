#pragma once

// Attention over rows, forward and the two sums of its way back that a mask reaches into.
//
// Ladder
//   plain   Query by query: all scores, their softmax, the weighted sum of the values. Holds the
//           whole matrix of weights. The oracle that later versions are compared with.
//   heads   The same for a batch of heads, holding the weights of one query at a time and all of
//           them in double: the scalar back end, and the oracle of the vector kernels.
//
// A masked pair is skipped, not multiplied by 0: 0 x NaN is NaN, and what is masked may hold NaN.
// Each matrix is row-major and dense; outputs overlap no input. T is float or double.

#include <cstddef>
#include <cstdint>

#include "kernels/attention_problem.hpp"

namespace attn::kernels {

/// out_i = sum over the allowed j of weights_ij v_j.
/// weights [n, m], allowed [n, m] or null for all, v [m, d], out [n, d].
/// Promise: sums in ascending j, in double, rounded once to T; a row with nothing allowed gives 0.
template <class T>
void weigh_rows_scalar(const T* weights, const std::uint8_t* allowed, const T* v, T* out,
                       std::size_t n, std::size_t m, std::size_t d);

/// out_j = sum over the i that allow j of weights_ij u_i, the transpose of weigh_rows_scalar.
/// weights [n, m], allowed [n, m] or null for all, u [n, d], out [m, d].
/// Promise: as weigh_rows_scalar, in ascending i.
template <class T>
void weigh_columns_scalar(const T* weights, const std::uint8_t* allowed, const T* u, T* out,
                          std::size_t n, std::size_t m, std::size_t d);

/// The products of rows, out_ij = a_i . b_j where allowed and 0 elsewhere.
/// a [n, d], b [m, d], allowed [n, m] or null for all, out [n, m].
/// Promise: sums in ascending order, in double, rounded once to T.
template <class T>
void dot_rows_scalar(const T* a, const T* b, const std::uint8_t* allowed, T* out, std::size_t n,
                     std::size_t m, std::size_t d);

/// weights = softmax(q k^T / divisor) over the allowed pairs, output = weights v.
/// q [n_q, d_k], k [n_k, d_k], v [n_k, d_v], allowed [n_q, n_k] or null for all;
/// weights [n_q, n_k], output [n_q, d_v].
/// Promise: scores are rounded to T before they are divided, and the quotient before it is
/// exponentiated, so that the result is bit by bit that of the single steps.
template <class T>
void attention_scalar(const T* q, const T* k, const T* v, const std::uint8_t* allowed, T divisor,
                      T* weights, T* output, std::size_t n_q, std::size_t n_k, std::size_t d_k,
                      std::size_t d_v);

/// Doubles that attention_heads_scalar needs as `row`.
std::size_t attention_heads_scalar_row(const AttentionProblem& problem);

/// output = softmax(scale q k^T + mask) v for every head of the problem, whose shapes are said
/// there.
/// output [n_heads, n_q, d_v], lse [n_heads, n_q] or null, row
/// [attention_heads_scalar_row(problem)].
/// lse_i = log sum over the allowed j of exp(scale q_i . k_j), which the way back needs.
/// Promise: all in double, rounded once to float; masked pairs are not read. A row with nothing
/// allowed, or with scores of minus infinity alone, gives 0 and an lse of minus infinity; NaN and
/// plus infinity among the allowed scores make the row NaN.
void attention_heads_scalar(const AttentionProblem& problem, float* output, double* row,
                            float* lse = nullptr);

}  // namespace attn::kernels

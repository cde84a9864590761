#pragma once

#include <cstddef>
#include <cstdint>

#include "core/error.hpp"
#include "core/matrix.hpp"

namespace attn {

/// The way back through a softmax, step by step. All [n, m] or [n].
struct WayBack {
  Matrix<double> weights;         ///< A = softmax(S)
  Vector<double> largest_weight;  ///< of each row
  Matrix<double> products;        ///< dA o A
  Vector<double> means;           ///< rowsum(dA o A): what the row expects of dA
  Matrix<double> deviations;      ///< dA - means
  Matrix<double> dS;              ///< A o (dA - means)
  Vector<double> sums;            ///< of the rows of dS: zero, up to rounding
  Vector<double> norms;           ///< of the rows of dS
};

/// What a gradient dL/dA [n, m] becomes on its way through A = softmax(S), S [n, m], row by row: the Jacobian
/// diag(A) - A A^T of Bridle (1990), which is symmetric, applied to dA.
/// Errors: those of softmax and softmax_backward, naming "S" instead of "x"; not_finite naming "dA", also where the
/// weight is 0: its deviation is shown; too_large naming "n" or "m".
/// Promise: dS is that of softmax_backward; each of `sums` is 0 within 1e-15 x m of the largest |dA|.
Expected<WayBack> way_back_through_softmax(const Matrix<double>& S, const Matrix<double>& dA);

struct DrawnScores {
  Matrix<double> S;  ///< [n, n]
  Matrix<double> dA;  ///< [n, n]
};

/// Scores of queries that are `factor` times longer than N(0, 1) ones: Q, K [n, d_k] and dL/dA [n, n] from one stream,
/// S = factor Q K^T / sqrt(d_k).
/// Errors: out_of_range or too_large naming "n" (1 to 64), "d_k" (1 to 4,096); out_of_range naming "factor" outside
/// [0, 10,000].
Expected<DrawnScores> drawn_scores(std::uint64_t seed, std::size_t n, std::size_t d_k,
                                   double factor);

}  // namespace attn

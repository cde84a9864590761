#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/matrix.hpp"
#include "recurrence/path.hpp"

namespace attn {

/// A plain recurrent network (Elman 1990): h_t = tanh(W h_(t-1) + s x_t), h_0 = 0, with H = 8 and s = 0.2
/// (RecurrenceSizes). W is scaled_orthogonal: with scale 1 it neither grows nor shrinks any vector, and all decay is
/// that of tanh'. One stream of numbers per seed: W first, then x_1 to x_n.
class PlainRnn {
 public:
  /// Draws the network and its inputs and runs it forward over n tokens.
  PlainRnn(std::uint64_t seed, double scale, std::size_t n);

  /// The way back from token `last` (1 to n): dL/dh_t for L = (1, ..., 1) . h_last / sqrt(H), by
  /// g_(t-1) = W^T (g_t o (1 - h_t^2)). Returns [last] the norms of g_last, g_(last-1), ..., g_1: at place d has the
  /// gradient passed d factors, and the first is 1.
  std::vector<double> gradient_norms(std::size_t last) const;

  /// One step of it: g becomes, from that of token t (2 or later), that of token t - 1.
  void step_back(std::size_t t, std::array<double, RecurrenceSizes::hidden>& g) const;

  const Matrix<double>& W() const { return W_; }  ///< [H, H]
  const Matrix<double>& h() const { return h_; }  ///< [n, H], row t - 1 for token t

 private:
  Matrix<double> W_;
  Matrix<double> h_;
};

}  // namespace attn

#include "attention/softmax.hpp"

#include <cmath>
#include <limits>

#include "attention/steps.hpp"
#include "core/finite.hpp"
#include "core/limits.hpp"
#include "kernels/scalar/softmax.hpp"

namespace attn {
namespace {

/// Minus infinity is an answer here, not a fault: it is how a mask is added to scores.
template <class T>
Expected<void> check_entries(const Matrix<T>& x, const Matrix<std::uint8_t>& allowed) {
  for (std::size_t i = 0; i < x.shape(0); ++i) {
    for (std::size_t j = 0; j < x.shape(1); ++j) {
      const T value = x(i, j);
      if (allowed(i, j) == 0 || std::isfinite(value)) continue;
      if (value == -std::numeric_limits<T>::infinity()) continue;
      return fail(
          ErrorCode::not_finite, "x",
          {"x[", i, ", ", j, "] must be a finite number, or -infinity for a masked entry; it is ",
           name_of_not_finite(static_cast<double>(value)), "."});
    }
  }
  return {};
}

}  // namespace

template <class T>
Expected<SoftmaxTrace<T>> softmax(const Matrix<T>& x, const Mask& mask, bool require_finite) {
  const std::size_t n = x.shape(0);
  const std::size_t m = x.shape(1);
  ATTN_CHECK(check_count("n", n, 1, max_tokens));
  ATTN_CHECK(check_count("m", m, 1, max_tokens));
  ATTN_CHECK(check_bytes("m", std::uint64_t{n} * m * (2 * sizeof(T) + 2) + 3 * n * sizeof(T)));
  auto allowed = allowed_pairs(mask, n, m);
  ATTN_CHECK(allowed);
  if (require_finite) ATTN_CHECK(check_entries(x, *allowed));

  SoftmaxTrace<T> trace{
      .allowed = std::move(*allowed),
      .shift = make_vector<T>(n),
      .exponentials = make_matrix<T>(n, m),
      .sums = make_vector<T>(n),
      .weights = make_matrix<T>(n, m),
      .weight_sums = {},
      .largest = {},
  };
  kernels::softmax_rows_scalar(x.data(), trace.allowed.data(), n, m, trace.shift.data(),
                               trace.exponentials.data(), trace.sums.data(), trace.weights.data());
  trace.weight_sums = row_sums(trace.weights);
  trace.largest = mark_largest(trace.weights);
  return trace;
}

template <class T>
Expected<Matrix<T>> softmax_backward(const Matrix<T>& A, const Matrix<T>& dA, bool require_finite) {
  const std::size_t n = A.shape(0);
  const std::size_t m = A.shape(1);
  ATTN_CHECK(check_count("n", n, 1, max_tokens));
  ATTN_CHECK(check_count("m", m, 1, max_tokens));
  if (dA.shape(0) != n || dA.shape(1) != m) {
    return fail(ErrorCode::shape_mismatch, "dA",
                {"dA must have the shape of A, [", n, ", ", m, "]; it has [", dA.shape(0), ", ",
                 dA.shape(1), "]."});
  }
  ATTN_CHECK(check_bytes("m", std::uint64_t{n} * m * sizeof(T)));
  if (require_finite) {
    ATTN_CHECK(check_finite("A", A));
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < m; ++j) {
        if (A(i, j) == 0 || std::isfinite(dA(i, j))) continue;
        return not_finite("dA", text({"[", i, ", ", j, "]"}), static_cast<double>(dA(i, j)));
      }
    }
  }
  Matrix<T> dS = make_matrix<T>(n, m);
  kernels::softmax_backward_scalar(A.data(), dA.data(), n, m, dS.data());
  return dS;
}

template Expected<SoftmaxTrace<float>> softmax(const Matrix<float>&, const Mask&, bool);
template Expected<SoftmaxTrace<double>> softmax(const Matrix<double>&, const Mask&, bool);
template Expected<Matrix<float>> softmax_backward(const Matrix<float>&, const Matrix<float>&, bool);
template Expected<Matrix<double>> softmax_backward(const Matrix<double>&, const Matrix<double>&,
                                                   bool);

}  // namespace attn

#include "attention/scaled_dot_product.hpp"

#include "attention/prepare.hpp"
#include "attention/steps.hpp"
#include "core/finite.hpp"
#include "core/limits.hpp"
#include "kernels/scalar/attention.hpp"
#include "kernels/scalar/matmul.hpp"
#include "kernels/scalar/softmax.hpp"

namespace attn {
namespace {

/// weight x value for every allowed pair, and 0 for the others even where V is NaN.
template <class T>
Tensor3<T> contributions_of(const Matrix<T>& weights, const Matrix<std::uint8_t>& allowed,
                            const Matrix<T>& V) {
  Tensor3<T> contributions = make_tensor3<T>(weights.shape(0), weights.shape(1), V.shape(1));
  for (std::size_t i = 0; i < weights.shape(0); ++i) {
    for (std::size_t j = 0; j < weights.shape(1); ++j) {
      for (std::size_t c = 0; c < V.shape(1); ++c) {
        contributions(i, j, c) = allowed(i, j) != 0 ? weights(i, j) * V(j, c) : T{0};
      }
    }
  }
  return contributions;
}

template <class T>
void keep_result_only(const Matrix<T>& Q, const Matrix<T>& K, const Matrix<T>& V,
                      const Prepared& prepared, Trace<T>& trace) {
  kernels::attention_scalar(Q.data(), K.data(), V.data(), prepared.allowed.data(),
                            static_cast<T>(trace.divisor), trace.weights.data(),
                            trace.output.data(), trace.n_q, trace.n_k, trace.d_k, trace.d_v);
}

template <class T>
void keep_every_step(const Matrix<T>& Q, const Matrix<T>& K, const Matrix<T>& V, Prepared& prepared,
                     Trace<T>& trace) {
  const auto& [n_q, n_k, d_k, d_v, divisor, allowed, sees] = prepared;
  trace.score_terms = terms_of(Q, K);
  trace.scores = make_matrix<T>(n_q, n_k);
  kernels::matmul_transposed_scalar(Q.data(), K.data(), trace.scores.data(), n_q, d_k, n_k);
  trace.scaled = trace.scores / static_cast<T>(divisor);

  trace.shift = make_vector<T>(n_q);
  trace.exponentials = make_matrix<T>(n_q, n_k);
  trace.sums = make_vector<T>(n_q);
  kernels::softmax_rows_scalar(trace.scaled.data(), allowed.data(), n_q, n_k, trace.shift.data(),
                               trace.exponentials.data(), trace.sums.data(), trace.weights.data());
  trace.weight_sums = row_sums(trace.weights);
  trace.largest = mark_largest(trace.weights);

  trace.contributions = contributions_of(trace.weights, allowed, V);
  kernels::weigh_rows_scalar(trace.weights.data(), allowed.data(), V.data(), trace.output.data(),
                             n_q, n_k, d_v);
  trace.allowed = std::move(prepared.allowed);
}

}  // namespace

template <class T>
Expected<Trace<T>> scaled_dot_product(const Matrix<T>& Q, const Matrix<T>& K, const Matrix<T>& V,
                                      const AttentionOptions& options) {
  auto prepared = prepare(Q, K, V, options, options.trace);
  ATTN_CHECK(prepared);
  Trace<T> trace{};
  trace.n_q = prepared->n_q;
  trace.n_k = prepared->n_k;
  trace.d_k = prepared->d_k;
  trace.d_v = prepared->d_v;
  trace.divisor = prepared->divisor;
  trace.weights = make_matrix<T>(trace.n_q, trace.n_k);
  trace.output = make_matrix<T>(trace.n_q, trace.d_v);
  if (options.trace) {
    keep_every_step(Q, K, V, *prepared, trace);
  } else {
    keep_result_only(Q, K, V, *prepared, trace);
  }
  if (options.require_finite) ATTN_CHECK(check_rows(trace.weights, prepared->sees));
  return trace;
}

template <class T>
Expected<AttentionGradients<T>> scaled_dot_product_backward(const Matrix<T>& Q, const Matrix<T>& K,
                                                            const Matrix<T>& V, const Matrix<T>& dO,
                                                            const AttentionOptions& options) {
  AttentionOptions forward = options;
  forward.trace = false;
  const auto prepared = prepare(Q, K, V, forward, false);
  ATTN_CHECK(prepared);
  const auto& [n_q, n_k, d_k, d_v, divisor, allowed, sees] = *prepared;
  if (dO.shape(0) != n_q || dO.shape(1) != d_v) {
    return fail(ErrorCode::shape_mismatch, "dO",
                {"dO must have the shape of the output, [", n_q, ", ", d_v, "]; it has [",
                 dO.shape(0), ", ", dO.shape(1), "]."});
  }
  if (options.require_finite) ATTN_CHECK(check_finite("dO", dO, sees));
  const std::uint64_t gradients = 2 * std::uint64_t{n_q} * n_k + std::uint64_t{n_q} * d_k +
                                  std::uint64_t{n_k} * d_k + std::uint64_t{n_k} * d_v;
  const auto forward_bytes = scaled_dot_product_bytes<T>(n_q, n_k, d_k, d_v, false);
  ATTN_CHECK(forward_bytes);
  ATTN_CHECK(check_bytes("n_k", gradients * sizeof(T) + *forward_bytes));
  const auto result = scaled_dot_product(Q, K, V, forward);
  ATTN_CHECK(result);
  const Matrix<T>& A = result->weights;

  AttentionGradients<T> gradient{
      .dA = make_matrix<T>(n_q, n_k),
      .dS = make_matrix<T>(n_q, n_k),
      .dQ = make_matrix<T>(n_q, d_k),
      .dK = make_matrix<T>(n_k, d_k),
      .dV = make_matrix<T>(n_k, d_v),
  };
  kernels::dot_rows_scalar(dO.data(), V.data(), allowed.data(), gradient.dA.data(), n_q, n_k, d_v);
  kernels::softmax_backward_scalar(A.data(), gradient.dA.data(), n_q, n_k, gradient.dS.data());
  kernels::weigh_rows_scalar(gradient.dS.data(), allowed.data(), K.data(), gradient.dQ.data(), n_q,
                             n_k, d_k);
  kernels::weigh_columns_scalar(gradient.dS.data(), allowed.data(), Q.data(), gradient.dK.data(),
                                n_q, n_k, d_k);
  kernels::weigh_columns_scalar(A.data(), allowed.data(), dO.data(), gradient.dV.data(), n_q, n_k,
                                d_v);
  gradient.dQ /= static_cast<T>(divisor);
  gradient.dK /= static_cast<T>(divisor);
  return gradient;
}

template Expected<Trace<float>> scaled_dot_product(const Matrix<float>&, const Matrix<float>&,
                                                   const Matrix<float>&, const AttentionOptions&);
template Expected<Trace<double>> scaled_dot_product(const Matrix<double>&, const Matrix<double>&,
                                                    const Matrix<double>&, const AttentionOptions&);
template Expected<AttentionGradients<float>> scaled_dot_product_backward(const Matrix<float>&,
                                                                         const Matrix<float>&,
                                                                         const Matrix<float>&,
                                                                         const Matrix<float>&,
                                                                         const AttentionOptions&);
template Expected<AttentionGradients<double>> scaled_dot_product_backward(const Matrix<double>&,
                                                                          const Matrix<double>&,
                                                                          const Matrix<double>&,
                                                                          const Matrix<double>&,
                                                                          const AttentionOptions&);

}  // namespace attn

#include "attention/prepare.hpp"

#include <cmath>
#include <string>

#include "attention/steps.hpp"
#include "core/finite.hpp"
#include "core/limits.hpp"

namespace attn {
namespace {

template <class T>
Expected<double> divisor_of(std::size_t d_k, const AttentionOptions& options) {
  if (!options.divide) return 1.0;
  const double under_the_root = options.divisor_d_k.value_or(static_cast<double>(d_k));
  const double divisor = std::sqrt(under_the_root);
  // In float a tiny or huge divisor rounds to 0 or infinity.
  const T rounded = static_cast<T>(divisor);
  if (rounded > 0 && std::isfinite(rounded)) return divisor;
  return fail(ErrorCode::out_of_range, "divisor_d_k",
              {"divisor_d_k must be a positive finite number whose root is one too."});
}

std::string shape_text(std::size_t rows, std::size_t columns) {
  return text({"[", rows, ", ", columns, "]"});
}

}  // namespace

template <class T>
Expected<std::uint64_t> scaled_dot_product_bytes(std::size_t n_q, std::size_t n_k, std::size_t d_k,
                                                 std::size_t d_v, bool trace) {
  ATTN_CHECK(check_count("n_q", n_q, 1, max_tokens));
  ATTN_CHECK(check_count("n_k", n_k, 1, max_tokens));
  ATTN_CHECK(check_count("d_k", d_k, 1, max_width));
  ATTN_CHECK(check_count("d_v", d_v, 1, max_width));
  // Within the limits above nothing here exceeds 2^45.
  const std::uint64_t pairs = std::uint64_t{n_q} * n_k;
  const std::uint64_t result = (pairs + std::uint64_t{n_q} * d_v) * sizeof(T) + pairs;
  if (!trace) return result;
  const std::uint64_t per_pair = (std::uint64_t{d_k} + d_v + 3) * sizeof(T) + 1;
  return result + pairs * per_pair + 3 * std::uint64_t{n_q} * sizeof(T);
}

template <class T>
Expected<Prepared> prepare(const Matrix<T>& Q, const Matrix<T>& K, const Matrix<T>& V,
                           const AttentionOptions& options, bool trace) {
  const std::size_t n_q = Q.shape(0);
  const std::size_t d_k = Q.shape(1);
  const std::size_t n_k = K.shape(0);
  const std::size_t d_v = V.shape(1);
  const auto bytes = scaled_dot_product_bytes<T>(n_q, n_k, d_k, d_v, trace);
  ATTN_CHECK(bytes);
  if (K.shape(1) != d_k) {
    return fail(ErrorCode::shape_mismatch, "K",
                {"K must have as many columns as Q, to be multiplied with it: Q is ",
                 shape_text(n_q, d_k), ", K is ", shape_text(n_k, K.shape(1)), "."});
  }
  if (V.shape(0) != n_k) {
    return fail(ErrorCode::shape_mismatch, "V",
                {"V must have one row for each row of K: K is ", shape_text(n_k, d_k), ", V is ",
                 shape_text(V.shape(0), d_v), "."});
  }
  const auto divisor = divisor_of<T>(d_k, options);
  ATTN_CHECK(divisor);
  ATTN_CHECK(check_mask(options.mask, n_q, n_k));
  ATTN_CHECK(check_bytes("n_k", *bytes));
  auto allowed = allowed_pairs(options.mask, n_q, n_k);
  ATTN_CHECK(allowed);
  std::vector<std::uint8_t> sees = rows_that_see(*allowed);
  if (options.require_finite) {
    const std::vector<std::uint8_t> is_seen = columns_that_are_seen(*allowed);
    ATTN_CHECK(check_finite("Q", Q, sees));
    ATTN_CHECK(check_finite("K", K, is_seen));
    ATTN_CHECK(check_finite("V", V, is_seen));
  }
  return Prepared{n_q, n_k, d_k, d_v, *divisor, std::move(*allowed), std::move(sees)};
}

template Expected<std::uint64_t> scaled_dot_product_bytes<float>(std::size_t, std::size_t,
                                                                 std::size_t, std::size_t, bool);
template Expected<std::uint64_t> scaled_dot_product_bytes<double>(std::size_t, std::size_t,
                                                                  std::size_t, std::size_t, bool);
template Expected<Prepared> prepare(const Matrix<float>&, const Matrix<float>&,
                                    const Matrix<float>&, const AttentionOptions&, bool);
template Expected<Prepared> prepare(const Matrix<double>&, const Matrix<double>&,
                                    const Matrix<double>&, const AttentionOptions&, bool);

}  // namespace attn

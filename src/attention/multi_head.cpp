#include "attention/multi_head.hpp"

#include <cmath>
#include <span>
#include <string_view>
#include <utility>

#include "attention/steps.hpp"
#include "core/finite.hpp"
#include "core/limits.hpp"
#include "kernels/scalar/attention.hpp"
#include "kernels/scalar/matmul.hpp"
#include "kernels/scalar/softmax.hpp"

namespace attn {
namespace {

/// The sizes of one layer, checked.
struct Sizes {
  std::size_t n, d_model, n_heads, n_kv_heads, head_dim, kv_width;
};

Expected<Sizes> sizes_of(std::uint64_t n, std::uint64_t d_model, std::uint64_t n_heads,
                         std::uint64_t n_kv_heads) {
  ATTN_CHECK(check_count("n", n, 1, max_tokens));
  ATTN_CHECK(check_count("d_model", d_model, 1, max_width));
  ATTN_CHECK(check_count("n_heads", n_heads, 1, max_heads));
  ATTN_CHECK(check_count("n_kv_heads", n_kv_heads, 1, max_heads));
  if (d_model % n_heads != 0) {
    return fail(
        ErrorCode::shape_mismatch, "n_heads",
        {"n_heads must divide d_model = ", d_model, " into equal heads; it is ", n_heads, "."});
  }
  if (n_heads % n_kv_heads != 0) {
    return fail(ErrorCode::shape_mismatch, "n_kv_heads",
                {"n_kv_heads must divide n_heads = ", n_heads, " into equal groups; it is ",
                 n_kv_heads, "."});
  }
  const std::uint64_t head_dim = d_model / n_heads;
  return Sizes{static_cast<std::size_t>(n),        static_cast<std::size_t>(d_model),
               static_cast<std::size_t>(n_heads),  static_cast<std::size_t>(n_kv_heads),
               static_cast<std::size_t>(head_dim), static_cast<std::size_t>(n_kv_heads * head_dim)};
}

/// The bytes of every step, of the weights and the output that stand beside them, and of the
/// scratch of one head.
template <class T>
std::uint64_t bytes_of(const Sizes& sizes) {
  const std::uint64_t n = sizes.n;
  const std::uint64_t rows = n * (7 * std::uint64_t{sizes.d_model} + 4 * sizes.kv_width);
  const std::uint64_t pairs = n * n * (4 * std::uint64_t{sizes.n_heads} + 2);
  return (rows + pairs) * sizeof(T);
}

template <class T>
Expected<void> check_shape(std::string_view field, const Matrix<T>& matrix, std::size_t rows,
                           std::size_t columns) {
  if (matrix.shape(0) == rows && matrix.shape(1) == columns) return {};
  return fail(ErrorCode::shape_mismatch, field,
              {field, " must be [", rows, ", ", columns, "]; it is [", matrix.shape(0), ", ",
               matrix.shape(1), "]."});
}

template <class T>
Expected<void> check_shape(std::string_view field, const Vector<T>& bias, std::size_t length) {
  if (bias.size() == 0 || bias.size() == length) return {};
  return fail(ErrorCode::shape_mismatch, field,
              {field, " must hold ", length, " numbers, or none; it holds ", bias.size(), "."});
}

template <class T>
Expected<void> check_shapes(const MultiHeadWeights<T>& weights, const Sizes& sizes) {
  const auto& [W_Q, W_K, W_V, W_O, b_Q, b_K, b_V, b_O] = weights;
  ATTN_CHECK(check_shape("W_Q", W_Q, sizes.d_model, sizes.d_model));
  ATTN_CHECK(check_shape("W_K", W_K, sizes.d_model, sizes.kv_width));
  ATTN_CHECK(check_shape("W_V", W_V, sizes.d_model, sizes.kv_width));
  ATTN_CHECK(check_shape("W_O", W_O, sizes.d_model, sizes.d_model));
  ATTN_CHECK(check_shape("b_Q", b_Q, sizes.d_model));
  ATTN_CHECK(check_shape("b_K", b_K, sizes.kv_width));
  ATTN_CHECK(check_shape("b_V", b_V, sizes.kv_width));
  return check_shape("b_O", b_O, sizes.d_model);
}

template <class T>
Expected<void> check_numbers(const MultiHeadWeights<T>& weights) {
  const auto& [W_Q, W_K, W_V, W_O, b_Q, b_K, b_V, b_O] = weights;
  ATTN_CHECK(check_finite("W_Q", W_Q));
  ATTN_CHECK(check_finite("W_K", W_K));
  ATTN_CHECK(check_finite("W_V", W_V));
  ATTN_CHECK(check_finite("W_O", W_O));
  ATTN_CHECK(check_finite("b_Q", b_Q));
  ATTN_CHECK(check_finite("b_K", b_K));
  ATTN_CHECK(check_finite("b_V", b_V));
  return check_finite("b_O", b_O);
}

/// x W + b. x [n, k], W [k, m], b [m] or empty; returns [n, m].
template <class T>
Matrix<T> project(const Matrix<T>& x, const Matrix<T>& W, const Vector<T>& b) {
  const std::size_t n = x.shape(0);
  const std::size_t m = W.shape(1);
  Matrix<T> projected = make_matrix<T>(n, m);
  kernels::matmul_scalar(x.data(), W.data(), projected.data(), n, x.shape(1), m);
  if (b.size() == 0) return projected;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < m; ++j) projected(i, j) += b(j);
  }
  return projected;
}

/// The reshape that the name promises: [n, heads x head_dim] to [heads, n, head_dim].
template <class T>
Tensor3<T> split_heads(const Matrix<T>& x, std::size_t heads) {
  const std::size_t n = x.shape(0);
  const std::size_t head_dim = x.shape(1) / heads;
  Tensor3<T> split = make_tensor3<T>(heads, n, head_dim);
  for (std::size_t h = 0; h < heads; ++h) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t c = 0; c < head_dim; ++c) split(h, i, c) = x(i, h * head_dim + c);
    }
  }
  return split;
}

/// And back: [heads, n, head_dim] to [n, heads x head_dim].
template <class T>
Matrix<T> merge_heads(const Tensor3<T>& x) {
  const std::size_t heads = x.shape(0);
  const std::size_t n = x.shape(1);
  const std::size_t head_dim = x.shape(2);
  Matrix<T> merged = make_matrix<T>(n, heads * head_dim);
  for (std::size_t h = 0; h < heads; ++h) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t c = 0; c < head_dim; ++c) merged(i, h * head_dim + c) = x(h, i, c);
    }
  }
  return merged;
}

template <class Container>
Step<typename Container::value_type> step(std::string_view name, const Container& container) {
  const auto values = flat(container);
  return {
      name, {container.shape().begin(), container.shape().end()}, {values.begin(), values.end()}};
}

std::uint64_t count_parameters(const Sizes& sizes, bool b_Q, bool b_K, bool b_V, bool b_O) {
  const std::uint64_t d_model = sizes.d_model;
  const std::uint64_t kv_width = sizes.kv_width;
  return d_model * (2 * d_model + 2 * kv_width) + (b_Q ? d_model : 0) + (b_K ? kv_width : 0) +
         (b_V ? kv_width : 0) + (b_O ? d_model : 0);
}

/// A token of X counts when anything it is turned into may reach an output: when its query sees a
/// key, or some query sees its key.
std::vector<std::uint8_t> tokens_that_count(const Matrix<std::uint8_t>& allowed) {
  std::vector<std::uint8_t> counts = rows_that_see(allowed);
  const std::vector<std::uint8_t> seen = columns_that_are_seen(allowed);
  for (std::size_t i = 0; i < counts.size(); ++i) counts[i] |= seen[i];
  return counts;
}

}  // namespace

template <class T>
Expected<MultiHeadTrace<T>> multi_head(const Matrix<T>& X, const MultiHeadWeights<T>& weights,
                                       const MultiHeadOptions& options) {
  const auto sizes = sizes_of(X.shape(0), X.shape(1), options.n_heads, options.n_kv_heads);
  ATTN_CHECK(sizes);
  ATTN_CHECK(check_shapes(weights, *sizes));
  ATTN_CHECK(check_mask(options.mask, sizes->n, sizes->n));
  ATTN_CHECK(check_bytes("n", bytes_of<T>(*sizes)));
  const auto allowed = allowed_pairs(options.mask, sizes->n, sizes->n);
  ATTN_CHECK(allowed);
  if (options.require_finite) {
    ATTN_CHECK(check_finite("X", X, tokens_that_count(*allowed)));
    ATTN_CHECK(check_numbers(weights));
  }
  const auto [n, d_model, n_heads, n_kv_heads, head_dim, kv_width] = *sizes;

  const Matrix<T> Q = project(X, weights.W_Q, weights.b_Q);
  const Matrix<T> K = project(X, weights.W_K, weights.b_K);
  const Matrix<T> V = project(X, weights.W_V, weights.b_V);
  const Tensor3<T> Q_heads = split_heads(Q, n_heads);
  const Tensor3<T> K_heads = split_heads(K, n_kv_heads);
  const Tensor3<T> V_heads = split_heads(V, n_kv_heads);

  Tensor3<T> scores = make_tensor3<T>(n_heads, n, n);
  Tensor3<T> all_weights = make_tensor3<T>(n_heads, n, n);
  Tensor3<T> head_outputs = make_tensor3<T>(n_heads, n, head_dim);
  const std::size_t queries_per_key_head = n_heads / n_kv_heads;
  for (std::size_t h = 0; h < n_heads; ++h) {
    const T* const k = &K_heads(h / queries_per_key_head, 0, 0);
    kernels::matmul_transposed_scalar(&Q_heads(h, 0, 0), k, &scores(h, 0, 0), n, head_dim, n);
  }
  const T divisor = static_cast<T>(std::sqrt(static_cast<double>(head_dim)));
  const Tensor3<T> scaled = scores / divisor;

  Vector<T> shift = make_vector<T>(n);
  Vector<T> sums = make_vector<T>(n);
  Matrix<T> exponentials = make_matrix<T>(n, n);
  const std::vector<std::uint8_t> sees = rows_that_see(*allowed);
  for (std::size_t h = 0; h < n_heads; ++h) {
    const T* const v = &V_heads(h / queries_per_key_head, 0, 0);
    T* const head_weights = &all_weights(h, 0, 0);
    kernels::softmax_rows_scalar(&scaled(h, 0, 0), allowed->data(), n, n, shift.data(),
                                 exponentials.data(), sums.data(), head_weights);
    kernels::weigh_rows_scalar(head_weights, allowed->data(), v, &head_outputs(h, 0, 0), n, n,
                               head_dim);
    if (!options.require_finite) continue;
    for (std::size_t i = 0; i < n; ++i) {
      if (sees[i] != 0 && !(sums(i) > 0)) return scores_overflow(i);
    }
  }
  const Matrix<T> concat = merge_heads(head_outputs);
  Matrix<T> output = project(concat, weights.W_O, weights.b_O);

  MultiHeadTrace<T> trace;
  trace.steps.reserve(13);
  trace.steps.push_back(step("X", X));
  trace.steps.push_back(step("Q", Q));
  trace.steps.push_back(step("K", K));
  trace.steps.push_back(step("V", V));
  trace.steps.push_back(step("Q_heads", Q_heads));
  trace.steps.push_back(step("K_heads", K_heads));
  trace.steps.push_back(step("V_heads", V_heads));
  trace.steps.push_back(step("scores", scores));
  trace.steps.push_back(step("scaled", scaled));
  trace.steps.push_back(step("weights", all_weights));
  trace.steps.push_back(step("head_outputs", head_outputs));
  trace.steps.push_back(step("concat", concat));
  trace.steps.push_back(step("output", output));
  trace.weights = std::move(all_weights);
  trace.output = std::move(output);
  trace.parameters = count_parameters(*sizes, weights.b_Q.size() != 0, weights.b_K.size() != 0,
                                      weights.b_V.size() != 0, weights.b_O.size() != 0);
  return trace;
}

Expected<std::uint64_t> multi_head_parameters(std::uint64_t d_model, std::uint64_t n_heads,
                                              std::uint64_t n_kv_heads, bool biases) {
  const auto sizes = sizes_of(1, d_model, n_heads, n_kv_heads);
  ATTN_CHECK(sizes);
  return count_parameters(*sizes, biases, biases, biases, biases);
}

template Expected<MultiHeadTrace<float>> multi_head(const Matrix<float>&,
                                                    const MultiHeadWeights<float>&,
                                                    const MultiHeadOptions&);
template Expected<MultiHeadTrace<double>> multi_head(const Matrix<double>&,
                                                     const MultiHeadWeights<double>&,
                                                     const MultiHeadOptions&);

}  // namespace attn

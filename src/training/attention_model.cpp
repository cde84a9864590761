#include "training/attention_model.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "attention/scaled_dot_product.hpp"
#include "core/random.hpp"

namespace attn {
namespace {

/// c += a b, a [i, k], b [k, j].
void add_product(const Matrix<double>& a, const Matrix<double>& b, Matrix<double>& c) {
  const std::size_t columns = b.shape(1);
  for (std::size_t i = 0; i < a.shape(0); ++i) {
    double* const out = &c(i, 0);
    for (std::size_t k = 0; k < b.shape(0); ++k) {
      const double factor = a(i, k);
      const double* const row = &b(k, 0);
      for (std::size_t j = 0; j < columns; ++j) out[j] += factor * row[j];
    }
  }
}

/// c += a^T b, a [k, i], b [k, j]: the gradient of a matrix that `a` was multiplied by.
void add_transposed_product(const Matrix<double>& a, const Matrix<double>& b, Matrix<double>& c) {
  const std::size_t columns = b.shape(1);
  for (std::size_t k = 0; k < a.shape(0); ++k) {
    const double* const row = &b(k, 0);
    for (std::size_t i = 0; i < a.shape(1); ++i) {
      const double factor = a(k, i);
      double* const out = &c(i, 0);
      for (std::size_t j = 0; j < columns; ++j) out[j] += factor * row[j];
    }
  }
}

/// c += a b^T, a [i, k], b [j, k]: the gradient of what a matrix was multiplied by.
void add_product_transposed(const Matrix<double>& a, const Matrix<double>& b, Matrix<double>& c) {
  const std::size_t inner = a.shape(1);
  for (std::size_t i = 0; i < a.shape(0); ++i) {
    const double* const left = &a(i, 0);
    for (std::size_t j = 0; j < b.shape(0); ++j) {
      const double* const right = &b(j, 0);
      double sum = 0;
      for (std::size_t k = 0; k < inner; ++k) sum += left[k] * right[k];
      c(i, j) += sum;
    }
  }
}

Matrix<double> product(const Matrix<double>& a, const Matrix<double>& b) {
  Matrix<double> made = zero_matrix<double>(a.shape(0), b.shape(1));
  add_product(a, b, made);
  return made;
}

/// Each row becomes its softmax, as in attn::softmax but in place: one call of that allocates six matrices.
void softmax_rows(Matrix<double>& rows) {
  const std::size_t columns = rows.shape(1);
  for (std::size_t i = 0; i < rows.shape(0); ++i) {
    double* const row = &rows(i, 0);
    const double largest = *std::max_element(row, row + columns);
    double sum = 0;
    for (std::size_t j = 0; j < columns; ++j) sum += row[j] = std::exp(row[j] - largest);
    for (std::size_t j = 0; j < columns; ++j) row[j] /= sum;
  }
}

/// All that the way forward leaves for the way back.
struct Forward {
  Matrix<double> X, Q, K, V;
  Matrix<double> weights;
  Matrix<double> H;  ///< X + O
  Matrix<double> probabilities;  ///< softmax(H U)
};

Expected<Forward> forward(const AttentionModel& model, std::span<const std::int32_t> ids,
                          const Mask& mask) {
  const std::size_t d_model = model.E.shape(1);
  Forward made;
  made.X = make_matrix<double>(ids.size(), d_model);
  for (std::size_t t = 0; t < ids.size(); ++t) {
    const auto id = static_cast<std::size_t>(ids[t]);
    for (std::size_t c = 0; c < d_model; ++c) made.X(t, c) = model.E(id, c) + model.P(t, c);
  }
  made.Q = product(made.X, model.W_Q);
  made.K = product(made.X, model.W_K);
  made.V = product(made.X, model.W_V);
  auto attended = scaled_dot_product(made.Q, made.K, made.V, {.mask = mask, .trace = false});
  ATTN_CHECK(attended);
  made.weights = std::move(attended->weights);
  made.H = std::move(attended->output);
  for (std::size_t k = 0; k < made.H.size(); ++k) made.H.data()[k] += made.X.data()[k];
  made.probabilities = product(made.H, model.U);
  softmax_rows(made.probabilities);
  return made;
}

std::size_t targets_of(const Example& example) {
  const auto& targets = example.targets;
  return static_cast<std::size_t>(
      std::count_if(targets.begin(), targets.end(), [](std::int32_t id) { return id >= 0; }));
}

double mean_surprise(const Matrix<double>& probabilities, const Example& example) {
  const std::size_t count = targets_of(example);
  double sum = 0;
  for (std::size_t t = 0; t < example.targets.size(); ++t) {
    if (example.targets[t] < 0) continue;
    // The least a double holds, so that a loss stays a number.
    sum -=
        std::log(std::max(probabilities(t, static_cast<std::size_t>(example.targets[t])), 1e-300));
  }
  return count == 0 ? 0 : sum / static_cast<double>(count);
}

}  // namespace

AttentionModel zero_model(const ModelSizes& sizes) {
  const auto& [vocab_size, n, d_model, d_k] = sizes;
  return {.E = zero_matrix<double>(vocab_size, d_model),
          .P = zero_matrix<double>(n, d_model),
          .W_Q = zero_matrix<double>(d_model, d_k),
          .W_K = zero_matrix<double>(d_model, d_k),
          .W_V = zero_matrix<double>(d_model, d_model),
          .U = zero_matrix<double>(d_model, vocab_size)};
}

AttentionModel random_model(const ModelSizes& sizes, std::uint64_t seed) {
  AttentionModel model = zero_model(sizes);
  const double projection = 1 / std::sqrt(static_cast<double>(sizes.d_model));
  Normals normals(seed);
  for (Matrix<double>* part : model.parts()) {
    const double scale = part == &model.E || part == &model.P ? 0.5 : projection;
    for (double& number : *part) number = scale * normals.next();
  }
  return model;
}

Expected<ModelReading> read(const AttentionModel& model, std::span<const std::int32_t> ids,
                            const Mask& mask) {
  auto made = forward(model, ids, mask);
  ATTN_CHECK(made);
  return ModelReading{.weights = std::move(made->weights),
                      .probabilities = std::move(made->probabilities)};
}

Expected<double> loss(const AttentionModel& model, const Example& example, const Mask& mask) {
  const auto made = forward(model, example.ids, mask);
  ATTN_CHECK(made);
  return mean_surprise(made->probabilities, example);
}

Expected<double> add_gradients(const AttentionModel& model, const Example& example,
                               const Mask& mask, double share, AttentionModel& gradients) {
  auto made = forward(model, example.ids, mask);
  ATTN_CHECK(made);
  const double at = mean_surprise(made->probabilities, example);
  const std::size_t count = targets_of(example);
  if (count == 0) return at;

  // Softmax and logarithm together: dL/dlogits = (probabilities - 1 at the target) / targets.
  Matrix<double>& d_logits = made->probabilities;
  const double each = share / static_cast<double>(count);
  for (std::size_t t = 0; t < example.ids.size(); ++t) {
    const std::int32_t target = example.targets[t];
    for (std::size_t j = 0; j < d_logits.shape(1); ++j) {
      const bool is_target = static_cast<std::int32_t>(j) == target;
      d_logits(t, j) = target < 0 ? 0 : each * (d_logits(t, j) - (is_target ? 1 : 0));
    }
  }
  add_transposed_product(made->H, d_logits, gradients.U);

  // Both arms of the sum receive dH: the attention, and X itself.
  Matrix<double> dX = zero_matrix<double>(made->X.shape(0), made->X.shape(1));
  add_product_transposed(d_logits, model.U, dX);
  const auto back = scaled_dot_product_backward(made->Q, made->K, made->V, dX, {.mask = mask});
  ATTN_CHECK(back);
  add_transposed_product(made->X, back->dQ, gradients.W_Q);
  add_transposed_product(made->X, back->dK, gradients.W_K);
  add_transposed_product(made->X, back->dV, gradients.W_V);
  add_product_transposed(back->dQ, model.W_Q, dX);
  add_product_transposed(back->dK, model.W_K, dX);
  add_product_transposed(back->dV, model.W_V, dX);

  for (std::size_t t = 0; t < example.ids.size(); ++t) {
    const auto id = static_cast<std::size_t>(example.ids[t]);
    for (std::size_t c = 0; c < dX.shape(1); ++c) {
      gradients.E(id, c) += dX(t, c);
      gradients.P(t, c) += dX(t, c);
    }
  }
  return at;
}

}  // namespace attn

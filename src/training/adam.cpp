#include "training/adam.hpp"

#include <cmath>
#include <cstddef>

#include "efficient/recall_model.hpp"
#include "training/attention_model.hpp"

namespace attn {
namespace {

constexpr double beta_1 = 0.9;
constexpr double beta_2 = 0.999;
constexpr double epsilon = 1e-8;

}  // namespace

template <class Model>
void Adam<Model>::step(Model& model, Model& gradients, double rate) {
  mean_left_ *= beta_1;
  square_left_ *= beta_2;
  const auto parts = model.parts();
  const auto slopes = gradients.parts();
  const auto means = mean_.parts();
  const auto squares = square_.parts();
  for (std::size_t k = 0; k < parts.size(); ++k) {
    double* const number = parts[k]->data();
    double* const slope = slopes[k]->data();
    double* const mean = means[k]->data();
    double* const square = squares[k]->data();
    for (std::size_t i = 0; i < parts[k]->size(); ++i) {
      mean[i] = beta_1 * mean[i] + (1 - beta_1) * slope[i];
      square[i] = beta_2 * square[i] + (1 - beta_2) * slope[i] * slope[i];
      const double mean_now = mean[i] / (1 - mean_left_);
      const double square_now = square[i] / (1 - square_left_);
      number[i] -= rate * mean_now / (std::sqrt(square_now) + epsilon);
      slope[i] = 0;
    }
  }
}

template class Adam<AttentionModel>;
template class Adam<RecallModel>;

}  // namespace attn

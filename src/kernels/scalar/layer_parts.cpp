#include "kernels/scalar/layer_parts.hpp"

#include <cmath>

namespace attn::kernels {

void layer_norm_scalar(const float* x, const float* gain, const float* bias, float epsilon,
                       std::size_t n, std::size_t d, float* out) {
  const auto count = static_cast<double>(d);
  for (std::size_t i = 0; i < n; ++i) {
    const float* const row = x + i * d;
    double sum = 0;
    for (std::size_t j = 0; j < d; ++j) sum += static_cast<double>(row[j]);
    const double mean = sum / count;
    double squares = 0;
    for (std::size_t j = 0; j < d; ++j) {
      const double rest = static_cast<double>(row[j]) - mean;
      squares += rest * rest;
    }
    const double root = std::sqrt(squares / count + static_cast<double>(epsilon));
    for (std::size_t j = 0; j < d; ++j) {
      const double scaled = (static_cast<double>(row[j]) - mean) / root;
      out[i * d + j] =
          static_cast<float>(scaled * static_cast<double>(gain[j]) + static_cast<double>(bias[j]));
    }
  }
}

void swiglu_scalar(const float* gate, const float* up, std::size_t count, float* out) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto x = static_cast<double>(gate[i]);
    out[i] = static_cast<float>(x / (1 + std::exp(-x)) * static_cast<double>(up[i]));
  }
}

void gelu_tanh_scalar(const float* x, std::size_t count, float* out) {
  constexpr double root_of_two_over_pi = 0.79788456080286535588;
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = static_cast<double>(x[i]);
    const double inner = root_of_two_over_pi * (at + 0.044715 * at * at * at);
    out[i] = static_cast<float>(0.5 * at * (1 + std::tanh(inner)));
  }
}

}  // namespace attn::kernels

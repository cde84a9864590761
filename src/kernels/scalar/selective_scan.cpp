#include "kernels/scalar/selective_scan.hpp"

#include <cmath>

namespace attn::kernels {

std::size_t selective_scan_scalar_scratch(const ScanProblem& problem) { return problem.state_size; }

void selective_scan_scalar(const ScanProblem& problem, float* state, float* output,
                           double* scratch) {
  const std::size_t channels = problem.channels, numbers = problem.state_size;
  for (std::size_t channel = 0; channel < channels; ++channel) {
    float* const held = state == nullptr ? nullptr : state + channel * numbers;
    for (std::size_t k = 0; k < numbers; ++k) {
      scratch[k] = held == nullptr ? 0.0 : static_cast<double>(held[k]);
    }
    for (std::size_t t = 0; t < problem.n; ++t) {
      const auto x = static_cast<double>(problem.x[t * channels + channel]);
      const auto delta = static_cast<double>(problem.delta[t * channels + channel]);
      double sum = 0;
      for (std::size_t k = 0; k < numbers; ++k) {
        const auto rate = static_cast<double>(problem.A[channel * numbers + k]);
        const auto writes = static_cast<double>(problem.B[t * numbers + k]);
        scratch[k] = std::exp(delta * rate) * scratch[k] + delta * x * writes;
        sum += static_cast<double>(problem.C[t * numbers + k]) * scratch[k];
      }
      if (problem.skip != nullptr) sum += static_cast<double>(problem.skip[channel]) * x;
      output[t * channels + channel] = static_cast<float>(sum);
    }
    for (std::size_t k = 0; held != nullptr && k < numbers; ++k) {
      held[k] = static_cast<float>(scratch[k]);
    }
  }
}

}  // namespace attn::kernels

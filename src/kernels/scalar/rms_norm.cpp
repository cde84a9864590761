#include "kernels/scalar/rms_norm.hpp"

#include <cmath>

namespace attn::kernels {

template <class T>
void rms_norm_scalar(const T* x, const T* gain, T epsilon, std::size_t n, std::size_t d, T* out) {
  for (std::size_t i = 0; i < n; ++i) {
    const T* row = x + i * d;
    double sum = 0;
    for (std::size_t j = 0; j < d; ++j) {
      sum += static_cast<double>(row[j]) * static_cast<double>(row[j]);
    }
    const double root = std::sqrt(sum / static_cast<double>(d) + static_cast<double>(epsilon));
    for (std::size_t j = 0; j < d; ++j) {
      const double scaled = static_cast<double>(row[j]) / root;
      out[i * d + j] =
          static_cast<T>(gain == nullptr ? scaled : scaled * static_cast<double>(gain[j]));
    }
  }
}

template void rms_norm_scalar<float>(const float*, const float*, float, std::size_t, std::size_t,
                                     float*);
template void rms_norm_scalar<double>(const double*, const double*, double, std::size_t,
                                      std::size_t, double*);

}  // namespace attn::kernels

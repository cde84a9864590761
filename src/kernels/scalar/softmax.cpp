#include "kernels/scalar/softmax.hpp"

#include <cmath>
#include <limits>

namespace attn::kernels {

template <class T>
T row_shift_scalar(const T* x, const std::uint8_t* allowed, std::size_t m) {
  constexpr T minus_infinity = -std::numeric_limits<T>::infinity();
  T largest = minus_infinity;
  bool within = true;
  for (std::size_t j = 0; j < m; ++j) {
    if (allowed != nullptr && allowed[j] == 0) continue;
    if (std::isnan(x[j])) return x[j];
    if (x[j] == minus_infinity) continue;
    if (std::fabs(x[j]) > static_cast<T>(unshifted_range)) within = false;
    if (x[j] > largest) largest = x[j];
  }
  return within ? T{0} : largest;
}

template <class T>
void softmax_rows_scalar(const T* x, const std::uint8_t* allowed, std::size_t n, std::size_t m,
                         T* shift, T* exponentials, T* sums, T* weights) {
  for (std::size_t i = 0; i < n; ++i) {
    const T* row = x + i * m;
    const std::uint8_t* row_allowed = allowed == nullptr ? nullptr : allowed + i * m;
    shift[i] = row_shift_scalar(row, row_allowed, m);
    double sum = 0;
    const auto counts = [row_allowed](std::size_t j) {
      return row_allowed == nullptr || row_allowed[j] != 0;
    };
    for (std::size_t j = 0; j < m; ++j) {
      const T exponential = counts(j) ? std::exp(row[j] - shift[i]) : T{0};
      exponentials[i * m + j] = exponential;
      sum += static_cast<double>(exponential);
    }
    sums[i] = static_cast<T>(sum);
    for (std::size_t j = 0; j < m; ++j) {
      // Only a row with nothing left sums to 0: elsewhere the largest exponential is 1, or none
      // is smaller than e^-30.
      const bool weighs = counts(j) && sum != 0;
      weights[i * m + j] = weighs ? exponentials[i * m + j] / sums[i] : T{0};
    }
  }
}

template <class T>
void softmax_backward_scalar(const T* a, const T* d_a, std::size_t n, std::size_t m, T* d_s) {
  for (std::size_t i = 0; i < n; ++i) {
    const T* weights = a + i * m;
    const T* gradients = d_a + i * m;
    double mean = 0;
    for (std::size_t j = 0; j < m; ++j) {
      if (weights[j] == 0) continue;
      mean += static_cast<double>(weights[j]) * static_cast<double>(gradients[j]);
    }
    for (std::size_t j = 0; j < m; ++j) {
      const double deviation = weights[j] == 0 ? 0 : static_cast<double>(gradients[j]) - mean;
      d_s[i * m + j] = static_cast<T>(static_cast<double>(weights[j]) * deviation);
    }
  }
}

template float row_shift_scalar<float>(const float*, const std::uint8_t*, std::size_t);
template double row_shift_scalar<double>(const double*, const std::uint8_t*, std::size_t);
template void softmax_rows_scalar<float>(const float*, const std::uint8_t*, std::size_t,
                                         std::size_t, float*, float*, float*, float*);
template void softmax_rows_scalar<double>(const double*, const std::uint8_t*, std::size_t,
                                          std::size_t, double*, double*, double*, double*);
template void softmax_backward_scalar<float>(const float*, const float*, std::size_t, std::size_t,
                                             float*);
template void softmax_backward_scalar<double>(const double*, const double*, std::size_t,
                                              std::size_t, double*);

}  // namespace attn::kernels

#include "kernels/scalar/matmul.hpp"

namespace attn::kernels {

template <class T>
void matmul_scalar(const T* a, const T* b, T* out, std::size_t n, std::size_t k, std::size_t m) {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < m; ++j) {
      double sum = 0;
      for (std::size_t c = 0; c < k; ++c) {
        sum += static_cast<double>(a[i * k + c]) * static_cast<double>(b[c * m + j]);
      }
      out[i * m + j] = static_cast<T>(sum);
    }
  }
}

template <class T>
void matmul_transposed_scalar(const T* a, const T* b, T* out, std::size_t n, std::size_t k,
                              std::size_t m) {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < m; ++j) {
      double sum = 0;
      for (std::size_t c = 0; c < k; ++c) {
        sum += static_cast<double>(a[i * k + c]) * static_cast<double>(b[j * k + c]);
      }
      out[i * m + j] = static_cast<T>(sum);
    }
  }
}

template void matmul_scalar<float>(const float*, const float*, float*, std::size_t, std::size_t,
                                   std::size_t);
template void matmul_scalar<double>(const double*, const double*, double*, std::size_t, std::size_t,
                                    std::size_t);
template void matmul_transposed_scalar<float>(const float*, const float*, float*, std::size_t,
                                              std::size_t, std::size_t);
template void matmul_transposed_scalar<double>(const double*, const double*, double*, std::size_t,
                                               std::size_t, std::size_t);

}  // namespace attn::kernels

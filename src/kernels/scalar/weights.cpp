#include "kernels/scalar/weights.hpp"

#include "kernels/weight_blocks_loops.hpp"

namespace attn::kernels {

void unpack_weights_scalar(const WeightMatrix& weights, std::size_t row, float* out) {
  stored::unpack_row(weights.format, weights.row(row), weights.columns, out);
}

void weights_times_scalar(const WeightMatrix& weights, const float* x, std::size_t n, float* out) {
  const WeightBlock block = weight_block(weights.format);
  float numbers[256];
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t r = 0; r < weights.rows; ++r) {
      const std::byte* from = weights.row(r);
      double sum = 0;
      for (std::size_t c = 0; c < weights.columns; c += block.numbers, from += block.bytes) {
        stored::unpack(weights.format, from, numbers);
        for (std::size_t l = 0; l < block.numbers; ++l) {
          sum +=
              static_cast<double>(numbers[l]) * static_cast<double>(x[i * weights.columns + c + l]);
        }
      }
      out[i * weights.rows + r] = static_cast<float>(sum);
    }
  }
}

}  // namespace attn::kernels

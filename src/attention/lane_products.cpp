#include "attention/lane_products.hpp"

namespace attn {
namespace {

constexpr std::size_t lanes = 8;
/// Keys that share the loads of a query.
constexpr std::size_t block = 4;

float sum_of(const float* sums) {
  return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

float product(const float* q, const float* k, std::size_t width) {
  float sums[lanes] = {};
  std::size_t c = 0;
  for (; c + lanes <= width; c += lanes) {
    for (std::size_t l = 0; l < lanes; ++l) sums[l] += q[c + l] * k[c + l];
  }
  for (std::size_t l = 0; c + l < width; ++l) sums[l] += q[c + l] * k[c + l];
  return sum_of(sums);
}

void four_products(const float* q, const float* k, std::size_t width, float* out) {
  float sums[block][lanes] = {};
  std::size_t c = 0;
  for (; c + lanes <= width; c += lanes) {
    for (std::size_t r = 0; r < block; ++r) {
      for (std::size_t l = 0; l < lanes; ++l) sums[r][l] += q[c + l] * k[r * width + c + l];
    }
  }
  for (std::size_t r = 0; r < block; ++r) {
    for (std::size_t l = 0; c + l < width; ++l) sums[r][l] += q[c + l] * k[r * width + c + l];
    out[r] = sum_of(sums[r]);
  }
}

}  // namespace

void lane_products(const float* Q, const float* K, float* out, std::size_t a, std::size_t width,
                   std::size_t b) {
  for (std::size_t i = 0; i < a; ++i) {
    std::size_t j = 0;
    for (; j + block <= b; j += block) {
      four_products(Q + i * width, K + j * width, width, out + i * b + j);
    }
    for (; j < b; ++j) out[i * b + j] = product(Q + i * width, K + j * width, width);
  }
}

}  // namespace attn

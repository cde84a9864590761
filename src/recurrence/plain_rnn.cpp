#include "recurrence/plain_rnn.hpp"

#include <cmath>

#include "core/random.hpp"
#include "recurrence/orthogonal.hpp"

namespace attn {
namespace {

constexpr std::size_t H = RecurrenceSizes::hidden;

}  // namespace

PlainRnn::PlainRnn(std::uint64_t seed, double scale, std::size_t n)
    : W_(make_matrix<double>(H, H)), h_(make_matrix<double>(n, H)) {
  Normals normals(seed);
  W_ = scaled_orthogonal(normals, H, scale);
  std::array<double, H> before{};
  for (std::size_t t = 0; t < n; ++t) {
    for (std::size_t i = 0; i < H; ++i) {
      double sum = RecurrenceSizes::input_scale * normals.next();
      for (std::size_t j = 0; j < H; ++j) sum += W_(i, j) * before[j];
      h_(t, i) = std::tanh(sum);
    }
    for (std::size_t i = 0; i < H; ++i) before[i] = h_(t, i);
  }
}

void PlainRnn::step_back(std::size_t t, std::array<double, H>& g) const {
  std::array<double, H> before{};
  for (std::size_t i = 0; i < H; ++i) {
    const double h = h_(t - 1, i);
    const double inside = g[i] * (1 - h * h);
    for (std::size_t j = 0; j < H; ++j) before[j] += W_(i, j) * inside;
  }
  g = before;
}

std::vector<double> PlainRnn::gradient_norms(std::size_t last) const {
  std::vector<double> norms;
  norms.reserve(last);
  std::array<double, H> g = equal_parts();
  norms.push_back(norm_of(g));
  for (std::size_t t = last; t > 1; --t) {
    step_back(t, g);
    norms.push_back(norm_of(g));
  }
  return norms;
}

}  // namespace attn

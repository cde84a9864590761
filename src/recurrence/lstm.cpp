#include "recurrence/lstm.hpp"

#include <array>
#include <cmath>

#include "core/random.hpp"
#include "recurrence/orthogonal.hpp"
#include "recurrence/path.hpp"

namespace attn {
namespace {

constexpr std::size_t H = RecurrenceSizes::hidden;
enum Gate : std::size_t { forget, input, output, candidate, gate_count };

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

}  // namespace

std::vector<double> cell_path_norms(const Matrix<double>& forget_gates) {
  const std::size_t n = forget_gates.shape(0);
  std::array<double, H> g = equal_parts();
  std::vector<double> norms{norm_of(g)};
  norms.reserve(n + 1);
  for (std::size_t t = n; t > 0; --t) {
    for (std::size_t i = 0; i < H; ++i) g[i] *= forget_gates(t - 1, i);
    norms.push_back(norm_of(g));
  }
  return norms;
}

Matrix<double> constant_gates(double forget_gate, std::size_t n) {
  Matrix<double> gates = make_matrix<double>(n, H);
  gates.fill(forget_gate);
  return gates;
}

Matrix<double> lstm_forget_gates(std::uint64_t seed, double scale, double forget_bias,
                                 std::size_t n) {
  Normals normals(seed);
  std::vector<Matrix<double>> U;
  U.reserve(gate_count);
  for (std::size_t gate = 0; gate < gate_count; ++gate) {
    U.push_back(scaled_orthogonal(normals, H, scale));
  }
  Matrix<double> forget_gates = make_matrix<double>(n, H);
  std::array<double, H> h{};
  std::array<double, H> c{};
  for (std::size_t t = 0; t < n; ++t) {
    std::array<std::array<double, H>, gate_count> sums;
    for (std::size_t i = 0; i < H; ++i) {
      const double x = RecurrenceSizes::input_scale * normals.next();
      for (std::size_t gate = 0; gate < gate_count; ++gate) {
        double sum = x + (gate == forget ? forget_bias : 0);
        for (std::size_t j = 0; j < H; ++j) sum += U[gate](i, j) * h[j];
        sums[gate][i] = sum;
      }
    }
    for (std::size_t i = 0; i < H; ++i) {
      const double f = sigmoid(sums[forget][i]);
      forget_gates(t, i) = f;
      c[i] = f * c[i] + sigmoid(sums[input][i]) * std::tanh(sums[candidate][i]);
      h[i] = sigmoid(sums[output][i]) * std::tanh(c[i]);
    }
  }
  return forget_gates;
}

}  // namespace attn

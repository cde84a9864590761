#include "recurrence/orthogonal.hpp"

#include <cmath>

namespace attn {

Matrix<double> scaled_orthogonal(Normals& normals, std::size_t size, double scale) {
  Matrix<double> Q = make_matrix<double>(size, size);
  for (double& entry : Q) entry = normals.next();
  const auto dot = [&](std::size_t a, std::size_t b) {
    double sum = 0;
    for (std::size_t k = 0; k < size; ++k) sum += Q(a, k) * Q(b, k);
    return sum;
  };
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double along = dot(i, j);
      for (std::size_t k = 0; k < size; ++k) Q(i, k) -= along * Q(j, k);
    }
    const double length = std::sqrt(dot(i, i));
    for (std::size_t k = 0; k < size; ++k) Q(i, k) /= length;
  }
  for (double& entry : Q) entry *= scale;
  return Q;
}

}  // namespace attn

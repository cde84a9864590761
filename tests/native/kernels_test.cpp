#include <vector>

#include "kernels/scalar/attention.hpp"
#include "kernels/scalar/matmul.hpp"
#include "kernels/scalar/softmax.hpp"
#include "support.hpp"

using namespace attn;
using namespace attn::test;

TEST_CASE("products of small matrices, by hand") {
  const std::vector<double> a{1, 2, 3, 4, 5, 6};         // [2, 3]
  const std::vector<double> b{1, 0, 0, 1, 1, 1};         // [3, 2]
  const std::vector<double> b_columns{1, 0, 1, 0, 1, 1};  // its transpose, [2, 3]
  const std::vector<double> expected{4, 5, 10, 11};
  std::vector<double> out(4, quiet_nan);
  kernels::matmul_scalar(a.data(), b.data(), out.data(), 2, 3, 2);
  CHECK(out == expected);
  out.assign(4, quiet_nan);
  kernels::matmul_transposed_scalar(a.data(), b_columns.data(), out.data(), 2, 3, 2);
  CHECK(out == expected);
}

TEST_CASE("float products keep their sum in double") {
  // In float the 1 would be lost: 2^24 + 1 has no float of its own.
  const std::vector<float> a{16777216, 1, -16777216};
  const std::vector<float> ones{1, 1, 1};
  float out = 0;
  kernels::matmul_scalar(a.data(), ones.data(), &out, 1, 3, 1);
  CHECK(out == 1);
  kernels::matmul_transposed_scalar(a.data(), ones.data(), &out, 1, 3, 1);
  CHECK(out == 1);
  kernels::dot_rows_scalar<float>(a.data(), ones.data(), nullptr, &out, 1, 1, 3);
  CHECK(out == 1);
}

TEST_CASE("weighing rows and columns skips what is not allowed") {
  const std::vector<double> weights{0.5, 0.5, 0, 1};  // [2, 2]
  const std::vector<std::uint8_t> allowed{1, 1, 0, 1};
  const std::vector<double> v{quiet_nan, 4};  // [2, 1]
  std::vector<double> out(2, 0);
  kernels::weigh_rows_scalar(weights.data(), allowed.data(), v.data(), out.data(), 2, 2, 1);
  CHECK(std::isnan(out[0]));
  CHECK(out[1] == 4);
  const std::vector<double> u{2, quiet_nan};
  kernels::weigh_columns_scalar(weights.data(), allowed.data(), u.data(), out.data(), 2, 2, 1);
  CHECK(out[0] == 1);
  CHECK(std::isnan(out[1]));
}

TEST_CASE("no mask and a mask of ones are the same") {
  Normals normals(71);
  const std::size_t n = 5;
  const Matrix<double> Q = random_matrix(normals, n, 3);
  const Matrix<double> K = random_matrix(normals, n, 3);
  const Matrix<double> V = random_matrix(normals, n, 2);
  const std::vector<std::uint8_t> ones(n * n, 1);
  Matrix<double> weights[2] = {make_matrix<double>(n, n), make_matrix<double>(n, n)};
  Matrix<double> output[2] = {make_matrix<double>(n, 2), make_matrix<double>(n, 2)};
  kernels::attention_scalar<double>(Q.data(), K.data(), V.data(), nullptr, 2, weights[0].data(),
                                    output[0].data(), n, n, 3, 2);
  kernels::attention_scalar<double>(Q.data(), K.data(), V.data(), ones.data(), 2, weights[1].data(),
                                    output[1].data(), n, n, 3, 2);
  CHECK(same(weights[0], weights[1]));
  CHECK(same(output[0], output[1]));
}

TEST_CASE("the shift of a row: nothing, its maximum, or NaN") {
  const auto shift = [](std::vector<double> x, std::vector<std::uint8_t> allowed = {}) {
    return kernels::row_shift_scalar(x.data(), allowed.empty() ? nullptr : allowed.data(),
                                     x.size());
  };
  CHECK(shift({1, -30, 30}) == 0);
  CHECK(shift({1, 30.5}) == 30.5);
  CHECK(shift({1, -30.5}) == 1);
  CHECK(shift({1, 500}, {1, 0}) == 0);
  CHECK(shift({1, -infinity}) == 0);
  CHECK(shift({-infinity, -infinity}) == 0);
  CHECK(shift({500, quiet_nan}, {1, 0}) == 500);
  CHECK(std::isnan(shift({500, quiet_nan})));
  CHECK(shift({}) == 0);
}

// Products of matrices, softmax, RMSNorm and exp2 in vectors, against the plain loops.

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "kernels/scalar/matmul.hpp"
#include "kernels/scalar/rms_norm.hpp"
#include "kernels/scalar/softmax.hpp"
#include "kernels/simd/exp2.hpp"
#include "kernels/simd/matmul.hpp"
#include "kernels/simd/peak.hpp"
#include "kernels/simd/rms_norm.hpp"
#include "kernels/simd/softmax.hpp"
#include "support.hpp"

using namespace attn;
using namespace attn::test;
namespace simd = attn::kernels::simd;

namespace {

constexpr double unit = 0x1p-24;
constexpr float float_nan = std::numeric_limits<float>::quiet_NaN();
constexpr float float_infinity = std::numeric_limits<float>::infinity();

using Floats = std::vector<float>;

Floats random_floats(Normals& normals, std::size_t count, double spread = 1) {
  Floats made(count);
  for (float& entry : made) entry = static_cast<float>(spread * normals.next());
  return made;
}

Floats transposed(const Floats& from, std::size_t rows, std::size_t columns) {
  Floats to(from.size());
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) to[j * rows + i] = from[i * columns + j];
  }
  return to;
}

/// The largest error of out = a b as a share of (k + 2) units of the sum of absolute products.
double share_of_bound(const Floats& a, const Floats& b, const Floats& out, std::size_t n,
                      std::size_t k, std::size_t m) {
  double worst = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < m; ++j) {
      double sum = 0;
      double magnitude = 0;
      for (std::size_t c = 0; c < k; ++c) {
        const double product =
            static_cast<double>(a[i * k + c]) * static_cast<double>(b[c * m + j]);
        sum += product;
        magnitude += std::fabs(product);
      }
      const double allowed = (static_cast<double>(k) + 2) * unit * magnitude + 1e-300;
      const double error = std::fabs(static_cast<double>(out[i * m + j]) - sum);
      if (!(error <= worst * allowed)) worst = error / allowed;
    }
  }
  return worst;
}

float exp2_of(float x) { return simd::first(simd::exp2(simd::splat(x))); }

}  // namespace

TEST_CASE("2^x in vectors: its error, its ends and NaN") {
  double worst = 0;
  for (int step = 0; step <= 400000; ++step) {
    const float x = -126 + 253 * static_cast<float>(step) / 400000;
    const double exact = std::exp2(static_cast<double>(x));
    worst = std::max(worst, std::fabs(static_cast<double>(exp2_of(x)) / exact - 1));
  }
  CAPTURE(worst / unit);
  CHECK(worst <= 3.5 * unit);
  for (int whole = -126; whole <= 127; ++whole) {
    CHECK(exp2_of(static_cast<float>(whole)) == std::exp2(static_cast<float>(whole)));
  }
  CHECK(exp2_of(-float_infinity) == 0);
  CHECK(exp2_of(-127) == 0);
  CHECK(exp2_of(-1e30F) == 0);
  CHECK(exp2_of(128) == float_infinity);
  CHECK(exp2_of(1e30F) == float_infinity);
  CHECK(exp2_of(float_infinity) == float_infinity);
  CHECK(std::isnan(exp2_of(float_nan)));
  CHECK(std::isnan(exp2_of(std::bit_cast<float>(0x7fc00001))));
  CHECK(std::isnan(exp2_of(std::bit_cast<float>(0xffc12345))));
}

TEST_CASE("what vectors are put together from") {
  const float entries[] = {1, 2, 3, 4, 10, 20, 30, 40, 5, 6, 7, 8, 50, 60, 70, 80};
  simd::Float4 row[4];
  for (std::size_t r = 0; r < 4; ++r) row[r] = simd::load(entries + 4 * r);
  CHECK(simd::sum_of(row[0]) == 10);
  CHECK(simd::largest_of(row[3]) == 80);
  float out[4];
  simd::store(out, simd::sums_of(row[0], row[1], row[2], row[3]));
  CHECK((out[0] == 10 && out[1] == 100 && out[2] == 26 && out[3] == 260));
  simd::transpose(row[0], row[1], row[2], row[3]);
  for (std::size_t r = 0; r < 4; ++r) {
    simd::store(out, row[r]);
    for (std::size_t c = 0; c < 4; ++c) CHECK(out[c] == entries[4 * c + r]);
  }
}

TEST_CASE("products in vectors, of every small shape and of larger ones") {
  Normals normals(21);
  struct Shape {
    std::size_t n, k, m;
  };
  std::vector<Shape> shapes = {{1, 1, 1},     {13, 300, 25}, {50, 128, 64},
                               {49, 129, 65}, {7, 257, 100}, {96, 64, 17}};
  for (std::size_t n = 1; n <= 9; ++n) {
    for (std::size_t m = 1; m <= 17; ++m) shapes.push_back({n, 1 + (3 * n + m) % 11, m});
  }
  for (const auto [n, k, m] : shapes) {
    CAPTURE(n, k, m);
    const Floats a = random_floats(normals, n * k);
    const Floats b = random_floats(normals, k * m);
    // One more, which nothing may write.
    Floats out(n * m + 1, float_nan);
    kernels::matmul_simd(a.data(), b.data(), out.data(), n, k, m);
    CHECK(share_of_bound(a, b, out, n, k, m) <= 1);
    CHECK(std::isnan(out.back()));
    out.assign(n * m + 1, float_nan);
    const Floats b_transposed = transposed(b, k, m);
    kernels::matmul_transposed_simd(a.data(), b_transposed.data(), out.data(), n, k, m);
    CHECK(share_of_bound(a, b, out, n, k, m) <= 1);
    CHECK(std::isnan(out.back()));
    out.assign(n + 1, float_nan);
    kernels::matvec_simd(a.data(), b_transposed.data(), out.data(), n, k);
    const Floats column(b_transposed.begin(),
                        b_transposed.begin() + static_cast<std::ptrdiff_t>(k));
    CHECK(share_of_bound(a, column, out, n, k, 1) <= 1);
    CHECK(std::isnan(out.back()));
  }
}

TEST_CASE("products in vectors at addresses that no vector is aligned to") {
  Normals normals(22);
  const std::size_t n = 11;
  const std::size_t k = 37;
  const std::size_t m = 19;
  const Floats a = random_floats(normals, n * k);
  const Floats b = random_floats(normals, k * m);
  for (std::size_t offset = 1; offset <= 3; ++offset) {
    Floats a_moved(offset, 0);
    a_moved.insert(a_moved.end(), a.begin(), a.end());
    Floats b_moved(offset, 0);
    b_moved.insert(b_moved.end(), b.begin(), b.end());
    Floats out(n * m + offset, float_nan);
    kernels::matmul_simd(a_moved.data() + offset, b_moved.data() + offset, out.data() + offset, n,
                         k, m);
    out.erase(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(offset));
    CHECK(share_of_bound(a, b, out, n, k, m) <= 1);
  }
}

TEST_CASE("a product of a row with NaN spoils that row alone") {
  Normals normals(23);
  Floats a = random_floats(normals, 9 * 5);
  const Floats b = random_floats(normals, 5 * 9);
  a[4 * 5 + 2] = float_nan;
  Floats out(81);
  kernels::matmul_simd(a.data(), b.data(), out.data(), 9, 5, 9);
  for (std::size_t entry = 0; entry < 81; ++entry)
    CHECK(std::isnan(out[entry]) == (entry / 9 == 4));
}

TEST_CASE("RMSNorm in vectors") {
  Normals normals(24);
  for (std::size_t d = 1; d <= 70; ++d) {
    const Floats gain = random_floats(normals, d);
    // 1e-15 and 1e30: squares that float does not hold.
    for (const double size : {1.0, 1e-15, 1e30}) {
      CAPTURE(d, size);
      const Floats x = random_floats(normals, 3 * d, size);
      for (const float* scale : {gain.data(), static_cast<const float*>(nullptr)}) {
        Floats out(3 * d);
        Floats expected(3 * d);
        kernels::rms_norm_simd(x.data(), scale, 1e-5F, 3, d, out.data());
        kernels::rms_norm_scalar(x.data(), scale, 1e-5F, 3, d, expected.data());
        const float bound = (static_cast<float>(d) / 2 + 7) * static_cast<float>(unit);
        for (std::size_t entry = 0; entry < 3 * d; ++entry) {
          CHECK(std::fabs(out[entry] - expected[entry]) <= bound * std::fabs(expected[entry]));
        }
      }
    }
  }
  const Floats x{3, 4};
  Floats out(2);
  kernels::rms_norm_simd(x.data(), nullptr, 0, 1, 2, out.data());
  CHECK(std::fabs(out[0] - 3 / std::sqrt(12.5F)) < 1e-6F);
}

TEST_CASE("softmax in vectors: the hard cases") {
  const auto softmax = [](Floats x, std::vector<std::uint8_t> allowed = {}) {
    kernels::softmax_rows_simd(x.data(), allowed.empty() ? nullptr : allowed.data(), 1, x.size(),
                               x.data());
    return x;
  };
  CHECK(softmax({1000, 1000}) == Floats{0.5F, 0.5F});
  CHECK(softmax({378.1F, -249.9F}) == Floats{1, 0});
  const Floats three = softmax({1, 2, 3});
  CHECK(std::fabs(three[0] - 0.090031F) < 1e-6F);
  CHECK(std::fabs(three[2] - 0.665241F) < 1e-6F);
  CHECK(all_zero(softmax({-float_infinity, -float_infinity})));
  CHECK(all_zero(softmax({5, 6}, {0, 0})));
  CHECK(softmax({float_nan, 6}, {0, 1}) == Floats{0, 1});
  const Floats bad = softmax({1, float_infinity, 2}, {1, 1, 0});
  CHECK((std::isnan(bad[0]) && std::isnan(bad[1]) && bad[2] == 0));
  CHECK(std::isnan(softmax({1, 2, 3, 4, float_nan})[0]));
}

TEST_CASE("softmax in vectors against the plain one, at every length") {
  Normals normals(25);
  Dice dice(25);
  for (std::size_t m = 1; m <= 100; ++m) {
    const Floats x = random_floats(normals, 2 * m, 10);
    std::vector<std::uint8_t> allowed(2 * m);
    for (std::uint8_t& entry : allowed) entry = dice.between(0, 3) == 0 ? 0 : 1;
    for (const std::uint8_t* mask : {static_cast<const std::uint8_t*>(nullptr),
                                     static_cast<const std::uint8_t*>(allowed.data())}) {
      Floats out(2 * m);
      kernels::softmax_rows_simd(x.data(), mask, 2, m, out.data());
      const std::vector<double> wide(x.begin(), x.end());
      std::vector<double> expected(2 * m);
      double shift[2];
      double sums[2];
      kernels::softmax_rows_scalar(wide.data(), mask, 2, m, shift, expected.data(), sums,
                                   expected.data());
      for (std::size_t entry = 0; entry < 2 * m; ++entry) {
        const double bound = (100 + static_cast<double>(m) + 8) * unit;
        CAPTURE(m, entry);
        CHECK(std::fabs(static_cast<double>(out[entry]) - expected[entry]) <=
              bound * expected[entry]);
      }
    }
  }
}

TEST_CASE("the loops that measure the machine do what they say") {
  const kernels::PeakWork work = kernels::peak_multiply_add_simd(1000);
  CHECK(work.flops == 96000);
  CHECK(std::isfinite(work.value));
  for (std::size_t n = 0; n < 100; ++n) {
    Floats ones(n, 1);
    CHECK(kernels::stream_sum_simd(ones.data(), n) == static_cast<float>(n));
  }
}

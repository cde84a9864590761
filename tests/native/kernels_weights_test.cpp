// Products with weights as files hold them: the vector kernel against the plain one, at every odd size.

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/scalar/layer_parts.hpp"
#include "kernels/scalar/weights.hpp"
#include "kernels/simd/layer_parts.hpp"
#include "kernels/simd/weights.hpp"
#include "support.hpp"
#include "weight_bytes.hpp"

using namespace attn;
using namespace attn::test;
using kernels::WeightFormat;
using kernels::WeightMatrix;

namespace {

constexpr double unit = 0x1p-24;

using Floats = std::vector<float>;

Floats random_floats(Normals& normals, std::size_t count, double spread = 1) {
  Floats made(count);
  for (float& entry : made) entry = static_cast<float>(spread * normals.next());
  return made;
}

Floats times_simd(const WeightMatrix& weights, const Floats& x, std::size_t n) {
  Floats out(n * weights.rows);
  std::vector<std::byte> scratch(kernels::weights_times_simd_scratch(weights, n) + 1);
  kernels::weights_times_simd(weights, x.data(), n, out.data(), scratch.data());
  return out;
}

/// The largest error as a share of what the kernel promises.
double share_of_bound(const WeightMatrix& weights, const Floats& x, std::size_t n,
                      const Floats& out) {
  const bool in_blocks = kernels::weight_block(weights.format).numbers > 1;
  const std::size_t columns = weights.columns;
  Floats w(columns);
  double worst = 0;
  for (std::size_t r = 0; r < weights.rows; ++r) {
    kernels::unpack_weights_scalar(weights, r, w.data());
    for (std::size_t i = 0; i < n; ++i) {
      double sum = 0, magnitude = 0, rounded = 0, largest = 0;
      for (std::size_t c = 0; c < columns; ++c) {
        const auto at = static_cast<double>(x[i * columns + c]);
        const auto weight = static_cast<double>(w[c]);
        if (c % 32 == 0) {
          largest = 0;
          for (std::size_t l = c; l < std::min(c + 32, columns); ++l) {
            largest = std::max(largest, std::fabs(static_cast<double>(x[i * columns + l])));
          }
        }
        sum += at * weight;
        magnitude += std::fabs(at * weight);
        rounded += std::fabs(weight) * largest;
      }
      // Parts of a weight, d q and its offset, may each be larger than the weight: 4 covers what the tests make.
      double allowed = (static_cast<double>(columns) + 2) * unit * 4 * magnitude + 1e-30;
      if (in_blocks) allowed += rounded / 254 * 1.001;
      worst = std::max(worst,
                       std::fabs(static_cast<double>(out[i * weights.rows + r]) - sum) / allowed);
    }
  }
  return worst;
}

}  // namespace

TEST_CASE("weights times activations: vectors against the plain loops, each format, odd sizes") {
  Normals normals(5);
  for (const WeightFormat format : kernels::weight_formats) {
    const std::size_t block = kernels::weight_block(format).numbers;
    for (const std::size_t blocks : {1U, 2U, 3U, 5U, 67U}) {
      const std::size_t columns = blocks * block;
      for (const std::size_t rows : {1U, 2U, 3U, 4U, 7U, 9U}) {
        const std::vector<std::byte> bytes = named_weights("some", format, rows * columns);
        const WeightMatrix weights = {format, rows, columns, bytes.data()};
        for (const std::size_t n : {1U, 2U, 3U, 4U, 7U}) {
          if (columns > 4096 && n != 3) continue;
          const Floats x = random_floats(normals, n * columns);
          const Floats out = times_simd(weights, x, n);
          CAPTURE(static_cast<int>(format), columns, rows, n);
          CHECK(share_of_bound(weights, x, n, out) <= 1);
          Floats plain(n * rows);
          kernels::weights_times_scalar(weights, x.data(), n, plain.data());
          CHECK(share_of_bound(weights, x, n, plain) <= 1);
          // A row by itself gives bit by bit the same.
          for (std::size_t i = 0; i < n; ++i) {
            const Floats row(x.begin() + static_cast<std::ptrdiff_t>(i * columns),
                             x.begin() + static_cast<std::ptrdiff_t>((i + 1) * columns));
            const Floats alone = times_simd(weights, row, 1);
            CHECK(std::equal(alone.begin(), alone.end(),
                             out.begin() + static_cast<std::ptrdiff_t>(i * rows)));
          }
        }
      }
    }
  }
}

TEST_CASE("weights times activations: rounded activations are all the error that blocks have") {
  // Activations that are multiples of their block's largest over 127 lose nothing: only the sums round.
  for (const WeightFormat format : kernels::weight_formats) {
    const std::size_t block = kernels::weight_block(format).numbers;
    const std::size_t columns = block == 1 ? 96 : 2 * block;
    const std::vector<std::byte> bytes = named_weights("exact", format, 5 * columns);
    const WeightMatrix weights = {format, 5, columns, bytes.data()};
    Floats x(columns);
    Dice dice(8);
    for (std::size_t c = 0; c < columns; ++c) {
      x[c] = c % 32 == 3 ? 127 : static_cast<float>(dice.between(0, 254)) - 127;
    }
    const Floats out = times_simd(weights, x, 1);
    Floats plain(5);
    kernels::weights_times_scalar(weights, x.data(), 1, plain.data());
    Floats w(columns);
    for (std::size_t r = 0; r < 5; ++r) {
      kernels::unpack_weights_scalar(weights, r, w.data());
      double magnitude = 0;
      for (std::size_t c = 0; c < columns; ++c) {
        magnitude += std::fabs(static_cast<double>(w[c]) * static_cast<double>(x[c]));
      }
      CAPTURE(static_cast<int>(format), r);
      CHECK(std::fabs(static_cast<double>(out[r]) - static_cast<double>(plain[r])) <=
            4 * (static_cast<double>(columns) + 2) * unit * magnitude);
    }
  }
}

TEST_CASE("weights times activations: zeros, tiny numbers, NaN and infinity") {
  for (const WeightFormat format : kernels::weight_formats) {
    const std::size_t columns = std::max<std::size_t>(64, kernels::weight_block(format).numbers);
    const std::vector<std::byte> bytes = named_weights("edge", format, 3 * columns);
    const WeightMatrix weights = {format, 3, columns, bytes.data()};
    CAPTURE(static_cast<int>(format));
    Floats x(2 * columns);
    CHECK(all_zero(times_simd(weights, x, 2)));
    x[5] = 1e-41F;
    CHECK(std::fabs(times_simd(weights, x, 2)[0]) < 1e-30F);
    for (const double bad : {quiet_nan, infinity, -infinity}) {
      x[5] = static_cast<float>(bad);
      const Floats out = times_simd(weights, x, 2);
      for (std::size_t r = 0; r < 3; ++r) {
        CHECK_FALSE(std::isfinite(out[r]));
        CHECK(out[3 + r] == 0);
      }
    }
  }
}

TEST_CASE("SwiGLU and GELU in vectors: relative error, and what lies behind the last four") {
  Floats x;
  for (int i = -4000; i <= 4000; ++i) x.push_back(static_cast<float>(i) / 200);
  const std::size_t count = x.size();
  Floats up(count, 1.5F), out(count), plain(count);
  kernels::swiglu_simd(x.data(), up.data(), count, out.data());
  kernels::swiglu_scalar(x.data(), up.data(), count, plain.data());
  double worst = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double exact = static_cast<double>(plain[i]);
    const double allowed = (std::fabs(static_cast<double>(x[i])) + 12) * unit * std::fabs(exact);
    const double error = std::fabs(static_cast<double>(out[i]) - exact);
    if (error > worst * allowed) worst = error / allowed;
  }
  CHECK(worst <= 1);
  kernels::gelu_tanh_simd(x.data(), count, out.data());
  worst = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = static_cast<double>(x[i]);
    const double inner = 0.79788456080286536 * (at + 0.044715 * at * at * at);
    const double exact = at / (1 + std::exp(-2 * inner));
    if (std::fabs(exact) < 1e-37) continue;
    const double allowed = (8 * std::fabs(inner) + 16) * unit * std::fabs(exact);
    const double error = std::fabs(static_cast<double>(out[i]) - exact);
    if (error > worst * allowed) worst = error / allowed;
  }
  CHECK(worst <= 1);
  kernels::gelu_tanh_scalar(x.data(), count, plain.data());
  for (std::size_t i = 0; i < count; ++i) CHECK(std::fabs(out[i] - plain[i]) <= 2e-6F);
  for (std::size_t some = 0; some < 9; ++some) {
    Floats to(some + 1, 7.0F);
    kernels::gelu_tanh_simd(x.data() + 4000, some, to.data());
    CHECK(std::equal(to.begin(), to.end() - 1, out.begin() + 4000));
    CHECK(to.back() == 7.0F);
  }
}

TEST_CASE("LayerNorm: mean 0, variance 1, gain and bias; and a row worked by hand") {
  const Floats x = {1, 2, 3, 6}, gain = {1, 1, 2, 1}, bias = {0, 1, 0, -1};
  Floats out(4);
  kernels::layer_norm_scalar(x.data(), gain.data(), bias.data(), 0, 1, 4, out.data());
  // Mean 3, variance (4 + 1 + 0 + 9) / 4.
  const double root = std::sqrt(3.5);
  const double wanted[] = {-2 / root, -1 / root + 1, 0, 3 / root - 1};
  for (std::size_t c = 0; c < 4; ++c) {
    CHECK(std::fabs(static_cast<double>(out[c]) - wanted[c]) <= 1e-7);
  }
}

#include "core/normal_stream.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

namespace attn {
namespace {

constexpr std::size_t pairs = 128;

/// Adding it to a small number rounds that to a whole one, which then stands in the lower bits.
constexpr double to_whole = 0x1.8p52;
constexpr auto whole_bits = std::bit_cast<std::uint64_t>(to_whole);

/// The natural logarithm of u in [2^-53, 1]: u = 2^e m with m around 1, and ln m = 2 artanh((m - 1) / (m + 1)), whose
/// argument is below 0.172. Ten terms of the series leave 1e-17 of it.
inline double logarithm(double u) {
  constexpr auto root_half = std::bit_cast<std::uint64_t>(std::numbers::sqrt2 / 2);
  const auto bits = std::bit_cast<std::uint64_t>(u);
  // 64 more, so that no shift meets a sign: WebAssembly's vectors have no quick one that keeps it.
  const std::uint64_t e = (bits - root_half + (std::uint64_t{64} << 52)) >> 52;
  const double m = std::bit_cast<double>(bits + ((64 - e) << 52));
  const double exponent = std::bit_cast<double>(whole_bits + e) - (to_whole + 64);
  const double s = (m - 1) / (m + 1);
  const double z = s * s;
  double series = 1.0 / 19;
  for (int k = 17; k > 0; k -= 2) series = series * z + 1.0 / k;
  return exponent * std::numbers::ln2 + 2 * s * series;
}

/// (-1)^k / n!, the factors of the series of sine and cosine.
constexpr double over_factorial(int n, bool minus) {
  double value = minus ? -1 : 1;
  for (int k = 2; k <= n; ++k) value /= k;
  return value;
}

/// sin f and cos f for |f| up to pi / 4, f^2 = z, by eight and nine terms of their series: 1e-16 is left.
inline double sine(double f, double z) {
  double series = over_factorial(15, true);
  for (int k = 6; k >= 0; --k) series = series * z + over_factorial(2 * k + 1, k % 2 != 0);
  return f * series;
}

inline double cosine(double z) {
  double series = over_factorial(16, false);
  for (int k = 7; k >= 0; --k) series = series * z + over_factorial(2 * k, k % 2 != 0);
  return series;
}

}  // namespace

void NormalStream::draw_block() {
  static_assert(2 * pairs == block);
  alignas(16) std::array<double, pairs> first;
  alignas(16) std::array<double, pairs> second;
  const auto next = [this] {
    state_ += 0x9E3779B97F4A7C15;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    // Signed, because from 53 bits that conversion is one instruction.
    return static_cast<std::int64_t>((z ^ (z >> 31)) >> 11);
  };
  for (std::size_t i = 0; i < pairs; ++i) {
    first[i] = static_cast<double>(next() + 1) * 0x1p-53;
    second[i] = static_cast<double>(next()) * 0x1p-53;
  }
  for (std::size_t i = 0; i < pairs; ++i) {
    const double radius = std::sqrt(-2 * logarithm(first[i]));
    // The angle in quarters of a turn: the nearest whole quarter, and the rest, which is exact.
    const double quarters = 4 * second[i];
    const double rounded = quarters + to_whole;
    const auto q = std::bit_cast<std::uint64_t>(rounded);
    const double f = (quarters - (rounded - to_whole)) * (std::numbers::pi / 2);
    const double z = f * f;
    const auto s = std::bit_cast<std::uint64_t>(sine(f, z));
    const auto c = std::bit_cast<std::uint64_t>(cosine(z));
    const std::uint64_t odd = 0 - (q & 1);
    const std::uint64_t minus_cosine = (((q + 1) >> 1) & 1) << 63;
    const std::uint64_t minus_sine = ((q >> 1) & 1) << 63;
    first[i] = radius * std::bit_cast<double>(((c & ~odd) | (s & odd)) ^ minus_cosine);
    second[i] = radius * std::bit_cast<double>(((s & ~odd) | (c & odd)) ^ minus_sine);
  }
  for (std::size_t i = 0; i < pairs; ++i) {
    numbers_[2 * i] = first[i];
    numbers_[2 * i + 1] = second[i];
  }
  at_ = 0;
}

void NormalStream::fill(std::span<double> numbers) {
  std::size_t done = 0;
  while (done < numbers.size()) {
    if (at_ == block) draw_block();
    const std::size_t now = std::min(block - at_, numbers.size() - done);
    std::copy_n(numbers_.data() + at_, now, numbers.data() + done);
    at_ += now;
    done += now;
  }
}

}  // namespace attn

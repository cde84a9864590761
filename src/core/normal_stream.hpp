#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace attn {

/// The numbers of Normals(seed) by the hundred: for experiments that draw millions of them.
///
/// SplitMix64 counts, so a block of states can be mixed at once; the logarithm, the sine and the cosine are series that
/// the compiler turns into vectors, where those of the C library are calls with branches.
/// Promise: as Normals to 1e-14 of the larger of 1 and the number, and the same digits in every build of ours.
class NormalStream {
 public:
  explicit NormalStream(std::uint64_t seed) : state_(seed) {}

  /// The next numbers of the stream; it may be drawn in any pieces.
  void fill(std::span<double> numbers);

 private:
  static constexpr std::size_t block = 256;

  void draw_block();

  std::uint64_t state_;
  std::size_t at_ = block;
  std::array<double, block> numbers_{};
};

}  // namespace attn

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/error.hpp"
#include "core/matrix.hpp"

namespace attn {

/// SplitMix64 (Steele, Lea and Flood 2014, figure 16): 2^64 states, each met once.
/// Promise: the same seed gives the same numbers on every machine.
class SplitMix64 {
 public:
  explicit SplitMix64(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();

 private:
  std::uint64_t state_;
};

/// Numbers from N(0, 1) by Box and Muller (1958): of each pair of uniform numbers u1 in (0, 1] and
/// u2 in [0, 1), first sqrt(-2 ln u1) cos(2 pi u2), then the same with the sine. An odd request
/// keeps the sine for the next one, so that a stream may be drawn in any pieces.
/// Promise: equal to 1e-12 on every machine (the logarithm and the cosine are the machine's own).
class Normals {
 public:
  explicit Normals(std::uint64_t seed) : bits_(seed) {}
  double next();

 private:
  SplitMix64 bits_;
  std::optional<double> sine_;
};

/// The first `count` numbers of Normals(seed). Returns [count].
/// Errors: out_of_range when count is 0; too_large or out_of_memory as in check_bytes.
Expected<Vector<double>> random_normals(std::uint64_t seed, std::uint64_t count);

}  // namespace attn

#pragma once

// Weights made of nothing but a name: the same bytes here and in tests/golden/tiny_models/make.py, so that the fixture
// need not hold them.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "core/random.hpp"
#include "kernels/weight_blocks.hpp"

namespace attn::test {

/// FNV-1a in 64 bits.
inline std::uint64_t seed_of(std::string_view name) {
  std::uint64_t sum = 0xCBF29CE484222325;
  for (const char byte : name) sum = (sum ^ static_cast<unsigned char>(byte)) * 0x100000001B3;
  return sum;
}

/// Numbers from -1 to 1, multiples of 2^-23, times `scale`, plus `base`.
inline std::vector<float> named_floats(std::string_view name, std::size_t count, float scale,
                                       float base = 0) {
  SplitMix64 bits(seed_of(name));
  std::vector<float> made(count);
  for (float& number : made) {
    const auto whole = static_cast<std::int32_t>(bits.next() >> 40) - (1 << 23);
    number = static_cast<float>(whole) * 0x1p-23F * scale + base;
  }
  return made;
}

/// Blocks of random bits, whose halves have exponents that make numbers of about 0.1 of the block.
inline std::vector<std::byte> named_weights(std::string_view name, kernels::WeightFormat format,
                                            std::size_t count) {
  using kernels::WeightFormat;
  const kernels::WeightBlock block = kernels::weight_block(format);
  std::vector<std::byte> made(count / block.numbers * block.bytes);
  if (format == WeightFormat::f32) {
    const std::vector<float> floats = named_floats(name, count, 0.125F);
    std::memcpy(made.data(), floats.data(), made.size());
    return made;
  }
  SplitMix64 bits(seed_of(name));
  for (std::size_t at = 0; at < made.size(); at += block.bytes) {
    std::byte* const to = made.data() + at;
    for (std::size_t b = 0; b < block.bytes; b += 8) {
      const std::uint64_t word = bits.next();
      for (std::size_t i = 0; i < 8 && b + i < block.bytes; ++i) {
        to[b + i] = static_cast<std::byte>(word >> 8 * i & 0xFF);
      }
    }
    const auto exponent = [to](std::size_t place, unsigned value, int bits_below) {
      std::uint16_t half;
      std::memcpy(&half, to + place, 2);
      half = static_cast<std::uint16_t>((half & (0x8000U | ((1U << bits_below) - 1))) |
                                        value << bits_below);
      std::memcpy(to + place, &half, 2);
    };
    switch (format) {
      case WeightFormat::f32:
        break;
      case WeightFormat::f16:
        exponent(0, 11, 10);
        break;
      case WeightFormat::bf16:
        exponent(0, 123, 7);
        break;
      case WeightFormat::q8_0:
        exponent(0, 4, 10);
        break;
      case WeightFormat::q4_0:
        exponent(0, 8, 10);
        break;
      case WeightFormat::q4_1:
        exponent(0, 8, 10);
        exponent(2, 11, 10);
        break;
      case WeightFormat::q4_k:
        exponent(0, 3, 10);
        exponent(2, 6, 10);
        break;
      case WeightFormat::q6_k:
        exponent(208, 1, 10);
        break;
    }
  }
  return made;
}

}  // namespace attn::test

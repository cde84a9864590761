#pragma once

// The loops that unpack weights. As those of stored_rows_loops.hpp they are compiled twice and always inlined.

#include "kernels/stored_rows_loops.hpp"
#include "kernels/weight_blocks.hpp"

namespace attn::kernels::stored {

ATTN_STORED_INLINE int byte_of(const std::byte* at) { return static_cast<int>(*at); }
ATTN_STORED_INLINE int signed_byte_of(const std::byte* at) { return static_cast<std::int8_t>(*at); }

ATTN_STORED_INLINE float bfloat_of(const std::byte* at) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(load_half(at)) << 16);
}

/// Scale and offset of part j (0 to 7) of a q4_k block. The first four have six bits each in bytes j and j + 4; of the
/// others the low four are the halves of byte j + 4, and the upper two stand above those of the first.
struct Q4kPair {
  int scale, offset;
};
ATTN_STORED_INLINE Q4kPair q4_k_pair(const std::byte* pairs, std::size_t j) {
  if (j < 4) return {byte_of(pairs + j) & 63, byte_of(pairs + j + 4) & 63};
  return {(byte_of(pairs + j + 4) & 15) | (byte_of(pairs + j - 4) >> 6 << 4),
          (byte_of(pairs + j + 4) >> 4) | (byte_of(pairs + j) >> 6 << 4)};
}

ATTN_STORED_INLINE void unpack_q4_k(const std::byte* block, float* to) {
  const float d = float_of(load_half(block));
  const float m = float_of(load_half(block + 2));
  for (std::size_t j = 0; j < 8; ++j) {
    const Q4kPair pair = q4_k_pair(block + 4, j);
    const float scale = d * static_cast<float>(pair.scale);
    const float offset = m * static_cast<float>(pair.offset);
    const std::byte* const halves = block + 16 + j / 2 * 32;
    const int shift = j % 2 == 0 ? 0 : 4;
    for (std::size_t l = 0; l < 32; ++l) {
      const int q = byte_of(halves + l) >> shift & 15;
      to[32 * j + l] = scale * static_cast<float>(q) - offset;
    }
  }
}

/// Number l + 32 k of half h of a q6_k block, less 32.
ATTN_STORED_INLINE int q6_k_number(const std::byte* block, std::size_t h, std::size_t k,
                                   std::size_t l) {
  const int low = byte_of(block + 64 * h + 32 * (k % 2) + l) >> (k < 2 ? 0 : 4) & 15;
  const int high = byte_of(block + 128 + 32 * h + l) >> 2 * k & 3;
  return (low | high << 4) - 32;
}

ATTN_STORED_INLINE void unpack_q6_k(const std::byte* block, float* to) {
  const float d = float_of(load_half(block + 208));
  for (std::size_t h = 0; h < 2; ++h) {
    for (std::size_t k = 0; k < 4; ++k) {
      for (std::size_t l = 0; l < 32; ++l) {
        const int scale = signed_byte_of(block + 192 + 8 * h + 2 * k + l / 16);
        to[128 * h + 32 * k + l] =
            d * static_cast<float>(scale) * static_cast<float>(q6_k_number(block, h, k, l));
      }
    }
  }
}

ATTN_STORED_INLINE void unpack_halves(const std::byte* halves, float d, float offset, float* to) {
  for (std::size_t l = 0; l < 16; ++l) {
    to[l] = d * static_cast<float>(byte_of(halves + l) & 15) + offset;
    to[l + 16] = d * static_cast<float>(byte_of(halves + l) >> 4) + offset;
  }
}

/// One block, or one number of those that are not in blocks.
ATTN_STORED_INLINE void unpack(WeightFormat format, const std::byte* block, float* to) {
  const auto half = [block](std::size_t at) { return float_of(load_half(block + at)); };
  switch (format) {
    case WeightFormat::f32:
      std::memcpy(to, block, 4);
      return;
    case WeightFormat::f16:
      *to = half(0);
      return;
    case WeightFormat::bf16:
      *to = bfloat_of(block);
      return;
    case WeightFormat::q8_0:
      for (std::size_t l = 0; l < 32; ++l) {
        to[l] = half(0) * static_cast<float>(signed_byte_of(block + 2 + l));
      }
      return;
    case WeightFormat::q4_0: {
      const float d = half(0);
      for (std::size_t l = 0; l < 16; ++l) {
        to[l] = d * static_cast<float>((byte_of(block + 2 + l) & 15) - 8);
        to[l + 16] = d * static_cast<float>((byte_of(block + 2 + l) >> 4) - 8);
      }
      return;
    }
    case WeightFormat::q4_1:
      unpack_halves(block + 4, half(0), half(2), to);
      return;
    case WeightFormat::q4_k:
      unpack_q4_k(block, to);
      return;
    case WeightFormat::q6_k:
      unpack_q6_k(block, to);
      return;
  }
}

/// A row of `columns` numbers.
ATTN_STORED_INLINE void unpack_row(WeightFormat format, const std::byte* from, std::size_t columns,
                                   float* to) {
  if (format == WeightFormat::f32) {
    std::memcpy(to, from, 4 * columns);
    return;
  }
  const WeightBlock block = weight_block(format);
  for (std::size_t c = 0; c < columns; c += block.numbers, from += block.bytes) {
    unpack(format, from, to + c);
  }
}

}  // namespace attn::kernels::stored

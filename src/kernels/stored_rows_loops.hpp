#pragma once

// The loops that read stored rows. They are compiled twice: plain in kernels/scalar, and in
// kernels/simd, where the compiler makes vectors of them. Always inlined, so that the linker finds no
// single version to take for both.

#include <algorithm>
#include <bit>
#include <cstring>

#include "kernels/stored_rows.hpp"

#define ATTN_STORED_INLINE [[gnu::always_inline]] inline

namespace attn::kernels::stored {

ATTN_STORED_INLINE std::uint16_t load_half(const std::byte* from) {
  std::uint16_t half;
  std::memcpy(&half, from, sizeof half);
  return half;
}

/// Without a branch, so that a loop of it becomes vectors: the exponent is moved by a product, which
/// also normalises what binary16 holds without a leading 1.
ATTN_STORED_INLINE float float_of(std::uint16_t half) {
  const std::uint32_t magnitude = static_cast<std::uint32_t>(half & 0x7FFF) << 13;
  const float value = std::bit_cast<float>(magnitude) * 0x1p112F;
  const std::uint32_t special = value >= 65536.0F ? 0x7F800000U : 0U;
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000) << 16;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) | special | sign);
}

template <class Each>
ATTN_STORED_INLINE const std::byte* each_block(const std::byte* from, std::size_t width,
                                               std::size_t bytes_each_two, const Each& each) {
  std::size_t done = 0;
  // Whole blocks with their length known to the compiler.
  for (; done + stored_block <= width; done += stored_block) {
    each(from, done, stored_block);
    from += 2 + stored_block * bytes_each_two / 2;
  }
  if (done < width) {
    const std::size_t count = width - done;
    each(from, done, count);
    from += 2 + (count * bytes_each_two + 1) / 2;
  }
  return from;
}

/// Numbers that lie in one piece; returns what follows them.
ATTN_STORED_INLINE const std::byte* decode(RowFormat format, const std::byte* from,
                                           std::size_t width, float* to) {
  switch (format) {
    case RowFormat::f32:
      std::memcpy(to, from, 4 * width);
      return from + 4 * width;
    case RowFormat::f16:
      for (std::size_t c = 0; c < width; ++c) to[c] = float_of(load_half(from + 2 * c));
      return from + 2 * width;
    case RowFormat::q8_0:
      return each_block(
          from, width, 2, [to](const std::byte* block, std::size_t begin, std::size_t count) {
            const float scale = float_of(load_half(block));
            for (std::size_t c = 0; c < count; ++c) {
              to[begin + c] = scale * static_cast<float>(static_cast<std::int8_t>(block[2 + c]));
            }
          });
    case RowFormat::q4_0:
      return each_block(from, width, 1,
                        [to](const std::byte* block, std::size_t begin, std::size_t count) {
                          const float scale = float_of(load_half(block));
                          const std::size_t half = (count + 1) / 2;
                          for (std::size_t c = 0; c < half; ++c) {
                            const int low = static_cast<int>(block[2 + c]) & 15;
                            to[begin + c] = scale * static_cast<float>(low - 8);
                          }
                          for (std::size_t c = half; c < count; ++c) {
                            const int high = static_cast<int>(block[2 + c - half]) >> 4;
                            to[begin + c] = scale * static_cast<float>(high - 8);
                          }
                        });
  }
  return from;
}

ATTN_STORED_INLINE void decode_rows(const StoredRow& row, const std::byte* from, std::size_t stride,
                                    std::size_t count, float* to) {
  for (std::size_t r = 0; r < count; ++r) {
    const std::byte* rest = from + r * stride;
    if (row.split != 0) rest = decode(row.format, rest, row.split, to + r * row.width);
    decode(row.format, rest, row.width - row.split, to + r * row.width + row.split);
  }
}

}  // namespace attn::kernels::stored

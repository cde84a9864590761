#pragma once

// How a cache keeps a row of keys or values: as it is, in half the bits, or in blocks that share a
// scale.
//
// f32    little-endian IEEE binary32.
// f16    IEEE binary16, rounded to nearest, ties to even; from 65,520 on infinity.
// q8_0   blocks of 32: a binary16 scale d, then 32 signed bytes q; d = largest |x| / 127 and
//        q = x / d rounded to nearest, ties away from 0; x is read back as d q.
// q4_0   blocks of 32: a binary16 scale d, then 16 bytes, whose low halves are the first 16 numbers
//        and whose high halves the others; d = m / -8 with the x of largest magnitude m, and q = x /
//        d + 8 rounded to nearest, at most 15; x is read back as d (q - 8).
// As ggml defines them (ggml-org/ggml, ggml-common.h and ggml-quants.c). A row that is no multiple
// of 32 ends in a shorter block with a scale of its own, whose bytes hold its ceil(m / 2) first
// numbers low and the others high.
//
// A block that holds NaN or infinity, or whose scale leaves binary16 (|x| above 8.3e6 for q8_0, 5.2e5
// for q4_0), is read back as NaN throughout: the damage shows, and nothing passes for a number.

#include <cstddef>
#include <cstdint>

namespace attn::kernels {

enum class RowFormat : std::uint8_t { f32, f16, q8_0, q4_0 };

/// Numbers that share a scale.
inline constexpr std::size_t stored_block = 32;

/// Bytes of `width` numbers that follow each other. Of a width that the caller has checked.
constexpr std::size_t stored_bytes(RowFormat format, std::size_t width) {
  const std::size_t blocks = (width + stored_block - 1) / stored_block;
  switch (format) {
    case RowFormat::f32:
      return 4 * width;
    case RowFormat::f16:
      return 2 * width;
    case RowFormat::q8_0:
      return width + 2 * blocks;
    case RowFormat::q4_0:
      return (width + 1) / 2 + 2 * blocks;
  }
  return 0;
}

/// A row of `width` numbers, the first `split` of which are kept as a row of their own before the
/// others: the latent of multi-head latent attention before its rotary key. 0: in one piece.
struct StoredRow {
  RowFormat format = RowFormat::f32;
  std::size_t width = 0;
  std::size_t split = 0;

  constexpr std::size_t bytes() const {
    return stored_bytes(format, split) + stored_bytes(format, width - split);
  }
};

}  // namespace attn::kernels

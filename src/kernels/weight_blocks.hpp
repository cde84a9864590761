#pragma once

// How a row of weights lies in memory: as a file holds it, because unpacked it would take up to eight times the room and
// as much longer to read, and reading is what a step of a model waits for.
//
// f32, f16, bf16   a number each, little endian; bf16 is the upper half of a binary32.
// Blocks of 32, as ggml defines them (ggml-org/ggml, ggml-common.h and ggml-quants.c); d and m are binary16:
//   q8_0   d, then 32 signed bytes q; x = d q.
//   q4_0   d, then 16 bytes: the low halves are the first 16 numbers, the high halves the others; x = d (q - 8).
//   q4_1   d, m, then 16 bytes in the same order; x = d q + m.
// Blocks of 256:
//   q4_k   d, m, 12 bytes of eight pairs of 6 bits (a scale s and an offset o for each 32 numbers: see q4_k_pair), then
//          128 bytes: of each 32 of them the low halves are 32 numbers and the high halves the next 32; x = d s q - m o.
//   q6_k   128 bytes of low halves, 64 bytes of upper two bits, 16 signed bytes s (one for each 16 numbers), d last. Of
//          each half of the block, 128 numbers: number l + 32 k has its low bits in byte l + 32 (k mod 2) of 64, in the
//          low half for k < 2, and its upper two in bits 2 k of byte l of 32; x = d s (q - 32).

#include <array>
#include <cstddef>
#include <cstdint>

namespace attn::kernels {

enum class WeightFormat : std::uint8_t { f32, f16, bf16, q8_0, q4_0, q4_1, q4_k, q6_k };

inline constexpr std::array weight_formats = {
    WeightFormat::f32,  WeightFormat::f16,  WeightFormat::bf16, WeightFormat::q8_0,
    WeightFormat::q4_0, WeightFormat::q4_1, WeightFormat::q4_k, WeightFormat::q6_k,
};

/// Numbers of one block, and its bytes.
struct WeightBlock {
  std::size_t numbers, bytes;
};

constexpr WeightBlock weight_block(WeightFormat format) {
  constexpr std::array<WeightBlock, weight_formats.size()> blocks = {
      {{1, 4}, {1, 2}, {1, 2}, {32, 34}, {32, 18}, {32, 20}, {256, 144}, {256, 210}}};
  return blocks[static_cast<std::size_t>(format)];
}

/// A row is made of whole blocks: `columns` is a multiple of weight_block(format).numbers.
constexpr std::size_t weight_row_bytes(WeightFormat format, std::size_t columns) {
  const WeightBlock block = weight_block(format);
  return columns / block.numbers * block.bytes;
}

/// A matrix [rows, columns] of weights, row after row. The caller has checked its sizes; f32 rows are aligned as
/// floats are.
struct WeightMatrix {
  WeightFormat format = WeightFormat::f32;
  std::size_t rows = 0, columns = 0;
  const std::byte* data = nullptr;

  constexpr std::size_t row_bytes() const { return weight_row_bytes(format, columns); }
  const std::byte* row(std::size_t r) const { return data + r * row_bytes(); }
  /// Rows first to first + count - 1.
  WeightMatrix part(std::size_t first, std::size_t count) const {
    return {format, count, columns, row(first)};
  }
};

}  // namespace attn::kernels

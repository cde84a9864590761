#pragma once

// Rows of a cache to their bytes and back, number by number. The formats are in
// kernels/stored_rows.hpp.
//
// Ladder
//   plain   One number at a time; the only writer, as a step writes one row for each layer.

#include "kernels/stored_rows.hpp"

namespace attn::kernels {

/// from [row.width] to row.bytes() bytes.
/// Promise: with m the largest magnitude in a block, a number that is read back is off by at most
/// 2^-11 |x| + 2^-25 (f16), (1/254 + 2^-11) m + 127 x 2^-25 (q8_0) and (1/8 + 2^-10) m + 2^-21
/// (q4_0: the end that has no -d x -8 to be rounded to loses a whole step, all else half of one).
void encode_row_scalar(const StoredRow& row, const float* from, std::byte* to);

/// `count` rows, `stride` bytes apart, to [count, row.width].
/// Promise: every product is rounded once; NaN and infinity come out as kept.
void decode_rows_scalar(const StoredRow& row, const std::byte* from, std::size_t stride,
                        std::size_t count, float* to);

}  // namespace attn::kernels

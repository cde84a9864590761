#pragma once

// Stored rows to floats, for the vector kernels.
//
// Ladder
//   compiled   The scalar loops with nothing that keeps the compiler from making vectors of them: a
//              block of 32 has a known length, and a half becomes a float without a branch.

#include "kernels/stored_rows.hpp"

namespace attn::kernels {

/// As decode_rows_scalar, bit by bit.
void decode_rows_simd(const StoredRow& row, const std::byte* from, std::size_t stride,
                      std::size_t count, float* to);

}  // namespace attn::kernels

#include "kernels/simd/stored_rows.hpp"

#include "kernels/stored_rows_loops.hpp"

namespace attn::kernels {

void decode_rows_simd(const StoredRow& row, const std::byte* from, std::size_t stride,
                      std::size_t count, float* to) {
  stored::decode_rows(row, from, stride, count, to);
}

}  // namespace attn::kernels

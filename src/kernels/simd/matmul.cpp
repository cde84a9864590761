#include "kernels/simd/matmul.hpp"

#include <algorithm>

#include "kernels/simd/tile.hpp"

namespace attn::kernels {
namespace {

using namespace simd;

/// Steps of a block: its rows of a and its panel of b stay in the nearest cache.
constexpr std::size_t block_depth = 128;
/// Rows of a block, a multiple of every tile's rows. 24 KB on the stack, of which WebAssembly has
/// 64.
constexpr std::size_t block_rows = 48;

#if defined(__wasm_relaxed_simd__)
constexpr std::size_t tile_rows = 6;
#else
constexpr std::size_t tile_rows = 4;
#endif

/// out = a b for one tile, or out += a b.
/// a [depth, tile_rows] packed, b [depth, ...] with rows `b_stride` apart.
void multiply_tile(const float* a, const float* b, std::size_t b_stride, std::size_t depth,
                   float* out, std::size_t out_stride, bool adds) {
  Tile<tile_rows> tile;
  if (adds) {
    tile.read(out, out_stride);
  } else {
    tile.clear();
  }
  tile.accumulate<1>(a, tile_rows, b, b_stride, depth);
  tile.write(out, out_stride);
}

/// Not inlined into the loops around it: see MicroKernels in attention.cpp. What is read through a
/// volatile pointer could be any function.
decltype(&multiply_tile) volatile const multiply = multiply_tile;

/// A tile of which only `rows` x `columns` are there.
void multiply_edge(const float* a, const float* b, std::size_t b_stride, std::size_t depth,
                   float* out, std::size_t out_stride, bool adds, std::size_t rows,
                   std::size_t columns) {
  float whole[tile_rows * tile_columns];
  multiply(a, b, b_stride, depth, whole, tile_columns, false);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c) {
      const float sum = whole[r * tile_columns + c];
      out[r * out_stride + c] = adds ? out[r * out_stride + c] + sum : sum;
    }
  }
}

/// Columns j to j + columns - 1 of `depth` rows of b from row c on, filled up with zeros to a
/// panel.
void pack_columns(const float* b, std::size_t m, std::size_t depth, std::size_t columns,
                  float* panel) {
  for (std::size_t c = 0; c < depth; ++c) {
    for (std::size_t j = 0; j < tile_columns; ++j) {
      panel[c * tile_columns + j] = j < columns ? b[c * m + j] : 0.0F;
    }
  }
}

template <bool transposed>
void multiply_blocks(const float* a, const float* b, float* out, std::size_t n, std::size_t k,
                     std::size_t m) {
  alignas(64) float rows[block_rows * block_depth + lanes];
  alignas(64) float panel[block_depth * tile_columns];
  for (std::size_t c = 0; c == 0 || c < k; c += block_depth) {
    const std::size_t depth = std::min(block_depth, k - c);
    for (std::size_t i = 0; i < n; i += block_rows) {
      const std::size_t end = std::min(i + block_rows, n);
      for (std::size_t r = i; r < end; r += tile_rows) {
        pack_tile<tile_rows>(a + r * k + c, std::min(tile_rows, end - r), depth, k, 1,
                             rows + (r - i) * depth);
      }
      for (std::size_t j = 0; j < m; j += tile_columns) {
        const std::size_t columns = std::min(tile_columns, m - j);
        const float* right = panel;
        std::size_t right_stride = tile_columns;
        if (transposed) {
          pack_panels(b + j * k + c, columns, depth, k, panel);
        } else if (columns < tile_columns) {
          pack_columns(b + c * m + j, m, depth, columns, panel);
        } else {
          right = b + c * m + j;
          right_stride = m;
        }
        for (std::size_t r = i; r < end; r += tile_rows) {
          const float* left = rows + (r - i) * depth;
          float* const to = out + r * m + j;
          if (columns == tile_columns && r + tile_rows <= end) {
            multiply(left, right, right_stride, depth, to, m, c != 0);
          } else {
            multiply_edge(left, right, right_stride, depth, to, m, c != 0,
                          std::min(tile_rows, end - r), columns);
          }
        }
      }
    }
  }
}

/// `rows` neighbouring entries of a x.
template <std::size_t rows>
ATTN_INLINE void dot_rows(const float* a, const float* x, std::size_t k, float* out) {
  Float4 even[rows];
  Float4 odd[rows];
  const float* row[rows];
  ATTN_UNROLLED for (std::size_t r = 0; r < rows; ++r) {
    even[r] = odd[r] = zero();
    row[r] = a + r * k;
  }
  std::size_t c = 0;
  ATTN_LOOP_AS_WRITTEN for (; c + 2 * lanes <= k; c += 2 * lanes) {
    const Float4 low = load(x + c);
    const Float4 high = load(x + c + lanes);
    ATTN_UNROLLED for (std::size_t r = 0; r < rows; ++r) {
      even[r] = multiply_add(load(row[r]), low, even[r]);
      odd[r] = multiply_add(load(row[r] + lanes), high, odd[r]);
      row[r] += 2 * lanes;
    }
  }
  for (std::size_t r = 0; r < rows; ++r) {
    float sum = sum_of(add(even[r], odd[r]));
    for (std::size_t rest = c; rest < k; ++rest) sum += a[r * k + rest] * x[rest];
    out[r] = sum;
  }
}

}  // namespace

void matmul_simd(const float* a, const float* b, float* out, std::size_t n, std::size_t k,
                 std::size_t m) {
  multiply_blocks<false>(a, b, out, n, k, m);
}

void matmul_transposed_simd(const float* a, const float* b, float* out, std::size_t n,
                            std::size_t k, std::size_t m) {
  multiply_blocks<true>(a, b, out, n, k, m);
}

void matvec_simd(const float* a, const float* x, float* out, std::size_t n, std::size_t k) {
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) dot_rows<4>(a + i * k, x, k, out + i);
  for (; i < n; ++i) dot_rows<1>(a + i * k, x, k, out + i);
}

}  // namespace attn::kernels

#pragma once

// The one inner loop of every matrix product here: a tile of sums that stays in registers.
//
// Ladder (share of the multiply-add peak measured in the same run; see attention.hpp for where)
//   6 x 2   Six rows by two vectors: a step loads 2 vectors and 6 splats for 12 multiply-adds, and
//           needs 15 registers, which is what Chromium's engine has. The best with relaxed
//           multiply-add; without, a product needs a register of its own and the tile spills to
//           half the speed.
//   4 x 2   11 registers: the best everywhere else.
//   unrolled by two: loads come early and spill. A seventh slower (4 x 2, Node 20).

#include "kernels/simd/scratch.hpp"
#include "kernels/simd/vector.hpp"

#if defined(__clang__)
#define ATTN_UNROLLED _Pragma("clang loop unroll(full)")
#else
#define ATTN_UNROLLED _Pragma("GCC unroll 16")
#endif

namespace attn::kernels::simd {

/// Columns of a tile, and the width of a packed panel.
inline constexpr std::size_t tile_columns = 2 * lanes;

/// A tile of rows x tile_columns sums.
template <std::size_t rows>
struct Tile {
  Float4 sum[rows][2];

  ATTN_INLINE void clear() {
    ATTN_UNROLLED for (std::size_t i = 0; i < rows; ++i) sum[i][0] = sum[i][1] = zero();
  }

  ATTN_INLINE void read(const float* from, std::size_t row_stride) {
    ATTN_UNROLLED for (std::size_t i = 0; i < rows; ++i) {
      sum[i][0] = load(from + i * row_stride);
      sum[i][1] = load(from + i * row_stride + lanes);
    }
  }

  ATTN_INLINE void write(float* to, std::size_t row_stride) const {
    ATTN_UNROLLED for (std::size_t i = 0; i < rows; ++i) {
      store(to + i * row_stride, sum[i][0]);
      store(to + i * row_stride + lanes, sum[i][1]);
    }
  }

  /// sum_ij += sum over steps s < depth of a[s a_step + i a_row] b[s b_step + j].
  template <std::size_t a_row>
  ATTN_INLINE void accumulate(const float* a, std::size_t a_step, const float* b,
                              std::size_t b_step, std::size_t depth) {
    ATTN_LOOP_AS_WRITTEN for (; depth != 0; --depth) {
      accumulate<a_row>(a, b);
      a += a_step;
      b += b_step;
    }
  }

  /// One step: sum_ij += a[i a_row] b[j].
  template <std::size_t a_row>
  ATTN_INLINE void accumulate(const float* a, const float* b) {
    const Float4 b0 = load(b);
    const Float4 b1 = load(b + lanes);
    ATTN_UNROLLED for (std::size_t i = 0; i < rows; ++i) {
      const Float4 ai = load_splat(a + i * a_row);
      sum[i][0] = multiply_add(ai, b0, sum[i][0]);
      sum[i][1] = multiply_add(ai, b1, sum[i][1]);
    }
  }
};

/// Products of the rows of one tile with those of n_panels panels: to[r][j] = sum_c a[c][r] b[c][j].
/// a [depth, rows] as pack_tile makes it, b [n_panels, depth, tile_columns] as pack_panels does, to [rows, to_stride].
/// Not to be inlined: see MicroKernels in attention.cpp.
template <std::size_t rows>
void multiply_panels(const float* a, const float* b, std::size_t depth, std::size_t n_panels,
                     float* to, std::size_t to_stride) {
  for (; n_panels != 0; --n_panels) {
    Tile<rows> tile;
    tile.clear();
    tile.template accumulate<1>(a, rows, b, tile_columns, depth);
    tile.write(to, to_stride);
    b += depth * tile_columns;
    to += tile_columns;
  }
}

/// Rows of width `width`, `stride` apart, to panels of tile_columns rows: panel[c][r] = rows[r][c],
/// 0 where there is no row. Returns the largest square of a row's length; a row with NaN may count
/// or not.
/// rows [n, width]; panels [ceil(n / tile_columns), width, tile_columns].
float pack_panels(const float* rows, std::size_t n, std::size_t width, std::size_t stride,
                  float* panels);

/// `count` <= rows rows of width `width`, `stride` apart, to a tile's left side: packed[c][r] =
/// factor from[r][c], 0 where there is no row. Returns the largest square of a packed row's length;
/// one with NaN may count or not.
/// packed [width, rows]; what comes behind it may be overwritten too, fewer than `lanes` floats.
template <std::size_t rows>
float pack_tile(const float* from, std::size_t count, std::size_t width, std::size_t stride,
                float factor, float* packed);

extern template float pack_tile<4>(const float*, std::size_t, std::size_t, std::size_t, float,
                                   float*);
extern template float pack_tile<6>(const float*, std::size_t, std::size_t, std::size_t, float,
                                   float*);

}  // namespace attn::kernels::simd

#include "kernels/simd/tile.hpp"

#include <algorithm>

namespace attn::kernels::simd {
namespace {

/// A panel of `count` < tile_columns rows, with zeros for the missing ones. Returns the largest
/// squared length.
float pack_ragged(const float* rows, std::size_t count, std::size_t width, std::size_t stride,
                  float* panel) {
  float largest = 0;
  for (std::size_t r = 0; r < tile_columns; ++r) {
    float square = 0;
    for (std::size_t c = 0; c < width; ++c) {
      const float entry = r < count ? rows[r * stride + c] : 0.0F;
      panel[c * tile_columns + r] = entry;
      square += entry * entry;
    }
    largest = std::max(largest, square);
  }
  return largest;
}

/// pack_tile where rows are missing.
float pack_ragged_tile(const float* from, std::size_t count, std::size_t rows, std::size_t width,
                       std::size_t stride, float factor, float* packed) {
  float largest = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    float square = 0;
    for (std::size_t c = 0; c < width; ++c) {
      const float entry = r < count ? from[r * stride + c] * factor : 0.0F;
      packed[c * rows + r] = entry;
      square += entry * entry;
    }
    largest = std::max(largest, square);
  }
  return largest;
}

}  // namespace

float pack_panels(const float* rows, std::size_t n, std::size_t width, std::size_t stride,
                  float* panels) {
  Float4 largest = zero();
  const std::size_t whole = width / lanes * lanes;
  std::size_t row = 0;
  for (; row + tile_columns <= n; row += tile_columns) {
    for (std::size_t half = 0; half < tile_columns; half += lanes) {
      const float* from = rows + (row + half) * stride;
      float* to = panels + row * width + half;
      Float4 squares = zero();
      for (std::size_t c = 0; c < whole; c += lanes) {
        Float4 a = load(from + c);
        Float4 b = load(from + stride + c);
        Float4 d = load(from + 2 * stride + c);
        Float4 e = load(from + 3 * stride + c);
        transpose(a, b, d, e);
        store(to + c * tile_columns, a);
        store(to + (c + 1) * tile_columns, b);
        store(to + (c + 2) * tile_columns, d);
        store(to + (c + 3) * tile_columns, e);
        squares = multiply_add(a, a, squares);
        squares = multiply_add(b, b, squares);
        squares = multiply_add(d, d, squares);
        squares = multiply_add(e, e, squares);
      }
      for (std::size_t c = whole; c < width; ++c) {
        for (std::size_t r = 0; r < lanes; ++r) to[c * tile_columns + r] = from[r * stride + c];
        const Float4 a = load(to + c * tile_columns);
        squares = multiply_add(a, a, squares);
      }
      largest = maximum(largest, squares);
    }
  }
  float square = largest_of(largest);
  if (row < n) {
    square = std::max(
        square, pack_ragged(rows + row * stride, n - row, width, stride, panels + row * width));
  }
  return square;
}

template <std::size_t rows>
float pack_tile(const float* from, std::size_t count, std::size_t width, std::size_t stride,
                float factor, float* packed) {
  static_assert(rows == lanes || rows == lanes + 2);
  if (count < rows) return pack_ragged_tile(from, count, rows, width, stride, factor, packed);
  const Float4 factors = splat(factor);
  Float4 squares = zero();
  Float4 more_squares = zero();
  std::size_t c = 0;
  for (; c + lanes <= width; c += lanes) {
    Float4 row[2 * lanes];
    for (std::size_t r = 0; r < rows; ++r) row[r] = multiply(load(from + r * stride + c), factors);
    for (std::size_t r = rows; r < 2 * lanes; ++r) row[r] = zero();
    transpose(row[0], row[1], row[2], row[3]);
    transpose(row[4], row[5], row[6], row[7]);
    for (std::size_t x = 0; x < lanes; ++x) {
      // In this order: the upper half reaches into the next column's place.
      store(packed + (c + x) * rows, row[x]);
      squares = multiply_add(row[x], row[x], squares);
      if (rows == lanes) continue;
      store(packed + (c + x) * rows + lanes, row[lanes + x]);
      more_squares = multiply_add(row[lanes + x], row[lanes + x], more_squares);
    }
  }
  float each[2 * lanes];
  store(each, squares);
  store(each + lanes, more_squares);
  float largest = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t rest = c; rest < width; ++rest) {
      const float entry = from[r * stride + rest] * factor;
      packed[rest * rows + r] = entry;
      each[r] += entry * entry;
    }
    largest = std::max(largest, each[r]);
  }
  return largest;
}

template float pack_tile<4>(const float*, std::size_t, std::size_t, std::size_t, float, float*);
template float pack_tile<6>(const float*, std::size_t, std::size_t, std::size_t, float, float*);

}  // namespace attn::kernels::simd

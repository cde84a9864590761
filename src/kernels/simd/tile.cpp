#include "kernels/simd/tile.hpp"

#include <algorithm>

namespace attn::kernels::simd {
namespace {

/// A panel of `count` < tile_columns rows, with zeros for the missing ones. Returns the largest squared length.
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

}  // namespace attn::kernels::simd

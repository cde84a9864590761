#include "kernels/simd/weights.hpp"

#include <algorithm>
#include <bit>

#include "kernels/simd/bytes.hpp"
#include "kernels/weight_blocks_loops.hpp"

namespace attn::kernels {
namespace {

using namespace simd;

/// Numbers of a block of activations.
constexpr std::size_t part = 32;
/// Rows of weights that go together.
constexpr std::size_t rows_together = lanes;

/// One block of activations: x is about scale q.
struct ActivationBlock {
  std::int8_t q[part];
  float scale;
  /// Of the q, and that times the scale.
  std::int32_t sum;
  float scaled_sum;
};

ATTN_INLINE void to_bytes(const float* x, ActivationBlock& to) {
  Float4 largest = zero();
  Float4 nothing = zero();
  for (std::size_t l = 0; l < part; l += lanes) {
    const Float4 at = load(x + l);
    largest = maximum(largest, maximum(at, subtract(zero(), at)));
    // NaN as soon as one entry is no number.
    nothing = multiply_add(at, zero(), nothing);
  }
  const float magnitude = largest_of(largest);
  // Below, the quotient would overflow, and the block is 0 in all but name.
  const float inverse = magnitude >= 0x1p-119F ? 127 / magnitude : 0;
  // 1.5 x 2^23: added, it leaves the nearest whole number in the lowest bits.
  constexpr float rounder = 12582912.0F;
  std::int32_t sum = 0;
  for (std::size_t l = 0; l < part; ++l) {
    const auto bits = std::bit_cast<std::int32_t>(x[l] * inverse + rounder);
    to.q[l] = static_cast<std::int8_t>(bits);
    sum += to.q[l];
  }
  to.scale = magnitude / 127 + sum_of(nothing);
  to.sum = sum;
  to.scaled_sum = to.scale * static_cast<float>(sum);
}

using Rows = std::array<const std::byte*, rows_together>;

ATTN_INLINE Float4 halves(const Rows& rows, std::size_t at) {
  return load_halves(rows[0] + at, rows[1] + at, rows[2] + at, rows[3] + at);
}

/// Of 32 weights in four rows: 16 and 16 bytes of each row, and what they are multiplied by.
struct WeightPart {
  Bytes16 low[rows_together], high[rows_together];
  Float4 scale, offset;
  /// q6_k: scales of 16 numbers.
  int scale_low[rows_together], scale_high[rows_together];
};

/// How a format is read: the 32 weights of part p of a block at `rows`.
struct Q8_0 {
  static constexpr WeightFormat format = WeightFormat::q8_0;
  static constexpr bool has_offset = false;
  static constexpr std::int32_t shift = 0;
  ATTN_INLINE static void read(const Rows& rows, std::size_t, WeightPart& to) {
    for (std::size_t r = 0; r < rows_together; ++r) {
      to.low[r] = load_bytes(rows[r] + 2);
      to.high[r] = load_bytes(rows[r] + 18);
    }
    to.scale = halves(rows, 0);
  }
  ATTN_INLINE static Int4 dot(const WeightPart& w, std::size_t r, Bytes16 x0, Bytes16 x1) {
    return dot_bytes(w.low[r], w.high[r], x0, x1);
  }
};

struct Halves {
  ATTN_INLINE static void read_halves(const Rows& rows, std::size_t at, WeightPart& to) {
    for (std::size_t r = 0; r < rows_together; ++r) {
      const Bytes16 both = load_bytes(rows[r] + at);
      to.low[r] = low_halves(both);
      to.high[r] = high_halves(both);
    }
  }
  ATTN_INLINE static Int4 dot(const WeightPart& w, std::size_t r, Bytes16 x0, Bytes16 x1) {
    return dot_halves(w.low[r], w.high[r], x0, x1);
  }
};

struct Q4_0 : Halves {
  static constexpr WeightFormat format = WeightFormat::q4_0;
  static constexpr bool has_offset = false;
  static constexpr std::int32_t shift = 8;
  ATTN_INLINE static void read(const Rows& rows, std::size_t, WeightPart& to) {
    read_halves(rows, 2, to);
    to.scale = halves(rows, 0);
  }
};

struct Q4_1 : Halves {
  static constexpr WeightFormat format = WeightFormat::q4_1;
  static constexpr bool has_offset = true;
  static constexpr std::int32_t shift = 0;
  ATTN_INLINE static void read(const Rows& rows, std::size_t, WeightPart& to) {
    read_halves(rows, 4, to);
    to.scale = halves(rows, 0);
    to.offset = halves(rows, 2);
  }
};

struct Q4_K : Halves {
  static constexpr WeightFormat format = WeightFormat::q4_k;
  static constexpr bool has_offset = true;
  static constexpr std::int32_t shift = 0;
  ATTN_INLINE static void read(const Rows& rows, std::size_t p, WeightPart& to) {
    float scales[lanes], offsets[lanes];
    for (std::size_t r = 0; r < rows_together; ++r) {
      const std::byte* const bytes = rows[r] + 16 + p / 2 * 32;
      const Bytes16 first = load_bytes(bytes);
      const Bytes16 second = load_bytes(bytes + 16);
      to.low[r] = p % 2 == 0 ? low_halves(first) : high_halves(first);
      to.high[r] = p % 2 == 0 ? low_halves(second) : high_halves(second);
      const stored::Q4kPair pair = stored::q4_k_pair(rows[r] + 4, p);
      scales[r] = static_cast<float>(pair.scale);
      offsets[r] = -static_cast<float>(pair.offset);
    }
    to.scale = multiply(halves(rows, 0), load(scales));
    to.offset = multiply(halves(rows, 2), load(offsets));
  }
};

struct Q6_K {
  static constexpr WeightFormat format = WeightFormat::q6_k;
  static constexpr bool has_offset = false;
  static constexpr std::int32_t shift = 0;
  ATTN_INLINE static Bytes16 up(Bytes16 bits, std::size_t k) {
    return k < 2 ? (k == 0 ? two_bits_up<0>(bits) : two_bits_up<2>(bits))
                 : (k == 2 ? two_bits_up<4>(bits) : two_bits_up<6>(bits));
  }
  ATTN_INLINE static void read(const Rows& rows, std::size_t p, WeightPart& to) {
    const std::size_t h = p / 4;
    const std::size_t k = p % 4;
    for (std::size_t r = 0; r < rows_together; ++r) {
      const std::byte* const low = rows[r] + 64 * h + 32 * (k % 2);
      const std::byte* const high = rows[r] + 128 + 32 * h;
      const auto six = [&](std::size_t at) {
        const Bytes16 bytes = load_bytes(low + at);
        const Bytes16 four = k < 2 ? low_halves(bytes) : high_halves(bytes);
        return less_32(or_bytes(four, up(load_bytes(high + at), k)));
      };
      to.low[r] = six(0);
      to.high[r] = six(16);
      to.scale_low[r] = stored::signed_byte_of(rows[r] + 192 + 2 * p);
      to.scale_high[r] = stored::signed_byte_of(rows[r] + 193 + 2 * p);
    }
    to.scale = halves(rows, 208);
  }
  ATTN_INLINE static Int4 dot(const WeightPart& w, std::size_t r, Bytes16 x0, Bytes16 x1) {
    return dot_scaled(w.low[r], w.high[r], x0, x1, w.scale_low[r], w.scale_high[r]);
  }
};

/// Four rows of weights times `n` rows of activations, which lie `parts` blocks apart; sums [n].
template <class Format, std::size_t n>
void multiply_bytes(Rows rows, std::size_t parts, const ActivationBlock* x, Float4* sums) {
  constexpr WeightBlock block = weight_block(Format::format);
  constexpr std::size_t parts_each = block.numbers / part;
  Float4 made[n];
  for (std::size_t i = 0; i < n; ++i) made[i] = zero();
  for (std::size_t b = 0; b < parts; b += parts_each) {
    for (std::size_t p = 0; p < parts_each; ++p) {
      WeightPart w;
      Format::read(rows, p, w);
      for (std::size_t i = 0; i < n; ++i) {
        const ActivationBlock& at = x[i * parts + b + p];
        const Bytes16 x0 = load_bytes(at.q);
        const Bytes16 x1 = load_bytes(at.q + 16);
        Int4 whole = sums_of_whole(Format::dot(w, 0, x0, x1), Format::dot(w, 1, x0, x1),
                                   Format::dot(w, 2, x0, x1), Format::dot(w, 3, x0, x1));
        if constexpr (Format::shift != 0) whole = subtract_whole(whole, Format::shift * at.sum);
        made[i] = multiply_add(floats_of(whole), multiply(w.scale, splat(at.scale)), made[i]);
        if constexpr (Format::has_offset) {
          made[i] = multiply_add(w.offset, splat(at.scaled_sum), made[i]);
        }
      }
    }
    for (const std::byte*& row : rows) row += block.bytes;
  }
  for (std::size_t i = 0; i < n; ++i) sums[i] = made[i];
}

/// Columns that are unpacked at a time.
constexpr std::size_t strip = 64;

/// The same in floats: four rows of weights, where they lie in `w` after the other, and n of x; `sums` [n, 4] has what
/// came of the columns before.
template <std::size_t n>
ATTN_INLINE void multiply_floats(const float* const* w, const float* x, std::size_t x_stride,
                                 std::size_t columns, Float4* sums) {
  std::size_t c = 0;
  for (; c + lanes <= columns; c += lanes) {
    Float4 four[rows_together];
    for (std::size_t r = 0; r < rows_together; ++r) four[r] = load(w[r] + c);
    for (std::size_t i = 0; i < n; ++i) {
      const Float4 at = load(x + i * x_stride + c);
      for (std::size_t r = 0; r < rows_together; ++r) {
        sums[i * rows_together + r] = multiply_add(four[r], at, sums[i * rows_together + r]);
      }
    }
  }
  if (c == columns) return;
  for (std::size_t i = 0; i < n; ++i) {
    float at[lanes] = {};
    for (std::size_t l = 0; c + l < columns; ++l) at[l] = x[i * x_stride + c + l];
    for (std::size_t r = 0; r < rows_together; ++r) {
      float rest[lanes] = {};
      for (std::size_t l = 0; c + l < columns; ++l) rest[l] = w[r][c + l];
      Float4& sum = sums[i * rows_together + r];
      sum = multiply_add(load(rest), load(at), sum);
    }
  }
}

template <std::size_t n>
void multiply_numbers(const WeightMatrix& weights, const Rows& rows, const float* x, Float4* out) {
  Float4 sums[n * rows_together];
  for (Float4& sum : sums) sum = zero();
  const float* each[rows_together];
  if (weights.format == WeightFormat::f32) {
    for (std::size_t r = 0; r < rows_together; ++r) {
      each[r] = reinterpret_cast<const float*>(rows[r]);
    }
    multiply_floats<n>(each, x, weights.columns, weights.columns, sums);
  } else {
    float unpacked[rows_together * strip];
    for (std::size_t c = 0; c < weights.columns; c += strip) {
      const std::size_t columns = std::min(strip, weights.columns - c);
      for (std::size_t r = 0; r < rows_together; ++r) {
        float* const to = unpacked + r * strip;
        stored::unpack_row(weights.format, rows[r] + 2 * c, columns, to);
        each[r] = to;
      }
      multiply_floats<n>(each, x + c, weights.columns, columns, sums);
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    const Float4* const of = sums + i * rows_together;
    out[i] = sums_of(of[0], of[1], of[2], of[3]);
  }
}

/// Calls use(rows, first, count) for each four rows of weights; where fewer are left, the last one stands for them too.
template <class Use>
ATTN_INLINE void each_four(const WeightMatrix& weights, const Use& use) {
  for (std::size_t first = 0; first < weights.rows; first += rows_together) {
    Rows rows;
    for (std::size_t r = 0; r < rows_together; ++r) {
      rows[r] = weights.row(std::min(first + r, weights.rows - 1));
    }
    use(rows, first, std::min(rows_together, weights.rows - first));
  }
}

ATTN_INLINE void write(Float4 sums, std::size_t count, float* to) {
  if (count == rows_together) {
    store(to, sums);
    return;
  }
  float each[lanes];
  store(each, sums);
  for (std::size_t r = 0; r < count; ++r) to[r] = each[r];
}

template <class Format>
void times_bytes(const WeightMatrix& weights, const float* x, std::size_t n, float* out,
                 ActivationBlock* blocks) {
  constexpr std::size_t together = 4;
  const std::size_t parts = weights.columns / part;
  for (std::size_t b = 0; b < n * parts; ++b) to_bytes(x + b * part, blocks[b]);
  each_four(weights, [&](const Rows& rows, std::size_t first, std::size_t count) {
    Float4 sums[together];
    std::size_t i = 0;
    for (; i + together <= n; i += together) {
      multiply_bytes<Format, together>(rows, parts, blocks + i * parts, sums);
      for (std::size_t t = 0; t < together; ++t) {
        write(sums[t], count, out + (i + t) * weights.rows + first);
      }
    }
    for (; i < n; ++i) {
      multiply_bytes<Format, 1>(rows, parts, blocks + i * parts, sums);
      write(sums[0], count, out + i * weights.rows + first);
    }
  });
}

void times_floats(const WeightMatrix& weights, const float* x, std::size_t n, float* out) {
  each_four(weights, [&](const Rows& rows, std::size_t first, std::size_t count) {
    Float4 sums[2];
    std::size_t i = 0;
    for (; i + 2 <= n; i += 2) {
      multiply_numbers<2>(weights, rows, x + i * weights.columns, sums);
      write(sums[0], count, out + i * weights.rows + first);
      write(sums[1], count, out + (i + 1) * weights.rows + first);
    }
    if (i == n) return;
    multiply_numbers<1>(weights, rows, x + i * weights.columns, sums);
    write(sums[0], count, out + i * weights.rows + first);
  });
}

}  // namespace

std::size_t weights_times_simd_scratch(const WeightMatrix& weights, std::size_t n) {
  if (weight_block(weights.format).numbers == 1) return 0;
  return n * (weights.columns / part) * sizeof(ActivationBlock);
}

void weights_times_simd(const WeightMatrix& weights, const float* x, std::size_t n, float* out,
                        std::byte* scratch) {
  auto* const blocks = reinterpret_cast<ActivationBlock*>(scratch);
  switch (weights.format) {
    case WeightFormat::f32:
    case WeightFormat::f16:
    case WeightFormat::bf16:
      return times_floats(weights, x, n, out);
    case WeightFormat::q8_0:
      return times_bytes<Q8_0>(weights, x, n, out, blocks);
    case WeightFormat::q4_0:
      return times_bytes<Q4_0>(weights, x, n, out, blocks);
    case WeightFormat::q4_1:
      return times_bytes<Q4_1>(weights, x, n, out, blocks);
    case WeightFormat::q4_k:
      return times_bytes<Q4_K>(weights, x, n, out, blocks);
    case WeightFormat::q6_k:
      return times_bytes<Q6_K>(weights, x, n, out, blocks);
  }
}

}  // namespace attn::kernels

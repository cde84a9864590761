#include "kernels/scalar/stored_rows.hpp"

#include <cmath>

#include "kernels/stored_rows_loops.hpp"

namespace attn::kernels {
namespace {

std::uint16_t half_of(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000);
  std::uint32_t magnitude = bits & 0x7FFFFFFF;
  std::uint32_t half;
  if (magnitude > 0x7F800000) {
    half = 0x7E00;
  } else if (magnitude >= 0x47800000) {
    half = 0x7C00;
  } else if (magnitude < 0x38800000) {
    // The last bit of 0.5 is worth what the last bit of the smallest halves is: the sum rounds there.
    half = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5F) - 0x3F000000;
  } else {
    magnitude += 0xFFF + (magnitude >> 13 & 1);
    half = (magnitude - 0x38000000) >> 13;
  }
  return static_cast<std::uint16_t>(sign | half);
}

std::byte* store_half(std::uint16_t half, std::byte* to) {
  std::memcpy(to, &half, sizeof half);
  return to + sizeof half;
}

/// The number of largest magnitude; NaN where there is NaN or infinity.
float largest_of(const float* from, std::size_t count) {
  float largest = 0;
  for (std::size_t c = 0; c < count; ++c) {
    if (!std::isfinite(from[c])) return std::nanf("");
    if (std::fabs(from[c]) > std::fabs(largest)) largest = from[c];
  }
  return largest;
}

/// Zeros behind a scale of NaN: 0 x NaN is NaN.
bool writes_nan(float scale, std::size_t bytes, std::byte* to) {
  if (std::fabs(scale) < 65520.0F) return false;
  std::memset(store_half(0x7E00, to), 0, bytes);
  return true;
}

std::byte* encode_q8(const float* from, std::size_t count, std::byte* to) {
  const float scale = std::fabs(largest_of(from, count)) / 127.0F;
  if (!writes_nan(scale, count, to)) {
    const float inverse = scale == 0 ? 0.0F : 1.0F / scale;
    std::byte* const bytes = store_half(half_of(scale), to);
    for (std::size_t c = 0; c < count; ++c) {
      // Bounded, as the inverse of a scale below the normal floats is infinite.
      const float whole = std::round(std::fmax(-127.0F, std::fmin(127.0F, from[c] * inverse)));
      bytes[c] = static_cast<std::byte>(static_cast<std::int8_t>(whole));
    }
  }
  return to + 2 + count;
}

std::byte* encode_q4(const float* from, std::size_t count, std::byte* to) {
  const std::size_t half = (count + 1) / 2;
  const float scale = largest_of(from, count) / -8.0F;
  if (!writes_nan(scale, half, to)) {
    const float inverse = scale == 0 ? 0.0F : 1.0F / scale;
    const auto quarter = [&](std::size_t c) {
      if (c >= count) return 0;
      return static_cast<int>(std::fmax(0.0F, std::fmin(15.0F, from[c] * inverse + 8.5F)));
    };
    std::byte* const bytes = store_half(half_of(scale), to);
    for (std::size_t c = 0; c < half; ++c) {
      bytes[c] = static_cast<std::byte>(quarter(c) | quarter(c + half) << 4);
    }
  }
  return to + 2 + half;
}

std::byte* encode(RowFormat format, const float* from, std::size_t width, std::byte* to) {
  switch (format) {
    case RowFormat::f32:
      std::memcpy(to, from, 4 * width);
      return to + 4 * width;
    case RowFormat::f16:
      for (std::size_t c = 0; c < width; ++c) to = store_half(half_of(from[c]), to);
      return to;
    case RowFormat::q8_0:
    case RowFormat::q4_0:
      for (std::size_t done = 0; done < width; done += stored_block) {
        const std::size_t count = std::min(stored_block, width - done);
        to = format == RowFormat::q8_0 ? encode_q8(from + done, count, to)
                                       : encode_q4(from + done, count, to);
      }
      return to;
  }
  return to;
}

}  // namespace

void encode_row_scalar(const StoredRow& row, const float* from, std::byte* to) {
  if (row.split != 0) to = encode(row.format, from, row.split, to);
  encode(row.format, from + row.split, row.width - row.split, to);
}

void decode_rows_scalar(const StoredRow& row, const std::byte* from, std::size_t stride,
                        std::size_t count, float* to) {
  stored::decode_rows(row, from, stride, count, to);
}

}  // namespace attn::kernels

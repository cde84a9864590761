// The decode kernel over keys in several places: whatever the places, the answer is that of one array.

#include <cstring>
#include <string>
#include <vector>

#include "kernels/scalar/attention.hpp"
#include "kernels/scalar/decode_segments.hpp"
#include "kernels/scalar/stored_rows.hpp"
#include "kernels/simd/decode.hpp"
#include "kernels/simd/stored_rows.hpp"
#include "kv_cache/number_format.hpp"
#include "support.hpp"

using namespace attn;
using namespace attn::test;
using kernels::AttentionProblem;
using kernels::KvSegment;
using kernels::RowFormat;
using kernels::SegmentsProblem;
using kernels::StoredRow;

namespace {

constexpr float float_nan = std::numeric_limits<float>::quiet_NaN();
constexpr float float_infinity = std::numeric_limits<float>::infinity();
constexpr RowFormat formats[] = {RowFormat::f32, RowFormat::f16, RowFormat::q8_0, RowFormat::q4_0};

struct Sizes {
  std::size_t n_heads = 1, n_kv_heads = 1, n_k = 1, d_k = 8, d_v = 8;
};

std::vector<float> normals_of(Normals& normals, std::size_t count) {
  std::vector<float> made(count);
  for (float& each : made) each = static_cast<float>(normals.next());
  return made;
}

/// Dense q, k and v, and the same keys cut into pieces of given lengths that lie apart, in bytes of
/// a format, `offset` floats behind what the allocator aligned.
class Cut {
 public:
  Cut(Normals& normals, const Sizes& sizes, const std::vector<std::size_t>& lengths,
      RowFormat format = RowFormat::f32, bool values_in_keys = false, std::size_t split = 0,
      std::size_t offset = 0)
      : sizes_(sizes),
        q(normals_of(normals, sizes.n_heads * sizes.d_k)),
        k(normals_of(normals, sizes.n_kv_heads * sizes.n_k * sizes.d_k)),
        v(normals_of(normals, sizes.n_kv_heads * sizes.n_k * sizes.d_v)) {
    problem_.n_heads = sizes.n_heads;
    problem_.n_kv_heads = sizes.n_kv_heads;
    problem_.d_k = sizes.d_k;
    problem_.d_v = sizes.d_v;
    problem_.scale = 1 / std::sqrt(static_cast<float>(sizes.d_k));
    problem_.q = q.data();
    problem_.format = format;
    problem_.k_split = split;
    problem_.values_in_keys = values_in_keys;
    lay(lengths, offset);
  }

  /// Writes k and v, as they now are, into the pieces.
  void lay(const std::vector<std::size_t>& lengths, std::size_t offset = 0) {
    segments_.clear();
    memory_.clear();
    const StoredRow k_row = problem_.k_row();
    const StoredRow v_row = problem_.v_row();
    std::size_t first = 0;
    for (const std::size_t length : lengths) {
      // Tokens outside, heads inside, and room between: strides that are no widths.
      const std::size_t k_head = k_row.bytes() + 4;
      const std::size_t v_head = v_row.bytes() + 8;
      const std::size_t k_token = k_head * sizes_.n_kv_heads + 12;
      const std::size_t v_token = v_head * sizes_.n_kv_heads;
      memory_.emplace_back(4 * offset + length * (k_token + v_token) + 64);
      std::byte* const begin = memory_.back().data() + 4 * offset;
      KvSegment segment{begin, begin + length * k_token, length, k_token, v_token, k_head, v_head};
      for (std::size_t t = 0; t < length; ++t) {
        for (std::size_t h = 0; h < sizes_.n_kv_heads; ++h) {
          const std::size_t row = h * sizes_.n_k + first + t;
          kernels::encode_row_scalar(k_row, k.data() + row * sizes_.d_k,
                                     begin + t * k_token + h * k_head);
          kernels::encode_row_scalar(v_row, v.data() + row * sizes_.d_v,
                                     begin + length * k_token + t * v_token + h * v_head);
        }
      }
      segments_.push_back(segment);
      first += length;
    }
    problem_.segments = segments_.data();
    problem_.n_segments = segments_.size();
  }

  /// k and v become what is read back.
  void reread() {
    std::vector<std::byte> bytes(problem_.k_row().bytes() + problem_.v_row().bytes());
    for (std::size_t row = 0; row < sizes_.n_kv_heads * sizes_.n_k; ++row) {
      float* const key = k.data() + row * sizes_.d_k;
      kernels::encode_row_scalar(problem_.k_row(), key, bytes.data());
      kernels::decode_rows_scalar(problem_.k_row(), bytes.data(), 0, 1, key);
      float* const value = v.data() + row * sizes_.d_v;
      if (problem_.values_in_keys) {
        std::copy_n(key, sizes_.d_v, value);
        continue;
      }
      kernels::encode_row_scalar(problem_.v_row(), value, bytes.data());
      kernels::decode_rows_scalar(problem_.v_row(), bytes.data(), 0, 1, value);
    }
  }

  const SegmentsProblem& problem() const { return problem_; }

  AttentionProblem dense() const {
    AttentionProblem made;
    made.n_heads = sizes_.n_heads;
    made.n_kv_heads = sizes_.n_kv_heads;
    made.n_q = 1;
    made.n_k = sizes_.n_k;
    made.d_k = sizes_.d_k;
    made.d_v = sizes_.d_v;
    made.scale = problem_.scale;
    made.q = q.data();
    made.k = k.data();
    made.v = v.data();
    return made;
  }

 private:
  Sizes sizes_;
  SegmentsProblem problem_;
  std::vector<std::vector<std::byte>> memory_;
  std::vector<KvSegment> segments_;

 public:
  std::vector<float> q, k, v;
};

struct Result {
  std::vector<float> output, lse;
};

Result simd(const SegmentsProblem& problem, std::size_t offset = 0) {
  constexpr float guard = 12345;
  Result result{std::vector<float>(problem.n_heads * problem.d_v, float_nan),
                std::vector<float>(problem.n_heads, float_nan)};
  const std::size_t needed = kernels::decode_segments_simd_scratch(problem);
  std::vector<float> scratch(needed + offset + 8, guard);
  kernels::decode_segments_simd(problem, result.output.data(), scratch.data() + offset,
                                result.lse.data());
  CHECK(std::all_of(scratch.end() - 8, scratch.end(), [](float x) { return x == guard; }));
  return result;
}

Result scalar(const SegmentsProblem& problem) {
  Result result{std::vector<float>(problem.n_heads * problem.d_v, float_nan),
                std::vector<float>(problem.n_heads, float_nan)};
  std::vector<double> row(kernels::decode_segments_scalar_row(problem));
  std::vector<float> numbers(kernels::decode_segments_scalar_numbers(problem));
  kernels::decode_segments_scalar(problem, result.output.data(), row.data(), numbers.data(),
                                  result.lse.data());
  return result;
}

Result dense_scalar(const AttentionProblem& problem) {
  Result result{std::vector<float>(problem.n_heads * problem.d_v),
                std::vector<float>(problem.n_heads)};
  std::vector<double> row(kernels::attention_heads_scalar_row(problem));
  kernels::attention_heads_scalar(problem, result.output.data(), row.data(), result.lse.data());
  return result;
}

double difference(const std::vector<float>& a, const std::vector<float>& b) {
  REQUIRE(a.size() == b.size());
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]))) continue;
    const double apart = std::fabs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
    if (!(apart <= largest)) largest = apart;
  }
  return largest;
}

/// Both kernels against the oracle of one dense array of what is read back.
void check(Cut& cut, const std::vector<std::size_t>& lengths, std::size_t offset = 0) {
  cut.lay(lengths, offset);
  const Result from_simd = simd(cut.problem(), offset % 4);
  const Result from_scalar = scalar(cut.problem());
  cut.reread();
  const Result expected = dense_scalar(cut.dense());
  // Sums of at most 400 numbers of size 1 in float.
  CHECK(difference(from_simd.output, expected.output) < 3e-6);
  CHECK(difference(from_simd.lse, expected.lse) < 3e-6);
  CHECK(difference(from_scalar.output, expected.output) == 0);
  CHECK(difference(from_scalar.lse, expected.lse) == 0);
}

/// Lengths that add up to n, the last what is left.
std::vector<std::size_t> pages_of(std::size_t n, std::size_t page) {
  std::vector<std::size_t> lengths;
  for (; n > page; n -= page) lengths.push_back(page);
  lengths.push_back(n);
  return lengths;
}

}  // namespace

TEST_CASE("decoding over pages of any length, at every number of keys up to two blocks") {
  Normals normals(1);
  for (std::size_t n = 1; n <= 257; ++n) {
    for (const std::size_t page : {std::size_t{1}, std::size_t{3}, std::size_t{16}}) {
      const std::vector<std::size_t> lengths = pages_of(n, page);
      CAPTURE(n, page);
      Cut cut(normals, {3, 1, n, 8, 8}, lengths);
      check(cut, lengths);
    }
  }
}

TEST_CASE("decoding over pieces of every head size, group and address") {
  Normals normals(2);
  Dice dice(2);
  for (std::size_t d = 1; d <= 40; ++d) {
    for (const std::size_t group :
         {std::size_t{1}, std::size_t{2}, std::size_t{4}, std::size_t{7}}) {
      const Sizes sizes{2 * group, 2, dice.between(1, 150), d, dice.between(1, 40)};
      std::vector<std::size_t> lengths;
      std::size_t left = sizes.n_k;
      while (left != 0) {
        lengths.push_back(dice.between(0, std::min<std::size_t>(left, 40)));
        left -= lengths.back();
      }
      CAPTURE(d, group, sizes.n_k, sizes.d_v);
      Cut cut(normals, sizes, lengths);
      check(cut, lengths, dice.between(0, 3));
    }
  }
}

TEST_CASE("decoding stored rows, also with values that are the beginnings of keys") {
  Normals normals(3);
  Dice dice(3);
  for (const RowFormat format : formats) {
    for (int turn = 0; turn < 40; ++turn) {
      const bool latent = turn % 2 == 1;
      const std::size_t d_k = dice.between(1, 100);
      const Sizes sizes{dice.between(1, 9), 1, dice.between(1, 300), d_k,
                        latent ? dice.between(1, d_k) : dice.between(1, 100)};
      const std::vector<std::size_t> lengths = pages_of(sizes.n_k, dice.between(1, 40));
      const std::size_t split = latent && sizes.d_v < d_k ? sizes.d_v : 0;
      CAPTURE(static_cast<int>(format), turn, sizes.n_k, d_k, sizes.d_v);
      Cut cut(normals, sizes, lengths, format, latent, split);
      check(cut, lengths);
    }
  }
}

TEST_CASE("pages of a multiple of four keys give bit by bit what one array gives") {
  Normals normals(4);
  for (const std::size_t page : {std::size_t{4}, std::size_t{16}, std::size_t{20}}) {
    const Sizes sizes{6, 2, 333, 20, 28};
    Cut cut(normals, sizes, {333});
    const Result whole = simd(cut.problem());
    cut.lay(pages_of(333, page));
    const Result paged = simd(cut.problem());
    CHECK(whole.output == paged.output);
    CHECK(whole.lse == paged.lse);
    std::vector<float> output(6 * 28);
    std::vector<float> scratch(kernels::decode_simd_scratch(cut.dense()));
    kernels::decode_simd(cut.dense(), output.data(), scratch.data());
    CHECK(output == whole.output);
  }
}

TEST_CASE("no key gives 0, and NaN or infinity give what they give in one array") {
  Normals normals(5);
  Cut none(normals, {2, 1, 0, 8, 8}, {});
  CHECK(all_zero(simd(none.problem()).output));
  CHECK(simd(none.problem()).lse == std::vector<float>(2, -float_infinity));
  CHECK(all_zero(scalar(none.problem()).output));
  Cut empty(normals, {2, 1, 0, 8, 8}, {0, 0});
  CHECK(all_zero(simd(empty.problem()).output));
  for (const RowFormat format : formats) {
    for (const float bad : {float_nan, float_infinity}) {
      for (const bool in_values : {false, true}) {
        const std::vector<std::size_t> lengths = pages_of(150, 16);
        Cut cut(normals, {3, 1, 150, 8, 8}, lengths, format);
        (in_values ? cut.v : cut.k)[77 * 8 + 3] = bad;
        cut.lay(lengths);
        const Result result = simd(cut.problem());
        const Result expected = scalar(cut.problem());
        for (std::size_t i = 0; i < result.output.size(); ++i) {
          CAPTURE(static_cast<int>(format), in_values, i);
          CHECK(std::isnan(result.output[i]) == std::isnan(expected.output[i]));
          if (std::isinf(expected.output[i])) CHECK(result.output[i] == expected.output[i]);
        }
        if (in_values) CHECK_FALSE(std::isfinite(result.output[3]));
        if (!in_values && std::isnan(bad)) CHECK(std::isnan(result.output[0]));
      }
    }
  }
  // Larger than a sum of floats can be, and still finite.
  Cut large(normals, {1, 1, 40, 8, 8}, {40});
  for (float& each : large.v) each = 3e38F;
  large.lay(pages_of(40, 16));
  for (const float each : simd(large.problem()).output) {
    CHECK(std::fabs(each / 3e38F - 1) < 1e-4F);
  }
}

TEST_CASE("a stored row has the bytes that its format says") {
  const std::pair<RowFormat, std::string_view> named[] = {{RowFormat::f32, "f32"},
                                                          {RowFormat::f16, "f16"},
                                                          {RowFormat::q8_0, "q8_0"},
                                                          {RowFormat::q4_0, "q4_0"}};
  for (const auto& [format, word] : named) {
    const NumberFormat known = value_of(number_format("format", word));
    for (std::size_t width = 1; width <= 200; ++width) {
      CHECK(kernels::stored_bytes(format, width) == value_of(row_bytes("d_k", known, width)));
    }
  }
}

TEST_CASE(
    "stored rows are read back within their bounds, by both readers alike, and nothing is "
    "written beside them") {
  Normals normals(6);
  Dice dice(6);
  for (const RowFormat format : formats) {
    for (std::size_t width = 1; width <= 130; ++width) {
      const std::size_t split = dice.coin() && width > 1 ? dice.between(1, width - 1) : 0;
      const StoredRow row{format, width, split};
      std::vector<float> from = normals_of(normals, width);
      const float size = std::exp2(static_cast<float>(dice.between(0, 20)) - 12);
      for (float& each : from) each *= size;
      if (dice.coin()) std::fill_n(from.begin(), width / 2, 0.0F);
      std::vector<std::byte> bytes(row.bytes() + 1, std::byte{0xA5});
      kernels::encode_row_scalar(row, from.data(), bytes.data());
      CHECK(bytes.back() == std::byte{0xA5});
      std::vector<float> back(width, float_nan);
      kernels::decode_rows_scalar(row, bytes.data(), 0, 1, back.data());
      std::vector<float> again(width, float_nan);
      kernels::decode_rows_simd(row, bytes.data(), 0, 1, again.data());
      CHECK(back == again);
      CAPTURE(static_cast<int>(format), width, split, size);
      for (std::size_t c = 0; c < width; ++c) {
        // The block that c is in, in its part of the row.
        const std::size_t begin = c < split ? 0 : split;
        const std::size_t end = c < split ? split : width;
        const std::size_t block = begin + (c - begin) / 32 * 32;
        double m = 0;
        for (std::size_t x = block; x < std::min(block + 32, end); ++x) {
          m = std::max(m, std::fabs(static_cast<double>(from[x])));
        }
        double bound = 0;
        if (format == RowFormat::f16) {
          bound = std::fabs(static_cast<double>(from[c])) * 0x1p-11 + 0x1p-25;
        } else if (format == RowFormat::q8_0) {
          bound = m * (1.0 / 254 + 0x1p-11) + 127 * 0x1p-25;
        } else if (format == RowFormat::q4_0) {
          bound = m * (1.0 / 8 + 0x1p-10) + 0x1p-21;
        }
        CHECK(std::fabs(static_cast<double>(back[c]) - static_cast<double>(from[c])) <= bound);
      }
    }
  }
}

TEST_CASE("every half is read as the number that it is, and written back") {
  const StoredRow row{RowFormat::f16, 1, 0};
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    std::byte bytes[2];
    std::memcpy(bytes, &half, 2);
    float value = 0;
    kernels::decode_rows_simd(row, bytes, 0, 1, &value);
    const int exponent = static_cast<int>(bits >> 10 & 31);
    const double fraction = static_cast<double>(bits & 1023) / 1024;
    double expected = exponent == 0    ? std::ldexp(fraction, -14)
                      : exponent == 31 ? (fraction == 0 ? infinity : quiet_nan)
                                       : std::ldexp(1 + fraction, exponent - 15);
    if (bits >> 15 != 0) expected = -expected;
    if (std::isnan(expected)) {
      CHECK(std::isnan(value));
      continue;
    }
    CHECK(static_cast<double>(value) == expected);
    kernels::encode_row_scalar(row, &value, bytes);
    std::uint16_t again;
    std::memcpy(&again, bytes, 2);
    CHECK(again == half);
  }
  // Ties to even; the end of the range.
  const std::pair<float, std::uint16_t> rounded[] = {
      {1 + 0x1p-11F, 0x3C00}, {1 + 0x1.8p-10F, 0x3C02}, {0x1p-25F, 0},    {0x1.8p-24F, 2},
      {65519.0F, 0x7BFF},     {65520.0F, 0x7C00},       {-1e30F, 0xFC00}, {0x1p-126F, 0},
  };
  for (const auto& [from, expected] : rounded) {
    std::byte bytes[2];
    kernels::encode_row_scalar(row, &from, bytes);
    std::uint16_t half;
    std::memcpy(&half, bytes, 2);
    CAPTURE(from);
    CHECK(half == expected);
  }
}

TEST_CASE("a block of 8 bits and one of 4, by hand") {
  // m = 12.7: d = 0.1, whose nearest half is 0.0999755859375.
  const float numbers[] = {12.7F, -12.7F, 0, 0.149F};
  std::byte bytes[6];
  kernels::encode_row_scalar({RowFormat::q8_0, 4, 0}, numbers, bytes);
  CHECK(static_cast<int>(bytes[2]) == 127);
  CHECK(static_cast<int>(static_cast<std::int8_t>(bytes[3])) == -127);
  CHECK(static_cast<int>(bytes[4]) == 0);
  CHECK(static_cast<int>(bytes[5]) == 1);
  float back[4];
  kernels::decode_rows_scalar({RowFormat::q8_0, 4, 0}, bytes, 0, 1, back);
  CHECK(back[0] == 127 * 0.0999755859375F);
  // m = -8: d = 1, and q = x + 8; +8 has no place and becomes 7.
  const float small[] = {-8, 7.4F, 8, 0.5F, -0.6F};
  std::byte halves[5];
  kernels::encode_row_scalar({RowFormat::q4_0, 5, 0}, small, halves);
  CHECK(static_cast<int>(halves[2]) == (0 | 9 << 4));
  CHECK(static_cast<int>(halves[3]) == (15 | 7 << 4));
  CHECK(static_cast<int>(halves[4]) == 15);
  float read[5];
  kernels::decode_rows_scalar({RowFormat::q4_0, 5, 0}, halves, 0, 1, read);
  CHECK(std::vector<float>(read, read + 5) == std::vector<float>{-8, 7, 7, 1, -1});
}

TEST_CASE("what a quantized block cannot hold is read back as NaN, and zeros as zeros") {
  for (const RowFormat format : {RowFormat::q8_0, RowFormat::q4_0}) {
    for (const float bad : {float_nan, float_infinity, -float_infinity, 1e37F}) {
      std::vector<float> numbers(40, 1);
      numbers[5] = bad;
      const StoredRow row{format, 40, 0};
      std::vector<std::byte> bytes(row.bytes());
      kernels::encode_row_scalar(row, numbers.data(), bytes.data());
      kernels::decode_rows_scalar(row, bytes.data(), 0, 1, numbers.data());
      for (std::size_t c = 0; c < 40; ++c) CHECK(std::isnan(numbers[c]) == (c < 32));
    }
    for (const float tiny : {0.0F, 1e-40F}) {
      std::vector<float> numbers(32, tiny);
      const StoredRow row{format, 32, 0};
      std::vector<std::byte> bytes(row.bytes());
      kernels::encode_row_scalar(row, numbers.data(), bytes.data());
      kernels::decode_rows_scalar(row, bytes.data(), 0, 1, numbers.data());
      CHECK(all_zero(numbers));
    }
  }
}

#include "kernels/simd/decode.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/simd/attend_row.hpp"
#include "kernels/simd/online_softmax.hpp"
#include "kernels/simd/pieces.hpp"
#include "kernels/simd/tile.hpp"
#include "kernels/visible_keys.hpp"

namespace attn::kernels {
namespace {

using namespace simd;

constexpr float minus_infinity = -std::numeric_limits<float>::infinity();

/// The most query heads that one pass over the keys serves; larger groups take several.
constexpr std::size_t most_together = 4;
/// Entries that a step takes of each row: as two vectors, whose sums are independent.
constexpr std::size_t step = 2 * lanes;

/// Sums that fit beside what a step loads. Without relaxed instructions a product needs a register
/// of its own.
#if defined(__wasm_relaxed_simd__)
constexpr std::size_t most_sums = 12;
#else
constexpr std::size_t most_sums = 8;
#endif

/// One query of every head over keys in several places, as part of whatever it belongs to.
struct Request {
  SegmentsProblem keys;
  MaskedKeys masked;
  /// Floats between two heads of q and of the output, and places between two in lse.
  std::size_t q_stride, output_stride, lse_stride;
  float* output;
  float* lse;
};

/// The parts of the scratch.
struct Workspace {
  /// For each few heads that go together [d_k rounded up to step, heads, step] in steps, times scale
  /// and log2(e).
  float* queries;
  float* weights;  // [heads that go together, block_keys]
  float* sums;  // [heads at work, d_v rounded up to step]
  float* maxima;  // [heads at work]
  float* totals;  // [heads at work, lanes]
  float* k_room;  // [block_keys, d_k] where keys are no floats
  float* v_room;
  float* row;  // [n_keys] for attend_segments
  std::size_t size;
};

Workspace workspace(const SegmentsProblem& problem, std::size_t heads, std::size_t n_keys,
                    float* scratch) {
  const std::size_t decoded = problem.format == RowFormat::f32 ? 0 : block_keys;
  Workspace parts{};
  Scratch from(scratch);
  parts.queries = from.take(round_up(problem.d_k, step) * heads);
  parts.weights = from.take(most_together * block_keys);
  parts.sums = from.take(heads * round_up(problem.d_v, step));
  parts.maxima = from.take(heads);
  parts.totals = from.take(heads * lanes);
  parts.k_room = from.take(decoded * problem.d_k);
  parts.v_room = from.take(problem.values_in_keys ? 0 : decoded * problem.d_v);
  parts.row = from.take(n_keys);
  parts.size = from.size();
  return parts;
}

/// Threes first: they keep the most multiply-adds in flight.
std::size_t together(std::size_t left) { return left == 4 ? 4 : std::min<std::size_t>(left, 3); }

/// One vector of each query times one of each key. The keys wait in registers and each query passes
/// by once: the other way round three heads would need one register more than there are.
template <std::size_t heads, std::size_t keys>
ATTN_INLINE void add_products(const float* queries, const float* const (&k)[keys],
                              std::size_t offset, Float4 (&sums)[heads][keys]) {
  Float4 key[keys];
  ATTN_UNROLLED for (std::size_t x = 0; x < keys; ++x) key[x] = load(k[x] + offset);
  ATTN_UNROLLED for (std::size_t h = 0; h < heads; ++h) {
    const Float4 query = load(queries + h * step + offset);
    ATTN_UNROLLED for (std::size_t x = 0; x < keys; ++x) {
      sums[h][x] = multiply_add(query, key[x], sums[h][x]);
    }
  }
}

/// Sums over the whole steps of d_k, not yet added up across lanes, for `keys` neighbouring keys.
template <std::size_t heads, std::size_t keys>
ATTN_INLINE void dot_keys(const float* queries, const float* k, std::size_t stride, std::size_t d_k,
                          Float4 (&dots)[heads][keys]) {
  // Two sums for each pair while they fit: the more chains, the less waiting for one multiply-add
  // to end.
  constexpr bool two = 2 * heads * keys <= most_sums;
  Float4 even[heads][keys];
  Float4 odd[heads][keys];
  const float* rows[keys];
  ATTN_UNROLLED for (std::size_t x = 0; x < keys; ++x) rows[x] = k + x * stride;
  ATTN_UNROLLED for (std::size_t h = 0; h < heads; ++h) {
    ATTN_UNROLLED for (std::size_t x = 0; x < keys; ++x) even[h][x] = odd[h][x] = zero();
  }
  ATTN_LOOP_AS_WRITTEN for (std::size_t left = d_k / step; left != 0; --left) {
    add_products<heads, keys>(queries, rows, 0, even);
    add_products<heads, keys>(queries, rows, lanes, two ? odd : even);
    ATTN_UNROLLED for (std::size_t x = 0; x < keys; ++x) rows[x] += step;
    queries += heads * step;
  }
  ATTN_UNROLLED for (std::size_t h = 0; h < heads; ++h) {
    ATTN_UNROLLED for (std::size_t x = 0; x < keys; ++x) {
      dots[h][x] = two ? add(even[h][x], odd[h][x]) : even[h][x];
    }
  }
}

/// Scores of the keys of all pieces.
/// queries [d_k / step, heads, step] as packed, weights [heads, block_keys].
template <std::size_t heads>
void score_keys(const float* queries, const Piece* pieces, std::size_t size, std::size_t d_k,
                float* weights) {
  const std::size_t whole = d_k / step * step;
  for (const Piece* piece = pieces; piece != pieces + size; ++piece) {
    const float* const k = piece->k;
    const std::size_t stride = piece->k_stride;
    const std::size_t count = piece->count;
    std::size_t j = 0;
    for (; j + 4 <= count; j += 4) {
      // Two keys at a time: with three heads, 12 chains.
      Float4 first_two[heads][2];
      Float4 last_two[heads][2];
      dot_keys<heads, 2>(queries, k + j * stride, stride, d_k, first_two);
      dot_keys<heads, 2>(queries, k + (j + 2) * stride, stride, d_k, last_two);
      ATTN_UNROLLED for (std::size_t h = 0; h < heads; ++h) {
        store(weights + h * block_keys + j,
              sums_of(first_two[h][0], first_two[h][1], last_two[h][0], last_two[h][1]));
      }
    }
    for (; j < count; ++j) {
      Float4 dots[heads][1];
      dot_keys<heads, 1>(queries, k + j * stride, stride, d_k, dots);
      ATTN_UNROLLED for (std::size_t h = 0; h < heads; ++h) {
        weights[h * block_keys + j] = sum_of(dots[h][0]);
      }
    }
    for (std::size_t h = 0; whole != d_k && h < heads; ++h) {
      for (j = 0; j < count; ++j) {
        float sum = 0;
        for (std::size_t c = whole; c < d_k; ++c) {
          sum += queries[whole * heads + h * step + c - whole] * k[j * stride + c];
        }
        weights[h * block_keys + j] += sum;
      }
    }
    weights += count;
  }
}

/// sums += weights v over the keys of all pieces, in the whole panels of columns.
/// weights [heads, block_keys], sums [heads, width].
template <std::size_t heads>
void add_keys(const float* weights, const Piece* pieces, std::size_t size, std::size_t d_v,
              float* sums, std::size_t width) {
  for (std::size_t c = 0; c + step <= d_v; c += step) {
    // Even and odd keys to sums of their own while they fit, as in dot_keys.
    constexpr bool two = 4 * heads <= most_sums;
    Tile<heads> even;
    Tile<heads> odd;
    even.read(sums + c, width);
    odd.clear();
    const float* weight = weights;
    // Pieces inside: sums leave their registers once for all of them.
    for (const Piece* piece = pieces; piece != pieces + size; ++piece) {
      const std::size_t stride = piece->v_stride;
      const float* value = piece->v + c;
      ATTN_LOOP_AS_WRITTEN for (std::size_t left = piece->count / 2; left != 0; --left) {
        even.template accumulate<block_keys>(weight, value);
        (two ? odd : even).template accumulate<block_keys>(weight + 1, value + stride);
        weight += 2;
        value += 2 * stride;
      }
      if (piece->count % 2 != 0) even.template accumulate<block_keys>(weight++, value);
    }
    ATTN_UNROLLED for (std::size_t h = 0; two && h < heads; ++h) {
      even.sum[h][0] = add(even.sum[h][0], odd.sum[h][0]);
      even.sum[h][1] = add(even.sum[h][1], odd.sum[h][1]);
    }
    even.write(sums + c, width);
  }
}

/// The loops that take the time, for each number of heads that go together. By address, as in
/// attention.cpp.
struct MicroKernels {
  decltype(&score_keys<1>) score;
  decltype(&add_keys<1>) add;
};
constexpr MicroKernels micro_kernels[most_together] = {
    {score_keys<1>, add_keys<1>},
    {score_keys<2>, add_keys<2>},
    {score_keys<3>, add_keys<3>},
    {score_keys<4>, add_keys<4>},
};

/// The heads of `kv_heads` neighbouring KV heads, numbered from 0.
class Decode {
 public:
  Decode(const Request& request, const Workspace& parts, std::size_t kv_head, std::size_t kv_heads)
      : request_(request),
        keys_(request.keys),
        parts_(parts),
        kv_head_(kv_head),
        kv_heads_(kv_heads),
        group_(keys_.heads_per_kv_head()),
        width_(round_up(keys_.d_v, step)),
        query_width_(round_up(keys_.d_k, step)) {}

  void run() {
    const std::size_t all = kv_heads_ * group_;
    for (std::size_t kv = 0; kv < kv_heads_; ++kv) {
      each_few(kv, [this](std::size_t h, std::size_t heads) { pack_queries(h, heads); });
    }
    clear(parts_.sums, all * width_);
    std::fill_n(parts_.maxima, all, lowest);
    clear(parts_.totals, all * lanes);
    Blocks blocks(keys_, parts_.k_room, parts_.v_room);
    std::size_t j = 0;
    while (const std::size_t count = blocks.next()) {
      if (!all_padding(j, count)) {
        for (std::size_t kv = 0; kv < kv_heads_; ++kv) add_block(blocks, kv, j, count);
      }
      j += count;
    }
    for (std::size_t h = 0; h < all; ++h) finish(h);
  }

 private:
  /// work(first, heads) for the few neighbouring heads of a KV head that go together, and the next
  /// few.
  template <class Work>
  void each_few(std::size_t kv, const Work& work) const {
    for (std::size_t h = 0; h < group_;) {
      const std::size_t heads = together(group_ - h);
      work(kv * group_ + h, heads);
      h += heads;
    }
  }

  void add_block(Blocks& blocks, std::size_t kv, std::size_t j, std::size_t count) {
    blocks.show(kv_head_ + kv);
    each_few(kv, [&](std::size_t h, std::size_t heads) {
      const MicroKernels& kernels = micro_kernels[heads - 1];
      kernels.score(parts_.queries + h * query_width_, blocks.pieces(), blocks.size(), keys_.d_k,
                    parts_.weights);
      hide(heads, j, count);
      fold(h, heads, round_up(count, step));
      float* const sums = parts_.sums + h * width_;
      kernels.add(parts_.weights, blocks.pieces(), blocks.size(), keys_.d_v, sums, width_);
      add_rest(heads, blocks, sums);
    });
  }

  const float* query(std::size_t h) const {
    return keys_.q + (kv_head_ * group_ + h) * request_.q_stride;
  }

  void pack_queries(std::size_t first, std::size_t heads) {
    const float to_log2 = keys_.scale * log2_e;
    for (std::size_t h = 0; h < heads; ++h) {
      const float* q = query(first + h);
      float* packed = parts_.queries + first * query_width_ + h * step;
      std::size_t c = 0;
      for (; c + step <= keys_.d_k; c += step) {
        store(packed, multiply(load(q + c), splat(to_log2)));
        store(packed + lanes, multiply(load(q + c + lanes), splat(to_log2)));
        packed += heads * step;
      }
      for (std::size_t rest = 0; c + rest < keys_.d_k; ++rest) {
        packed[rest] = q[c + rest] * to_log2;
      }
    }
  }

  bool all_padding(std::size_t j, std::size_t count) const {
    if (request_.masked.mask == nullptr) return false;
    const std::uint8_t* valid = request_.masked.mask->key_valid;
    if (valid == nullptr) return false;
    valid += request_.masked.first + j;
    return std::all_of(valid, valid + count, [](std::uint8_t is) { return is == 0; });
  }

  /// Minus infinity for the keys of the block at j that are hidden, and up to the end of the last
  /// vector.
  void hide(std::size_t heads, std::size_t j, std::size_t count) {
    const MaskedKeys& masked = request_.masked;
    const bool holes = masked.mask != nullptr && has_holes(*masked.mask);
    for (std::size_t h = 0; h < heads; ++h) {
      float* const row = parts_.weights + h * block_keys;
      for (std::size_t c = count; c < round_up(count, step); ++c) row[c] = minus_infinity;
      if (!holes) continue;
      for (std::size_t c = 0; c < count; ++c) {
        if (!allows_inside(*masked.mask, masked.i, masked.first + j + c)) row[c] = minus_infinity;
      }
    }
  }

  void fold(std::size_t first, std::size_t heads, std::size_t count) {
    for (std::size_t h = 0; h < heads; ++h) {
      const float factor =
          fold_scores(parts_.weights + h * block_keys, count, parts_.maxima[first + h],
                      parts_.totals + (first + h) * lanes);
      if (factor == 1) continue;
      const Float4 factors = splat(factor);
      float* const sums = parts_.sums + (first + h) * width_;
      for (std::size_t c = 0; c < width_; c += lanes) {
        store(sums + c, multiply(load(sums + c), factors));
      }
    }
  }

  /// The columns behind the last whole panel.
  void add_rest(std::size_t heads, const Blocks& blocks, float* sums) const {
    for (std::size_t c = keys_.d_v / step * step; c < keys_.d_v; ++c) {
      for (std::size_t h = 0; h < heads; ++h) {
        const float* weight = parts_.weights + h * block_keys;
        float sum = sums[h * width_ + c];
        for (std::size_t p = 0; p < blocks.size(); ++p) {
          const Piece& piece = blocks.pieces()[p];
          for (std::size_t x = 0; x < piece.count; ++x) {
            sum += *weight++ * piece.v[x * piece.v_stride + c];
          }
        }
        sums[h * width_ + c] = sum;
      }
    }
  }

  void finish(std::size_t h) {
    const std::size_t head = kv_head_ * group_ + h;
    float* const row = request_.output + head * request_.output_stride;
    const float total = sum_of(load(parts_.totals + h * lanes));
    float log_sum = minus_infinity;
    if (total == 0) {
      clear(row, keys_.d_v);
    } else if (normalise(parts_.sums + h * width_, total, row, keys_.d_v)) {
      if (request_.lse != nullptr) log_sum = (parts_.maxima[h] + std::log2(total)) * ln_2;
    } else {
      // As in attention_simd: NaN or infinity met, allowed or masked, or sums too large for a
      // float.
      log_sum = attend_segments(keys_, kv_head_ + h / group_, query(h), request_.masked, parts_.row,
                                parts_.k_room, parts_.v_room, row);
    }
    if (request_.lse != nullptr) request_.lse[head * request_.lse_stride] = log_sum;
  }

  const Request& request_;
  const SegmentsProblem& keys_;
  const Workspace& parts_;
  const std::size_t kv_head_, kv_heads_, group_, width_, query_width_;
};

/// The problem's keys, all in one place.
SegmentsProblem segments_of(const AttentionProblem& problem) {
  SegmentsProblem keys;
  keys.n_heads = problem.n_heads;
  keys.n_kv_heads = problem.n_kv_heads;
  keys.d_k = problem.d_k;
  keys.d_v = problem.d_v;
  keys.scale = problem.scale;
  return keys;
}

const std::byte* bytes_of(const float* numbers) {
  return reinterpret_cast<const std::byte*>(numbers);
}

}  // namespace

std::size_t decode_segments_simd_scratch(const SegmentsProblem& problem) {
  return workspace(problem, problem.n_heads, problem.n_keys(), nullptr).size;
}

void decode_segments_simd(const SegmentsProblem& problem, float* output, float* scratch,
                          float* lse) {
  const Workspace parts = workspace(problem, problem.n_heads, problem.n_keys(), scratch);
  const Request request = {problem, {}, problem.d_k, problem.d_v, 1, output, lse};
  // All KV heads go through a block before the next one is read, as a page holds them all.
  Decode(request, parts, 0, problem.n_kv_heads).run();
}

std::size_t decode_simd_scratch(const AttentionProblem& problem) {
  return workspace(segments_of(problem), problem.heads_per_kv_head(), problem.n_k, nullptr).size;
}

void decode_simd(const AttentionProblem& problem, float* output, float* scratch, float* lse) {
  const std::size_t k_row = problem.d_k * sizeof(float);
  const std::size_t v_row = problem.d_v * sizeof(float);
  KvSegment segment = {.k_stride = k_row,
                       .v_stride = v_row,
                       .k_head_stride = problem.k_stride() * sizeof(float),
                       .v_head_stride = problem.v_stride() * sizeof(float)};
  Request request = {segments_of(problem),
                     {&problem.mask, 0, 0},
                     problem.n_q * problem.d_k,
                     problem.n_q * problem.d_v,
                     problem.n_q,
                     nullptr,
                     nullptr};
  request.keys.segments = &segment;
  request.keys.n_segments = 1;
  const Workspace parts =
      workspace(request.keys, problem.heads_per_kv_head(), problem.n_k, scratch);
  for (std::size_t kv_head = 0; kv_head < problem.n_kv_heads; ++kv_head) {
    for (std::size_t i = 0; i < problem.n_q; ++i) {
      const KeyRange range = visible_range(problem, i);
      segment.count = range.empty() ? 0 : range.last - range.first;
      segment.k = bytes_of(problem.k) + range.first * k_row;
      segment.v = bytes_of(problem.v) + range.first * v_row;
      request.keys.q = problem.q + i * problem.d_k;
      request.masked.i = i;
      request.masked.first = range.first;
      request.output = output + i * problem.d_v;
      request.lse = lse == nullptr ? nullptr : lse + i;
      Decode(request, parts, kv_head, 1).run();
    }
  }
}

}  // namespace attn::kernels

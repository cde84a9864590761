#include "kernels/simd/decode.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/simd/attend_row.hpp"
#include "kernels/simd/online_softmax.hpp"
#include "kernels/simd/tile.hpp"
#include "kernels/visible_keys.hpp"

namespace attn::kernels {
namespace {

using namespace simd;

constexpr float minus_infinity = -std::numeric_limits<float>::infinity();

/// Keys of a block: its scores, for all heads that share it, stay near.
constexpr std::size_t block_keys = 128;
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

/// The parts of the scratch.
struct Workspace {
  float* queries;  // [d_k rounded up to step, heads, step] in steps, times scale and log2(e)
  float* weights;  // [heads, block_keys]
  float* sums;  // [heads, d_v rounded up to step]
  float* row;  // [n_k] for attend_row
  std::size_t size;
};

Workspace workspace(const AttentionProblem& problem, float* scratch) {
  Workspace parts{};
  Scratch from(scratch);
  parts.queries = from.take(round_up(problem.d_k, step) * most_together);
  parts.weights = from.take(most_together * block_keys);
  parts.sums = from.take(most_together * round_up(problem.d_v, step));
  parts.row = from.take(problem.n_k);
  parts.size = from.size();
  return parts;
}

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
ATTN_INLINE void dot_keys(const float* queries, const float* k, std::size_t d_k,
                          Float4 (&dots)[heads][keys]) {
  // Two sums for each pair while they fit: the more chains, the less waiting for one multiply-add
  // to end.
  constexpr bool two = 2 * heads * keys <= most_sums;
  Float4 even[heads][keys];
  Float4 odd[heads][keys];
  const float* rows[keys];
  ATTN_UNROLLED for (std::size_t x = 0; x < keys; ++x) rows[x] = k + x * d_k;
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

/// Scores of `count` neighbouring keys.
/// queries [d_k / step, heads, step] as packed, k [count, d_k], weights [heads, block_keys].
template <std::size_t heads>
void score_keys(const float* queries, const float* k, std::size_t d_k, std::size_t count,
                float* weights) {
  std::size_t j = 0;
  for (; j + 4 <= count; j += 4) {
    // Two keys at a time: with three heads, 12 chains.
    Float4 first_two[heads][2];
    Float4 last_two[heads][2];
    dot_keys<heads, 2>(queries, k + j * d_k, d_k, first_two);
    dot_keys<heads, 2>(queries, k + (j + 2) * d_k, d_k, last_two);
    ATTN_UNROLLED for (std::size_t h = 0; h < heads; ++h) {
      store(weights + h * block_keys + j,
            sums_of(first_two[h][0], first_two[h][1], last_two[h][0], last_two[h][1]));
    }
  }
  for (; j < count; ++j) {
    Float4 dots[heads][1];
    dot_keys<heads, 1>(queries, k + j * d_k, d_k, dots);
    ATTN_UNROLLED for (std::size_t h = 0; h < heads; ++h) {
      weights[h * block_keys + j] = sum_of(dots[h][0]);
    }
  }
  const std::size_t whole = d_k / step * step;
  if (whole == d_k) return;
  for (std::size_t h = 0; h < heads; ++h) {
    for (j = 0; j < count; ++j) {
      float sum = 0;
      for (std::size_t c = whole; c < d_k; ++c) {
        sum += queries[whole * heads + h * step + c - whole] * k[j * d_k + c];
      }
      weights[h * block_keys + j] += sum;
    }
  }
}

/// sums += weights v over `count` keys, in the whole panels of columns.
/// weights [heads, block_keys], v [count, d_v], sums [heads, width].
template <std::size_t heads>
void add_keys(const float* weights, const float* v, std::size_t d_v, std::size_t count, float* sums,
              std::size_t width) {
  for (std::size_t c = 0; c + step <= d_v; c += step) {
    // Even and odd keys to sums of their own while they fit, as in dot_keys.
    constexpr bool two = 4 * heads <= most_sums;
    Tile<heads> even;
    Tile<heads> odd;
    even.read(sums + c, width);
    odd.clear();
    const float* weight = weights;
    const float* value = v + c;
    ATTN_LOOP_AS_WRITTEN for (std::size_t left = count / 2; left != 0; --left) {
      even.template accumulate<block_keys>(weight, value);
      (two ? odd : even).template accumulate<block_keys>(weight + 1, value + d_v);
      weight += 2;
      value += 2 * d_v;
    }
    if (count % 2 != 0) even.template accumulate<block_keys>(weight, value);
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

/// Query i of `heads` neighbouring heads that share a KV head.
class Decode {
 public:
  Decode(const AttentionProblem& problem, const Workspace& parts, std::size_t head,
         std::size_t heads, std::size_t i)
      : problem_(problem),
        kernels_(micro_kernels[heads - 1]),
        parts_(parts),
        head_(head),
        heads_(heads),
        i_(i),
        k_(problem.k + head / problem.heads_per_kv_head() * problem.k_stride()),
        v_(problem.v + head / problem.heads_per_kv_head() * problem.v_stride()),
        width_(round_up(problem.d_v, step)) {}

  void run(float* output, float* lse) {
    pack_queries();
    clear(parts_.sums, heads_ * width_);
    std::fill_n(maxima_, heads_, lowest);
    clear(totals_, heads_ * lanes);
    const KeyRange range = visible_range(problem_, i_);
    for (std::size_t j = range.first; j < range.last; j += block_keys) {
      const std::size_t count = std::min(block_keys, range.last - j);
      if (all_padding(j, count)) continue;
      kernels_.score(parts_.queries, k_ + j * problem_.d_k, problem_.d_k, count, parts_.weights);
      hide(j, count);
      fold(round_up(count, step));
      add_values(j, count);
    }
    for (std::size_t h = 0; h < heads_; ++h) finish(h, output, lse);
  }

 private:
  void pack_queries() {
    const float to_log2 = problem_.scale * log2_e;
    for (std::size_t h = 0; h < heads_; ++h) {
      const float* q = problem_.q + ((head_ + h) * problem_.n_q + i_) * problem_.d_k;
      float* packed = parts_.queries + h * step;
      std::size_t c = 0;
      for (; c + step <= problem_.d_k; c += step) {
        store(packed, multiply(load(q + c), splat(to_log2)));
        store(packed + lanes, multiply(load(q + c + lanes), splat(to_log2)));
        packed += heads_ * step;
      }
      for (std::size_t rest = 0; c + rest < problem_.d_k; ++rest) {
        packed[rest] = q[c + rest] * to_log2;
      }
    }
  }

  bool all_padding(std::size_t j, std::size_t count) const {
    const std::uint8_t* valid = problem_.mask.key_valid;
    return valid != nullptr &&
           std::all_of(valid + j, valid + j + count, [](std::uint8_t is) { return is == 0; });
  }

  /// Minus infinity for the keys of the block at j that are hidden, and up to the end of the last
  /// vector.
  void hide(std::size_t j, std::size_t count) {
    for (std::size_t h = 0; h < heads_; ++h) {
      float* const row = parts_.weights + h * block_keys;
      for (std::size_t c = count; c < round_up(count, step); ++c) row[c] = minus_infinity;
      if (!has_holes(problem_.mask)) continue;
      for (std::size_t c = 0; c < count; ++c) {
        if (!allows_inside(problem_.mask, i_, j + c)) row[c] = minus_infinity;
      }
    }
  }

  void fold(std::size_t count) {
    for (std::size_t h = 0; h < heads_; ++h) {
      const float factor =
          fold_scores(parts_.weights + h * block_keys, count, maxima_[h], totals_ + h * lanes);
      if (factor == 1) continue;
      const Float4 factors = splat(factor);
      float* const sums = parts_.sums + h * width_;
      for (std::size_t c = 0; c < width_; c += lanes) {
        store(sums + c, multiply(load(sums + c), factors));
      }
    }
  }

  /// The sums grow by `count` weighed values from key j on.
  void add_values(std::size_t j, std::size_t count) {
    const std::size_t d_v = problem_.d_v;
    const float* const v = v_ + j * d_v;
    kernels_.add(parts_.weights, v, d_v, count, parts_.sums, width_);
    for (std::size_t c = d_v / step * step; c < d_v; ++c) {
      for (std::size_t h = 0; h < heads_; ++h) {
        float sum = parts_.sums[h * width_ + c];
        for (std::size_t x = 0; x < count; ++x) {
          sum += parts_.weights[h * block_keys + x] * v[x * d_v + c];
        }
        parts_.sums[h * width_ + c] = sum;
      }
    }
  }

  void finish(std::size_t h, float* output, float* lse) {
    const std::size_t place = (head_ + h) * problem_.n_q + i_;
    float* const row = output + place * problem_.d_v;
    const float total = sum_of(load(totals_ + h * lanes));
    float log_sum = minus_infinity;
    if (total == 0) {
      clear(row, problem_.d_v);
    } else if (normalise(parts_.sums + h * width_, total, row, problem_.d_v)) {
      if (lse != nullptr) log_sum = (maxima_[h] + std::log2(total)) * ln_2;
    } else {
      // As in attention_simd: NaN or infinity met, allowed or masked, or sums too large for a
      // float.
      log_sum = attend_row(problem_, head_ + h, i_, parts_.row, row);
    }
    if (lse != nullptr) lse[place] = log_sum;
  }

  const AttentionProblem& problem_;
  const MicroKernels& kernels_;
  const Workspace& parts_;
  const std::size_t head_, heads_, i_;
  const float* const k_;
  const float* const v_;
  const std::size_t width_;
  float maxima_[most_together];
  float totals_[most_together * lanes];
};

}  // namespace

std::size_t decode_simd_scratch(const AttentionProblem& problem) {
  return workspace(problem, nullptr).size;
}

void decode_simd(const AttentionProblem& problem, float* output, float* scratch, float* lse) {
  const Workspace parts = workspace(problem, scratch);
  const std::size_t group = problem.heads_per_kv_head();
  for (std::size_t kv_head = 0; kv_head < problem.n_kv_heads; ++kv_head) {
    for (std::size_t i = 0; i < problem.n_q; ++i) {
      for (std::size_t done = 0; done < group;) {
        const std::size_t head = kv_head * group + done;
        const std::size_t left = group - done;
        // Threes first: they keep the most multiply-adds in flight.
        const std::size_t heads = left == 4 ? 4 : std::min<std::size_t>(left, 3);
        Decode(problem, parts, head, heads, i).run(output, lse);
        done += heads;
      }
    }
  }
}

}  // namespace attn::kernels

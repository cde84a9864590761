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

/// The parts of the scratch.
struct Workspace {
  float* queries;  // [d_k rounded up to step, heads, step] in steps, times scale and log2(e)
  float* weights;  // [heads, block_keys]
  float* sums;     // [heads, d_v rounded up to step]
  float* row;      // [n_k] for attend_row
  std::size_t size;
};

Workspace workspace(const AttentionProblem& problem, float* scratch) {
  Workspace parts{};
  float* const begin = scratch == nullptr ? nullptr : aligned(scratch);
  std::size_t used = 0;
  const auto take = [&](std::size_t count) {
    float* const part = begin == nullptr ? nullptr : begin + used;
    used += round_up(count, alignment_slack + 1);
    return part;
  };
  parts.queries = take(round_up(problem.d_k, step) * most_together);
  parts.weights = take(most_together * block_keys);
  parts.sums = take(most_together * round_up(problem.d_v, step));
  parts.row = take(problem.n_k);
  parts.size = used + alignment_slack;
  return parts;
}

/// Query i of `heads` neighbouring heads that share a KV head.
template <std::size_t heads>
class Decode {
 public:
  Decode(const AttentionProblem& problem, const Workspace& parts, std::size_t head, std::size_t i)
      : problem_(problem),
        parts_(parts),
        head_(head),
        i_(i),
        k_(problem.k + head / problem.heads_per_kv_head() * problem.k_stride()),
        v_(problem.v + head / problem.heads_per_kv_head() * problem.v_stride()),
        width_(round_up(problem.d_v, step)) {}

  void run(float* output, float* lse) {
    pack_queries();
    std::fill_n(parts_.sums, heads * width_, 0.0F);
    std::fill_n(maxima_, heads, lowest);
    std::fill_n(totals_, heads * lanes, 0.0F);
    const KeyRange range = visible_range(problem_, i_);
    for (std::size_t j = range.first; j < range.last; j += block_keys) {
      const std::size_t count = std::min(block_keys, range.last - j);
      if (all_padding(j, count)) continue;
      for (std::size_t c = 0; c < count; c += 4)
        score_keys(j, c, std::min<std::size_t>(4, count - c));
      hide(j, count);
      fold(round_up(count, step));
      add_values(j, count);
    }
    for (std::size_t h = 0; h < heads; ++h) finish(h, output, lse);
  }

 private:
  void pack_queries() {
    const float to_log2 = problem_.scale * log2_e;
    for (std::size_t h = 0; h < heads; ++h) {
      const float* q = problem_.q + ((head_ + h) * problem_.n_q + i_) * problem_.d_k;
      for (std::size_t c = 0; c < problem_.d_k; ++c) {
        parts_.queries[(c / step * heads + h) * step + c % step] = q[c] * to_log2;
      }
    }
  }

  bool all_padding(std::size_t j, std::size_t count) const {
    const std::uint8_t* valid = problem_.mask.key_valid;
    return valid != nullptr &&
           std::all_of(valid + j, valid + j + count, [](std::uint8_t is) { return is == 0; });
  }

  /// The scores of `keys` neighbouring keys, 2 or 4, added up to one number for each head and key.
  template <std::size_t keys>
  ATTN_INLINE void dot_keys(const float* k, Float4 (&dots)[heads][keys]) const {
    // Two keys at a time and two sums for each: with three heads 12 independent chains, and few enough registers.
    Float4 even[heads][keys];
    Float4 odd[heads][keys];
    ATTN_UNROLLED for (std::size_t h = 0; h < heads; ++h) {
      ATTN_UNROLLED for (std::size_t x = 0; x < keys; ++x) even[h][x] = odd[h][x] = zero();
    }
    const float* q = parts_.queries;
    const std::size_t d_k = problem_.d_k;
    ATTN_LOOP_AS_WRITTEN for (std::size_t left = d_k / step; left != 0; --left) {
      ATTN_UNROLLED for (std::size_t x = 0; x < keys; ++x) {
        const Float4 key = load(k + x * d_k);
        ATTN_UNROLLED for (std::size_t h = 0; h < heads; ++h) {
          even[h][x] = multiply_add(load(q + h * step), key, even[h][x]);
        }
      }
      ATTN_UNROLLED for (std::size_t x = 0; x < keys; ++x) {
        const Float4 key = load(k + x * d_k + lanes);
        ATTN_UNROLLED for (std::size_t h = 0; h < heads; ++h) {
          odd[h][x] = multiply_add(load(q + h * step + lanes), key, odd[h][x]);
        }
      }
      k += step;
      q += heads * step;
    }
    ATTN_UNROLLED for (std::size_t h = 0; h < heads; ++h) {
      ATTN_UNROLLED for (std::size_t x = 0; x < keys; ++x) dots[h][x] = add(even[h][x], odd[h][x]);
    }
  }

  /// Scores of `count` <= 4 keys from key j + c on, to place c of the weights.
  ATTN_INLINE void score_keys(std::size_t j, std::size_t c, std::size_t count) {
    const std::size_t d_k = problem_.d_k;
    const float* k = k_ + (j + c) * d_k;
    if (count == 4) {
      Float4 first_two[heads][2];
      Float4 last_two[heads][2];
      dot_keys<2>(k, first_two);
      dot_keys<2>(k + 2 * d_k, last_two);
      ATTN_UNROLLED for (std::size_t h = 0; h < heads; ++h) {
        store(parts_.weights + h * block_keys + c,
              sums_of(first_two[h][0], first_two[h][1], last_two[h][0], last_two[h][1]));
      }
    } else {
      for (std::size_t x = 0; x < count; ++x) {
        Float4 dots[heads][1];
        dot_keys<1>(k + x * d_k, dots);
        for (std::size_t h = 0; h < heads; ++h) {
          parts_.weights[h * block_keys + c + x] = sum_of(dots[h][0]);
        }
      }
    }
    if (d_k % step == 0) return;
    const float* q = parts_.queries + d_k / step * heads * step;
    for (std::size_t h = 0; h < heads; ++h) {
      for (std::size_t x = 0; x < count; ++x) {
        float sum = 0;
        for (std::size_t rest = 0; rest < d_k % step; ++rest) {
          sum += q[h * step + rest] * k[x * d_k + d_k / step * step + rest];
        }
        parts_.weights[h * block_keys + c + x] += sum;
      }
    }
  }

  /// Minus infinity for the keys of the block at j that are hidden, and up to the end of the last vector.
  void hide(std::size_t j, std::size_t count) {
    for (std::size_t h = 0; h < heads; ++h) {
      float* const row = parts_.weights + h * block_keys;
      for (std::size_t c = count; c < round_up(count, step); ++c) row[c] = minus_infinity;
      if (!has_holes(problem_.mask)) continue;
      for (std::size_t c = 0; c < count; ++c) {
        if (!allows_inside(problem_.mask, i_, j + c)) row[c] = minus_infinity;
      }
    }
  }

  void fold(std::size_t count) {
    for (std::size_t h = 0; h < heads; ++h) {
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
    std::size_t c = 0;
    for (; c + step <= d_v; c += step) add_columns(v + c, parts_.sums + c, count);
    for (; c < d_v; ++c) {
      for (std::size_t h = 0; h < heads; ++h) {
        float sum = parts_.sums[h * width_ + c];
        for (std::size_t x = 0; x < count; ++x) {
          sum += parts_.weights[h * block_keys + x] * v[x * d_v + c];
        }
        parts_.sums[h * width_ + c] = sum;
      }
    }
  }

  ATTN_INLINE void add_columns(const float* v, float* sums, std::size_t count) const {
    const std::size_t d_v = problem_.d_v;
    const float* weights = parts_.weights;
    Tile<heads> even;
    Tile<heads> odd;
    even.read(sums, width_);
    odd.clear();
    ATTN_LOOP_AS_WRITTEN for (std::size_t left = count / 2; left != 0; --left) {
      even.template accumulate<block_keys>(weights, v);
      odd.template accumulate<block_keys>(weights + 1, v + d_v);
      weights += 2;
      v += 2 * d_v;
    }
    if (count % 2 != 0) even.template accumulate<block_keys>(weights, v);
    ATTN_UNROLLED for (std::size_t h = 0; h < heads; ++h) {
      even.sum[h][0] = add(even.sum[h][0], odd.sum[h][0]);
      even.sum[h][1] = add(even.sum[h][1], odd.sum[h][1]);
    }
    even.write(sums, width_);
  }

  void finish(std::size_t h, float* output, float* lse) {
    const std::size_t place = (head_ + h) * problem_.n_q + i_;
    float* const row = output + place * problem_.d_v;
    const float total = sum_of(load(totals_ + h * lanes));
    float log_sum = minus_infinity;
    if (total == 0) {
      std::fill_n(row, problem_.d_v, 0.0F);
    } else if (normalise(parts_.sums + h * width_, total, row, problem_.d_v)) {
      log_sum = (maxima_[h] + std::log2(total)) * ln_2;
    } else {
      // As in attention_simd: NaN or infinity met, allowed or masked, or sums too large for a float.
      log_sum = attend_row(problem_, head_ + h, i_, parts_.row, row);
    }
    if (lse != nullptr) lse[place] = log_sum;
  }

  const AttentionProblem& problem_;
  const Workspace& parts_;
  const std::size_t head_, i_;
  const float* const k_;
  const float* const v_;
  const std::size_t width_;
  float maxima_[heads];
  float totals_[heads * lanes];
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
        switch (heads) {
          case 1:
            Decode<1>(problem, parts, head, i).run(output, lse);
            break;
          case 2:
            Decode<2>(problem, parts, head, i).run(output, lse);
            break;
          case 3:
            Decode<3>(problem, parts, head, i).run(output, lse);
            break;
          default:
            Decode<4>(problem, parts, head, i).run(output, lse);
            break;
        }
        done += heads;
      }
    }
  }
}

}  // namespace attn::kernels

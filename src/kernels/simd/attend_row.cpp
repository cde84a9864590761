#include "kernels/simd/attend_row.hpp"

#include <cmath>
#include <limits>

#include "kernels/simd/exp2.hpp"
#include "kernels/simd/pieces.hpp"
#include "kernels/visible_keys.hpp"

namespace attn::kernels::simd {
namespace {

/// What stands for the weight of a masked pair: no weight is negative.
constexpr float masked_weight = -1.0F;
constexpr float minus_infinity = -std::numeric_limits<float>::infinity();

float dot(const float* a, const float* b, std::size_t n) {
  Float4 even = zero();
  Float4 odd = zero();
  std::size_t c = 0;
  for (; c + 2 * lanes <= n; c += 2 * lanes) {
    even = multiply_add(load(a + c), load(b + c), even);
    odd = multiply_add(load(a + c + lanes), load(b + c + lanes), odd);
  }
  if (c + lanes <= n) {
    even = multiply_add(load(a + c), load(b + c), even);
    c += lanes;
  }
  float sum = sum_of(add(even, odd));
  for (; c < n; ++c) sum += a[c] * b[c];
  return sum;
}

/// Each of the n scores to 2^(score - largest); returns their sum.
float exponentiate(float* scores, std::size_t n, float largest) {
  const Float4 shift = splat(largest);
  Float4 sums = zero();
  std::size_t j = 0;
  for (; j + lanes <= n; j += lanes) {
    const Float4 power = exp2_below(subtract(load(scores + j), shift));
    store(scores + j, power);
    sums = add(sums, power);
  }
  float sum = sum_of(sums);
  for (; j < n; ++j) {
    scores[j] = first(exp2_below(splat(scores[j] - largest)));
    sum += scores[j];
  }
  return sum;
}

/// output += the rows of v, weighed; masked rows are left out.
void weigh(const float* weights, const Piece& piece, std::size_t d_v, float* output) {
  const float* const v = piece.v;
  std::size_t c = 0;
  for (; c + 2 * lanes <= d_v; c += 2 * lanes) {
    Float4 low = load(output + c);
    Float4 high = load(output + c + lanes);
    for (std::size_t j = 0; j < piece.count; ++j) {
      if (weights[j] < 0) continue;
      const Float4 weight = load_splat(weights + j);
      low = multiply_add(weight, load(v + j * piece.v_stride + c), low);
      high = multiply_add(weight, load(v + j * piece.v_stride + c + lanes), high);
    }
    store(output + c, low);
    store(output + c + lanes, high);
  }
  for (; c < d_v; ++c) {
    float sum = output[c];
    for (std::size_t j = 0; j < piece.count; ++j) {
      if (weights[j] >= 0) sum += weights[j] * v[j * piece.v_stride + c];
    }
    output[c] = sum;
  }
}

float fill(float* output, std::size_t n, float value, float log_sum) {
  for (std::size_t c = 0; c < n; ++c) output[c] = value;
  return log_sum;
}

/// Keys that lie one after the other.
struct Neighbours {
  Piece piece;
  MaskedKeys masked;

  std::size_t count() const { return piece.count; }
  template <class Use>
  void each(const Use& use) const {
    if (piece.count != 0) use(piece, 0);
  }
};

/// Keys in several places.
struct Scattered {
  const SegmentsProblem& problem;
  std::size_t kv_head;
  float* k_room;
  float* v_room;
  MaskedKeys masked;

  std::size_t count() const { return problem.n_keys(); }
  template <class Use>
  void each(const Use& use) const {
    Blocks blocks(problem, k_room, v_room);
    std::size_t first = 0;
    while (blocks.next() != 0) {
      blocks.show(kv_head);
      for (std::size_t p = 0; p < blocks.size(); ++p) {
        if (!use(blocks.pieces()[p], first)) return;
        first += blocks.pieces()[p].count;
      }
    }
  }
};

/// use(piece, first) is asked for every piece, whose first key is key `first`, while it answers
/// true.
template <class Keys>
float attend(const float* q, std::size_t d_k, std::size_t d_v, float scale, const Keys& keys,
             float* weights, float* output) {
  const MaskedKeys& masked = keys.masked;
  const bool holes = masked.mask != nullptr && has_holes(*masked.mask);
  const auto hides = [&](std::size_t j) {
    return holes && !allows_inside(*masked.mask, masked.i, masked.first + j);
  };
  const float to_log2 = scale * log2_e;
  float largest = minus_infinity;
  bool finite = true;
  keys.each([&](const Piece& piece, std::size_t first) {
    for (std::size_t x = 0; x < piece.count; ++x) {
      if (hides(first + x)) continue;
      const float score = dot(q, piece.k + x * piece.k_stride, d_k) * to_log2;
      weights[first + x] = score;
      if (std::isnan(score) || score == std::numeric_limits<float>::infinity()) {
        finite = false;
        return false;
      }
      if (score > largest) largest = score;
    }
    return true;
  });
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  if (!finite) return fill(output, d_v, nan, nan);
  if (largest == minus_infinity) return fill(output, d_v, 0, minus_infinity);
  const std::size_t count = keys.count();
  if (holes) {
    for (std::size_t j = 0; j < count; ++j) {
      if (hides(j)) weights[j] = minus_infinity;
    }
  }
  const float sum = exponentiate(weights, count, largest);
  for (std::size_t j = 0; j < count; ++j) weights[j] /= sum;
  if (holes) {
    for (std::size_t j = 0; j < count; ++j) {
      if (hides(j)) weights[j] = masked_weight;
    }
  }
  clear(output, d_v);
  keys.each([&](const Piece& piece, std::size_t first) {
    weigh(weights + first, piece, d_v, output);
    return true;
  });
  return (largest + std::log2(sum)) * ln_2;
}

}  // namespace

float attend_row(const AttentionProblem& problem, std::size_t head, std::size_t i, float* weights,
                 float* output) {
  const std::size_t kv_head = head / problem.heads_per_kv_head();
  const KeyRange range = visible_range(problem, i);
  const std::size_t count = range.empty() ? 0 : range.last - range.first;
  const float* k = problem.k + kv_head * problem.k_stride() + range.first * problem.d_k;
  const float* v = problem.v + kv_head * problem.v_stride() + range.first * problem.d_v;
  const Neighbours keys = {{k, v, count, problem.d_k, problem.d_v},
                           {&problem.mask, i, range.first}};
  return attend(problem.q + (head * problem.n_q + i) * problem.d_k, problem.d_k, problem.d_v,
                problem.scale, keys, weights, output);
}

float attend_segments(const SegmentsProblem& problem, std::size_t kv_head, const float* q,
                      const MaskedKeys& masked, float* weights, float* k_room, float* v_room,
                      float* output) {
  const Scattered keys = {problem, kv_head, k_room, v_room, masked};
  return attend(q, problem.d_k, problem.d_v, problem.scale, keys, weights, output);
}

}  // namespace attn::kernels::simd

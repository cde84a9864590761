#include "kernels/simd/attention_backward.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/simd/exp2.hpp"
#include "kernels/simd/tile.hpp"
#include "kernels/visible_keys.hpp"

namespace attn::kernels {
namespace {

using namespace simd;

constexpr float infinity = std::numeric_limits<float>::infinity();

#if defined(__wasm_relaxed_simd__)
constexpr std::size_t rows = 6;
#else
constexpr std::size_t rows = 4;
#endif

/// Keys and queries of a block. Both are multiples of 4, 6 and 8: keys are the columns of one tile
/// and the rows of another.
constexpr std::size_t block_keys = 96;
constexpr std::size_t block_queries = 48;
static_assert(block_keys % rows == 0 && block_keys % tile_columns == 0);
static_assert(block_queries % rows == 0);

/// The parts of the scratch.
struct Workspace {
  // Of one KV head.
  float* key_panels;    // [ceil(n_k / 8), d_k, 8]
  float* value_panels;  // [ceil(n_k / 8), d_v, 8]
  float* keys;          // [n_k, width_k]
  float* d_keys;        // [n_k up to a whole block, width_k]
  float* d_values;      // [n_k up to a whole block, width_v]
  // Of one block of queries.
  float* query_tiles;   // [block_queries / rows, d_k, rows] times scale and log2(e)
  float* output_tiles;  // [block_queries / rows, d_v, rows] of d_output
  float* queries;       // [block_queries, width_k]
  float* d_outputs;     // [block_queries, width_v]
  float* d_queries;     // [block_queries, width_k]
  // Of one block of both.
  float* weights;          // [block_queries, block_keys]
  float* score_gradients;  // [block_queries, block_keys] without the factor `scale`
  std::size_t size;        // of all, in floats
};

Workspace workspace(const AttentionProblem& problem, float* scratch) {
  Workspace parts{};
  Scratch from(scratch);
  const std::size_t width_k = round_up(problem.d_k, tile_columns);
  const std::size_t width_v = round_up(problem.d_v, tile_columns);
  const std::size_t n_k = round_up(problem.n_k, block_keys);
  parts.key_panels = from.take(round_up(problem.n_k, tile_columns) * problem.d_k);
  parts.value_panels = from.take(round_up(problem.n_k, tile_columns) * problem.d_v);
  parts.keys = from.take(problem.n_k * width_k);
  parts.d_keys = from.take(n_k * width_k);
  parts.d_values = from.take(n_k * width_v);
  parts.query_tiles = from.take(block_queries * problem.d_k + lanes);
  parts.output_tiles = from.take(block_queries * problem.d_v + lanes);
  parts.queries = from.take(block_queries * width_k);
  parts.d_outputs = from.take(block_queries * width_v);
  parts.d_queries = from.take(block_queries * width_k);
  parts.weights = from.take(block_queries * block_keys);
  parts.score_gradients = from.take(block_queries * block_keys);
  parts.size = from.size();
  return parts;
}

/// n rows of `from`, each filled up with zeros to `width`, and rows of zeros up to `total`.
void pad_rows(const float* from, std::size_t n, std::size_t entries, std::size_t width,
              std::size_t total, float* to) {
  for (std::size_t r = 0; r < n; ++r) {
    for (std::size_t c = 0; c < entries; ++c) to[r * width + c] = from[r * entries + c];
    clear(to + r * width + entries, width - entries);
  }
  clear(to + n * width, (total - n) * width);
}

/// n rows of sums, `width` apart, times a factor. Returns whether all are finite.
bool hand_out(const float* sums, std::size_t n, std::size_t entries, std::size_t width,
              float factor, float* to) {
  float check = 0;
  for (std::size_t r = 0; r < n; ++r) {
    for (std::size_t c = 0; c < entries; ++c) {
      const float entry = sums[r * width + c] * factor;
      check += entry * 0.0F;
      to[r * entries + c] = entry;
    }
  }
  return check == 0;
}

/// sums [rows, width] += left [rows, block_keys] right [count, width].
void add_rows(const float* left, const float* right, std::size_t count, std::size_t width,
              float* sums) {
  for (std::size_t c = 0; c < width; c += tile_columns) {
    Tile<rows> tile;
    tile.read(sums + c, width);
    tile.accumulate<block_keys>(left, 1, right + c, width, count);
    tile.write(sums + c, width);
  }
}

/// sums [rows, width] += left^T right for `rows` columns of left [count, block_keys] and right
/// [count, width].
void add_columns(const float* left, const float* right, std::size_t count, std::size_t width,
                 float* sums) {
  for (std::size_t c = 0; c < width; c += tile_columns) {
    Tile<rows> tile;
    tile.read(sums + c, width);
    tile.accumulate<1>(left, block_keys, right + c, width, count);
    tile.write(sums + c, width);
  }
}

/// Called by address, as in attention.cpp; what is read through a volatile could be any function.
struct MicroKernels {
  decltype(&multiply_panels<rows>) volatile multiply = multiply_panels<rows>;
  decltype(&add_rows) volatile add_by_row = add_rows;
  decltype(&add_columns) volatile add_by_column = add_columns;
};
const MicroKernels micro_kernels;

class Backward {
 public:
  Backward(const AttentionProblem& problem, const float* output, const float* d_output,
           const float* lse, const AttentionGradients& gradients, const Workspace& parts)
      : problem_(problem),
        output_(output),
        d_output_(d_output),
        lse_(lse),
        gradients_(gradients),
        parts_(parts),
        width_k_(round_up(problem.d_k, tile_columns)),
        width_v_(round_up(problem.d_v, tile_columns)) {}

  void run() {
    const std::size_t n_k = problem_.n_k;
    const std::size_t group = problem_.heads_per_kv_head();
    for (std::size_t kv_head = 0; kv_head < problem_.n_kv_heads; ++kv_head) {
      k_ = problem_.k + kv_head * problem_.k_stride();
      v_ = problem_.v + kv_head * problem_.v_stride();
      pack_panels(k_, n_k, problem_.d_k, problem_.d_k, parts_.key_panels);
      pack_panels(v_, n_k, problem_.d_v, problem_.d_v, parts_.value_panels);
      pad_rows(k_, n_k, problem_.d_k, width_k_, n_k, parts_.keys);
      clear(parts_.d_keys, round_up(n_k, block_keys) * width_k_);
      clear(parts_.d_values, round_up(n_k, block_keys) * width_v_);
      bool finite = true;
      for (std::size_t head = kv_head * group; head < (kv_head + 1) * group; ++head) {
        for (std::size_t i = 0; i < problem_.n_q; i += block_queries) {
          finite = add_block(head, i, std::min(block_queries, problem_.n_q - i)) && finite;
        }
      }
      float* const d_k = gradients_.d_k + kv_head * n_k * problem_.d_k;
      float* const d_v = gradients_.d_v + kv_head * n_k * problem_.d_v;
      finite = hand_out(parts_.d_keys, n_k, problem_.d_k, width_k_, problem_.scale, d_k) && finite;
      finite = hand_out(parts_.d_values, n_k, problem_.d_v, width_v_, 1, d_v) && finite;
      // NaN or infinity: of an allowed pair, or of a masked one that a tile has multiplied by 0.
      if (!finite) add_pair_by_pair(kv_head, d_k, d_v);
    }
  }

 private:
  /// What `count` queries of a head from query i on contribute. Returns whether their own gradients
  /// are finite.
  bool add_block(std::size_t head, std::size_t i, std::size_t count) {
    const std::size_t place = head * problem_.n_q + i;
    const float* const q = problem_.q + place * problem_.d_k;
    const float* const d_output = d_output_ + place * problem_.d_v;
    const std::size_t whole = round_up(count, rows);
    for (std::size_t r = 0; r < count; r += rows) {
      const std::size_t there = std::min(rows, count - r);
      pack_tile<rows>(q + r * problem_.d_k, there, problem_.d_k, problem_.d_k,
                      problem_.scale * log2_e, parts_.query_tiles + r * problem_.d_k);
      pack_tile<rows>(d_output + r * problem_.d_v, there, problem_.d_v, problem_.d_v, 1,
                      parts_.output_tiles + r * problem_.d_v);
    }
    pad_rows(q, count, problem_.d_k, width_k_, whole, parts_.queries);
    pad_rows(d_output, count, problem_.d_v, width_v_, whole, parts_.d_outputs);
    clear(parts_.d_queries, whole * width_k_);
    for (std::size_t r = 0; r < whole; ++r) prepare_row(place + r, r, r < count);
    const std::size_t begin = visible_range(problem_, i).first;
    const std::size_t end = visible_range(problem_, i + count - 1).last;
    for (std::size_t j = begin / block_keys * block_keys; j < end; j += block_keys) {
      add_block_of_keys(i, count, j, std::min(block_keys, end - j));
    }
    return hand_out(parts_.d_queries, count, problem_.d_k, width_k_, problem_.scale,
                    gradients_.d_q + place * problem_.d_k);
  }

  void prepare_row(std::size_t place, std::size_t r, bool there) {
    // A row that is not there, or sees nothing, gets weights 2^-inf = 0.
    shift_[r] = !there || lse_[place] == -infinity ? infinity : lse_[place] * log2_e;
    mean_[r] = 0;
    for (std::size_t c = 0; there && c < problem_.d_v; ++c) {
      mean_[r] += output_[place * problem_.d_v + c] * d_output_[place * problem_.d_v + c];
    }
  }

  void add_block_of_keys(std::size_t i, std::size_t count, std::size_t j, std::size_t keys) {
    const std::size_t whole = round_up(count, rows);
    const std::size_t n_panels = (keys + tile_columns - 1) / tile_columns;
    const std::size_t columns = round_up(keys, rows);
    for (std::size_t r = 0; r < whole; r += rows) {
      micro_kernels.multiply(parts_.query_tiles + r * problem_.d_k,
                             parts_.key_panels + j * problem_.d_k, problem_.d_k, n_panels,
                             parts_.weights + r * block_keys, block_keys);
      micro_kernels.multiply(parts_.output_tiles + r * problem_.d_v,
                             parts_.value_panels + j * problem_.d_v, problem_.d_v, n_panels,
                             parts_.score_gradients + r * block_keys, block_keys);
    }
    for (std::size_t r = 0; r < whole; ++r) {
      differentiate(r, n_panels * tile_columns);
      if (r < count) hide(i + r, r, j, n_panels * tile_columns);
      // Up to whole tiles of keys.
      for (std::size_t c = n_panels * tile_columns; c < columns; ++c) {
        parts_.weights[r * block_keys + c] = parts_.score_gradients[r * block_keys + c] = 0;
      }
    }
    for (std::size_t r = 0; r < whole; r += rows) {
      micro_kernels.add_by_row(parts_.score_gradients + r * block_keys, parts_.keys + j * width_k_,
                               keys, width_k_, parts_.d_queries + r * width_k_);
    }
    for (std::size_t c = 0; c < columns; c += rows) {
      micro_kernels.add_by_column(parts_.weights + c, parts_.d_outputs, whole, width_v_,
                                  parts_.d_values + (j + c) * width_v_);
      micro_kernels.add_by_column(parts_.score_gradients + c, parts_.queries, whole, width_k_,
                                  parts_.d_keys + (j + c) * width_k_);
    }
  }

  /// Row r: scores to weights, gradients of weights to gradients of scores.
  void differentiate(std::size_t r, std::size_t columns) {
    float* const weights = parts_.weights + r * block_keys;
    float* const gradients = parts_.score_gradients + r * block_keys;
    const Float4 shift = splat(shift_[r]);
    const Float4 mean = splat(mean_[r]);
    for (std::size_t c = 0; c < columns; c += lanes) {
      // No weight is above 1, however the sum was rounded.
      const Float4 exponent = minimum(subtract(load(weights + c), shift), zero());
      const Float4 weight = exp2_below(exponent);
      store(weights + c, weight);
      store(gradients + c, multiply(weight, subtract(load(gradients + c), mean)));
    }
  }

  /// Zeros where the mask forbids row r, which is query i, to see a key.
  void hide(std::size_t i, std::size_t r, std::size_t j, std::size_t columns) {
    const KeyRange range = visible_range(problem_, i).within(j, j + columns);
    const bool holes = has_holes(problem_.mask);
    if (!holes && range.first == j && range.last == j + columns) return;
    for (std::size_t c = 0; c < columns; ++c) {
      if (j + c >= range.first && j + c < range.last &&
          (!holes || allows_inside(problem_.mask, i, j + c))) {
        continue;
      }
      parts_.weights[r * block_keys + c] = parts_.score_gradients[r * block_keys + c] = 0;
    }
  }

  /// All of one KV head again, reading only what is allowed.
  void add_pair_by_pair(std::size_t kv_head, float* d_k, float* d_v) {
    const std::size_t group = problem_.heads_per_kv_head();
    clear(d_k, problem_.n_k * problem_.d_k);
    clear(d_v, problem_.n_k * problem_.d_v);
    for (std::size_t place = kv_head * group * problem_.n_q;
         place < (kv_head + 1) * group * problem_.n_q; ++place) {
      const std::size_t i = place % problem_.n_q;
      const float* const q = problem_.q + place * problem_.d_k;
      const float* const d_output = d_output_ + place * problem_.d_v;
      float* const d_q = gradients_.d_q + place * problem_.d_k;
      clear(d_q, problem_.d_k);
      prepare_row(place, 0, true);
      const KeyRange range = visible_range(problem_, i);
      for (std::size_t j = range.first; j < range.last; ++j) {
        if (lse_[place] == -infinity || !allows_inside(problem_.mask, i, j)) continue;
        const float* const k = k_ + j * problem_.d_k;
        const float* const v = v_ + j * problem_.d_v;
        float score = 0;
        for (std::size_t c = 0; c < problem_.d_k; ++c) score += q[c] * k[c];
        const float above = score * problem_.scale * log2_e - shift_[0];
        const float weight = std::exp2(above > 0 ? 0 : above);
        float gradient = 0;
        for (std::size_t c = 0; c < problem_.d_v; ++c) gradient += d_output[c] * v[c];
        const float score_gradient = weight * (gradient - mean_[0]) * problem_.scale;
        for (std::size_t c = 0; c < problem_.d_k; ++c) {
          d_q[c] += score_gradient * k[c];
          d_k[j * problem_.d_k + c] += score_gradient * q[c];
        }
        for (std::size_t c = 0; c < problem_.d_v; ++c) {
          d_v[j * problem_.d_v + c] += weight * d_output[c];
        }
      }
    }
  }

  const AttentionProblem& problem_;
  const float* const output_;
  const float* const d_output_;
  const float* const lse_;
  const AttentionGradients& gradients_;
  const Workspace& parts_;
  const std::size_t width_k_, width_v_;
  const float* k_ = nullptr;  // of the KV head at work
  const float* v_ = nullptr;
  float shift_[block_queries];  // log-sum-exp in powers of 2
  float mean_[block_queries];  // of the gradients of a row's weights: sum_c output_c d_output_c
};

}  // namespace

std::size_t attention_backward_simd_scratch(const AttentionProblem& problem) {
  return workspace(problem, nullptr).size;
}

void attention_backward_simd(const AttentionProblem& problem, const float* output,
                             const float* d_output, const float* lse,
                             const AttentionGradients& gradients, float* scratch) {
  const Workspace parts = workspace(problem, scratch);
  Backward(problem, output, d_output, lse, gradients, parts).run();
}

}  // namespace attn::kernels

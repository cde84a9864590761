#include "kernels/simd/linear_attention.hpp"

#include <algorithm>

#include "kernels/simd/exp2.hpp"
#include "kernels/simd/online_softmax.hpp"
#include "kernels/simd/tile.hpp"

namespace attn::kernels {
namespace {

using namespace simd;

/// Between two rows of weights, whatever the chunk.
constexpr std::size_t most_chunk = 128;
/// A multiple of each tile's rows and of a panel's columns.
constexpr std::size_t default_chunk = 48;
constexpr std::size_t most_rows = 6;

#if defined(__wasm_relaxed_simd__)
constexpr std::size_t default_rows = 6;
#else
constexpr std::size_t default_rows = 4;
#endif

std::size_t chunk_of(const LinearTiling& tiling) {
  return tiling.chunk == 0 ? default_chunk : std::min(tiling.chunk, most_chunk);
}

std::size_t rows_of(const LinearTiling& tiling) {
  return tiling.rows == 0 ? default_rows : tiling.rows;
}

/// The parts of the scratch.
struct Workspace {
  std::size_t chunk, rows;
  std::size_t query_width;  // d_k in whole vectors
  std::size_t key_width;    // d_k in whole tiles
  std::size_t width;        // d_v in whole panels
  float* queries;           // [chunk, query_width] features
  float* keys;  // [chunk, key_width] features, later times what the gates leave of them
  float* query_tile;  // [d_k, rows] of the tile at work
  float* key_panels;  // [ceil(chunk / 8), d_k, 8]
  float* values;  // [chunk, width] when V's rows are no whole panels
  float* weights;  // [rows, most_chunk] of one tile
  float* outputs;  // [rows, width] of one tile
  float* decays;  // [chunk, most_chunk] what is left of token j at token i; with gates alone
  float* past;  // [chunk] what is left of the state at token i
  float* state;  // [key_width, width]
  float* sums;  // [query_width]
  std::size_t size;  // of all, in floats
};

Workspace workspace(const LinearProblem& problem, const LinearTiling& tiling, float* scratch) {
  Workspace parts{};
  Scratch from(scratch);
  parts.chunk = chunk_of(tiling);
  parts.rows = rows_of(tiling);
  parts.query_width = round_up(problem.d_k, lanes);
  parts.key_width = round_up(round_up(problem.d_k, parts.rows), lanes);
  parts.width = round_up(problem.d_v, tile_columns);
  parts.queries = from.take(parts.chunk * parts.query_width);
  parts.keys = from.take(parts.chunk * parts.key_width);
  parts.query_tile = from.take(parts.rows * problem.d_k + lanes);
  parts.key_panels = from.take(round_up(parts.chunk, tile_columns) * problem.d_k);
  parts.values = from.take(problem.d_v % tile_columns == 0 ? 0 : parts.chunk * parts.width);
  parts.weights = from.take(parts.rows * most_chunk);
  parts.outputs = from.take(parts.rows * parts.width);
  parts.decays = from.take(problem.gates == nullptr ? 0 : parts.chunk * most_chunk);
  parts.past = from.take(parts.chunk + most_rows);
  parts.state = from.take(round_up(parts.key_width, parts.rows) * parts.width);
  parts.sums = from.take(parts.query_width);
  parts.size = from.size();
  return parts;
}

template <Features features>
ATTN_INLINE Float4 feature(Float4 x) {
  if constexpr (features == Features::elu_plus_one) {
    // max(x, 0) + e^min(x, 0): x + 1 from 0 on, since e^0 is exactly 1; NaN passes through both.
    return add(maximum(x, zero()), exp2_below(multiply(minimum(x, zero()), splat(log2_e))));
  } else if constexpr (features == Features::relu) {
    return maximum(x, zero());
  } else {
    return x;
  }
}

/// from [count, width] becomes to [count, stride] of features; what is behind a row is 0.
template <Features features>
void map_rows(const float* from, std::size_t count, std::size_t width, std::size_t stride,
              float* to) {
  const std::size_t whole = width / lanes * lanes;
  for (; count != 0; --count) {
    for (std::size_t c = 0; c < whole; c += lanes) store(to + c, feature<features>(load(from + c)));
    if (whole < width) {
      float rest[lanes] = {};
      std::copy(from + whole, from + width, rest);
      store(rest, feature<features>(load(rest)));
      std::copy(rest, rest + (width - whole), to + whole);
    }
    for (std::size_t c = width; c < stride; ++c) to[c] = 0;
    from += width;
    to += stride;
  }
}

/// outputs [rows, width] = past o (queries state) + weights values, in panels of columns.
/// queries [d_k, rows], state [d_k, width], past [rows] or null for ones, weights [rows, most_chunk] of which `count`,
/// values [count, ...] with rows `stride` apart.
template <std::size_t rows>
void answer(const float* queries, const float* state, std::size_t d_k, const float* past,
            const float* weights, const float* values, std::size_t stride, std::size_t count,
            float* outputs, std::size_t width) {
  for (std::size_t column = 0; column < width; column += tile_columns) {
    Tile<rows> tile;
    tile.clear();
    tile.template accumulate<1>(queries, rows, state + column, width, d_k);
    if (past != nullptr) {
      ATTN_UNROLLED for (std::size_t r = 0; r < rows; ++r) {
        const Float4 left = load_splat(past + r);
        tile.sum[r][0] = multiply(tile.sum[r][0], left);
        tile.sum[r][1] = multiply(tile.sum[r][1], left);
      }
    }
    tile.template accumulate<most_chunk>(weights, 1, values + column, stride, count);
    tile.write(outputs + column, width);
  }
}

/// state [rows, width] = left state + keys^T values. keys [count, ...] with rows `key_stride` apart, values as above.
template <std::size_t rows>
void take_in(const float* keys, std::size_t key_stride, const float* values, std::size_t stride,
             std::size_t count, float left, float* state, std::size_t width) {
  for (std::size_t column = 0; column < width; column += tile_columns) {
    Tile<rows> tile;
    tile.read(state + column, width);
    if (left != 1) {
      const Float4 factor = splat(left);
      ATTN_UNROLLED for (std::size_t r = 0; r < rows; ++r) {
        tile.sum[r][0] = multiply(tile.sum[r][0], factor);
        tile.sum[r][1] = multiply(tile.sum[r][1], factor);
      }
    }
    tile.template accumulate<1>(keys, key_stride, values + column, stride, count);
    tile.write(state + column, width);
  }
}

/// The loops that take the time, called by address: see MicroKernels in attention.cpp.
struct MicroKernels {
  decltype(&pack_tile<4>) pack;
  decltype(&multiply_panels<4>) weigh_pairs;
  decltype(&answer<4>) answer_rows;
  decltype(&take_in<4>) take_rows;
};

template <std::size_t rows>
constexpr MicroKernels micro_kernels{pack_tile<rows>, multiply_panels<rows>, answer<rows>,
                                     take_in<rows>};

constexpr decltype(&map_rows<Features::identity>) maps[] = {
    map_rows<Features::elu_plus_one>, map_rows<Features::relu>, map_rows<Features::identity>};

float dot(const float* a, const float* b, std::size_t n) {
  Float4 sum = zero();
  for (std::size_t c = 0; c < n; c += lanes) sum = multiply_add(load(a + c), load(b + c), sum);
  return sum_of(sum);
}

class LinearAttention {
 public:
  LinearAttention(const LinearProblem& problem, const Workspace& parts, float* output)
      : problem_(problem),
        parts_(parts),
        rows_(parts.rows),
        micro_(parts.rows == 6 ? micro_kernels<6> : micro_kernels<4>),
        map_(maps[static_cast<std::size_t>(problem.features)]),
        output_(output) {}

  void run(const LinearState& kept) {
    const std::size_t numbers = problem_.d_k * problem_.d_v;
    for (head_ = 0; head_ < problem_.n_heads; ++head_) {
      open(kept.state == nullptr ? nullptr : kept.state + head_ * numbers,
           kept.sums == nullptr ? nullptr : kept.sums + head_ * problem_.d_k);
      for (std::size_t t = 0; t < problem_.n; t += parts_.chunk) {
        attend_chunk(head_ * problem_.n + t, std::min(parts_.chunk, problem_.n - t));
      }
      if (kept.state != nullptr)
        close(kept.state + head_ * numbers, kept.sums + head_ * problem_.d_k);
    }
  }

 private:
  /// The state as it lies in the scratch, with zeros behind its rows and columns.
  void open(const float* state, const float* sums) {
    clear(parts_.state, round_up(parts_.key_width, rows_) * parts_.width);
    clear(parts_.sums, parts_.query_width);
    if (state == nullptr) return;
    for (std::size_t a = 0; a < problem_.d_k; ++a) {
      std::copy_n(state + a * problem_.d_v, problem_.d_v, parts_.state + a * parts_.width);
    }
    std::copy_n(sums, problem_.d_k, parts_.sums);
  }

  void close(float* state, float* sums) const {
    for (std::size_t a = 0; a < problem_.d_k; ++a) {
      std::copy_n(parts_.state + a * parts_.width, problem_.d_v, state + a * problem_.d_v);
    }
    std::copy_n(parts_.sums, problem_.d_k, sums);
  }

  /// The `count` tokens from `place` on, counted through all heads.
  void attend_chunk(std::size_t place, std::size_t count) {
    const std::size_t d_k = problem_.d_k;
    map_(problem_.q + place * d_k, count, d_k, parts_.query_width, parts_.queries);
    map_(problem_.k + place * d_k, count, d_k, parts_.key_width, parts_.keys);
    pack_panels(parts_.keys, count, d_k, parts_.key_width, parts_.key_panels);
    values_ = problem_.v + place * problem_.d_v;
    value_stride_ = problem_.d_v;
    if (problem_.d_v % tile_columns != 0) widen_values(count);
    if (problem_.gates != nullptr) follow_gates(problem_.gates + place, count);
    for (std::size_t i = 0; i < count; i += rows_) {
      attend_tile(place, i, std::min(rows_, count - i));
    }
    take_in_chunk(count);
  }

  /// Rows of V filled up to whole panels.
  void widen_values(std::size_t count) {
    for (std::size_t j = 0; j < count; ++j) {
      float* const row = parts_.values + j * parts_.width;
      std::copy_n(values_ + j * problem_.d_v, problem_.d_v, row);
      for (std::size_t c = problem_.d_v; c < parts_.width; ++c) row[c] = 0;
    }
    values_ = parts_.values;
    value_stride_ = parts_.width;
  }

  /// What the gates leave of each token, and of the state, at each token: running products.
  void follow_gates(const float* gates, std::size_t count) {
    float past = 1;
    for (std::size_t i = 0; i < count; ++i) {
      past *= gates[i];
      parts_.past[i] = past;
      float* const row = parts_.decays + i * most_chunk;
      const Float4 gate = splat(gates[i]);
      for (std::size_t j = 0; j < i; j += lanes) {
        store(row + j, multiply(load(row + j - most_chunk), gate));
      }
      row[i] = 1;
      for (std::size_t j = i + 1; j % lanes != 0; ++j) row[j] = 0;
    }
  }

  void attend_tile(std::size_t place, std::size_t first, std::size_t count) {
    float* const packed = parts_.query_tile;
    micro_.pack(parts_.queries + first * parts_.query_width, count, problem_.d_k,
                parts_.query_width, 1, packed);
    const std::size_t seen = first + count;
    micro_.weigh_pairs(packed, parts_.key_panels, problem_.d_k,
                       round_up(seen, tile_columns) / tile_columns, parts_.weights, most_chunk);
    const bool gated = problem_.gates != nullptr;
    for (std::size_t r = 0; r < count; ++r) {
      float* const row = parts_.weights + r * most_chunk;
      const float* const decay = parts_.decays + (first + r) * most_chunk;
      for (std::size_t j = 0; gated && j <= first + r; j += lanes) {
        store(row + j, multiply(load(row + j), load(decay + j)));
      }
      // Written and not multiplied by 0: what lies ahead may hold NaN.
      for (std::size_t j = first + r + 1; j < round_up(seen, tile_columns); ++j) row[j] = 0;
    }
    micro_.answer_rows(packed, parts_.state, problem_.d_k, gated ? parts_.past + first : nullptr,
                       parts_.weights, values_, value_stride_, seen, parts_.outputs, parts_.width);
    for (std::size_t r = 0; r < count; ++r) finish(place, first + r, r);
  }

  /// Row r of the tile, that of token i of the chunk, divided by its total, to the output.
  void finish(std::size_t place, std::size_t i, std::size_t r) {
    float* const output = output_ + (place + i) * problem_.d_v;
    float total = 1;
    if (problem_.normalize) {
      const float past =
          dot(parts_.queries + i * parts_.query_width, parts_.sums, parts_.query_width);
      Float4 sum = zero();
      const float* const weights = parts_.weights + r * most_chunk;
      for (std::size_t j = 0; j <= i; j += lanes) sum = add(sum, load(weights + j));
      total = (problem_.gates == nullptr ? past : past * parts_.past[i]) + sum_of(sum);
      if (total == 0) {
        clear(output, problem_.d_v);
        return;
      }
    }
    // NaN or infinity came out: of this row, or of a token ahead whose weight is 0 (0 x NaN).
    if (!normalise(parts_.outputs + r * parts_.width, total, output, problem_.d_v)) {
      attend_row(i, total, parts_.weights + r * most_chunk, output);
    }
  }

  /// Token i of the chunk without reading what lies ahead of it.
  void attend_row(std::size_t i, float total, const float* weights, float* output) const {
    const float* const query = parts_.queries + i * parts_.query_width;
    for (std::size_t c = 0; c < problem_.d_v; ++c) {
      float sum = 0;
      for (std::size_t a = 0; a < problem_.d_k; ++a) {
        sum += query[a] * parts_.state[a * parts_.width + c];
      }
      if (problem_.gates != nullptr) sum *= parts_.past[i];
      for (std::size_t j = 0; j <= i; ++j) sum += weights[j] * values_[j * value_stride_ + c];
      output[c] = sum / total;
    }
  }

  void take_in_chunk(std::size_t count) {
    float left = 1;
    if (problem_.gates != nullptr) {
      left = parts_.past[count - 1];
      const float* const decay = parts_.decays + (count - 1) * most_chunk;
      for (std::size_t j = 0; j < count; ++j) {
        const Float4 factor = splat(decay[j]);
        float* const key = parts_.keys + j * parts_.key_width;
        for (std::size_t c = 0; c < parts_.key_width; c += lanes) {
          store(key + c, multiply(load(key + c), factor));
        }
      }
    }
    for (std::size_t c = 0; c < parts_.query_width; c += lanes) {
      Float4 sum = multiply(load(parts_.sums + c), splat(left));
      for (std::size_t j = 0; j < count; ++j) {
        sum = add(sum, load(parts_.keys + j * parts_.key_width + c));
      }
      store(parts_.sums + c, sum);
    }
    for (std::size_t a = 0; a < problem_.d_k; a += rows_) {
      micro_.take_rows(parts_.keys + a, parts_.key_width, values_, value_stride_, count, left,
                       parts_.state + a * parts_.width, parts_.width);
    }
  }

  const LinearProblem& problem_;
  const Workspace& parts_;
  const std::size_t rows_;
  const MicroKernels& micro_;
  decltype(&map_rows<Features::identity>) map_;
  float* const output_;
  const float* values_ = nullptr;  // of the chunk at work
  std::size_t value_stride_ = 0;
  std::size_t head_ = 0;
};

}  // namespace

std::size_t linear_attention_simd_scratch(const LinearProblem& problem,
                                          const LinearTiling& tiling) {
  return workspace(problem, tiling, nullptr).size;
}

void linear_attention_simd(const LinearProblem& problem, const LinearState& kept, float* output,
                           float* scratch, const LinearTiling& tiling) {
  const Workspace parts = workspace(problem, tiling, scratch);
  LinearAttention(problem, parts, output).run(kept);
}

double linear_attention_flops(const LinearProblem& problem, const LinearTiling& tiling) {
  const auto chunk = static_cast<double>(chunk_of(tiling));
  const auto d_k = static_cast<double>(problem.d_k), d_v = static_cast<double>(problem.d_v);
  return static_cast<double>(problem.n_heads) * static_cast<double>(problem.n) *
         (4 * d_k * d_v + (chunk + 1) * (d_k + d_v));
}

}  // namespace attn::kernels

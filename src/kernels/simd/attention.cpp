#include "kernels/simd/attention.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "kernels/simd/attend_row.hpp"
#include "kernels/simd/decode.hpp"
#include "kernels/simd/online_softmax.hpp"
#include "kernels/simd/tile.hpp"
#include "kernels/visible_keys.hpp"

namespace attn::kernels {
namespace {

using namespace simd;

constexpr float minus_infinity = -std::numeric_limits<float>::infinity();

/// Keys of a block: with head_dim 64, 32 KB of K and of V each.
constexpr std::size_t block_keys = 128;
/// Queries that share a block while it is in the nearest cache: a multiple of every tile's rows.
constexpr std::size_t block_queries = 24;
constexpr std::size_t least_rows = 4;
constexpr std::size_t most_rows = 6;

/// While no score of a tile can lie further than this from 0, it is exponentiated as it is, in the
/// same pass that computes it. e^30 and e^-30 leave floats room on both sides; the rule is that of
/// the plain softmax.
constexpr float unshifted_range = 30;

/// Below these sizes packing costs more than tiles save.
constexpr std::size_t least_tiled_queries = 8;
constexpr std::size_t least_tiled_keys = 8;

#if defined(__wasm_relaxed_simd__)
constexpr std::size_t default_rows = 6;
#else
constexpr std::size_t default_rows = 4;
#endif

/// The parts of the scratch.
struct Workspace {
  float* keys;  // [ceil(n_k / 8), d_k, 8] one KV head, packed
  float*
      values;  // [n_k, 8] the last columns of V when they are no whole panel, filled up with zeros
  float* queries;  // [block_queries / rows, d_k, rows] times scale and log2(e)
  float* weights;  // [rows, block_keys] scores, then weights, of one tile
  float* sums;  // [block_queries, d_v rounded up to 8] of weighed values
  float* totals;  // [block_queries, lanes] of weights, in four parts
  float* row;  // [n_k] for attend_row
  std::size_t size;  // of all, in floats
};

Workspace workspace(const AttentionProblem& problem, float* scratch) {
  Workspace parts{};
  Scratch from(scratch);
  const std::size_t n_k = round_up(problem.n_k, tile_columns);
  parts.keys = from.take(n_k * problem.d_k);
  parts.values = from.take(problem.d_v % tile_columns == 0 ? 0 : n_k * tile_columns);
  parts.queries = from.take(block_queries * problem.d_k + lanes);
  parts.weights = from.take(most_rows * block_keys);
  parts.sums = from.take(block_queries * round_up(problem.d_v, tile_columns));
  parts.totals = from.take(block_queries * lanes);
  parts.row = from.take(n_k);
  parts.size = from.size();
  return parts;
}

/// The last columns of V, fewer than a panel, with zeros to fill it up.
void pack_last_columns(const float* v, std::size_t n_k, std::size_t d_v, float* panel) {
  const std::size_t first = d_v / tile_columns * tile_columns;
  for (std::size_t j = 0; j < n_k; ++j) {
    for (std::size_t c = 0; c < tile_columns; ++c) {
      panel[j * tile_columns + c] = first + c < d_v ? v[j * d_v + first + c] : 0.0F;
    }
  }
}

/// What padding and documents say of a block of keys.
struct BlockFacts {
  bool some_valid = true, all_valid = true;
  std::int32_t least_document = 0, largest_document = 0;
};

BlockFacts facts_of(const AttentionMask& mask, std::size_t first, std::size_t last) {
  BlockFacts facts;
  if (mask.key_valid != nullptr) {
    const auto is_valid = [](std::uint8_t valid) { return valid != 0; };
    facts.some_valid = std::any_of(mask.key_valid + first, mask.key_valid + last, is_valid);
    facts.all_valid = std::all_of(mask.key_valid + first, mask.key_valid + last, is_valid);
  }
  if (mask.key_document != nullptr) {
    const auto [least, largest] =
        std::minmax_element(mask.key_document + first, mask.key_document + last);
    facts.least_document = *least;
    facts.largest_document = *largest;
  }
  return facts;
}

/// `rows` neighbouring queries of a block.
struct QueryTile {
  std::size_t first = 0;  // query
  std::size_t count = 0;  // fewer than `rows` only at the end
  KeyRange some, all;  // the keys that one of them, and that each of them may see, as to the range
  std::int32_t least_document = 0, largest_document = 0;
  bool bounded = false;  // no score further from 0 than unshifted_range
};

/// multiply_panels, exponentiated before it is written, and added to totals [rows, lanes].
/// queries [d_k, rows], keys [n_panels, d_k, tile_columns], weights [rows, block_keys].
template <std::size_t rows>
void weigh_panels(const float* queries, const float* keys, std::size_t d_k, std::size_t n_panels,
                  float* weights, float* totals) {
  for (; n_panels != 0; --n_panels) {
    Tile<rows> tile;
    tile.clear();
    tile.template accumulate<1>(queries, rows, keys, tile_columns, d_k);
    ATTN_UNROLLED for (std::size_t r = 0; r < rows; ++r) {
      const Float4 low = exp2_within(tile.sum[r][0]);
      const Float4 high = exp2_within(tile.sum[r][1]);
      store(weights + r * block_keys, low);
      store(weights + r * block_keys + lanes, high);
      store(totals + r * lanes, add(load(totals + r * lanes), add(low, high)));
    }
    keys += d_k * tile_columns;
    weights += tile_columns;
  }
}

/// sums += weights values, in n_panels panels of columns.
/// weights [rows, block_keys] of which `count` keys, values [count, ...] with rows `stride` apart,
/// sums [rows, width].
template <std::size_t rows>
void add_panels(const float* weights, const float* values, std::size_t stride, std::size_t count,
                float* sums, std::size_t width, std::size_t n_panels) {
  for (; n_panels != 0; --n_panels) {
    Tile<rows> tile;
    tile.read(sums, width);
    tile.template accumulate<block_keys>(weights, 1, values, stride, count);
    tile.write(sums, width);
    values += tile_columns;
    sums += tile_columns;
  }
}

/// The loops that take the time, for one shape of tile. Called by address, so that neither LLVM nor
/// Binaryen can inline them: as parts of one large function they get worse registers from V8, and
/// in Node 20 lose a third of their speed.
struct MicroKernels {
  std::size_t rows;
  decltype(&pack_tile<4>) pack;
  decltype(&multiply_panels<4>) score;
  decltype(&weigh_panels<4>) weigh;
  decltype(&add_panels<4>) add;
};

template <std::size_t rows>
constexpr MicroKernels micro_kernels{rows, pack_tile<rows>, multiply_panels<rows>,
                                     weigh_panels<rows>, add_panels<rows>};

class TiledAttention {
 public:
  TiledAttention(const AttentionProblem& problem, const MicroKernels& kernels,
                 const Workspace& parts, float* output, float* lse, bool always_running_maximum)
      : problem_(problem),
        mask_(problem.mask),
        kernels_(kernels),
        rows_(kernels.rows),
        parts_(parts),
        output_(output),
        lse_(lse),
        width_(round_up(problem.d_v, tile_columns)),
        always_running_maximum_(always_running_maximum) {}

  void run() {
    const std::size_t group = problem_.heads_per_kv_head();
    for (std::size_t kv_head = 0; kv_head < problem_.n_kv_heads; ++kv_head) {
      v_ = problem_.v + kv_head * problem_.v_stride();
      largest_key_ = std::sqrt(pack_panels(problem_.k + kv_head * problem_.k_stride(), problem_.n_k,
                                           problem_.d_k, problem_.d_k, parts_.keys));
      if (problem_.d_v % tile_columns != 0) {
        pack_last_columns(v_, problem_.n_k, problem_.d_v, parts_.values);
      }
      for (head_ = kv_head * group; head_ < (kv_head + 1) * group; ++head_) {
        for (std::size_t i = 0; i < problem_.n_q; i += block_queries) {
          attend_block(i, std::min(block_queries, problem_.n_q - i));
        }
      }
    }
  }

 private:
  void attend_block(std::size_t first_query, std::size_t count) {
    const std::size_t n_tiles = (count + rows_ - 1) / rows_;
    for (std::size_t t = 0; t < n_tiles; ++t) {
      prepare(t, first_query + t * rows_, std::min(rows_, count - t * rows_));
    }
    clear(parts_.sums, n_tiles * rows_ * width_);
    clear(parts_.totals, n_tiles * rows_ * lanes);
    std::fill_n(maxima_, block_queries, lowest);
    const std::size_t end = visible_range(problem_, first_query + count - 1).last;
    const std::size_t begin = visible_range(problem_, first_query).first;
    const bool holes = has_holes(mask_);
    for (std::size_t j = begin / block_keys * block_keys; j < end; j += block_keys) {
      const std::size_t block_end = std::min(j + block_keys, end);
      BlockFacts facts;
      if (holes) facts = facts_of(mask_, j, block_end);
      if (!facts.some_valid) continue;
      for (std::size_t t = 0; t < n_tiles; ++t) {
        const QueryTile& tile = tiles_[t];
        const KeyRange some = tile.some.within(j, block_end);
        if (some.empty()) continue;
        KeyRange all = tile.all.within(j, block_end);
        if (facts.largest_document < tile.least_document ||
            tile.largest_document < facts.least_document) {
          continue;
        }
        const bool one_document = tile.least_document == tile.largest_document &&
                                  facts.least_document == facts.largest_document;
        if (!facts.all_valid || !one_document) all = {};
        if (tile.bounded) {
          weigh_bounded(t, j, some, all);
        } else {
          weigh_running(t, j, some, all);
        }
        add_values(t, j, some);
      }
    }
    for (std::size_t r = 0; r < count; ++r) finish(r, first_query + r);
  }

  /// Packs the queries of tile t and finds what they have in common.
  void prepare(std::size_t t, std::size_t first_query, std::size_t count) {
    QueryTile& tile = tiles_[t];
    tile.first = first_query;
    tile.count = count;
    const KeyRange of_first = visible_range(problem_, first_query);
    const KeyRange of_last = visible_range(problem_, first_query + count - 1);
    tile.some = {of_first.first, of_last.last};
    tile.all = {of_last.first, of_first.last};
    if (mask_.query_document != nullptr) {
      const auto [least, largest] = std::minmax_element(mask_.query_document + first_query,
                                                        mask_.query_document + first_query + count);
      tile.least_document = *least;
      tile.largest_document = *largest;
    }
    const float* q = problem_.q + (head_ * problem_.n_q + first_query) * problem_.d_k;
    float* packed = queries(t);
    const float to_log2 = problem_.scale * log2_e;
    const float largest_square =
        kernels_.pack(q, count, problem_.d_k, problem_.d_k, to_log2, packed);
    // |q . k| <= |q| |k| (Cauchy and Schwarz).
    tile.bounded = !always_running_maximum_ &&
                   std::sqrt(largest_square) * largest_key_ < unshifted_range * log2_e;
  }

  /// Weights of the block at key j, with nothing subtracted from the scores.
  void weigh_bounded(std::size_t t, std::size_t j, KeyRange some, KeyRange all) {
    const std::size_t begin = some.first / tile_columns * tile_columns;
    const std::size_t end = round_up(some.last, tile_columns);
    // Panels that are seen whole, between those that are seen in part.
    const std::size_t whole = std::clamp(round_up(all.first, tile_columns), begin, end);
    const std::size_t after =
        std::max(whole, std::min(all.last, end) / tile_columns * tile_columns);
    weigh_hidden(t, j, begin, whole);
    kernels_.weigh(queries(t), parts_.keys + whole * problem_.d_k, problem_.d_k,
                   (after - whole) / tile_columns, parts_.weights + (whole - j), totals(t));
    weigh_hidden(t, j, after, end);
  }

  /// The same for panels of which some pairs are masked.
  void weigh_hidden(std::size_t t, std::size_t j, std::size_t begin, std::size_t end) {
    if (begin == end) return;
    float* const weights = parts_.weights + (begin - j);
    kernels_.score(queries(t), parts_.keys + begin * problem_.d_k, problem_.d_k,
                   (end - begin) / tile_columns, weights, block_keys);
    for (std::size_t panel = begin; panel < end; panel += tile_columns) {
      hide(t, panel, weights + (panel - begin));
    }
    for (std::size_t r = 0; r < rows_; ++r) {
      Float4 sum = load(totals(t) + r * lanes);
      for (std::size_t c = 0; c < end - begin; c += lanes) {
        const Float4 weight = exp2_below(load(weights + r * block_keys + c));
        store(weights + r * block_keys + c, weight);
        sum = add(sum, weight);
      }
      store(totals(t) + r * lanes, sum);
    }
  }

  /// Weights of the block at key j relative to the largest score so far; what was summed before
  /// follows when it rises.
  void weigh_running(std::size_t t, std::size_t j, KeyRange some, KeyRange all) {
    const std::size_t begin = some.first / tile_columns * tile_columns;
    const std::size_t count = round_up(some.last - begin, tile_columns);
    float* const weights = parts_.weights + (begin - j);
    kernels_.score(queries(t), parts_.keys + begin * problem_.d_k, problem_.d_k,
                   count / tile_columns, weights, block_keys);
    for (std::size_t panel = begin; panel < begin + count; panel += tile_columns) {
      if (panel < all.first || all.last < panel + tile_columns) {
        hide(t, panel, weights + (panel - begin));
      }
    }
    for (std::size_t r = 0; r < rows_; ++r) {
      const float factor = fold_scores(weights + r * block_keys, count, maxima_[t * rows_ + r],
                                       totals(t) + r * lanes);
      if (factor == 1) continue;
      const Float4 factors = splat(factor);
      float* const row = sums(t) + r * width_;
      for (std::size_t c = 0; c < width_; c += lanes) {
        store(row + c, multiply(load(row + c), factors));
      }
    }
  }

  /// Writes minus infinity over the scores of pairs that the mask forbids, in one panel.
  void hide(std::size_t t, std::size_t panel, float* scores) const {
    const QueryTile& tile = tiles_[t];
    const bool holes = has_holes(mask_);
    for (std::size_t r = 0; r < tile.count; ++r) {
      const KeyRange range =
          visible_range(problem_, tile.first + r).within(panel, panel + tile_columns);
      const std::size_t begin = range.empty() ? tile_columns : range.first - panel;
      const std::size_t end = range.empty() ? tile_columns : range.last - panel;
      float* const row = scores + r * block_keys;
      for (std::size_t c = 0; c < begin; ++c) row[c] = minus_infinity;
      for (std::size_t c = end; c < tile_columns; ++c) row[c] = minus_infinity;
      for (std::size_t c = begin; holes && c < end; ++c) {
        if (!allows_inside(mask_, tile.first + r, panel + c)) row[c] = minus_infinity;
      }
    }
  }

  /// The sums of tile t grow by the weighed values of the keys of `some`, in the block at key j.
  void add_values(std::size_t t, std::size_t j, KeyRange some) {
    const float* weights = parts_.weights + (some.first - j);
    const std::size_t count = some.last - some.first;
    const std::size_t n_panels = problem_.d_v / tile_columns;
    kernels_.add(weights, v_ + some.first * problem_.d_v, problem_.d_v, count, sums(t), width_,
                 n_panels);
    if (problem_.d_v % tile_columns != 0) {
      kernels_.add(weights, parts_.values + some.first * tile_columns, tile_columns, count,
                   sums(t) + n_panels * tile_columns, width_, 1);
    }
  }

  float* queries(std::size_t t) const { return parts_.queries + t * rows_ * problem_.d_k; }
  float* totals(std::size_t t) const { return parts_.totals + t * rows_ * lanes; }
  float* sums(std::size_t t) const { return parts_.sums + t * rows_ * width_; }

  /// Row r of the block divided by its total, to the output.
  void finish(std::size_t r, std::size_t query) {
    const std::size_t place = head_ * problem_.n_q + query;
    float* const output = output_ + place * problem_.d_v;
    const float total = sum_of(load(parts_.totals + r * lanes));
    float log_sum = minus_infinity;
    if (total == 0) {
      clear(output, problem_.d_v);
    } else if (normalise(parts_.sums + r * width_, total, output, problem_.d_v)) {
      if (lse_ != nullptr) {
        log_sum = ((tiles_[r / rows_].bounded ? 0.0F : maxima_[r]) + std::log2(total)) * ln_2;
      }
    } else {
      // NaN or infinity came out: of an allowed pair, of a masked one (0 x NaN), or of sums too
      // large for a float.
      log_sum = attend_row(problem_, head_, query, parts_.row, output);
    }
    if (lse_ != nullptr) lse_[place] = log_sum;
  }

  const AttentionProblem& problem_;
  const AttentionMask& mask_;
  const MicroKernels& kernels_;
  const std::size_t rows_;
  const Workspace& parts_;
  float* const output_;
  float* const lse_;
  const std::size_t width_;
  const bool always_running_maximum_;
  const float* v_ = nullptr;  // of the KV head at work
  std::size_t head_ = 0;
  float largest_key_ = 0;
  QueryTile tiles_[block_queries / least_rows];
  float maxima_[block_queries];
};

void attend_pair_by_pair(const AttentionProblem& problem, float* output, float* row, float* lse) {
  for (std::size_t head = 0; head < problem.n_heads; ++head) {
    for (std::size_t i = 0; i < problem.n_q; ++i) {
      const std::size_t place = head * problem.n_q + i;
      const float log_sum = attend_row(problem, head, i, row, output + place * problem.d_v);
      if (lse != nullptr) lse[place] = log_sum;
    }
  }
}

}  // namespace

std::size_t attention_simd_scratch(const AttentionProblem& problem) {
  return std::max(workspace(problem, nullptr).size, decode_simd_scratch(problem));
}

void attention_simd(const AttentionProblem& problem, float* output, float* scratch, float* lse,
                    const AttentionTiling& tiling) {
  if (!tiling.always_tiles) {
    if (problem.n_k < least_tiled_keys) {
      attend_pair_by_pair(problem, output, scratch, lse);
      return;
    }
    if (problem.n_q < least_tiled_queries) {
      decode_simd(problem, output, scratch, lse);
      return;
    }
  }
  const Workspace parts = workspace(problem, scratch);
  const std::size_t rows = tiling.rows == 0 ? default_rows : tiling.rows;
  TiledAttention(problem, rows == 6 ? micro_kernels<6> : micro_kernels<4>, parts, output, lse,
                 tiling.always_running_maximum)
      .run();
}

}  // namespace attn::kernels

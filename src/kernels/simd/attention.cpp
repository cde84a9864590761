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
constexpr std::size_t most_rows = 6;

/// While no score of a tile can lie further than this from 0, it is exponentiated as it is, in the same pass that
/// computes it. e^30 and e^-30 leave floats room on both sides; the rule is that of the plain softmax.
constexpr float unshifted_range = 30;

/// Below these sizes packing costs more than tiles save.
constexpr std::size_t least_tiled_queries = 8;
constexpr std::size_t least_tiled_keys = 16;

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
  float* const begin = scratch == nullptr ? nullptr : aligned(scratch);
  std::size_t used = 0;
  const auto take = [&](std::size_t count) {
    float* const part = begin == nullptr ? nullptr : begin + used;
    used += round_up(count, alignment_slack + 1);
    return part;
  };
  const std::size_t n_k = round_up(problem.n_k, tile_columns);
  parts.keys = take(n_k * problem.d_k);
  parts.values = take(problem.d_v % tile_columns == 0 ? 0 : n_k * tile_columns);
  parts.queries = take(block_queries * problem.d_k + lanes);
  parts.weights = take(most_rows * block_keys);
  parts.sums = take(block_queries * round_up(problem.d_v, tile_columns));
  parts.totals = take(block_queries * lanes);
  parts.row = take(n_k);
  parts.size = used + alignment_slack;
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

/// `count` <= rows queries to packed[c][r] = factor q[r][c], and 0 where there is none. Returns the largest square of a
/// packed length; a row with NaN counts or not, as what it gives is NaN on either way.
float pack_last_queries(const float* q, std::size_t count, std::size_t rows, std::size_t d_k,
                        float factor, float* packed) {
  float largest = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    float square = 0;
    for (std::size_t c = 0; c < d_k; ++c) {
      const float entry = r < count ? q[r * d_k + c] * factor : 0.0F;
      packed[c * rows + r] = entry;
      square += entry * entry;
    }
    largest = std::max(largest, square);
  }
  return largest;
}

/// The same for a whole tile. What comes behind `packed` is overwritten too, fewer than `lanes` floats.
template <std::size_t rows>
float pack_queries(const float* q, std::size_t d_k, float factor, float* packed) {
  static_assert(rows == 4 || rows == 6);
  const Float4 factors = splat(factor);
  Float4 squares = zero();
  Float4 more_squares = zero();
  std::size_t c = 0;
  for (; c + lanes <= d_k; c += lanes) {
    Float4 row[2 * lanes];
    for (std::size_t r = 0; r < rows; ++r) row[r] = multiply(load(q + r * d_k + c), factors);
    for (std::size_t r = rows; r < 2 * lanes; ++r) row[r] = zero();
    transpose(row[0], row[1], row[2], row[3]);
    transpose(row[4], row[5], row[6], row[7]);
    for (std::size_t x = 0; x < lanes; ++x) {
      // In this order: the upper half reaches into the next column's place.
      store(packed + (c + x) * rows, row[x]);
      squares = multiply_add(row[x], row[x], squares);
      if (rows == lanes) continue;
      store(packed + (c + x) * rows + lanes, row[lanes + x]);
      more_squares = multiply_add(row[lanes + x], row[lanes + x], more_squares);
    }
  }
  if (c == d_k) return largest_of(maximum(squares, more_squares));
  float largest = 0;
  float each[2 * lanes];
  store(each, squares);
  store(each + lanes, more_squares);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t rest = c; rest < d_k; ++rest) {
      const float entry = q[r * d_k + rest] * factor;
      packed[rest * rows + r] = entry;
      each[r] += entry * entry;
    }
    largest = std::max(largest, each[r]);
  }
  return largest;
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

template <std::size_t rows>
class TiledAttention {
 public:
  TiledAttention(const AttentionProblem& problem, const Workspace& parts, float* output, float* lse,
                 bool always_running_maximum)
      : problem_(problem),
        mask_(problem.mask),
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
    const std::size_t n_tiles = (count + rows - 1) / rows;
    for (std::size_t t = 0; t < n_tiles; ++t) {
      prepare(t, first_query + t * rows, std::min(rows, count - t * rows));
    }
    std::fill_n(parts_.sums, n_tiles * rows * width_, 0.0F);
    std::fill_n(parts_.totals, n_tiles * rows * lanes, 0.0F);
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
    float* packed = parts_.queries + t * rows * problem_.d_k;
    const float to_log2 = problem_.scale * log2_e;
    const float largest_square =
        count == rows ? pack_queries<rows>(q, problem_.d_k, to_log2, packed)
                      : pack_last_queries(q, count, rows, problem_.d_k, to_log2, packed);
    // |q . k| <= |q| |k| (Cauchy and Schwarz).
    tile.bounded = !always_running_maximum_ &&
                   std::sqrt(largest_square) * largest_key_ < unshifted_range * log2_e;
  }

  /// Scores of tile t and the panel of keys that begins at key j.
  ATTN_INLINE Tile<rows> scores(std::size_t t, std::size_t j) const {
    Tile<rows> tile;
    tile.clear();
    tile.template accumulate<1>(parts_.queries + t * rows * problem_.d_k, rows,
                                parts_.keys + j * problem_.d_k, tile_columns, problem_.d_k);
    return tile;
  }

  /// Weights of the block at key j, with nothing subtracted from the scores.
  void weigh_bounded(std::size_t t, std::size_t j, KeyRange some, KeyRange all) {
    float* const totals = parts_.totals + t * rows * lanes;
    for (std::size_t panel = some.first / tile_columns * tile_columns; panel < some.last;
         panel += tile_columns) {
      const Tile<rows> tile = scores(t, panel);
      float* const weights = parts_.weights + (panel - j);
      if (all.first <= panel && panel + tile_columns <= all.last) {
        ATTN_UNROLLED for (std::size_t r = 0; r < rows; ++r) {
          const Float4 low = exp2_within(tile.sum[r][0]);
          const Float4 high = exp2_within(tile.sum[r][1]);
          store(weights + r * block_keys, low);
          store(weights + r * block_keys + lanes, high);
          store(totals + r * lanes, add(load(totals + r * lanes), add(low, high)));
        }
      } else {
        tile.write(weights, block_keys);
        hide(t, panel, weights);
        for (std::size_t r = 0; r < rows; ++r) {
          float* const row = weights + r * block_keys;
          const Float4 low = exp2_below(load(row));
          const Float4 high = exp2_below(load(row + lanes));
          store(row, low);
          store(row + lanes, high);
          store(totals + r * lanes, add(load(totals + r * lanes), add(low, high)));
        }
      }
    }
  }

  /// Weights of the block at key j relative to the largest score so far; what was summed before follows when it rises.
  void weigh_running(std::size_t t, std::size_t j, KeyRange some, KeyRange all) {
    const std::size_t begin = some.first / tile_columns * tile_columns;
    const std::size_t count = round_up(some.last - begin, tile_columns);
    float* const weights = parts_.weights + (begin - j);
    for (std::size_t panel = begin; panel < begin + count; panel += tile_columns) {
      scores(t, panel).write(weights + (panel - begin), block_keys);
      if (panel < all.first || all.last < panel + tile_columns) {
        hide(t, panel, weights + (panel - begin));
      }
    }
    for (std::size_t r = 0; r < rows; ++r) {
      const std::size_t row = t * rows + r;
      const float factor =
          fold_scores(weights + r * block_keys, count, maxima_[row], parts_.totals + row * lanes);
      if (factor == 1) continue;
      const Float4 factors = splat(factor);
      float* const sums = parts_.sums + row * width_;
      for (std::size_t c = 0; c < width_; c += lanes) {
        store(sums + c, multiply(load(sums + c), factors));
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
      float* const row = scores + r * block_keys;
      for (std::size_t c = 0; c < tile_columns; ++c) {
        const std::size_t j = panel + c;
        if (j < range.first || j >= range.last ||
            (holes && !allows_inside(mask_, tile.first + r, j))) {
          row[c] = minus_infinity;
        }
      }
    }
  }

  /// The sums of tile t grow by the weighed values of the keys of `some`, in the block at key j.
  void add_values(std::size_t t, std::size_t j, KeyRange some) {
    const float* weights = parts_.weights + (some.first - j);
    float* const sums = parts_.sums + t * rows * width_;
    const std::size_t count = some.last - some.first;
    Tile<rows> tile;
    std::size_t c = 0;
    for (; c + tile_columns <= problem_.d_v; c += tile_columns) {
      tile.read(sums + c, width_);
      tile.template accumulate<block_keys>(weights, 1, v_ + some.first * problem_.d_v + c,
                                           problem_.d_v, count);
      tile.write(sums + c, width_);
    }
    if (c < problem_.d_v) {
      tile.read(sums + c, width_);
      tile.template accumulate<block_keys>(weights, 1, parts_.values + some.first * tile_columns,
                                           tile_columns, count);
      tile.write(sums + c, width_);
    }
  }

  /// Row r of the block divided by its total, to the output.
  void finish(std::size_t r, std::size_t query) {
    const std::size_t place = head_ * problem_.n_q + query;
    float* const output = output_ + place * problem_.d_v;
    const float total = sum_of(load(parts_.totals + r * lanes));
    const bool bounded = tiles_[r / rows].bounded;
    float log_sum = minus_infinity;
    if (total == 0) {
      std::fill_n(output, problem_.d_v, 0.0F);
    } else if (normalise(parts_.sums + r * width_, total, output, problem_.d_v)) {
      log_sum = ((bounded ? 0.0F : maxima_[r]) + std::log2(total)) * ln_2;
    } else {
      // NaN or infinity came out: of an allowed pair, of a masked one (0 x NaN), or of sums too large for a float.
      log_sum = attend_row(problem_, head_, query, parts_.row, output);
    }
    if (lse_ != nullptr) lse_[place] = log_sum;
  }

  const AttentionProblem& problem_;
  const AttentionMask& mask_;
  const Workspace& parts_;
  float* const output_;
  float* const lse_;
  const std::size_t width_;
  const bool always_running_maximum_;
  const float* v_ = nullptr;
  std::size_t head_ = 0;
  float largest_key_ = 0;
  QueryTile tiles_[block_queries / rows];
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
  if (rows == 6) {
    TiledAttention<6>(problem, parts, output, lse, tiling.always_running_maximum).run();
  } else {
    TiledAttention<4>(problem, parts, output, lse, tiling.always_running_maximum).run();
  }
}

}  // namespace attn::kernels

#include "kernels/simd/block_sparse.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>

#include "kernels/simd/attention.hpp"
#include "kernels/simd/exp2.hpp"
#include "kernels/simd/matmul.hpp"
#include "kernels/simd/scratch.hpp"

namespace attn::kernels {
namespace {

using namespace simd;

constexpr float minus_infinity = -std::numeric_limits<float>::infinity();

/// Queries whose choices are gathered at a time, at least, and those that are scored at a time.
constexpr std::size_t gathered_queries = 1024;
constexpr std::size_t scored_queries = 64;

/// Whole blocks, so that no block of queries is in two chunks.
std::size_t chunk_of(const SparseProblem& problem) {
  const std::size_t blocks = std::max<std::size_t>(1, gathered_queries / problem.block);
  return std::min(blocks * problem.block, problem.n);
}

/// The most earlier blocks that one query sees whole.
std::size_t most_chosen(const SparseProblem& problem) {
  const std::size_t all = problem.blocks() - 1;
  const std::size_t chosen = std::max(problem.top_k, problem.first_blocks);
  return std::min(all, std::min(all, chosen) + std::min(all, problem.window / problem.block));
}

/// Attention of `n_q` queries to `n_k` keys of one head.
AttentionProblem part_of(const SparseProblem& problem, std::size_t n_q, std::size_t n_k) {
  AttentionProblem part;
  part.n_q = n_q;
  part.n_k = n_k;
  part.d_k = problem.d_k;
  part.d_v = problem.d_v;
  part.scale = problem.scale;
  return part;
}

/// The parts of the scratch.
struct Workspace {
  std::size_t chunk;
  float* means;      // [blocks, d_k] of one KV head
  float* scores;     // [scored_queries, blocks]
  float* maxima;     // [chunk] the largest logarithm of a sum so far
  float* totals;     // [chunk] sums relative to it
  float* queries;    // [chunk, d_k] those that chose one block
  float* results;    // [chunk, d_v] what it gave them
  float* log_sums;   // [chunk]
  float* attention;  // of the tiled kernel
  std::size_t size;  // of all, in floats
};

Workspace workspace(const SparseProblem& problem, float* scratch) {
  Workspace parts{};
  Scratch from(scratch);
  parts.chunk = chunk_of(problem);
  parts.means = from.take(problem.blocks() * problem.d_k);
  parts.scores = from.take(scored_queries * problem.blocks());
  parts.maxima = from.take(parts.chunk);
  parts.totals = from.take(parts.chunk);
  parts.queries = from.take(parts.chunk * problem.d_k);
  parts.results = from.take(parts.chunk * problem.d_v);
  parts.log_sums = from.take(parts.chunk);
  const std::size_t keys = std::min(problem.block, problem.n);
  parts.attention = from.take(attention_simd_scratch(part_of(problem, parts.chunk, keys)));
  parts.size = from.size();
  return parts;
}

/// Choices of a chunk.
struct Places {
  std::uint32_t* begins;   // [blocks + 1] where a block's queries begin in `queries`
  std::uint32_t* queries;  // [chunk, most_chosen] within the chunk, by block
  std::uint32_t* chosen;   // [chunk, most_chosen] blocks, by query
  std::uint32_t* counts;   // [chunk] of them
  std::uint32_t* marks;    // [blocks] the query, counted from 1, that chose the block last
  std::uint32_t* keys;     // [blocks] that sort as scores do
  std::size_t size;
};

Places places_of(const SparseProblem& problem, std::uint32_t* memory) {
  Places parts{};
  const auto take = [&](std::size_t count) {
    std::uint32_t* const part = memory == nullptr ? nullptr : memory + parts.size;
    parts.size += count;
    return part;
  };
  const std::size_t chunk = chunk_of(problem), blocks = problem.blocks();
  parts.begins = take(blocks + 1);
  parts.queries = take(chunk * most_chosen(problem));
  parts.chosen = take(chunk * most_chosen(problem));
  parts.counts = take(chunk);
  parts.marks = take(blocks);
  parts.keys = take(blocks);
  return parts;
}

/// A whole number that is larger where the float is, and largest where it cannot be compared: that block is seen, so that
/// it shows in the result.
std::uint32_t sortable(float score) {
  if (!(std::fabs(score) <= std::numeric_limits<float>::max())) return ~std::uint32_t{0};
  // Of 0 and -0 neither is larger.
  const auto bits = std::bit_cast<std::uint32_t>(score + 0.0F);
  return (bits >> 31) != 0 ? ~bits : bits | (std::uint32_t{1} << 31);
}

class BlockSparse {
 public:
  BlockSparse(const SparseProblem& problem, const Workspace& parts, const Places& places,
              float* output)
      : problem_(problem), parts_(parts), places_(places), output_(output) {}

  std::uint64_t run() {
    for (head_ = 0; head_ < problem_.n_heads; ++head_) {
      const std::size_t kv_head = head_ / problem_.heads_per_kv_head();
      k_ = problem_.k + kv_head * problem_.n * problem_.d_k;
      v_ = problem_.v + kv_head * problem_.n * problem_.d_v;
      if (head_ % problem_.heads_per_kv_head() == 0) find_means();
      for (std::size_t i = 0; i < problem_.n; i += parts_.chunk) {
        attend_chunk(i, std::min(parts_.chunk, problem_.n - i));
      }
    }
    return pairs_;
  }

 private:
  const float* query(std::size_t i) const {
    return problem_.q + (head_ * problem_.n + i) * problem_.d_k;
  }
  float* output(std::size_t i) const { return output_ + (head_ * problem_.n + i) * problem_.d_v; }

  /// Of the blocks that are over at some query; the last never is.
  void find_means() const {
    const float count = static_cast<float>(problem_.block);
    for (std::size_t b = 0; b + 1 < problem_.blocks(); ++b) {
      float* const mean = parts_.means + b * problem_.d_k;
      const float* key = k_ + b * problem_.block * problem_.d_k;
      clear(mean, problem_.d_k);
      for (std::size_t j = 0; j < problem_.block; ++j, key += problem_.d_k) {
        for (std::size_t c = 0; c < problem_.d_k; ++c) mean[c] += key[c];
      }
      for (std::size_t c = 0; c < problem_.d_k; ++c) mean[c] /= count;
    }
  }

  void attend_chunk(std::size_t first, std::size_t count) {
    attend_own(first, count);
    const std::size_t earlier = (first + count - 1) / problem_.block;
    std::fill_n(places_.begins, earlier + 1, 0);
    std::fill_n(places_.marks, earlier + 1, 0);
    for (std::size_t at = 0; at < count; at += scored_queries) {
      const std::size_t some = std::min(scored_queries, count - at);
      const std::size_t blocks = (first + at + some - 1) / problem_.block;
      if (blocks != 0) {
        matmul_transposed_simd(query(first + at), parts_.means, parts_.scores, some, problem_.d_k,
                               blocks);
      }
      for (std::size_t r = 0; r < some; ++r) {
        choose(first, at + r, parts_.scores + r * blocks);
      }
    }
    sort_by_block(count, earlier);
    for (std::size_t b = 0; b < earlier; ++b) attend_block(first, b);
    for (std::size_t at = 0; at < count; ++at) finish(first + at, at);
  }

  /// Each block of the chunk to itself, which begins the sums.
  void attend_own(std::size_t first, std::size_t count) {
    for (std::size_t at = 0; at < count; at += problem_.block) {
      const std::size_t size = std::min(problem_.block, count - at);
      AttentionProblem part = part_of(problem_, size, size);
      part.mask.causal = true;
      part.q = query(first + at);
      part.k = k_ + (first + at) * problem_.d_k;
      part.v = v_ + (first + at) * problem_.d_v;
      attention_simd(part, output(first + at), parts_.attention, parts_.maxima + at);
      for (std::size_t r = 0; r < size; ++r) {
        parts_.totals[at + r] = parts_.maxima[at + r] == minus_infinity ? 0.0F : 1.0F;
        pairs_ += r + 1;
      }
    }
  }

  /// What query first + at sees of earlier blocks. `scores` of those are read if some are to be chosen.
  void choose(std::size_t first, std::size_t at, const float* scores) {
    const std::size_t i = first + at, own = i / problem_.block;
    const auto mark = static_cast<std::uint32_t>(at + 1);
    places_.counts[at] = 0;
    const std::size_t fixed = std::min(problem_.first_blocks, own);
    for (std::size_t b = 0; b < fixed; ++b) take(at, mark, b);
    const std::size_t wanted = problem_.top_k > fixed + 1 ? problem_.top_k - fixed - 1 : 0;
    if (wanted >= own - fixed) {
      for (std::size_t b = fixed; b < own; ++b) take(at, mark, b);
    } else if (wanted != 0) {
      take_best(at, mark, scores, fixed, own, wanted);
    }
    if (problem_.window <= i % problem_.block + 1) return;
    const std::size_t begin = i + 1 > problem_.window ? i + 1 - problem_.window : 0;
    const std::size_t whole = begin / problem_.block + (begin % problem_.block != 0);
    for (std::size_t b = whole; b < own; ++b) {
      if (places_.marks[b] != mark) take(at, mark, b);
    }
    if (whole * problem_.block != begin && places_.marks[whole - 1] != mark) {
      attend_few(i, at, begin, whole * problem_.block);
    }
  }

  void take(std::size_t at, std::uint32_t mark, std::size_t block) {
    places_.marks[block] = mark;
    places_.chosen[at * most_chosen(problem_) + places_.counts[at]++] =
        static_cast<std::uint32_t>(block);
    ++places_.begins[block + 1];
    pairs_ += problem_.block;
  }

  /// The `wanted` blocks from `fixed` to own - 1 with the largest scores.
  void take_best(std::size_t at, std::uint32_t mark, const float* scores, std::size_t fixed,
                 std::size_t own, std::size_t wanted) {
    std::uint32_t* const keys = places_.keys;
    const std::size_t count = own - fixed;
    for (std::size_t b = 0; b < count; ++b) keys[b] = sortable(scores[fixed + b]);
    std::nth_element(keys, keys + (wanted - 1), keys + count, std::greater<>());
    const std::uint32_t least = keys[wanted - 1];
    // How many of those that are equal to the least have room.
    auto room =
        wanted - static_cast<std::size_t>(std::count_if(
                     keys, keys + wanted, [least](std::uint32_t key) { return key > least; }));
    for (std::size_t b = fixed; b < own; ++b) {
      const std::uint32_t key = sortable(scores[b]);
      if (key < least || (key == least && room == 0)) continue;
      if (key == least) --room;
      take(at, mark, b);
    }
  }

  /// Query i to the keys from `begin` to end - 1, a part of one block.
  void attend_few(std::size_t i, std::size_t at, std::size_t begin, std::size_t end) {
    AttentionProblem part = part_of(problem_, 1, end - begin);
    part.q = query(i);
    part.k = k_ + begin * problem_.d_k;
    part.v = v_ + begin * problem_.d_v;
    attention_simd(part, parts_.results, parts_.attention, parts_.log_sums);
    join(i, at, parts_.log_sums[0], parts_.results);
    pairs_ += end - begin;
  }

  /// The queries of each block together, in the order of the text.
  void sort_by_block(std::size_t count, std::size_t earlier) {
    for (std::size_t b = 0; b < earlier; ++b) places_.begins[b + 1] += places_.begins[b];
    for (std::size_t at = 0; at < count; ++at) {
      const std::uint32_t* const chosen = places_.chosen + at * most_chosen(problem_);
      for (std::uint32_t c = 0; c < places_.counts[at]; ++c) {
        // begins[b] moves to the end of b, which is where b + 1 began.
        places_.queries[places_.begins[chosen[c]]++] = static_cast<std::uint32_t>(at);
      }
    }
  }

  void attend_block(std::size_t first, std::size_t b) {
    const std::size_t begin = b == 0 ? 0 : places_.begins[b - 1];
    const std::size_t count = places_.begins[b] - begin;
    if (count == 0) return;
    const std::uint32_t* const queries = places_.queries + begin;
    for (std::size_t r = 0; r < count; ++r) {
      std::copy_n(query(first + queries[r]), problem_.d_k, parts_.queries + r * problem_.d_k);
    }
    AttentionProblem part = part_of(problem_, count, problem_.block);
    part.q = parts_.queries;
    part.k = k_ + b * problem_.block * problem_.d_k;
    part.v = v_ + b * problem_.block * problem_.d_v;
    attention_simd(part, parts_.results, parts_.attention, parts_.log_sums);
    for (std::size_t r = 0; r < count; ++r) {
      join(first + queries[r], queries[r], parts_.log_sums[r], parts_.results + r * problem_.d_v);
    }
  }

  /// The sums of query i take in a result that was divided by its sum, whose logarithm is known.
  void join(std::size_t i, std::size_t at, float log_sum, const float* result) const {
    if (log_sum == minus_infinity) return;
    float* const sums = output(i);
    float factor = 1;
    if (log_sum > parts_.maxima[at]) {
      factor = power(parts_.maxima[at] - log_sum);
      parts_.totals[at] *= factor;
      parts_.maxima[at] = log_sum;
    }
    const float weight = power(log_sum - parts_.maxima[at]);
    parts_.totals[at] += weight;
    const Float4 factors = splat(factor), weights = splat(weight);
    std::size_t c = 0;
    for (; c + lanes <= problem_.d_v; c += lanes) {
      store(sums + c, multiply_add(load(result + c), weights, multiply(load(sums + c), factors)));
    }
    for (; c < problem_.d_v; ++c) sums[c] = sums[c] * factor + result[c] * weight;
  }

  /// e^x for x at most 0.
  static float power(float x) { return simd::first(exp2_below(splat(x * log2_e))); }

  void finish(std::size_t i, std::size_t at) const {
    if (parts_.totals[at] == 0) return;
    const float inverse = 1 / parts_.totals[at];
    float* const sums = output(i);
    for (std::size_t c = 0; c < problem_.d_v; ++c) sums[c] *= inverse;
  }

  const SparseProblem& problem_;
  const Workspace& parts_;
  const Places& places_;
  float* const output_;
  const float* k_ = nullptr;  // of the KV head at work
  const float* v_ = nullptr;
  std::size_t head_ = 0;
  std::uint64_t pairs_ = 0;
};

}  // namespace

SparseScratch block_sparse_simd_scratch(const SparseProblem& problem) {
  return {workspace(problem, nullptr).size, places_of(problem, nullptr).size};
}

std::uint64_t block_sparse_simd(const SparseProblem& problem, float* output, float* scratch,
                                std::uint32_t* places) {
  const Workspace parts = workspace(problem, scratch);
  const Places found = places_of(problem, places);
  return BlockSparse(problem, parts, found, output).run();
}

}  // namespace attn::kernels

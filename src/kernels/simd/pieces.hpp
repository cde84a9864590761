#pragma once

// Keys and values a block at a time, as floats wherever they lie.

#include <algorithm>

#include "kernels/kv_segments.hpp"
#include "kernels/simd/stored_rows.hpp"
#include "kernels/simd/vector.hpp"

namespace attn::kernels::simd {

/// Keys of a block: its scores, for all heads that share it, stay near.
inline constexpr std::size_t block_keys = 128;

/// Neighbouring keys and their values, strides in floats.
struct Piece {
  const float* k;
  const float* v;
  std::size_t count, k_stride, v_stride;
};

/// Walks over a problem's segments. A block may span several, so that pages of a few tokens still
/// fill one. What is not kept as float is decoded into `k_room` [block_keys, d_k] and `v_room`
/// [block_keys, d_v], which are not touched otherwise.
class Blocks {
 public:
  Blocks(const SegmentsProblem& problem, float* k_room, float* v_room)
      : problem_(problem), k_room_(k_room), v_room_(v_room) {}

  /// Goes to the next block; returns its number of keys, 0 when there is none.
  std::size_t next() {
    n_runs_ = 0;
    count_ = 0;
    while (count_ < block_keys && segment_ < problem_.n_segments) {
      const KvSegment& segment = problem_.segments[segment_];
      const std::size_t taken = std::min(segment.count - row_, block_keys - count_);
      if (taken != 0) runs_[n_runs_++] = {&segment, row_, taken};
      count_ += taken;
      row_ += taken;
      if (row_ < segment.count) break;
      row_ = 0;
      ++segment_;
    }
    return count_;
  }

  /// The block as one KV head has it; until the next call.
  void show(std::size_t kv_head) {
    size_ = 0;
    std::size_t done = 0;
    for (std::size_t r = 0; r < n_runs_; ++r) {
      const KvSegment& segment = *runs_[r].segment;
      const std::size_t row = runs_[r].row;
      const std::byte* const k =
          segment.k + kv_head * segment.k_head_stride + row * segment.k_stride;
      const std::byte* const v =
          problem_.values_in_keys
              ? k
              : segment.v + kv_head * segment.v_head_stride + row * segment.v_stride;
      if (problem_.format == RowFormat::f32) {
        const std::size_t v_stride = problem_.values_in_keys ? segment.k_stride : segment.v_stride;
        pieces_[size_++] = {reinterpret_cast<const float*>(k), reinterpret_cast<const float*>(v),
                            runs_[r].count, segment.k_stride / sizeof(float),
                            v_stride / sizeof(float)};
      } else {
        decode(segment, k, v, done, runs_[r].count);
      }
      done += runs_[r].count;
    }
  }

  const Piece* pieces() const { return pieces_; }
  std::size_t size() const { return size_; }

 private:
  struct Run {
    const KvSegment* segment;
    std::size_t row, count;
  };

  /// All of the block becomes one piece.
  void decode(const KvSegment& segment, const std::byte* k, const std::byte* v, std::size_t done,
              std::size_t count) {
    const std::size_t d_k = problem_.d_k;
    const std::size_t d_v = problem_.d_v;
    decode_rows_simd(problem_.k_row(), k, segment.k_stride, count, k_room_ + done * d_k);
    if (!problem_.values_in_keys) {
      decode_rows_simd(problem_.v_row(), v, segment.v_stride, count, v_room_ + done * d_v);
    }
    size_ = 1;
    pieces_[0] = problem_.values_in_keys ? Piece{k_room_, k_room_, done + count, d_k, d_k}
                                         : Piece{k_room_, v_room_, done + count, d_k, d_v};
  }

  const SegmentsProblem& problem_;
  float* const k_room_;
  float* const v_room_;
  std::size_t segment_ = 0, row_ = 0;
  Run runs_[block_keys];
  Piece pieces_[block_keys];
  std::size_t n_runs_ = 0, size_ = 0, count_ = 0;
};

}  // namespace attn::kernels::simd

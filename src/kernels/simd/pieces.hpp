#pragma once

// The keys of one KV head, a block at a time, as floats wherever they lie.

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
  Blocks(const SegmentsProblem& problem, std::size_t kv_head, float* k_room, float* v_room)
      : problem_(problem), kv_head_(kv_head), k_room_(k_room), v_room_(v_room) {}

  /// Goes to the next block; returns its number of keys, 0 when there is none.
  std::size_t next() {
    size_ = 0;
    count_ = 0;
    while (count_ < block_keys && segment_ < problem_.n_segments) {
      const KvSegment& segment = problem_.segments[segment_];
      const std::size_t taken = std::min(segment.count - row_, block_keys - count_);
      if (taken != 0) add(segment, taken);
      row_ += taken;
      if (row_ < segment.count) break;
      row_ = 0;
      ++segment_;
    }
    return count_;
  }

  const Piece* pieces() const { return pieces_; }
  std::size_t size() const { return size_; }

 private:
  void add(const KvSegment& segment, std::size_t taken) {
    const std::byte* const k =
        segment.k + kv_head_ * segment.k_head_stride + row_ * segment.k_stride;
    const std::byte* const v =
        problem_.values_in_keys
            ? k
            : segment.v + kv_head_ * segment.v_head_stride + row_ * segment.v_stride;
    if (problem_.format == RowFormat::f32) {
      const std::size_t v_stride = problem_.values_in_keys ? segment.k_stride : segment.v_stride;
      pieces_[size_++] = {reinterpret_cast<const float*>(k), reinterpret_cast<const float*>(v),
                          taken, segment.k_stride / sizeof(float), v_stride / sizeof(float)};
    } else {
      decode(segment, k, v, taken);
    }
    count_ += taken;
  }

  /// All of the block becomes one piece.
  void decode(const KvSegment& segment, const std::byte* k, const std::byte* v, std::size_t taken) {
    const std::size_t d_k = problem_.d_k;
    const std::size_t d_v = problem_.d_v;
    decode_rows_simd(problem_.k_row(), k, segment.k_stride, taken, k_room_ + count_ * d_k);
    if (!problem_.values_in_keys) {
      decode_rows_simd(problem_.v_row(), v, segment.v_stride, taken, v_room_ + count_ * d_v);
    }
    size_ = 1;
    pieces_[0] = problem_.values_in_keys ? Piece{k_room_, k_room_, count_ + taken, d_k, d_k}
                                         : Piece{k_room_, v_room_, count_ + taken, d_k, d_v};
  }

  const SegmentsProblem& problem_;
  const std::size_t kv_head_;
  float* const k_room_;
  float* const v_room_;
  std::size_t segment_ = 0, row_ = 0;
  Piece pieces_[block_keys];
  std::size_t size_ = 0, count_ = 0;
};

}  // namespace attn::kernels::simd

#pragma once

// Pieces of memory that a cache takes from the allocator, counted as they come and go.

#include <cstddef>
#include <cstdint>
#include <memory>

#include "kernels/kv_segments.hpp"

namespace attn {

/// How rows lie in one block: layer by layer, the keys of each KV head one token after the other, then the values
/// likewise. Sizes have been checked, so that a block has at most max_bytes.
struct BlockLayout {
  std::size_t tokens = 0, n_layers = 0, n_kv_heads = 0;
  /// Bytes of one key and of one value; a value may have none.
  std::size_t k_bytes = 0, v_bytes = 0;

  std::size_t layer_bytes() const { return tokens * n_kv_heads * (k_bytes + v_bytes); }
  std::size_t bytes() const { return n_layers * layer_bytes(); }
  std::size_t k_at(std::size_t layer, std::size_t head, std::size_t slot) const {
    return layer * layer_bytes() + (head * tokens + slot) * k_bytes;
  }
  std::size_t v_at(std::size_t layer, std::size_t head, std::size_t slot) const {
    return layer * layer_bytes() + tokens * n_kv_heads * k_bytes + (head * tokens + slot) * v_bytes;
  }
  /// `count` tokens from a slot on, in one layer.
  kernels::KvSegment segment(const std::byte* block, std::size_t layer, std::size_t slot,
                             std::size_t count) const;
};

class BlockStore;

/// One piece of memory. What it held is gone when the last who shares it lets go.
class CacheBlock {
 public:
  CacheBlock(BlockStore& store, std::byte* bytes, std::uint64_t id)
      : store_(store), bytes_(bytes), id_(id) {}
  CacheBlock(const CacheBlock&) = delete;
  CacheBlock& operator=(const CacheBlock&) = delete;
  ~CacheBlock();

  std::byte* bytes() const { return bytes_; }
  /// Never given twice.
  std::uint64_t id() const { return id_; }

 private:
  BlockStore& store_;
  std::byte* const bytes_;
  const std::uint64_t id_;
};

/// Takes blocks of one size. Outlives them.
class BlockStore {
 public:
  explicit BlockStore(std::size_t block_bytes) : block_bytes_(block_bytes) {}
  BlockStore(const BlockStore&) = delete;
  BlockStore& operator=(const BlockStore&) = delete;

  std::size_t block_bytes() const { return block_bytes_; }
  std::uint64_t blocks() const { return blocks_; }
  std::uint64_t allocated_bytes() const { return blocks_ * std::uint64_t{block_bytes_}; }

  /// A block of zeros that begins a line of the processor's cache; null when the machine has not got it.
  std::shared_ptr<CacheBlock> take();

 private:
  friend class CacheBlock;
  const std::size_t block_bytes_;
  std::uint64_t blocks_ = 0;
  std::uint64_t last_id_ = 0;
};

}  // namespace attn

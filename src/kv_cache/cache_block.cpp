#include "kv_cache/cache_block.hpp"

#include <cstdlib>
#include <cstring>

namespace attn {
namespace {

constexpr std::size_t alignment = 64;

}  // namespace

kernels::KvSegment BlockLayout::segment(const std::byte* block, std::size_t layer, std::size_t slot,
                                        std::size_t count) const {
  return {block + k_at(layer, 0, slot),
          block + v_at(layer, 0, slot),
          count,
          k_bytes,
          v_bytes,
          tokens * k_bytes,
          tokens * v_bytes};
}

CacheBlock::~CacheBlock() {
  std::free(bytes_);
  --store_.blocks_;
}

std::shared_ptr<CacheBlock> BlockStore::take() {
  void* memory = nullptr;
  // Not aligned_alloc, which wants a multiple of the alignment: a block takes what it needs to the byte.
  if (posix_memalign(&memory, alignment, block_bytes_) != 0) return nullptr;
  std::memset(memory, 0, block_bytes_);
  ++blocks_;
  return std::make_shared<CacheBlock>(*this, static_cast<std::byte*>(memory), ++last_id_);
}

}  // namespace attn

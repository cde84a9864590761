#include "kv_cache/gguf_header.hpp"

#include "check_model.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::span bytes(data, size);
  const auto read = attn::read_gguf_header(bytes);
  attn::fuzz::check_model(read);
  const std::uint64_t needed = attn::gguf_bytes_needed(bytes);
  attn::fuzz::require_model(needed == 0 || needed > size);
  // The sum is of all tensors or none.
  const auto weights = attn::gguf_weight_bytes(bytes);
  if (weights) attn::fuzz::require_model(needed == 0);
  return 0;
}

#include "check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  attn::fuzz::check(
      attn::read_tiktoken(bytes, attn::Pretokenizer::cl100k, {{"<|endoftext|>", 300}}));
  return 0;
}

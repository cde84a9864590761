#include "check_weights.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  attn::ModelLoader loader = attn::ModelLoader::of_gguf(size);
  attn::fuzz::check_load(loader, {data, size});
  return 0;
}

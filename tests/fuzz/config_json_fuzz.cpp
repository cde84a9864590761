#include "kv_cache/config_json.hpp"

#include "check_model.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  attn::fuzz::check_model(attn::read_config_json(bytes));
  return 0;
}

// A config.json, a zero, and a file; what stands before the zero is read as an index, too.

#include <algorithm>
#include <string_view>

#include "check_weights.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::span all(data, size);
  const auto config_size = static_cast<std::size_t>(std::ranges::find(all, 0) - all.begin());
  const std::string_view config(reinterpret_cast<const char*>(data), config_size);
  const auto file = all.subspan(std::min(size, config_size + 1));
  const auto names = attn::files_of_safetensors_index(config);
  attn::fuzz::check_error(names);
  auto loader = attn::ModelLoader::of_safetensors(config, {file.size()});
  attn::fuzz::check_error(loader);
  if (loader) attn::fuzz::check_load(*loader, file);
  const auto header = attn::read_safetensors(file, file.size());
  attn::fuzz::check_error(header);
  return 0;
}

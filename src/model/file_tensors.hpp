#pragma once

// The tensors that a model's file lists, of whichever form the file is.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "kernels/weight_blocks.hpp"
#include "kv_cache/gguf_file.hpp"

namespace attn {

struct FileTensor {
  std::string name;
  /// The outermost first: [rows, columns]. A number alone has none.
  std::vector<std::uint64_t> sizes;
  /// Nothing where the file keeps it in a way that cannot be read here: the words for an error.
  std::optional<kernels::WeightFormat> format;
  std::string format_name;
  /// From the first byte of the file.
  std::uint64_t begin = 0, bytes = 0;
};

/// The name that files and messages use: F32, BF16, Q4_K.
std::string_view name(kernels::WeightFormat format);

/// Of a file whose parse kept its tensors and came to their end. file_bytes is the size of the whole file.
/// Errors: bad_argument naming `file`: a name that stands twice, tensors that overlap, one that ends behind the file.
Expected<std::vector<FileTensor>> tensors_of_gguf(const GgufFile& file, std::uint64_t file_bytes);

/// What the beginning of a safetensors file says.
struct SafetensorsHeader {
  /// Bytes needed at least, when those given end too early; 0 otherwise.
  std::uint64_t needed = 0;
  std::vector<FileTensor> tensors;
};

/// Reads the format's own definition (huggingface/safetensors, README): eight bytes of length, then JSON, then data.
/// Errors: bad_argument naming `file`, as tensors_of_gguf, and for what is no such JSON; too_large above the limits: a
/// header of 100 MB, 65,536 tensors, 8 sizes, names of 1024 bytes.
Expected<SafetensorsHeader> read_safetensors(std::span<const std::uint8_t> bytes,
                                             std::uint64_t file_bytes);

/// The files that hold a model in several, from model.safetensors.index.json: each name once, in order.
/// Errors: bad_argument naming `index`, also for a name that is none of a file beside it; too_large above 1000 files.
Expected<std::vector<std::string>> files_of_safetensors_index(std::string_view json);

}  // namespace attn

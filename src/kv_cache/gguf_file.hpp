#pragma once

// The parts of a GGUF file's beginning, before sense is made of them.

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"

namespace attn {

/// One value of a key that something here reads; the others are stepped over.
struct GgufValue {
  enum class Kind : std::uint8_t { whole, negative, fraction, boolean, text };
  Kind kind = Kind::whole;
  /// Of an array: its items, at most max_model_layers. Of a single value: one item. Truth values are 0 and 1.
  std::vector<std::uint64_t> numbers;
  std::uint64_t length = 0;
  bool is_array = false;
  /// Bytes of one number: a fraction of 4 is a float, one of 8 a double.
  std::uint64_t bytes_each = 0;
  std::string text;
  /// Of an array of texts, where they are kept. They lie in the bytes that were read.
  std::vector<std::string_view> texts;

  bool operator==(const GgufValue&) const = default;
};

/// One tensor as the list has it.
struct GgufTensor {
  /// Lies in the bytes that were read.
  std::string_view name;
  /// Innermost first; those that are not there are 1.
  std::array<std::uint64_t, 4> sizes = {1, 1, 1, 1};
  std::uint32_t n_sizes = 0;
  std::uint32_t type = 0;
  /// From the beginning of the data.
  std::uint64_t offset = 0;
  /// 0 where the type is not known here.
  std::uint64_t bytes = 0;
};

/// What is kept of a file besides the sums.
struct GgufKeep {
  /// The keys that are read; all others are stepped over.
  bool (*key)(std::string_view key);
  /// Arrays of texts and arrays longer than a model has layers, which a vocabulary is made of; and each tensor.
  bool vocabulary = false, tensors = false;
};

/// What the bill of a model is read from.
bool gguf_key_of_bill(std::string_view key);

/// Sums over the list of tensors.
struct GgufTensors {
  /// Weights that are learnt; and of these, those of experts.
  std::uint64_t weights = 0, expert_weights = 0;
  std::uint64_t bytes = 0;
  /// A type that is not known here: `bytes` is then of the others alone.
  bool has_unknown_type = false;
  std::uint32_t unknown_type = 0;
};

struct GgufFile {
  std::map<std::string, GgufValue, std::less<>> values;
  GgufTensors tensors;
  /// Whether the keys, and the list of tensors after them, end within the bytes.
  bool has_keys = false, has_tensors = false;
  /// Bytes needed at least, when those given end too early; 0 otherwise.
  std::uint64_t needed = 0;
  /// Where they are asked for.
  std::vector<GgufTensor> list;
  /// Where the data begin, from the first byte of the file; known when has_tensors is.
  std::uint64_t data = 0;
};

/// Errors: as of read_gguf_header for the file as such. Bytes that end too early are none: then `needed` is not 0, and
/// what was read before stands in the result.
Expected<GgufFile> parse_gguf(std::span<const std::uint8_t> bytes,
                              const GgufKeep& keep = {.key = gguf_key_of_bill});

}  // namespace attn

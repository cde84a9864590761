#pragma once

// The parts of a GGUF file's beginning, before sense is made of them.

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
  std::string text;

  bool operator==(const GgufValue&) const = default;
};

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
};

/// Errors: as of read_gguf_header for the file as such. Bytes that end too early are none: then `needed` is not 0, and
/// what was read before stands in the result.
Expected<GgufFile> parse_gguf(std::span<const std::uint8_t> bytes);

}  // namespace attn

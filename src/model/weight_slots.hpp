#pragma once

// Which tensor of a file is which part of a model: the names that the two forms of file give it, and its shape.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/model_config.hpp"

namespace attn {

enum class FileForm : std::uint8_t { gguf, safetensors };

/// Parts of the model; those from attention_norm on stand in each layer.
enum class Slot : std::uint8_t {
  token_embedding,
  position_embedding,
  output_norm,
  output_norm_bias,
  output,
  rotary_divisors,  ///< of the turns of each pair, for longer texts: GGUF files of Llama 3 hold what others compute
  attention_norm,
  attention_norm_bias,
  q,
  k,
  v,
  qkv,  ///< the three as one matrix, one below the other
  qkv_bias,
  o,
  o_bias,
  ffn_norm,
  ffn_norm_bias,
  gate,
  up,
  up_bias,
  down,
  down_bias,
};
inline constexpr std::size_t n_slots = 22;
inline constexpr Slot first_layer_slot = Slot::attention_norm;

struct SlotPlace {
  Slot slot;
  /// 0 for what stands once.
  std::uint64_t layer = 0;
};

/// Where a tensor of this name belongs.
/// Errors: bad_argument naming `file` for a name that no such model has, or of a layer that it has not.
/// Nothing for what a file may hold and the model does not need: masks and frequencies, which are computed.
Expected<std::optional<SlotPlace>> slot_of(const ModelConfig& config, FileForm form,
                                           std::string_view tensor);

/// The name of a part, for errors.
std::string slot_name(const ModelConfig& config, FileForm form, SlotPlace place);

/// [rows, columns] of a part; vectors have one row. The rows of token_embedding and output are 0 here where the
/// configuration does not say them.
struct SlotShape {
  std::uint64_t rows = 0, columns = 0;
  bool is_vector = false;
  /// Stored as [columns, rows]: GPT-2's files of Hugging Face keep their matrices so.
  bool is_transposed = false;
};
SlotShape slot_shape(const ModelConfig& config, FileForm form, Slot slot);

/// Whether a model of the architecture has the part, and cannot do without it (`output` may be the token embedding, and turns undivided).
bool slot_is_needed(Architecture architecture, Slot slot);

}  // namespace attn

#pragma once

// What a file leaves out because the class that it names has it as a default: published configurations are written as
// differences from those. Only of classes whose files leave out what decides a cache's size (and then the vocabulary too, on
// which the weights depend). Why this is allowed: DECISIONS.md, 39.

#include <array>
#include <cstdint>
#include <string_view>

namespace attn {

struct ClassDefault {
  /// As a config.json says it.
  std::string_view model_type;
  std::string_view field;
  std::uint64_t value = 0;
};

/// From the configuration classes of huggingface/transformers: Gemma2Config, Gemma3TextConfig and GptOssConfig. That the
/// first and the last alternate their layers, the one with the window first, stands in their code and not in a field.
inline constexpr std::array class_defaults = {
    ClassDefault{"gemma2", "num_hidden_layers", 26},
    ClassDefault{"gemma2", "hidden_size", 2304},
    ClassDefault{"gemma2", "intermediate_size", 9216},
    ClassDefault{"gemma2", "num_attention_heads", 8},
    ClassDefault{"gemma2", "num_key_value_heads", 4},
    ClassDefault{"gemma2", "head_dim", 256},
    ClassDefault{"gemma2", "max_position_embeddings", 8192},
    ClassDefault{"gemma2", "sliding_window", 4096},
    ClassDefault{"gemma2", "sliding_window_pattern", 2},
    ClassDefault{"gemma2", "vocab_size", 256'000},
    ClassDefault{"gemma3_text", "num_hidden_layers", 26},
    ClassDefault{"gemma3_text", "hidden_size", 2304},
    ClassDefault{"gemma3_text", "intermediate_size", 9216},
    ClassDefault{"gemma3_text", "num_attention_heads", 8},
    ClassDefault{"gemma3_text", "num_key_value_heads", 4},
    ClassDefault{"gemma3_text", "head_dim", 256},
    ClassDefault{"gemma3_text", "max_position_embeddings", 131'072},
    ClassDefault{"gemma3_text", "sliding_window", 4096},
    ClassDefault{"gemma3_text", "sliding_window_pattern", 6},
    ClassDefault{"gemma3_text", "vocab_size", 262'208},
    ClassDefault{"gpt_oss", "sliding_window", 128},
    ClassDefault{"gpt_oss", "sliding_window_pattern", 2},
};

/// How many layers it takes until one is full, where a GGUF gives a window and leaves that to its reader: the patterns
/// that ggml-org/llama.cpp sets by general.architecture (src/llama-model.cpp).
struct WindowPattern {
  std::string_view architecture;
  std::uint64_t every = 0;
};

inline constexpr std::array window_patterns = {
    WindowPattern{"gemma2", 2},  WindowPattern{"gemma3", 6},  WindowPattern{"gemma3n", 5},
    WindowPattern{"gpt-oss", 2}, WindowPattern{"cohere2", 4},
};

}  // namespace attn

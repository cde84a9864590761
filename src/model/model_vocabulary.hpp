#pragma once

// A model's vocabulary, from its own file or from the tokenizer.json beside it, as the project's BPE encodes with it.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "model/model_config.hpp"
#include "tokenizer/vocabulary.hpp"

namespace attn {

/// What a GGUF file says of its vocabulary, as it stands there.
struct FileVocabulary {
  std::string model, pretokenizer;
  std::vector<std::string> tokens, merges;
  /// llama.cpp's kinds of tokens: 1 is a usual one, 3 one that steers, 5 one that is not used.
  std::vector<std::uint32_t> types;
  std::optional<std::uint32_t> begin_id, end_id;
  bool adds_begin = false;
};

/// The vocabulary that a GGUF file holds. Tokens that steer, and unused ones, become special tokens. Bytes without a
/// token become none, which keeps their neighbours apart, as llama.cpp does; Hugging Face's tokenizers leave them out
/// before they merge.
/// Pre-tokenizers (tokenizer.ggml.pre) are gpt-2, smollm, llama-bpe (cl100k with whole words first) and gpt-4o; a gpt2
/// whose file names none has its own.
/// Errors: bad_argument and shape_mismatch naming the key that does not fit: another kind of tokenizer, a pre-tokenizer
/// that is not known here, no merges, as many tokens as the model has not, tokens that are found in any text.
Expected<Vocabulary> vocabulary_of_gguf(const FileVocabulary& file, const ModelConfig& config);

/// The vocabulary of a tokenizer.json (read_tokenizer_json), for a model. Errors: bad_argument naming `tokenizer`, also
/// for ids that the model has not.
Expected<Vocabulary> vocabulary_of_json(std::string_view json, const ModelConfig& config);

}  // namespace attn

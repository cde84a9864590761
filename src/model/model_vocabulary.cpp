#include "model/model_vocabulary.hpp"

#include <utility>

#include "core/json_reader.hpp"
#include "tokenizer/files.hpp"

namespace attn {
namespace {

constexpr std::string_view tokens_key = "tokenizer.ggml.tokens";
constexpr std::string_view types_key = "tokenizer.ggml.token_type";
constexpr std::string_view merges_key = "tokenizer.ggml.merges";

/// llama.cpp's kinds of tokens (gguf-py, constants.py, TokenType).
enum : std::uint32_t { usual = 1, control = 3, user_defined = 4, unused = 5 };

struct Named {
  std::string_view name;
  Pretokenizer kind;
  bool whole_words;
};
constexpr Named known_pretokenizers[] = {{"gpt-2", Pretokenizer::gpt2, false},
                                         {"smollm", Pretokenizer::smollm, false},
                                         {"llama-bpe", Pretokenizer::cl100k, true},
                                         {"gpt-4o", Pretokenizer::o200k, false}};

Expected<void> choose_pretokenizer(const FileVocabulary& file, const ModelConfig& config,
                                   VocabularyParts& parts) {
  const bool is_gpt2 = config.architecture == Architecture::gpt2;
  const std::string_view name =
      file.pretokenizer.empty() && is_gpt2 ? std::string_view("gpt-2") : file.pretokenizer;
  for (const Named& known : known_pretokenizers) {
    if (known.name != name) continue;
    parts.pretokenizer = known.kind;
    parts.whole_words = known.whole_words;
    return {};
  }
  constexpr std::string_view key = "tokenizer.ggml.pre";
  return fail(ErrorCode::bad_argument, key,
              {key, file.pretokenizer.empty() ? " is missing" : " is ",
               file.pretokenizer.empty() ? "" : json_string(file.pretokenizer),
               "; text is cut here as gpt-2, smollm, llama-bpe and gpt-4o do."});
}

}  // namespace

Expected<Vocabulary> vocabulary_of_gguf(const FileVocabulary& file, const ModelConfig& config) {
  if (file.model != "gpt2") {
    constexpr std::string_view key = "tokenizer.ggml.model";
    return fail(ErrorCode::bad_argument, key,
                {key, file.model.empty() ? " is missing" : " is ",
                 file.model.empty() ? "" : json_string(file.model),
                 "; the one kind of vocabulary that is read here is gpt2, byte-pair encoding."});
  }
  VocabularyParts parts;
  ATTN_CHECK(choose_pretokenizer(file, config, parts));
  const std::size_t count = file.tokens.size();
  if (count != config.vocab_size) {
    return fail(ErrorCode::shape_mismatch, tokens_key,
                {tokens_key, " has ", count, " tokens, and the model's embedding ",
                 config.vocab_size, " rows: the vocabulary is another model's."});
  }
  if (!file.types.empty() && file.types.size() != count) {
    return fail(ErrorCode::shape_mismatch, types_key,
                {types_key, " has ", file.types.size(), " kinds for ", count, " tokens."});
  }
  if (file.merges.empty()) {
    return fail(ErrorCode::bad_argument, merges_key,
                {merges_key, " is missing: without merges no text can be encoded."});
  }
  parts.may_lack_bytes = true;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t type = file.types.empty() ? usual : file.types[i];
    if (type == user_defined) {
      return fail(ErrorCode::bad_argument, types_key,
                  {types_key, "[", i, "] is ", type, ": the token ", json_string(file.tokens[i]),
                   " would be found in any text, which is not done here."});
    }
    const bool is_special = type == control || type == unused;
    if (is_special && file.tokens[i].empty()) continue;
    (is_special ? parts.special : parts.tokens)
        .push_back({file.tokens[i], static_cast<std::uint32_t>(i), i});
  }
  for (std::size_t i = 0; i < file.merges.size(); ++i) {
    const std::string& both = file.merges[i];
    const std::size_t space = both.find(' ');
    if (space == std::string::npos || both.find(' ', space + 1) != std::string::npos) {
      return fail(ErrorCode::bad_argument, merges_key,
                  {merges_key, "[", i, "] must be two tokens with one space between them."});
    }
    parts.merges.push_back({both.substr(0, space), both.substr(space + 1), i});
  }
  const auto refuse = [](VocabularyPart part, std::size_t at, const std::string& what) {
    const std::string_view key = part == VocabularyPart::merges ? merges_key : tokens_key;
    return fail(ErrorCode::bad_argument, key, {key, "[", at, "]: ", what});
  };
  const auto place = [](std::size_t at) { return text({"place ", at}); };
  return vocabulary_of_parts(std::move(parts), {refuse, place});
}

Expected<Vocabulary> vocabulary_of_json(std::string_view json, const ModelConfig& config) {
  auto read = read_tokenizer_json(json, true);
  if (!read) {
    Error error = read.error();
    error.field = "tokenizer";
    return std::unexpected(std::move(error));
  }
  if (read->size() > config.vocab_size) {
    return fail(ErrorCode::bad_argument, "tokenizer",
                {"The tokenizer has the id ", std::uint64_t{read->size()} - 1,
                 ", and the model ends at ", config.vocab_size - 1, ": it is another model's."});
  }
  return read;
}

}  // namespace attn

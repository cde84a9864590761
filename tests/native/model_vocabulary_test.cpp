// A model's vocabulary, from its GGUF file or from tokenizer.json, and every way in which it does not fit the model.

#include <string>
#include <vector>

#include "model/model_vocabulary.hpp"
#include "support.hpp"
#include "tokenizer/byte_letters.hpp"
#include "tokenizer/files.hpp"
#include "tokenizer/tokenizer.hpp"
#include "tokenizer/train.hpp"

using namespace attn;
using namespace attn::test;

namespace {

/// A vocabulary that was learnt here, as a file writes it: a steering token, then the others.
FileVocabulary as_file(const Vocabulary& of, std::string_view pretokenizer) {
  FileVocabulary file;
  file.model = "gpt2";
  file.pretokenizer = pretokenizer;
  file.tokens.emplace_back("<|endoftext|>");
  file.types.push_back(3);
  for (std::uint32_t id = 0; id < of.size(); ++id) {
    file.tokens.push_back(letters_of_bytes(of.bytes(id)));
    file.types.push_back(1);
  }
  for (const Merge& merge : of.merges) {
    file.merges.push_back(letters_of_bytes(of.bytes(merge.left)) + " " +
                          letters_of_bytes(of.bytes(merge.right)));
  }
  return file;
}

Vocabulary learnt() {
  const std::string_view text = "the cat sat on the mat, the rat sat at 12 and 12.";
  auto trainer = value_of(Trainer::make({&text, 1}, {.pretokenizer = Pretokenizer::smollm}));
  REQUIRE(trainer.run(30).has_value());
  return trainer.vocabulary();
}

ModelConfig config_for(const FileVocabulary& file) {
  ModelConfig config;
  config.vocab_size = file.tokens.size();
  return config;
}

std::vector<std::uint32_t> ids_of(const Vocabulary& vocabulary, std::string_view text,
                                  bool special = false) {
  return value_of(value_of(Tokenizer::make(vocabulary)).encode(text, {special}));
}

}  // namespace

TEST_CASE("the vocabulary of a GGUF file encodes as the one that it was written from") {
  const Vocabulary made = learnt();
  const FileVocabulary file = as_file(made, "smollm");
  const Vocabulary read = value_of(vocabulary_of_gguf(file, config_for(file)));
  CHECK(read.pretokenizer == Pretokenizer::smollm);
  CHECK(read.size() == made.size() + 1);
  for (const std::string_view text : {"the cat sat at 1234 the", "\xFFmat  \n ação 7", ""}) {
    std::vector<std::uint32_t> wanted = ids_of(made, text);
    for (std::uint32_t& id : wanted) ++id;
    CHECK(ids_of(read, text) == wanted);
  }
  // What reads like a token that steers is text, unless it is asked for.
  CHECK(ids_of(read, "<|endoftext|>").size() > 1);
  CHECK(ids_of(read, "<|endoftext|>", true) == std::vector<std::uint32_t>{0});
  const Vocabulary again =
      value_of(vocabulary_of_json(write_tokenizer_json(read), config_for(file)));
  CHECK(ids_of(again, "the cat sat at 1234") == ids_of(read, "the cat sat at 1234"));
}

TEST_CASE("pre-tokenizers of GGUF files, and GPT-2's where it is not named") {
  FileVocabulary file = as_file(learnt(), "gpt-2");
  ModelConfig config = config_for(file);
  CHECK(value_of(vocabulary_of_gguf(file, config)).pretokenizer == Pretokenizer::gpt2);
  file.pretokenizer = "llama-bpe";
  CHECK(value_of(vocabulary_of_gguf(file, config)).pretokenizer == Pretokenizer::cl100k);
  CHECK(value_of(vocabulary_of_gguf(file, config)).whole_words);
  file.pretokenizer = "";
  CHECK(error_of(vocabulary_of_gguf(file, config)).field == "tokenizer.ggml.pre");
  config.architecture = Architecture::gpt2;
  CHECK(value_of(vocabulary_of_gguf(file, config)).pretokenizer == Pretokenizer::gpt2);
  file.pretokenizer = "deepseek-llm";
  CHECK(error_of(vocabulary_of_gguf(file, config)).message.contains("\"deepseek-llm\""));
}

TEST_CASE("a vocabulary that does not fit the model is refused by the key at fault") {
  const FileVocabulary good = as_file(learnt(), "smollm");
  const ModelConfig config = config_for(good);
  const auto refused = [&](auto&& change) {
    FileVocabulary file = good;
    change(file);
    return error_of(vocabulary_of_gguf(file, config));
  };
  CHECK(refused([](auto& file) { file.model = "llama"; }).field == "tokenizer.ggml.model");
  CHECK(refused([](auto& file) { file.model = ""; }).message.contains("is missing"));
  CHECK(refused([](auto& file) { file.tokens.pop_back(); }).field == "tokenizer.ggml.tokens");
  CHECK(refused([](auto& file) { file.types.pop_back(); }).field == "tokenizer.ggml.token_type");
  CHECK(refused([](auto& file) { file.types[7] = 4; }).message.contains("token_type[7]"));
  CHECK(refused([](auto& file) { file.merges.clear(); }).field == "tokenizer.ggml.merges");
  CHECK(refused([](auto& file) { file.merges[2] = "a"; }).message.contains("merges[2]"));
  CHECK(refused([](auto& file) { file.merges[2] = "漢 a"; }).message.contains("merges[2]"));
  CHECK(refused([](auto& file) { file.merges[2] = "z q"; }).message.contains("needs a token"));
  CHECK(refused([](auto& file) { file.merges[2] = file.merges[1]; }).message.contains("twice"));
  CHECK(refused([](auto& file) { file.tokens[9] = file.tokens[8]; }).message.contains("tokens[9]"));
  CHECK(refused([](auto& file) { file.tokens[9] = "漢"; }).message.contains("tokens[9]"));
  CHECK(refused([](auto& file) { file.tokens[9] = ""; }).message.contains("tokens[9]"));
  ModelConfig small = config;
  small.vocab_size -= 1;
  const std::string json = write_tokenizer_json(value_of(vocabulary_of_gguf(good, config)));
  CHECK(error_of(vocabulary_of_json(json, small)).field == "tokenizer");
  CHECK(error_of(vocabulary_of_json("{}", config)).field == "tokenizer");
}

TEST_CASE("a byte without a token is none, as in SmolLM's vocabulary") {
  FileVocabulary file = as_file(learnt(), "smollm");
  file.tokens[1 + 0xF1] = "unused";
  file.types[1 + 0xF1] = 5;
  const Vocabulary read = value_of(vocabulary_of_gguf(file, config_for(file)));
  const auto ids = ids_of(read, "the\xF1");
  CHECK(ids.back() == no_token);
}

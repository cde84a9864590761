// Writes small files of each kind that a reader is fuzzed with, so that the fuzzer begins behind the head of a file:
//
//   fuzz_seeds <folder>     ->  <folder>/packed/…, <folder>/tiktoken/…, <folder>/tokenizer_json/…, <folder>/gguf_header/…
//
// Those of configurations are the files in tests/golden/configs (run.mjs).

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <utility>

#include "tokenizer/files.hpp"
#include "tokenizer/train.hpp"

namespace {

using namespace attn;

template <class T>
T value_of(Expected<T> made) {
  if (!made) {
    std::cerr << made.error().message << '\n';
    std::exit(1);
  }
  return std::move(*made);
}

void write(const std::filesystem::path& path, std::string_view content) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << content;
}

std::string little(std::uint64_t value, int size) {
  std::string made;
  for (int i = 0; i < size; ++i) made += static_cast<char>(value >> 8 * i & 0xFF);
  return made;
}

std::string counted(std::string_view text) { return little(text.size(), 8) + std::string(text); }

/// The header of a GGUF file with every key that is read, and two tensors.
std::string gguf(std::uint32_t version, std::string_view architecture) {
  std::string keys = counted("general.architecture") + little(8, 4) + counted(architecture);
  std::uint64_t count = 1;
  for (const std::string_view name : {"block_count",
                                      "embedding_length",
                                      "context_length",
                                      "feed_forward_length",
                                      "attention.head_count",
                                      "attention.head_count_kv",
                                      "attention.key_length",
                                      "attention.value_length",
                                      "attention.key_length_swa",
                                      "attention.value_length_swa",
                                      "attention.sliding_window",
                                      "attention.sliding_window_pattern",
                                      "attention.kv_lora_rank",
                                      "attention.shared_kv_layers",
                                      "attention.indexer.key_length",
                                      "attention.indexer.top_k",
                                      "rope.dimension_count",
                                      "ssm.conv_kernel",
                                      "ssm.inner_size",
                                      "ssm.state_size",
                                      "ssm.group_count",
                                      "shortconv.l_cache",
                                      "full_attention_interval",
                                      "nextn_predict_layers",
                                      "expert_count",
                                      "expert_used_count"}) {
    keys += counted(std::string(architecture) + "." + std::string(name)) + little(4, 4) +
            little(name.starts_with("block") ? 4 : 2, 4);
    ++count;
  }
  keys += counted(std::string(architecture) + ".a.sliding_window_pattern") + little(9, 4) +
          little(7, 4) + little(3, 8) + std::string("\1\0\1", 3);
  keys += counted("tokenizer.ggml.tokens") + little(9, 4) + little(8, 4) + little(2, 8) +
          counted("a") + counted("bc");
  keys += counted("nested") + little(9, 4) + little(9, 4) + little(1, 8) + little(6, 4) +
          little(1, 8) + little(0, 4);
  count += 3;
  std::string tensors = counted("blk.0.ffn_up_exps.weight") + little(3, 4) + little(256, 8) +
                        little(2, 8) + little(2, 8) + little(12, 4) + little(0, 8);
  tensors +=
      counted("output_norm.weight") + little(1, 4) + little(8, 8) + little(0, 4) + little(576, 8);
  return "GGUF" + little(version, 4) + little(2, 8) + little(count, 8) + keys + tensors;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "fuzz_seeds <folder>\n";
    return 1;
  }
  const std::filesystem::path folder = arguments[1];
  constexpr std::string_view corpus =
      "the cat climbed the roof, the cat sat; o gato subiu no telhado “à noite”";
  for (const Pretokenizer cut : pretokenizers) {
    for (const Alphabet alphabet : {Alphabet::bytes, Alphabet::characters}) {
      for (const std::size_t merges : {0U, 20U}) {
        Trainer trainer =
            value_of(Trainer::make({&corpus, 1}, {TieRule::lowest_bytes, alphabet, cut}));
        value_of(trainer.run(merges));
        Vocabulary vocabulary = trainer.vocabulary();
        const std::string name = std::string(attn::name(cut)) +
                                 (alphabet == Alphabet::bytes ? "-bytes-" : "-characters-") +
                                 std::to_string(merges);
        if (alphabet == Alphabet::bytes) {
          write(folder / "tiktoken" / name, value_of(write_tiktoken(vocabulary)));
          // Only what is read from a file can have special tokens.
          const std::uint32_t id = vocabulary.size();
          vocabulary = value_of(
              read_tiktoken(value_of(write_tiktoken(vocabulary)), cut, {{"<|endoftext|>", id}}));
        }
        const std::string packed = value_of(write_packed(vocabulary));
        // Without its sum, which the fuzzer's program adds.
        write(folder / "packed" / name, packed.substr(0, packed.size() - 4));
        write(folder / "tokenizer_json" / name, write_tokenizer_json(vocabulary));
      }
    }
  }
  write(folder / "gguf_header" / "version-2", gguf(2, "llama"));
  write(folder / "gguf_header" / "version-3", gguf(3, "x"));
  return 0;
}

// Writes small files of each kind that a reader is fuzzed with, so that the fuzzer begins behind the head of a file:
//
//   fuzz_seeds <folder>     ->  <folder>/packed/…, <folder>/tiktoken/…, <folder>/tokenizer_json/…

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
  return 0;
}

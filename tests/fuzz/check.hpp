#pragma once

// What must hold of a vocabulary that a reader accepted, and of an error where it did not. Built by hand with clang:
//
//   clang++ -std=c++23 -g -O1 -fsanitize=fuzzer,address,undefined -Isrc tests/fuzz/packed_fuzz.cpp
//     src/tokenizer/*.cpp src/tokenizer/unicode/*.cpp src/core/error.cpp src/core/limits.cpp

#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include "tokenizer/files.hpp"
#include "tokenizer/tokenizer.hpp"

namespace attn::fuzz {

inline void require(bool holds) {
  if (!holds) std::abort();
}

/// Makes the sum of a packed file right, or nothing behind it would ever be read.
inline std::string with_sum(std::string_view bytes) {
  std::uint32_t sum = 0x811C9DC5;
  for (const char byte : bytes) sum = (sum ^ static_cast<unsigned char>(byte)) * 0x01000193;
  std::string whole(bytes);
  for (int shift = 0; shift < 32; shift += 8) whole += static_cast<char>(sum >> shift & 0xFF);
  return whole;
}

inline void check(Expected<Vocabulary> read) {
  if (!read) {
    require(!read.error().message.empty());
    require(read.error().field == "file" || read.error().field == "vocabulary" ||
            read.error().field == "special_tokens");
    return;
  }
  for (const Merge& merge : read->merges) {
    require(std::string(read->bytes(merge.left)) + std::string(read->bytes(merge.right)) ==
            read->bytes(merge.result));
  }
  const bool of_bytes = read->alphabet == Alphabet::bytes;
  auto again = read_tokenizer_json(write_tokenizer_json(*read));
  require(!of_bytes || again.has_value());
  const auto tokenizer = Tokenizer::make(std::move(*read));
  require(tokenizer.has_value());
  const std::string text =
      "The cat climbed\n the  roof \xF0\x9F\x99\x82 \xFF aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
      "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa<|endoftext|>";
  const auto ids = tokenizer->encode(text, {true});
  require(ids.has_value());
  if (of_bytes) require(tokenizer->decode(*ids) == text);
  require(tokenizer->replay(text).has_value());
}

}  // namespace attn::fuzz

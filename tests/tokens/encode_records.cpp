// For compare-with-tiktoken.mjs: encodes records (length in 4 bytes, bytes) and writes, for each, its ids (count
// in 4 bytes, 4 bytes each). With a .tiktoken file for "pack" it writes our packed form instead.

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "tokenizer/files.hpp"
#include "tokenizer/tokenizer.hpp"

namespace {

std::string content(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

int stop(const std::string& message) {
  std::cerr << message << '\n';
  return 1;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 5) return stop("encode_records <file.tiktoken> <pretokenizer> <records> <out>");
  const auto kind = attn::pretokenizer_named(arguments[2]);
  if (!kind) return stop(kind.error().message);
  auto vocabulary = attn::read_tiktoken(content(arguments[1]), *kind);
  if (!vocabulary) return stop(vocabulary.error().message);
  auto tokenizer = attn::Tokenizer::make(std::move(*vocabulary));
  if (!tokenizer) return stop(tokenizer.error().message);
  const std::string records = content(arguments[3]);
  std::ofstream out(arguments[4], std::ios::binary);
  for (std::size_t at = 0; at + 4 <= records.size();) {
    std::uint32_t length = 0;
    std::memcpy(&length, records.data() + at, 4);
    const std::string_view text = std::string_view(records).substr(at + 4, length);
    at += 4 + length;
    const auto ids = tokenizer->encode(text);
    if (!ids) return stop(ids.error().message);
    const auto back = tokenizer->decode(*ids);
    if (!back || *back != text)
      return stop("A text of " + std::to_string(length) + " bytes does not come back.");
    const auto replay = tokenizer->replay(text);
    if (!replay || replay->ids != *ids)
      return stop("A replay ends with other ids than the encoder.");
    const auto written = static_cast<std::uint32_t>(ids->size());
    out.write(reinterpret_cast<const char*>(&written), 4);
    out.write(reinterpret_cast<const char*>(ids->data()),
              static_cast<std::streamsize>(4 * ids->size()));
  }
  return out ? 0 : 1;
}

#include "tokenizer/pretokenize.hpp"

#include <string>

#include "tokenizer/scanner.hpp"

namespace attn {

std::string_view name(Pretokenizer kind) {
  switch (kind) {
    case Pretokenizer::gpt2:
      return "gpt2";
    case Pretokenizer::cl100k:
      return "cl100k";
    case Pretokenizer::o200k:
      return "o200k";
    case Pretokenizer::smollm:
      return "smollm";
    case Pretokenizer::none:
      break;
  }
  return "none";
}

Expected<Pretokenizer> pretokenizer_named(std::string_view wanted) {
  for (const Pretokenizer kind : pretokenizers) {
    if (name(kind) == wanted) return kind;
  }
  return fail(ErrorCode::bad_argument, "pretokenizer",
              {"pretokenizer must be “none”, “gpt2”, “cl100k”, “o200k” or “smollm”; it is “",
               wanted, "”."});
}

std::string_view pattern(Pretokenizer kind) {
  switch (kind) {
    case Pretokenizer::gpt2:
      return R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
    case Pretokenizer::cl100k:
      return R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
    case Pretokenizer::o200k:
      return R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
    case Pretokenizer::smollm:
      return R"(\p{N}|'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?[^\s\p{L}\p{N}]+|\s+(?![^\s\p{N}])|\s+)";
    case Pretokenizer::none:
      break;
  }
  return {};
}

std::vector<Word> pretokenize(Pretokenizer kind, std::string_view text) {
  std::vector<Word> words;
  scan::with_scanner(kind, [&]<class Scanner>(Scanner) {
    const scan::Text scanned(text);
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = scan::end_of_word<Scanner>(scanned, at);
      words.push_back({at, end});
      at = end;
    }
  });
  return words;
}

}  // namespace attn

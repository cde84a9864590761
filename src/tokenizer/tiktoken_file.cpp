#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "core/limits.hpp"
#include "tokenizer/files.hpp"
#include "tokenizer/pair_table.hpp"

namespace attn {
namespace {

constexpr std::string_view base64_digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::uint8_t no_digit = 64;

constexpr std::array<std::uint8_t, 256> digit_values = [] {
  std::array<std::uint8_t, 256> values{};
  values.fill(no_digit);
  for (std::size_t i = 0; i < base64_digits.size(); ++i) {
    values[static_cast<unsigned char>(base64_digits[i])] = static_cast<std::uint8_t>(i);
  }
  return values;
}();

/// Appends the bytes that `text` stands for; false when it is no base64 with its padding.
bool append_base64(std::string& bytes, std::string_view text) {
  if (text.empty() || text.size() % 4 != 0) return false;
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  std::uint32_t bits = 0;
  unsigned count = 0;
  for (const char c : text.substr(0, text.size() - padding)) {
    const std::uint8_t value = digit_values[static_cast<unsigned char>(c)];
    if (value == no_digit) return false;
    bits = bits << 6 | value;
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes.push_back(static_cast<char>(bits >> count & 0xFF));
    }
  }
  // Bits that no byte takes must be zero, or two spellings would be one token.
  return (bits & ((1U << count) - 1)) == 0;
}

std::string base64(std::string_view bytes) {
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t there = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      bits = bits << 8 | (i < there ? static_cast<unsigned char>(bytes[at + i]) : 0U);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      text += i <= there ? base64_digits[bits >> (18 - 6 * i) & 0x3F] : '=';
    }
  }
  return text;
}

struct Line {
  std::size_t begin;   ///< Of its token's bytes among all.
  std::size_t length;
  std::uint32_t rank;
  std::size_t number;  ///< From 1.
};

}  // namespace

Expected<Vocabulary> read_tiktoken(std::string_view file, Pretokenizer pretokenizer,
                                   std::vector<SpecialToken> special_tokens) {
  if (file.size() > max_file_bytes) {
    return fail(ErrorCode::too_large, "file",
                {"A .tiktoken file may have at most ", max_file_bytes, " bytes."});
  }
  // A short line takes 6 bytes and about 250 in the tables.
  ATTN_CHECK(check_bytes("file", std::uint64_t{file.size()} * 40 / 2));
  const auto refuse = [](std::size_t line, const std::string& what) {
    return fail(ErrorCode::bad_argument, "file", {"Line ", line, " ", what});
  };
  std::string bytes;
  bytes.reserve(file.size());
  std::vector<Line> lines;
  std::uint32_t highest = 0;
  std::size_t number = 0;
  for (std::size_t at = 0; at < file.size();) {
    const std::size_t end = std::min(file.find('\n', at), file.size());
    std::string_view text = file.substr(at, end - at);
    at = end + 1;
    ++number;
    if (text.ends_with('\r')) text.remove_suffix(1);
    if (text.empty() && at >= file.size()) break;
    const std::size_t space = text.find(' ');
    if (space == std::string_view::npos) {
      return refuse(number, "is cut short or damaged: it must be base64, a space and a rank.");
    }
    const std::size_t begin = bytes.size();
    if (!append_base64(bytes, text.substr(0, space))) {
      return refuse(number, "does not begin with valid base64.");
    }
    if (bytes.size() - begin > max_token_length) {
      return refuse(number,
                    "has a token of more than " + std::to_string(max_token_length) + " bytes.");
    }
    const std::string_view digits = text.substr(space + 1);
    std::uint32_t rank = 0;
    for (const char c : digits) {
      if (c < '0' || c > '9') {
        return refuse(number, "does not end with a rank, a whole number.");
      }
      rank = rank * 10 + static_cast<std::uint32_t>(c - '0');
      if (rank >= max_vocab_size) {
        return refuse(number, "has a rank above " + std::to_string(max_vocab_size - 1) + ".");
      }
    }
    if (digits.empty()) return refuse(number, "is cut short: its rank is missing.");
    highest = std::max(highest, rank);
    lines.push_back({begin, bytes.size() - begin, rank, number});
  }

  std::vector<std::string_view> tokens(lines.empty() ? 0 : highest + 1);
  std::vector<std::size_t> line_of(tokens.size());
  BytesTable known(lines.size());
  std::array<bool, 256> there{};
  for (const Line& line : lines) {
    const std::string_view token = std::string_view(bytes).substr(line.begin, line.length);
    if (!tokens[line.rank].empty()) {
      return refuse(line.number, "has the rank " + std::to_string(line.rank) + " of line " +
                                     std::to_string(line_of[line.rank]) + ".");
    }
    if (const std::uint32_t rank = known.insert(token, line.rank); rank != BytesTable::none) {
      return refuse(line.number, "has the same token as line " + std::to_string(line_of[rank]) +
                                     ", " + quoted(token) + ".");
    }
    tokens[line.rank] = token;
    line_of[line.rank] = line.number;
    if (token.size() == 1) there[static_cast<unsigned char>(token[0])] = true;
  }
  for (std::size_t byte = 0; byte < there.size(); ++byte) {
    if (!there[byte]) {
      return fail(ErrorCode::bad_argument, "file",
                  {"The file ends after line ", lines.empty() ? 0 : lines.back().number,
                   " and has no token for the byte ", byte, "; all 256 bytes need one."});
    }
  }
  return vocabulary_from_ranks(tokens, pretokenizer, std::move(special_tokens));
}

Expected<std::string> write_tiktoken(const Vocabulary& vocabulary) {
  const auto refuse = [](std::string message) {
    return fail(ErrorCode::bad_argument, "vocabulary", {message});
  };
  if (vocabulary.alphabet != Alphabet::bytes) {
    return refuse("A .tiktoken file holds tokens over bytes; this vocabulary is over characters.");
  }
  std::vector<std::string_view> tokens(vocabulary.size());
  for (std::uint32_t id = 0; id < vocabulary.size(); ++id) tokens[id] = vocabulary.bytes(id);
  for (const SpecialToken& token : vocabulary.special_tokens) tokens[token.id] = {};
  while (!tokens.empty() && tokens.back().empty()) tokens.pop_back();
  // Read back, it must be the same merges.
  const auto again = vocabulary_from_ranks(tokens, vocabulary.pretokenizer, {});
  if (!again) return std::unexpected<Error>(again.error());
  if (again->merges != vocabulary.merges || again->whole_words != vocabulary.whole_words) {
    return refuse(
        "A .tiktoken file takes the order of the ids for the order of the merges, and in this "
        "vocabulary they differ.");
  }
  std::string file;
  for (std::uint32_t id = 0; id < tokens.size(); ++id) {
    if (!tokens[id].empty()) file += base64(tokens[id]) + " " + std::to_string(id) + "\n";
  }
  return file;
}

}  // namespace attn

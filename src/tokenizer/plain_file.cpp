#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "core/limits.hpp"
#include "core/utf8.hpp"
#include "tokenizer/files.hpp"

namespace attn {
namespace {

constexpr std::string_view magic = "ATTNBPE0";
/// Alphabet, pre-tokenizer, whole words; base tokens, merges, special tokens, ids.
constexpr std::size_t head_length = 7;

void put(std::string& out, std::uint32_t value) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  out.append(bytes, sizeof value);
}

}  // namespace

Expected<Vocabulary> read_plain(std::string_view file) {
  const auto refuse = [](const char* what) {
    return fail(ErrorCode::bad_argument, "file", {"The vocabulary in plain form ", what});
  };
  const auto number = [&](std::uint64_t index) {
    std::uint32_t value;
    std::memcpy(&value, file.data() + magic.size() + index * sizeof value, sizeof value);
    return value;
  };
  ATTN_CHECK(check_bytes("file", std::uint64_t{file.size()} * 3));
  std::uint64_t left = file.size() - std::min(file.size(), magic.size());
  if (!file.starts_with(magic) || left < head_length * 4) return refuse("is cut short.");
  const std::uint32_t base_count = number(3);
  const std::uint32_t merge_count = number(4);
  const std::uint32_t special_count = number(5);
  const std::uint32_t ids = number(6);
  const std::uint64_t numbers = head_length + std::uint64_t{base_count} +
                                4 * std::uint64_t{merge_count} + special_count + ids;
  if (number(0) > 1 || number(1) >= pretokenizers.size() || number(2) > 1 || ids > max_vocab_size ||
      numbers * 4 > left) {
    return refuse("has a head that does not fit it.");
  }
  Vocabulary made;
  const bool by_character = number(0) == 1;
  made.alphabet = by_character ? Alphabet::characters : Alphabet::bytes;
  made.pretokenizer = static_cast<Pretokenizer>(number(1));
  made.whole_words = number(2) == 1;
  left -= numbers * 4;
  std::uint64_t at = numbers - ids;
  std::vector<std::string_view> tokens;
  tokens.reserve(ids);
  for (std::size_t begin = file.size() - static_cast<std::size_t>(left); at < numbers; ++at) {
    const std::uint32_t length = number(at);
    if (length > left) return refuse("is cut short.");
    tokens.push_back(file.substr(begin, length));
    begin += length;
    left -= length;
  }
  if (left != 0) return refuse("has bytes after its end.");
  at = head_length;
  const auto token = [&](std::uint32_t id) { return id < ids ? tokens[id] : std::string_view(); };
  std::array<bool, 256> there{};
  for (std::uint32_t i = 0; i < base_count; ++i) {
    const std::uint32_t id = number(at++);
    const std::string_view bytes = token(id);
    const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
    if (bytes.empty() ||
        (by_character ? utf8::step(data, bytes.size(), 0).length : 1) != bytes.size()) {
      return refuse("has a base token that is not one byte or one character.");
    }
    made.base.push_back(id);
    there[data[0]] = true;
  }
  if (!by_character && std::ranges::find(there, false) != there.end()) {
    return refuse("has not all 256 bytes.");
  }
  made.merges.reserve(merge_count);
  for (std::uint32_t i = 0; i < merge_count; ++i, at += 4) {
    const Merge merge = {number(at), number(at + 1), number(at + 2), number(at + 3)};
    const std::string_view one = token(merge.left);
    const std::string_view other = token(merge.right);
    const std::string_view both = token(merge.result);
    if (one.empty() || other.empty() || one.size() + other.size() != both.size() ||
        !both.starts_with(one) || !both.ends_with(other)) {
      return refuse("has a merge whose two tokens are not what it makes.");
    }
    made.merges.push_back(merge);
  }
  for (std::uint32_t i = 0; i < special_count; ++i) {
    const std::uint32_t id = number(at++);
    if (token(id).empty()) return refuse("has a special token without a text.");
    made.special_tokens.push_back({std::string(token(id)), id});
  }
  made.set_tokens(tokens);
  return made;
}

std::string write_plain(const Vocabulary& vocabulary) {
  std::string out(magic);
  put(out, vocabulary.alphabet == Alphabet::characters ? 1 : 0);
  put(out, static_cast<std::uint32_t>(vocabulary.pretokenizer));
  put(out, vocabulary.whole_words ? 1 : 0);
  put(out, static_cast<std::uint32_t>(vocabulary.base.size()));
  put(out, static_cast<std::uint32_t>(vocabulary.merges.size()));
  put(out, static_cast<std::uint32_t>(vocabulary.special_tokens.size()));
  put(out, vocabulary.size());
  for (const std::uint32_t id : vocabulary.base) put(out, id);
  for (const Merge& merge : vocabulary.merges) {
    for (const std::uint32_t value : {merge.left, merge.right, merge.result, merge.rank}) {
      put(out, value);
    }
  }
  for (const SpecialToken& token : vocabulary.special_tokens) put(out, token.id);
  for (std::uint32_t id = 0; id < vocabulary.size(); ++id) {
    put(out, static_cast<std::uint32_t>(vocabulary.bytes(id).size()));
  }
  for (std::uint32_t id = 0; id < vocabulary.size(); ++id) out += vocabulary.bytes(id);
  return out;
}

}  // namespace attn

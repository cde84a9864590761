#include "tokenizer/vocabulary.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "core/utf8.hpp"
#include "tokenizer/pair_table.hpp"

namespace attn {
namespace {

/// Merges the tokens of `word` by the pairs in `ranks` until none applies. Quadratic: vocabularies are made
/// of short tokens, and a reader refuses long ones.
void merge_all(std::vector<std::uint32_t>& word, const PairTable& ranks) {
  while (word.size() > 1) {
    std::uint32_t lowest = PairTable::none;
    std::size_t place = 0;
    for (std::size_t i = 0; i + 1 < word.size(); ++i) {
      const std::uint32_t rank = ranks.find(word[i], word[i + 1]);
      if (rank < lowest) {
        lowest = rank;
        place = i;
      }
    }
    if (lowest == PairTable::none) return;
    word[place] = lowest;
    word.erase(word.begin() + static_cast<std::ptrdiff_t>(place) + 1);
  }
}

/// One merge a token, where two earlier tokens make every token; false where some token is not made so.
bool one_merge_each(std::span<const std::string_view> tokens,
                    const std::array<std::uint32_t, 256>& byte_ids, std::vector<Merge>& merges) {
  PairTable ranks(tokens.size());
  std::vector<std::uint32_t> word;
  for (std::uint32_t id = 0; id < tokens.size(); ++id) {
    if (tokens[id].size() < 2) continue;
    word.clear();
    for (const char byte : tokens[id]) word.push_back(byte_ids[static_cast<unsigned char>(byte)]);
    merge_all(word, ranks);
    if (word.size() != 2 || word[0] > id || word[1] > id) return false;
    ranks.insert(word[0], word[1], id);
    merges.push_back({word[0], word[1], id, static_cast<std::uint32_t>(merges.size())});
  }
  return true;
}

/// Every pair of tokens that makes a token.
void all_merges(std::span<const std::string_view> tokens, const BytesTable& ids,
                std::vector<Merge>& merges) {
  for (std::uint32_t id = 0; id < tokens.size(); ++id) {
    for (std::size_t cut = 1; cut < tokens[id].size(); ++cut) {
      const std::uint32_t left = ids.find(tokens[id].substr(0, cut));
      const std::uint32_t right = ids.find(tokens[id].substr(cut));
      if (left != BytesTable::none && right != BytesTable::none) {
        merges.push_back({left, right, id, id});
      }
    }
  }
}

}  // namespace

void Vocabulary::set_tokens(std::span<const std::string_view> tokens) {
  std::size_t ids = tokens.size();
  for (const SpecialToken& token : special_tokens) ids = std::max<std::size_t>(ids, token.id + 1);
  std::vector<std::string_view> all(tokens.begin(), tokens.end());
  all.resize(ids);
  for (const SpecialToken& token : special_tokens) all[token.id] = token.text;
  std::size_t bytes = 0;
  for (const std::string_view token : all) bytes += token.size();
  std::string joined;
  joined.reserve(bytes);
  std::vector<std::uint32_t> offsets;
  offsets.reserve(ids + 1);
  offsets.push_back(0);
  for (const std::string_view token : all) {
    joined += token;
    offsets.push_back(static_cast<std::uint32_t>(joined.size()));
  }
  bytes_ = std::move(joined);
  offsets_ = std::move(offsets);
}

Expected<Vocabulary> vocabulary_from_ranks(std::span<const std::string_view> tokens,
                                           Pretokenizer pretokenizer,
                                           std::vector<SpecialToken> special_tokens) {
  if (tokens.size() > max_vocab_size) {
    return fail(ErrorCode::too_large, "vocabulary",
                {"A vocabulary may have at most ", max_vocab_size, " tokens; this one has ",
                 tokens.size(), "."});
  }
  std::array<std::uint32_t, 256> byte_ids;
  byte_ids.fill(no_token);
  BytesTable ids(tokens.size());
  Vocabulary made;
  for (std::uint32_t id = 0; id < tokens.size(); ++id) {
    if (tokens[id].empty()) continue;
    if (const std::uint32_t earlier = ids.insert(tokens[id], id); earlier != BytesTable::none) {
      return fail(ErrorCode::bad_argument, "vocabulary",
                  {"The token ", quoted(tokens[id]), " stands twice, with the ids ", earlier,
                   " and ", id, "."});
    }
    if (tokens[id].size() == 1) {
      byte_ids[static_cast<unsigned char>(tokens[id][0])] = id;
      made.base.push_back(id);
    }
  }
  for (std::size_t byte = 0; byte < byte_ids.size(); ++byte) {
    if (byte_ids[byte] == no_token) {
      return fail(ErrorCode::bad_argument, "vocabulary",
                  {"The byte ", byte,
                   " has no token. All 256 bytes need one, or some text cannot be encoded."});
    }
  }
  for (const SpecialToken& token : special_tokens) {
    if (token.id >= max_vocab_size || token.text.empty() ||
        (token.id < tokens.size() && !tokens[token.id].empty())) {
      return fail(ErrorCode::bad_argument, "special_tokens",
                  {"The special token ", quoted(token.text), " has the id ", token.id,
                   ", which is taken or too large."});
    }
  }
  made.merges.reserve(tokens.size());
  if (!one_merge_each(tokens, byte_ids, made.merges)) {
    made.merges.clear();
    all_merges(tokens, ids, made.merges);
    made.whole_words = true;
  }
  made.pretokenizer = pretokenizer;
  made.special_tokens = std::move(special_tokens);
  made.set_tokens(tokens);
  return made;
}

const std::uint8_t* gpt2_byte_order() {
  static const std::array<std::uint8_t, 256> order = [] {
    std::array<std::uint8_t, 256> bytes{};
    const auto printable = [](unsigned byte) {
      return (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
    };
    std::size_t count = 0;
    for (const bool wanted : {true, false}) {
      for (unsigned byte = 0; byte < 256; ++byte) {
        if (printable(byte) == wanted) bytes[count++] = static_cast<std::uint8_t>(byte);
      }
    }
    return bytes;
  }();
  return order.data();
}

std::string quoted(std::string_view bytes) {
  constexpr std::size_t longest = 40;
  const std::string_view shown = bytes.substr(0, longest);
  bool readable = true;
  const auto* data = reinterpret_cast<const unsigned char*>(shown.data());
  for (std::size_t at = 0; at < shown.size();) {
    const utf8::Step step = utf8::step(data, shown.size(), at);
    if (step.code_point == utf8::broken || step.code_point < 0x20 || step.code_point == 0x7F) {
      readable = false;
    }
    at += step.length;
  }
  std::string text;
  if (readable) {
    text = "“" + std::string(shown) + "”";
  } else {
    constexpr char digits[] = "0123456789abcdef";
    text = "of bytes";
    for (const char byte : shown) {
      const auto value = static_cast<unsigned char>(byte);
      text += {' ', digits[value >> 4], digits[value & 15]};
    }
  }
  return bytes.size() > longest ? text + " …" : text;
}

}  // namespace attn

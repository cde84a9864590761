#include "tokenizer/vocabulary_parts.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/utf8.hpp"
#include "tokenizer/byte_letters.hpp"
#include "tokenizer/pair_table.hpp"

namespace attn {

Expected<Vocabulary> vocabulary_of_parts(VocabularyParts parts, const PartsWords& words) {
  using enum VocabularyPart;
  std::uint32_t ids = 0;
  for (const auto& [part, list] :
       {std::pair{tokens, &parts.tokens}, std::pair{special, &parts.special}}) {
    for (const VocabularyParts::Token& token : *list) {
      if (token.id >= max_vocab_size) {
        return words.refuse(part, token.at,
                            "an id must be below " + std::to_string(max_vocab_size) + ".");
      }
      ids = std::max(ids, token.id + 1);
    }
  }
  Vocabulary made;
  made.alphabet = parts.over_bytes ? Alphabet::bytes : Alphabet::characters;
  made.pretokenizer = parts.pretokenizer;
  made.whole_words = parts.whole_words && parts.over_bytes;

  std::vector<std::string_view> bytes_of(ids);
  std::vector<std::size_t> places(ids);
  std::vector<bool> is_special(ids);
  for (const VocabularyParts::Token& token : parts.special) {
    if (is_special[token.id]) {
      return words.refuse(special, token.at,
                          "the id " + std::to_string(token.id) + " stands twice.");
    }
    is_special[token.id] = true;
    made.special_tokens.push_back({token.text, token.id});
  }
  BytesTable known(parts.tokens.size());
  std::string bytes;
  for (VocabularyParts::Token& token : parts.tokens) {
    const auto refuse = [&](const std::string& what) {
      return words.refuse(tokens, token.at, what);
    };
    // A special token may stand among the others too; it is the same one.
    if (is_special[token.id]) continue;
    if (parts.over_bytes) {
      if (!bytes_of_letters(token.text, bytes)) {
        return refuse("the token " + quoted(token.text) +
                      " is not written in GPT-2's letters for bytes.");
      }
      token.text = bytes;
    }
    if (token.text.empty() || token.text.size() > max_token_length) {
      return refuse("a token must have 1 to " + std::to_string(max_token_length) + " bytes.");
    }
    if (!bytes_of[token.id].empty()) {
      return refuse("the id " + std::to_string(token.id) + " stands on " +
                    words.place(places[token.id]) + " too.");
    }
    if (const std::uint32_t earlier = known.insert(token.text, token.id);
        earlier != BytesTable::none) {
      return refuse("the token " + quoted(token.text) + " stands on " +
                    words.place(places[earlier]) + " too.");
    }
    bytes_of[token.id] = token.text;
    places[token.id] = token.at;
  }
  std::array<bool, 256> there{};
  for (std::uint32_t id = 0; id < ids; ++id) {
    if (bytes_of[id].empty()) continue;
    const auto* data = reinterpret_cast<const unsigned char*>(bytes_of[id].data());
    const bool single =
        parts.over_bytes ? bytes_of[id].size() == 1
                         : utf8::step(data, bytes_of[id].size(), 0).length == bytes_of[id].size();
    if (!single) continue;
    made.base.push_back(id);
    there[data[0]] = true;
  }
  const bool needs_all = parts.over_bytes && !parts.may_lack_bytes;
  for (std::size_t byte = 0; needs_all && byte < there.size(); ++byte) {
    if (!there[byte]) {
      return words.refuse(tokens, parts.begin,
                          "the vocabulary has no token for the byte " + std::to_string(byte) +
                              "; all 256 bytes need one.");
    }
  }
  PairTable pairs(parts.merges.size());
  std::string right_bytes;
  for (VocabularyParts::Pair& merge : parts.merges) {
    const auto refuse = [&](const std::string& what) {
      return words.refuse(merges, merge.at, what);
    };
    const auto rank = static_cast<std::uint32_t>(made.merges.size());
    if (rank >= 2 * max_vocab_size - 2) return refuse("there are too many merges.");
    if (parts.over_bytes) {
      if (!bytes_of_letters(merge.left, bytes) || !bytes_of_letters(merge.right, right_bytes)) {
        return refuse("a merge is not written in GPT-2's letters for bytes.");
      }
      merge.left = bytes;
      merge.right = right_bytes;
    }
    const auto id_of = [&](std::string_view token) {
      return token.empty() ? BytesTable::none : known.find(token);
    };
    const std::uint32_t left = id_of(merge.left);
    const std::uint32_t right = id_of(merge.right);
    const std::uint32_t result = id_of(merge.left + merge.right);
    if (left == BytesTable::none || right == BytesTable::none || result == BytesTable::none) {
      return refuse("the merge of " + quoted(merge.left) + " and " + quoted(merge.right) +
                    " needs a token that the vocabulary has not got.");
    }
    if (!pairs.insert(left, right, rank)) {
      return refuse("the merge of " + quoted(merge.left) + " and " + quoted(merge.right) +
                    " stands twice.");
    }
    made.merges.push_back({left, right, result, rank});
  }
  made.set_tokens(bytes_of);
  return made;
}

}  // namespace attn

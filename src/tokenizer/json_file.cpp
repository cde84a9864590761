#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "core/json_reader.hpp"
#include "core/limits.hpp"
#include "core/utf8.hpp"
#include "tokenizer/files.hpp"
#include "tokenizer/pair_table.hpp"

namespace attn {
namespace {

/// GPT-2's letters for bytes: printable ones are themselves, the others U+0100 and on, in order.
std::uint32_t letter_of(std::uint8_t byte) {
  static const std::array<std::uint32_t, 256> letters = [] {
    std::array<std::uint32_t, 256> made{};
    constexpr std::size_t printable = 188;
    for (std::size_t i = 0; i < 256; ++i) {
      const std::uint8_t at = gpt2_byte_order()[i];
      made[at] = i < printable ? at : static_cast<std::uint32_t>(0x100 + i - printable);
    }
    return made;
  }();
  return letters[byte];
}

std::string letters_of(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) utf8::append(text, letter_of(static_cast<unsigned char>(byte)));
  return text;
}

/// The bytes that GPT-2's letters stand for; false when one of them stands for none.
bool bytes_of(std::string_view text, std::string& bytes) {
  static const std::vector<std::int16_t> byte_of = [] {
    std::vector<std::int16_t> made(0x200, -1);
    for (unsigned byte = 0; byte < 256; ++byte) {
      made[letter_of(static_cast<std::uint8_t>(byte))] = static_cast<std::int16_t>(byte);
    }
    return made;
  }();
  bytes.clear();
  const auto* data = reinterpret_cast<const unsigned char*>(text.data());
  for (std::size_t at = 0; at < text.size();) {
    const utf8::Step step = utf8::step(data, text.size(), at);
    if (step.code_point >= byte_of.size() || byte_of[step.code_point] < 0) return false;
    bytes.push_back(static_cast<char>(byte_of[step.code_point]));
    at += step.length;
  }
  return true;
}

struct Entry {
  std::string token;
  std::uint32_t id;
  std::size_t at;  ///< In the file.
};

struct Pair {
  std::string left;
  std::string right;
  std::size_t at;
};

/// tokenizer.json as it stands, before it is made sense of.
struct Contents {
  std::vector<Entry> tokens;
  std::vector<Pair> merges;
  std::vector<Entry> added;
  std::optional<Pretokenizer> cut;  ///< By a Split, or by ByteLevel itself.
  bool byte_level = false;
  bool ignore_merges = false;
  bool has_model = false;
  std::size_t model_at = 0;
};

class FileReader {
 public:
  explicit FileReader(std::string_view file) : in_(file) {}

  JsonReader& in() { return in_; }

  Contents read() {
    Contents made;
    in_.object([&](const std::string& key) {
      if (key == "model") {
        made.model_at = in_.at();
        made.has_model = true;
        model(made);
      } else if (key == "pre_tokenizer") {
        if (!in_.null()) pre_tokenizer(made, true);
      } else if (key == "added_tokens") {
        if (!in_.null()) in_.array([&] { added_token(made); });
      } else if (key == "normalizer") {
        if (!in_.null()) {
          in_.refuse("a normalizer changes the text before it is encoded, which is not supported.");
        }
      } else {
        in_.skip();
      }
    });
    in_.finish();
    return made;
  }

 private:
  void must_be(bool wanted, const char* field) {
    const std::size_t at = in_.at();
    if (!in_.null() && in_.boolean() != wanted) {
      in_.refuse(at, std::string(field) + " must be " + (wanted ? "true." : "false."));
    }
  }

  void must_be_empty(const std::string& field) {
    const std::size_t at = in_.at();
    if (!in_.null() && !in_.string().empty()) in_.refuse(at, field + " is not supported.");
  }

  void model(Contents& made) {
    in_.object([&](const std::string& key) {
      const std::size_t at = in_.at();
      if (key == "type") {
        if (const std::string type = in_.string(); !in_.failed() && type != "BPE") {
          in_.refuse(at, "the model is of the type " + quoted(type) + " and must be “BPE”.");
        }
      } else if (key == "vocab") {
        in_.object([&](const std::string& token) {
          made.tokens.push_back({token, 0, in_.at()});
          made.tokens.back().id = in_.whole_number();
        });
      } else if (key == "merges") {
        in_.array([&] { merge(made); });
      } else if (key == "ignore_merges") {
        made.ignore_merges = !in_.null() && in_.boolean();
      } else if (key == "byte_fallback") {
        must_be(false, "byte_fallback");
      } else if (key == "continuing_subword_prefix" || key == "end_of_word_suffix") {
        must_be_empty(key);
      } else {
        in_.skip();
      }
    });
  }

  void merge(Contents& made) {
    Pair pair{{}, {}, in_.at()};
    if (in_.peek() == '[') {
      std::size_t count = 0;
      in_.array([&] {
        std::string token = in_.string();
        if (count < 2) (count == 0 ? pair.left : pair.right) = std::move(token);
        ++count;
      });
      if (count != 2) in_.refuse(pair.at, "a merge must join two tokens.");
    } else {
      const std::string both = in_.string();
      const std::size_t space = both.find(' ');
      if (space == std::string::npos || both.find(' ', space + 1) != std::string::npos) {
        in_.refuse(pair.at, "a merge must be two tokens with one space between them.");
        return;
      }
      pair.left = both.substr(0, space);
      pair.right = both.substr(space + 1);
    }
    made.merges.push_back(std::move(pair));
  }

  void added_token(Contents& made) {
    Entry token{{}, no_token, in_.at()};
    bool special = false;
    in_.object([&](const std::string& key) {
      if (key == "id") {
        token.id = in_.whole_number();
      } else if (key == "content") {
        token.token = in_.string();
      } else if (key == "special") {
        special = in_.boolean();
      } else {
        in_.skip();
      }
    });
    if (token.id == no_token || token.token.empty()) {
      in_.refuse(token.at, "an added token must have an id and a content.");
    }
    if (!special) {
      in_.refuse(token.at,
                 "the added token " + quoted(token.token) +
                     " is not special: it would be found in any text, which is not supported.");
    }
    made.added.push_back(std::move(token));
  }

  void pre_tokenizer(Contents& made, bool may_be_sequence) {
    const std::size_t at = in_.at();
    std::string type;
    std::optional<Pretokenizer> split;
    bool use_regex = true;
    in_.object([&](const std::string& key) {
      const std::size_t value_at = in_.at();
      if (key == "type") {
        type = in_.string();
      } else if (key == "pretokenizers" && may_be_sequence) {
        in_.array([&] { pre_tokenizer(made, false); });
      } else if (key == "add_prefix_space") {
        must_be(false, "add_prefix_space");
      } else if (key == "use_regex") {
        use_regex = in_.boolean();
      } else if (key == "invert") {
        must_be(false, "invert");
      } else if (key == "behavior") {
        if (in_.string() != "Isolated") in_.refuse(value_at, "behavior must be “Isolated”.");
      } else if (key == "pattern") {
        in_.object([&](const std::string& kind) {
          const std::string expression = in_.string();
          for (const Pretokenizer known : pretokenizers) {
            if (kind == "Regex" && !expression.empty() && pattern(known) == expression)
              split = known;
          }
          if (!split) in_.refuse(value_at, "this pattern is none of those that are supported.");
        });
      } else {
        in_.skip();
      }
    });
    if (in_.failed()) return;
    if (type == "Split" && split && !made.cut && !made.byte_level) {
      made.cut = split;
    } else if (type == "ByteLevel" && !made.byte_level && !(use_regex && made.cut)) {
      made.byte_level = true;
      if (use_regex) made.cut = Pretokenizer::gpt2;
    } else if (!(type == "Sequence" && may_be_sequence)) {
      in_.refuse(at, "the pre-tokenizer " + quoted(type) + " is not supported here.");
    }
  }

  JsonReader in_;
};

/// Makes sense of a file's contents.
Expected<Vocabulary> vocabulary_of(Contents contents, const JsonReader& file) {
  const auto refuse = [&](std::size_t at, const std::string& what) {
    return fail(ErrorCode::bad_argument, "file", {"Line ", file.line(at), ": ", what});
  };
  if (!contents.has_model) return refuse(file.at(), "the file has no model.");
  std::uint32_t ids = 0;
  for (const auto* list : {&contents.tokens, &contents.added}) {
    for (const Entry& entry : *list) {
      if (entry.id >= max_vocab_size) {
        return refuse(entry.at, "an id must be below " + std::to_string(max_vocab_size) + ".");
      }
      ids = std::max(ids, entry.id + 1);
    }
  }
  Vocabulary made;
  made.alphabet = contents.byte_level ? Alphabet::bytes : Alphabet::characters;
  made.pretokenizer = contents.cut.value_or(Pretokenizer::none);
  made.whole_words = contents.ignore_merges && contents.byte_level;

  std::vector<std::string_view> tokens(ids);
  std::vector<std::size_t> places(ids);
  std::vector<bool> is_special(ids);
  for (const Entry& entry : contents.added) {
    if (is_special[entry.id]) {
      return refuse(entry.at, "the id " + std::to_string(entry.id) + " stands twice.");
    }
    is_special[entry.id] = true;
    made.special_tokens.push_back({entry.token, entry.id});
  }
  BytesTable known(contents.tokens.size());
  std::string bytes;
  for (Entry& entry : contents.tokens) {
    // A special token may stand among the others too; it is the same one.
    if (is_special[entry.id]) continue;
    if (contents.byte_level) {
      if (!bytes_of(entry.token, bytes)) {
        return refuse(entry.at, "the token " + quoted(entry.token) +
                                    " is not written in GPT-2's letters for bytes.");
      }
      entry.token = bytes;
    }
    if (entry.token.empty() || entry.token.size() > max_token_length) {
      return refuse(entry.at,
                    "a token must have 1 to " + std::to_string(max_token_length) + " bytes.");
    }
    if (!tokens[entry.id].empty()) {
      return refuse(entry.at, "the id " + std::to_string(entry.id) + " stands on line " +
                                  std::to_string(file.line(places[entry.id])) + " too.");
    }
    if (const std::uint32_t earlier = known.insert(entry.token, entry.id);
        earlier != BytesTable::none) {
      return refuse(entry.at, "the token " + quoted(entry.token) + " stands on line " +
                                  std::to_string(file.line(places[earlier])) + " too.");
    }
    tokens[entry.id] = entry.token;
    places[entry.id] = entry.at;
  }
  std::array<bool, 256> there{};
  for (std::uint32_t id = 0; id < ids; ++id) {
    if (tokens[id].empty()) continue;
    const auto* data = reinterpret_cast<const unsigned char*>(tokens[id].data());
    const bool single = contents.byte_level
                            ? tokens[id].size() == 1
                            : utf8::step(data, tokens[id].size(), 0).length == tokens[id].size();
    if (!single) continue;
    made.base.push_back(id);
    there[data[0]] = true;
  }
  for (std::size_t byte = 0; contents.byte_level && byte < there.size(); ++byte) {
    if (!there[byte]) {
      return refuse(contents.model_at, "the vocabulary has no token for the byte " +
                                           std::to_string(byte) + "; all 256 bytes need one.");
    }
  }
  PairTable pairs(contents.merges.size());
  std::string right_bytes;
  for (Pair& merge : contents.merges) {
    const auto rank = static_cast<std::uint32_t>(made.merges.size());
    if (rank >= 2 * max_vocab_size - 2) return refuse(merge.at, "there are too many merges.");
    if (contents.byte_level) {
      if (!bytes_of(merge.left, bytes) || !bytes_of(merge.right, right_bytes)) {
        return refuse(merge.at, "a merge is not written in GPT-2's letters for bytes.");
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
      return refuse(merge.at, "the merge of " + quoted(merge.left) + " and " + quoted(merge.right) +
                                  " needs a token that the vocabulary has not got.");
    }
    if (!pairs.insert(left, right, rank)) {
      return refuse(merge.at, "the merge of " + quoted(merge.left) + " and " + quoted(merge.right) +
                                  " stands twice.");
    }
    made.merges.push_back({left, right, result, rank});
  }
  made.set_tokens(tokens);
  return made;
}

}  // namespace

Expected<Vocabulary> read_tokenizer_json(std::string_view file) {
  if (file.size() > max_file_bytes) {
    return fail(ErrorCode::too_large, "file",
                {"A tokenizer.json may have at most ", max_file_bytes, " bytes."});
  }
  // The shortest merge, ["",""], takes 8 bytes and about 100 in the tables.
  ATTN_CHECK(check_bytes("file", std::uint64_t{file.size()} * 15));
  FileReader reader(file);
  Contents contents = reader.read();
  if (reader.in().failed()) {
    return fail(ErrorCode::bad_argument, "file", {reader.in().problem()});
  }
  return vocabulary_of(std::move(contents), reader.in());
}

std::string write_tokenizer_json(const Vocabulary& vocabulary) {
  const bool bytes = vocabulary.alphabet == Alphabet::bytes;
  const auto text = [&](std::uint32_t id) {
    const std::string_view token = vocabulary.bytes(id);
    return bytes ? letters_of(token) : std::string(token);
  };
  std::string out = "{\n  \"version\": \"1.0\",\n  \"added_tokens\": [";
  const char* separator = "";
  for (const SpecialToken& token : vocabulary.special_tokens) {
    out += std::string(separator) + "\n    {\"id\": " + std::to_string(token.id) +
           ", \"content\": " + json_string(token.text) +
           ", \"single_word\": false, \"lstrip\": false, \"rstrip\": false, \"normalized\": false, "
           "\"special\": true}";
    separator = ",";
  }
  out += "\n  ],\n  \"normalizer\": null,\n  \"pre_tokenizer\": ";
  const std::string split = R"({"type": "Split", "pattern": {"Regex": )" +
                            json_string(pattern(vocabulary.pretokenizer)) +
                            R"(}, "behavior": "Isolated", "invert": false})";
  const auto byte_level = [](bool use_regex) {
    return std::string(
               R"({"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, )") +
           "\"use_regex\": " + (use_regex ? "true}" : "false}");
  };
  if (!bytes) {
    out += vocabulary.pretokenizer == Pretokenizer::none ? "null" : split;
  } else if (vocabulary.pretokenizer == Pretokenizer::none) {
    out += byte_level(false);
  } else if (vocabulary.pretokenizer == Pretokenizer::gpt2) {
    out += byte_level(true);
  } else {
    out += R"({"type": "Sequence", "pretokenizers": [)" + split + ", " + byte_level(false) + "]}";
  }
  out += ",\n  \"post_processor\": null,\n  \"decoder\": ";
  out +=
      bytes
          ? R"({"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": true})"
          : R"({"type": "Fuse"})";
  out +=
      ",\n  \"model\": {\n    \"type\": \"BPE\",\n    \"dropout\": null,\n    \"unk_token\": "
      "null,\n"
      "    \"continuing_subword_prefix\": \"\",\n    \"end_of_word_suffix\": \"\",\n"
      "    \"fuse_unk\": false,\n    \"byte_fallback\": false,\n    \"ignore_merges\": ";
  out += vocabulary.whole_words ? "true" : "false";
  out += ",\n    \"vocab\": {";
  separator = "";
  std::vector<bool> is_special(vocabulary.size());
  for (const SpecialToken& token : vocabulary.special_tokens) is_special[token.id] = true;
  for (std::uint32_t id = 0; id < vocabulary.size(); ++id) {
    if (vocabulary.bytes(id).empty() || is_special[id]) continue;
    out += std::string(separator) + "\n      " + json_string(text(id)) + ": " + std::to_string(id);
    separator = ",";
  }
  out += "\n    },\n    \"merges\": [";
  separator = "";
  for (const Merge& merge : vocabulary.merges) {
    out += std::string(separator) + "\n      [" + json_string(text(merge.left)) + ", " +
           json_string(text(merge.right)) + "]";
    separator = ",";
  }
  return out + "\n    ]\n  }\n}\n";
}

}  // namespace attn

#include <optional>
#include <string>
#include <utility>

#include "core/json_reader.hpp"
#include "core/limits.hpp"
#include "tokenizer/byte_letters.hpp"
#include "tokenizer/files.hpp"
#include "tokenizer/vocabulary_parts.hpp"

namespace attn {
namespace {

/// tokenizer.json as it stands, before it is made sense of.
struct Contents {
  VocabularyParts parts;
  std::optional<Pretokenizer> cut;  ///< By a Split, or by ByteLevel itself.
  bool digits = false;  ///< Each digit was cut out before.
  bool byte_level = false;
  bool has_model = false;
};

class FileReader {
 public:
  explicit FileReader(std::string_view file) : in_(file) {}

  JsonReader& in() { return in_; }

  Contents read() {
    Contents made;
    in_.object([&](const std::string& key) {
      if (key == "model") {
        made.parts.begin = in_.at();
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
          made.parts.tokens.push_back({token, 0, in_.at()});
          made.parts.tokens.back().id = in_.whole_number();
        });
      } else if (key == "merges") {
        in_.array([&] { merge(made); });
      } else if (key == "ignore_merges") {
        made.parts.whole_words = !in_.null() && in_.boolean();
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
    VocabularyParts::Pair pair{{}, {}, in_.at()};
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
    made.parts.merges.push_back(std::move(pair));
  }

  void added_token(Contents& made) {
    VocabularyParts::Token token{{}, no_token, in_.at()};
    bool special = false;
    in_.object([&](const std::string& key) {
      if (key == "id") {
        token.id = in_.whole_number();
      } else if (key == "content") {
        token.text = in_.string();
      } else if (key == "special") {
        special = in_.boolean();
      } else {
        in_.skip();
      }
    });
    if (token.id == no_token || token.text.empty()) {
      in_.refuse(token.at, "an added token must have an id and a content.");
    }
    if (!special) {
      in_.refuse(token.at,
                 "the added token " + quoted(token.text) +
                     " is not special: it would be found in any text, which is not supported.");
    }
    made.parts.special.push_back(std::move(token));
  }

  void pre_tokenizer(Contents& made, bool may_be_sequence) {
    const std::size_t at = in_.at();
    std::string type;
    std::optional<Pretokenizer> split;
    bool use_regex = true, individual = false;
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
      } else if (key == "individual_digits") {
        individual = in_.boolean();
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
    const bool is_first = !made.cut && !made.digits && !made.byte_level;
    if (type == "Split" && split && is_first) {
      made.cut = split;
    } else if (type == "Digits" && individual && is_first) {
      made.digits = true;
    } else if (type == "ByteLevel" && !made.byte_level && !(use_regex && made.cut) &&
               (use_regex || !made.digits)) {
      made.byte_level = true;
      if (use_regex) made.cut = made.digits ? Pretokenizer::smollm : Pretokenizer::gpt2;
    } else if (!(type == "Sequence" && may_be_sequence)) {
      in_.refuse(at, "the pre-tokenizer " + quoted(type) + " is not supported here.");
    }
  }

  JsonReader in_;
};

}  // namespace

Expected<Vocabulary> read_tokenizer_json(std::string_view file, bool may_lack_bytes) {
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
  const auto refuse = [&](VocabularyPart, std::size_t at, const std::string& what) {
    return fail(ErrorCode::bad_argument, "file", {"Line ", reader.in().line(at), ": ", what});
  };
  const auto place = [&](std::size_t at) { return text({"line ", reader.in().line(at)}); };
  VocabularyParts& parts = contents.parts;
  if (!contents.has_model) {
    return refuse(VocabularyPart::tokens, reader.in().at(), "the file has no model.");
  }
  if (contents.digits && !contents.byte_level) {
    return refuse(VocabularyPart::tokens, reader.in().at(),
                  "the pre-tokenizer “Digits” is supported before “ByteLevel” alone.");
  }
  parts.over_bytes = contents.byte_level;
  parts.pretokenizer = contents.cut.value_or(Pretokenizer::none);
  parts.may_lack_bytes = may_lack_bytes;
  return vocabulary_of_parts(std::move(parts), {refuse, place});
}

std::string write_tokenizer_json(const Vocabulary& vocabulary) {
  const bool bytes = vocabulary.alphabet == Alphabet::bytes;
  const auto text = [&](std::uint32_t id) {
    const std::string_view token = vocabulary.bytes(id);
    return bytes ? letters_of_bytes(token) : std::string(token);
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
  } else if (vocabulary.pretokenizer == Pretokenizer::smollm) {
    out +=
        R"({"type": "Sequence", "pretokenizers": [{"type": "Digits", "individual_digits": true}, )" +
        byte_level(true) + "]}";
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

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/random.hpp"
#include "tokenizer/files.hpp"
#include "tokenizer/tokenizer.hpp"
#include "tokenizer/train.hpp"

using namespace attn;

namespace {

Vocabulary trained(std::string_view corpus, Alphabet alphabet, Pretokenizer pretokenizer,
                   std::size_t merges = 100) {
  auto trainer = Trainer::make({&corpus, 1}, {TieRule::lowest_bytes, alphabet, pretokenizer});
  REQUIRE(trainer);
  REQUIRE(trainer->run(merges));
  return trainer->vocabulary();
}

constexpr std::string_view corpus =
    "o gato subiu no telhado \"e\" espera\\ a luz do dia; the cat climbed the roof, the cat";

void check_equal(const Vocabulary& a, const Vocabulary& b) {
  CHECK(a.alphabet == b.alphabet);
  CHECK(a.pretokenizer == b.pretokenizer);
  CHECK(a.whole_words == b.whole_words);
  CHECK(a.merges == b.merges);
  CHECK(a.base == b.base);
  CHECK(a.special_tokens == b.special_tokens);
  REQUIRE(a.size() == b.size());
  for (std::uint32_t id = 0; id < a.size(); ++id) REQUIRE(a.bytes(id) == b.bytes(id));
}

/// A .tiktoken file of the 256 bytes in their order, without the last `missing` ones.
std::string byte_lines(int missing = 0) {
  const auto file = write_tiktoken(trained("", Alphabet::bytes, Pretokenizer::gpt2));
  REQUIRE(file);
  std::string lines = *file;
  for (; missing > 0; --missing) lines.erase(lines.rfind('\n', lines.size() - 2) + 1);
  return lines;
}

void check_refused(const Expected<Vocabulary>& read, std::string_view part) {
  REQUIRE_FALSE(read);
  CHECK(read.error().code == ErrorCode::bad_argument);
  CHECK(read.error().field == "file");
  CAPTURE(read.error().message);
  CHECK(read.error().message.contains(part));
}

std::string changed(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("vocabularies come back from every form that holds them", "[tokenizer][files]") {
  for (const Pretokenizer kind : pretokenizers) {
    Vocabulary bytes = trained(corpus, Alphabet::bytes, kind);
    const auto tiktoken = write_tiktoken(bytes);
    REQUIRE(tiktoken);
    const auto from_tiktoken = read_tiktoken(*tiktoken, kind);
    REQUIRE(from_tiktoken);
    check_equal(*from_tiktoken, bytes);
    for (const Alphabet alphabet : {Alphabet::bytes, Alphabet::characters}) {
      const Vocabulary made = trained(corpus, alphabet, kind);
      const auto packed = write_packed(made);
      REQUIRE(packed);
      const auto from_packed = read_packed(*packed);
      REQUIRE(from_packed);
      check_equal(*from_packed, made);
      const std::string json = write_tokenizer_json(made);
      CHECK(nlohmann::json::accept(json));
      const auto from_json = read_tokenizer_json(json);
      CAPTURE(json, from_json ? "" : from_json.error().message);
      REQUIRE(from_json);
      check_equal(*from_json, made);
      const auto from_plain = read_plain(write_plain(made));
      REQUIRE(from_plain);
      check_equal(*from_plain, made);
    }
  }
}

TEST_CASE("the smallest vocabularies come back too", "[tokenizer][files]") {
  for (const Alphabet alphabet : {Alphabet::bytes, Alphabet::characters}) {
    for (const std::string_view text : {"", "a", "   "}) {
      const Vocabulary made = trained(text, alphabet, Pretokenizer::gpt2);
      const auto packed = write_packed(made);
      REQUIRE(packed);
      const auto from_packed = read_packed(*packed);
      REQUIRE(from_packed);
      check_equal(*from_packed, made);
      const auto from_json = read_tokenizer_json(write_tokenizer_json(made));
      REQUIRE(from_json);
      check_equal(*from_json, made);
    }
  }
}

TEST_CASE("a damaged vocabulary in plain form is refused, wherever it is cut or changed",
          "[tokenizer][files]") {
  for (const Alphabet alphabet : {Alphabet::bytes, Alphabet::characters}) {
    const std::string plain = write_plain(trained("aab aab", alphabet, Pretokenizer::gpt2, 2));
    REQUIRE(read_plain(plain));
    for (std::size_t length = 0; length < plain.size(); ++length) {
      check_refused(read_plain(plain.substr(0, length)), "plain form");
    }
    check_refused(read_plain(plain + "x"), "plain form");
    // Any byte may be any other: what is accepted then must be safe to encode with.
    for (std::size_t at = 0; at < plain.size(); ++at) {
      for (const char value : {'\0', '\1', '\x7F', '\xFF'}) {
        std::string changed = plain;
        changed[at] = value;
        auto read = read_plain(changed);
        if (!read) continue;
        const auto tokenizer = Tokenizer::make(std::move(*read));
        if (tokenizer) REQUIRE(tokenizer->encode("aab abba \xFF", {true}));
      }
    }
  }
}

TEST_CASE("special tokens and large ids come back", "[tokenizer][files]") {
  const auto file = byte_lines();
  const std::vector<SpecialToken> special = {{"<|endoftext|>", 256}, {"<|a \"b\"|>", 70000}};
  const auto made = read_tiktoken(file, Pretokenizer::cl100k, special);
  REQUIRE(made);
  CHECK(made->size() == 70001);
  CHECK(made->bytes(257).empty());
  const auto packed = write_packed(*made);
  REQUIRE(packed);
  check_equal(*read_packed(*packed), *made);
  const auto json = read_tokenizer_json(write_tokenizer_json(*made));
  REQUIRE(json);
  check_equal(*json, *made);
  check_equal(*read_plain(write_plain(*made)), *made);
  CHECK(*write_tiktoken(*made) == file);
  check_refused(read_tiktoken("", Pretokenizer::gpt2), "line 0");
  const auto taken = read_tiktoken(file, Pretokenizer::gpt2, {{"x", 3}});
  REQUIRE_FALSE(taken);
  CHECK(taken.error().field == "special_tokens");
}

TEST_CASE("GPT-2 packed is small and is the same as its .tiktoken file", "[tokenizer][files]") {
  std::ifstream stream(std::string(ATTN_GOLDEN_DIR) + "/gpt2.bpe", std::ios::binary);
  const std::string packed{std::istreambuf_iterator<char>(stream), {}};
  CHECK(packed.size() < 200100);
  const auto gpt2 = read_packed(packed);
  REQUIRE(gpt2);
  CHECK(gpt2->merges.size() == 50000);
  CHECK_FALSE(gpt2->whole_words);
  const auto file = write_tiktoken(*gpt2);
  REQUIRE(file);
  CHECK(file->starts_with("IQ== 0\nIg== 1\n"));
  const auto again = read_tiktoken(*file, Pretokenizer::gpt2, gpt2->special_tokens);
  REQUIRE(again);
  check_equal(*again, *gpt2);
}

TEST_CASE("a damaged .tiktoken file is refused by its line", "[tokenizer][files]") {
  const auto read = [](const std::string& file) { return read_tiktoken(file, Pretokenizer::gpt2); };
  const std::string good = byte_lines() + "YWI= 256\n";
  REQUIRE(read(good));
  CHECK(read(good.substr(0, good.size() - 1)));
  check_refused(read(good.substr(0, good.size() - 4)), "Line 257 is cut short");
  check_refused(read(good.substr(0, good.size() - 5)), "Line 257 is cut short");
  check_refused(read(good.substr(0, good.size() - 2)), "Line 257 has the rank 25 of line 26");
  check_refused(read(good + "YWI= 257\n"), "Line 258 has the same token as line 257, “ab”");
  check_refused(read(good + "YWM= 256\n"), "Line 258 has the rank 256 of line 257");
  check_refused(read(good + "YWM=\n"), "Line 258");
  check_refused(read(good + "\nYWM= 257\n"), "Line 258");
  check_refused(read(good + "YW M= 257\n"), "Line 258 does not begin with valid base64");
  check_refused(read(good + "YWN= 257\n"), "Line 258 does not begin with valid base64");
  check_refused(read(good + "YWM= 25x\n"), "Line 258 does not end with a rank");
  check_refused(read(good + "YWM= -1\n"), "Line 258 does not end with a rank");
  check_refused(read(good + "YWM= 99999999999\n"), "Line 258 has a rank above");
  check_refused(read(byte_lines(1)), "has no token for the byte 255");
  check_refused(read(byte_lines(6)), "ends after line 250");
  std::string windows = good;
  for (std::size_t at = 0; (at = windows.find('\n', at)) != std::string::npos; at += 2) {
    windows.insert(at, 1, '\r');
  }
  CHECK(read(windows));
}

TEST_CASE("a damaged packed file is refused", "[tokenizer][files][property]") {
  const auto packed = write_packed(trained(corpus, Alphabet::characters, Pretokenizer::gpt2));
  REQUIRE(packed);
  for (std::size_t length = 0; length < packed->size(); ++length) {
    check_refused(read_packed(packed->substr(0, length)), "At byte ");
  }
  for (std::size_t at = 0; at < packed->size(); ++at) {
    std::string damaged = *packed;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x40);
    check_refused(read_packed(damaged), "At byte ");
  }
  check_refused(read_packed(*packed + "x"), "At byte ");
}

TEST_CASE("a damaged tokenizer.json is refused by its line", "[tokenizer][files]") {
  const std::string good =
      write_tokenizer_json(trained("the cat the", Alphabet::bytes, Pretokenizer::gpt2));
  REQUIRE(read_tokenizer_json(good));
  for (std::size_t length = 0; length + 1 < good.size(); length += 7) {
    check_refused(read_tokenizer_json(good.substr(0, length)), "Line ");
  }
  const auto refused = [&](std::string_view from, std::string_view to, std::string_view part) {
    check_refused(read_tokenizer_json(changed(good, from, to)), part);
  };
  refused("\"type\": \"BPE\"", "\"type\": \"Unigram\"", "must be “BPE”");
  refused("\"normalizer\": null", "\"normalizer\": {\"type\": \"NFC\"}", "a normalizer changes");
  refused("\"byte_fallback\": false", "\"byte_fallback\": true", "byte_fallback must be false");
  refused("\"end_of_word_suffix\": \"\"", "\"end_of_word_suffix\": \"</w>\"", "end_of_word_suffix");
  refused("\"add_prefix_space\": false", "\"add_prefix_space\": true", "add_prefix_space");
  refused("\"type\": \"ByteLevel\"", "\"type\": \"Metaspace\"", "“Metaspace”");
  refused("\"!\": 33", "\"!\": 34", "the id 34 stands on line ");
  refused("\"!\": 33", "\"?\": 33", "the token “?” stands on line ");
  refused("\"!\": 33,", "", "no token for the byte 33");
  refused("\"!\": 33", "\"!\": 33.5", "whole number");
  refused("\"!\": 33", "\"!\": 99999999", "too large");
  refused("\"!\": 33", "\"漢\": 33", "GPT-2's letters");
  refused("[\"h\", \"e\"]", "[\"t\"]", "must join two tokens");
  refused("[\"h\", \"e\"]", "\"th\"", "one space");
  refused("[\"h\", \"e\"]", "[\"t\", \"z\"]", "needs a token");
  refused("\"added_tokens\": [",
          "\"added_tokens\": [{\"id\": 1, \"content\": \"x\", \"special\": false}",
          "is not special");
  check_refused(read_tokenizer_json(good + "{}"), "more after the end");
  check_refused(read_tokenizer_json("{}"), "no model");
  check_refused(read_tokenizer_json(std::string(1'000'000, '[')), "Line 1");
  check_refused(read_tokenizer_json("{\"x\": " + std::string(1'000'000, '[')), "cut short");
}

TEST_CASE("tokenizer.json of SmolLM: digits first, and bytes that have no token",
          "[tokenizer][files]") {
  const std::string good =
      write_tokenizer_json(trained("the cat the", Alphabet::bytes, Pretokenizer::smollm));
  CHECK(good.contains("\"Digits\""));
  const auto refused = [&](std::string_view from, std::string_view to, std::string_view part) {
    check_refused(read_tokenizer_json(changed(good, from, to)), part);
  };
  refused("\"individual_digits\": true", "\"individual_digits\": false", "“Digits”");
  refused("\"use_regex\": true}", "\"use_regex\": false}", "“ByteLevel”");
  const std::string less = changed(good, "\"!\": 33,", "");
  check_refused(read_tokenizer_json(less), "no token for the byte 33");
  const auto read = read_tokenizer_json(less, true);
  REQUIRE(read);
  const auto tokenizer = Tokenizer::make(*read);
  REQUIRE(tokenizer);
  const auto ids = tokenizer->encode("a!b");
  REQUIRE(ids);
  CHECK(*ids == std::vector<std::uint32_t>{'a', no_token, 'b'});
}

TEST_CASE("tokenizer.json in the older spelling of merges", "[tokenizer][files]") {
  const Vocabulary made = trained("the cat the", Alphabet::bytes, Pretokenizer::gpt2);
  auto json = nlohmann::json::parse(write_tokenizer_json(made));
  for (auto& merge : json["model"]["merges"]) {
    merge = merge[0].get<std::string>() + " " + merge[1].get<std::string>();
  }
  json["truncation"] = {{"deep", {1, -2.5e3, {{"x", nullptr}}, {true, false}}}};
  json["padding"] = nlohmann::json::array();
  const auto read = read_tokenizer_json(json.dump());
  CAPTURE(read ? "" : read.error().message);
  REQUIRE(read);
  check_equal(*read, made);
  // Escapes are only another spelling.
  const auto escaped = read_tokenizer_json(json.dump(2, ' ', true));
  REQUIRE(escaped);
  check_equal(*escaped, made);
}

TEST_CASE("forms that cannot hold a vocabulary say so", "[tokenizer][files]") {
  const auto characters = write_tiktoken(trained(corpus, Alphabet::characters, Pretokenizer::gpt2));
  REQUIRE_FALSE(characters);
  CHECK(characters.error().code == ErrorCode::bad_argument);
  Vocabulary swapped = trained(corpus, Alphabet::bytes, Pretokenizer::gpt2);
  REQUIRE(swapped.merges.size() > 3);
  std::swap(swapped.merges[0], swapped.merges[1]);
  std::swap(swapped.merges[0].rank, swapped.merges[1].rank);
  CHECK_FALSE(write_tiktoken(swapped));
  CHECK_FALSE(write_packed(swapped));
  const auto json = read_tokenizer_json(write_tokenizer_json(swapped));
  REQUIRE(json);
  check_equal(*json, swapped);
}

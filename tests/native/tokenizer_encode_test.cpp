#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "core/utf8.hpp"
#include "tokenizer/files.hpp"
#include "tokenizer/tokenizer.hpp"
#include "tokenizer/train.hpp"

using namespace attn;
using Ids = std::vector<std::uint32_t>;

namespace {

std::string golden_file(const std::string& name) {
  std::ifstream file(std::string(ATTN_GOLDEN_DIR) + "/" + name, std::ios::binary);
  REQUIRE(file);
  return {std::istreambuf_iterator<char>(file), {}};
}

const Tokenizer& gpt2() {
  static const Tokenizer tokenizer = [] {
    auto vocabulary = read_packed(golden_file("gpt2.bpe"));
    REQUIRE(vocabulary);
    auto made = Tokenizer::make(std::move(*vocabulary));
    REQUIRE(made);
    return std::move(*made);
  }();
  return tokenizer;
}

Ids encode(std::string_view text, bool special_ids = false) {
  const auto ids = gpt2().encode(text, {special_ids});
  REQUIRE(ids);
  return *ids;
}

nlohmann::json lecture_row(const std::string& id) {
  static const nlohmann::json file = nlohmann::json::parse(golden_file("lecture.json"));
  for (const auto& row : file.at("figures")) {
    if (row.at("id") == id) return row;
  }
  FAIL("lecture.json has no row " << id);
  return {};
}

/// The definition: the lowest rank first, leftmost first, found anew each time.
Ids merge_plainly(Ids tokens, const Vocabulary& vocabulary) {
  for (;;) {
    std::optional<Merge> best;
    std::size_t place = 0;
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
      for (const Merge& merge : vocabulary.merges) {
        if (merge.left == tokens[i] && merge.right == tokens[i + 1] &&
            (!best || merge.rank < best->rank)) {
          best = merge;
          place = i;
        }
      }
    }
    if (!best) return tokens;
    tokens[place] = best->result;
    tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(place) + 1);
  }
}

Ids encode_plainly(std::string_view text, const Vocabulary& vocabulary) {
  Ids ids;
  for (const Word& word : pretokenize(vocabulary.pretokenizer, text)) {
    Ids tokens;
    for (const char byte : text.substr(word.begin, word.end - word.begin)) {
      for (const std::uint32_t id : vocabulary.base) {
        if (vocabulary.bytes(id)[0] == byte) tokens.push_back(id);
      }
    }
    tokens = merge_plainly(tokens, vocabulary);
    ids.insert(ids.end(), tokens.begin(), tokens.end());
  }
  return ids;
}

}  // namespace

TEST_CASE("GPT-2's figures in the lecture", "[tokenizer][golden]") {
  CHECK(gpt2().vocabulary().size() ==
        lecture_row("tok.gpt2.vocab").at("computed").get<std::uint32_t>());
  const auto ids = lecture_row("tok.gpt2.ids").at("computed").get<Ids>();
  CHECK(encode("the") == Ids{ids[0]});
  CHECK(encode(" the") == Ids{ids[1]});
  CHECK(encode(" climbed") == Ids{ids[2]});
  CHECK(encode("the cat climbed the") ==
        lecture_row("tok.gpt2.en4").at("inputs").at("ids").get<Ids>());
  CHECK(encode("o gato subiu no") == lecture_row("tok.gpt2.pt6").at("inputs").at("ids").get<Ids>());
  CHECK(encode("the cat climbed the").size() == 4);
  CHECK(encode("o gato subiu no").size() == 6);
  for (const char* pair : {"tok.gpt2.pair1", "tok.gpt2.pair2", "tok.gpt2.pair3"}) {
    const auto row = lecture_row(pair);
    std::vector<std::size_t> found;
    for (const char* language : {"en", "pt"}) {
      const auto text = row.at("inputs").at(language).get<std::string>();
      found.push_back(static_cast<std::size_t>(std::count(text.begin(), text.end(), ' ')) + 1);
      found.push_back(encode(text).size());
    }
    CHECK(found == row.at("computed").get<std::vector<std::size_t>>());
  }
}

TEST_CASE("the pronoun and its adjective stand where the lecture says") {
  const Ids prompt = encode("The trophy did not fit in the suitcase because it was too small");
  const auto place = [](const Ids& ids, std::string_view word) {
    const Ids one = encode(word);
    REQUIRE(one.size() == 1);
    return std::find(ids.begin(), ids.end(), one[0]) - ids.begin();
  };
  const nlohmann::json it = lecture_row("recap.it_pos").at("computed");
  CHECK(place(prompt, " it") == it.at(0).get<std::ptrdiff_t>());
  CHECK(prompt.size() == it.at(1).get<std::size_t>());

  const nlohmann::json row = lecture_row("recap.eleven");
  const Ids whole =
      encode("The trophy would not fit in the brown suitcase because it was too small.");
  CHECK(whole == row.at("inputs").at("ids").get<Ids>());
  const auto small = place(whole, " small");
  const std::vector<std::ptrdiff_t> back = {small - place(whole, " it"),
                                            small - place(whole, " suitcase"),
                                            small - place(whole, " trophy")};
  CHECK(back == row.at("computed").get<std::vector<std::ptrdiff_t>>());
}

TEST_CASE("hard cases of GPT-2's tokenizer", "[tokenizer][hard]") {
  CHECK(encode("we'll") == Ids{732, 1183});
  CHECK(encode("'RE") == Ids{6, 2200});
  CHECK(encode("I'LL") == Ids{40, 6, 3069});
  CHECK(encode("I'm we'll THEY'RE we'd") == Ids{40, 1101, 356, 1183, 33302, 6, 2200, 356, 1549});
  CHECK(encode("“sentence“") == Ids{447, 250, 34086, 594, 447, 250});
  CHECK(encode("don’t") == Ids{9099, 447, 247, 83});
  CHECK(encode("a   b") == Ids{64, 220, 220, 275});
  CHECK(encode("a  ") == Ids{64, 220, 220});
  CHECK(encode("\n\n\n") == Ids{628, 198});
  CHECK(encode("a\r\nb") == Ids{64, 201, 198, 65});
  CHECK(encode("\t\t\tx") == Ids{197, 197, 197, 87});
  CHECK(encode("e\xCC\x81") == Ids{68, 136, 223});
  CHECK(encode("\xC3\xA9") == Ids{2634});
  CHECK(encode("Hello,") == Ids{15496, 11});
  CHECK(encode("\xEF\xBF\xBD") == Ids{4210});
  CHECK(encode("hello \xEF\xBF\xBD world") == Ids{31373, 20543, 995});
  CHECK(encode("") == Ids{});
}

TEST_CASE("special tokens are text unless ids are asked for", "[tokenizer][hard]") {
  CHECK(encode("<|endoftext|>") == Ids{27, 91, 437, 1659, 5239, 91, 29});
  CHECK(encode("<|endoftext|>", true) == Ids{50256});
  CHECK(encode("a<|endoftext|>b<|endoftext|", true) ==
        Ids{64, 50256, 65, 27, 91, 437, 1659, 5239, 91});
  CHECK(*gpt2().decode(Ids{64, 50256}) == "a<|endoftext|>");
  const auto offsets = gpt2().offsets("a<|endoftext|>", Ids{64, 50256});
  REQUIRE(offsets);
  CHECK(offsets->byte_end == Ids{1, 14});
}

TEST_CASE("of special tokens that begin alike the longest is meant", "[tokenizer]") {
  std::vector<std::string> bytes;
  for (int byte = 0; byte < 256; ++byte) bytes.emplace_back(1, static_cast<char>(byte));
  const std::vector<std::string_view> tokens(bytes.begin(), bytes.end());
  auto vocabulary = vocabulary_from_ranks(tokens, Pretokenizer::gpt2, {{"<a", 300}, {"<a>", 301}});
  REQUIRE(vocabulary);
  const auto tokenizer = Tokenizer::make(std::move(*vocabulary));
  REQUIRE(tokenizer);
  CHECK(*tokenizer->encode("<a><a<", {true}) == Ids{301, 300, '<'});
  CHECK(*tokenizer->encode("<a>") == Ids{'<', 'a', '>'});
}

TEST_CASE("a hundred thousand letters merge without recursion", "[tokenizer][hard]") {
  const Ids ids = encode(std::string(100000, 'a'));
  CHECK(ids.size() == 25000);
  CHECK(std::all_of(ids.begin(), ids.end(), [](std::uint32_t id) { return id == 24794; }));
}

TEST_CASE("ten megabytes of any kind are no surprise", "[tokenizer][hard]") {
#ifdef NDEBUG
  constexpr std::size_t size = 10'000'000;
#else
  constexpr std::size_t size = 1'000'000;  // The sanitizers take half a minute for ten.
#endif
  SplitMix64 random(5);
  std::string letters(size, 'a');
  std::string spaces(size, ' ');
  std::string noise(size, '\0');
  for (char& byte : noise) byte = static_cast<char>(random.next());
  std::string one_word(size, 'a');
  for (char& byte : one_word) byte = static_cast<char>('a' + random.next() % 26);
  for (const std::string* text : {&letters, &spaces, &noise, &one_word}) {
    const auto ids = gpt2().encode(*text);
    REQUIRE(ids);
    const auto back = gpt2().decode(*ids);
    REQUIRE(back);
    REQUIRE(*back == *text);
  }
}

TEST_CASE("every byte string comes back", "[tokenizer][property]") {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  CHECK(*gpt2().decode(encode(all)) == all);
  SplitMix64 random(11);
  for (int round = 0; round < 5000; ++round) {
    std::string text(random.next() % 200, '\0');
    const std::uint64_t kinds = random.next() % 3;
    for (char& byte : text) {
      byte = static_cast<char>(kinds == 0   ? random.next()
                               : kinds == 1 ? 'a' + random.next() % 4
                                            : 0x80 + random.next() % 64);
    }
    const Ids ids = encode(text);
    REQUIRE(*gpt2().decode(ids) == text);
    const auto replay = gpt2().replay(text);
    REQUIRE(replay);
    REQUIRE(replay->ids == ids);
    // From the start and the merges alone the tokens can be rebuilt.
    std::vector<std::uint32_t> ends = replay->start_offset;
    ends.push_back(static_cast<std::uint32_t>(text.size()));
    for (const ReplayStep& step : replay->steps) {
      const auto left = gpt2().vocabulary().bytes(step.left).size();
      for (const std::uint32_t place : step.places) {
        const auto boundary = static_cast<std::uint32_t>(place + left);
        REQUIRE(std::erase(ends, boundary) == 1);
      }
    }
    REQUIRE(ends.size() == ids.size() + 1);
    const auto offsets = gpt2().offsets(text, ids);
    REQUIRE(offsets);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      REQUIRE(offsets->byte_begin[i] == ends[i]);
      REQUIRE(offsets->byte_end[i] == ends[i + 1]);
      REQUIRE(offsets->utf16_begin[i] < offsets->utf16_end[i]);
    }
  }
}

TEST_CASE("the fast ways give what the definition gives", "[tokenizer][property]") {
  SplitMix64 random(13);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random.next() % n); };
  for (int round = 0; round < 60; ++round) {
    std::string corpus;
    const std::size_t letters = 1 + below(4);
    for (int i = 0; i < 400; ++i) {
      corpus += below(6) == 0 ? ' ' : static_cast<char>('a' + below(letters));
    }
    const std::string_view view = corpus;
    auto trainer =
        Trainer::make({&view, 1}, {TieRule::lowest_bytes, Alphabet::bytes,
                                   below(2) == 0 ? Pretokenizer::none : Pretokenizer::gpt2});
    REQUIRE(trainer);
    REQUIRE(trainer->run(below(40)));
    Vocabulary vocabulary = trainer->vocabulary();
    if (round % 2 == 1 && !vocabulary.merges.empty()) {
      // Ranks that do not rise take the other way through the queue.
      for (std::size_t i = vocabulary.merges.size(); i-- > 1;) {
        const std::size_t other = below(i + 1);
        std::swap(vocabulary.merges[i], vocabulary.merges[other]);
        std::swap(vocabulary.merges[i].rank, vocabulary.merges[other].rank);
      }
    }
    const Vocabulary kept = vocabulary;
    const auto tokenizer = Tokenizer::make(std::move(vocabulary));
    REQUIRE(tokenizer);
    for (const std::size_t length : std::initializer_list<std::size_t>{
             0,  1,  2,  11, 12, 13, 15, 16, 17,  19,  20,  21,  31, 32,
             33, 47, 48, 49, 63, 64, 65, 66, 128, 200, 254, 255, 256}) {
      std::string text;
      for (std::size_t i = 0; i < length; ++i) {
        text += below(40) == 0 ? ' ' : static_cast<char>('a' + below(letters));
      }
      const Ids expected = encode_plainly(text, kept);
      REQUIRE(*tokenizer->encode(text) == expected);
      REQUIRE(*tokenizer->encode(text) == expected);  // From the memory of words.
      REQUIRE(tokenizer->replay(text)->ids == expected);
    }
  }
}

TEST_CASE("words that share a place in the memory of words stay apart", "[tokenizer][property]") {
  // More different words, of every length that is remembered, than there are places.
  SplitMix64 random(23);
  std::string text;
  for (int word = 0; word < 30'000; ++word) {
    text += ' ';
    for (std::uint64_t i = 1 + random.next() % (word % 8 == 0 ? 260 : 50); i > 0; --i) {
      text += static_cast<char>('a' + random.next() % 3);
    }
  }
  const Ids ids = encode(text);
  CHECK(encode(text) == ids);
  // A replay remembers nothing.
  const auto replay = gpt2().replay(text);
  REQUIRE(replay);
  CHECK(replay->ids == ids);
}

TEST_CASE("a token that no merges lead to is found as a whole word", "[tokenizer]") {
  std::vector<std::string> list;
  for (int byte = 0; byte < 256; ++byte) list.emplace_back(1, static_cast<char>(byte));
  list.insert(list.end(), {"xyz", "ab", "bc", "abcd", "cd"});
  const std::vector<std::string_view> tokens(list.begin(), list.end());
  auto vocabulary = vocabulary_from_ranks(tokens, Pretokenizer::gpt2, {});
  REQUIRE(vocabulary);
  CHECK(vocabulary->whole_words);
  const auto tokenizer = Tokenizer::make(std::move(*vocabulary));
  REQUIRE(tokenizer);
  CHECK(*tokenizer->encode("xyz") == Ids{256});
  CHECK(*tokenizer->encode("xyzx") == Ids{'x', 'y', 'z', 'x'});
  // ab, then cd, whose pair makes a token of lower rank than cd's own.
  CHECK(*tokenizer->encode("abcdx") == Ids{259, 'x'});
  const auto replay = tokenizer->replay("xyz");
  REQUIRE(replay);
  CHECK(replay->ids == Ids{256});
  CHECK(replay->steps.back().rank == ReplayStep::whole_word);
}

TEST_CASE("offsets take in the whole of a character that a token cuts", "[tokenizer]") {
  // The hat is four bytes and two units; its tokens share them.
  const std::string text = "é🤠!";
  const Ids ids = encode(text);
  const auto offsets = gpt2().offsets(text, ids);
  REQUIRE(offsets);
  CHECK(offsets->byte_begin.front() == 0);
  CHECK(offsets->byte_end.back() == 7);
  CHECK(offsets->utf16_end.back() == 4);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const bool in_hat = offsets->byte_begin[i] >= 2 && offsets->byte_begin[i] < 6;
    if (!in_hat) continue;
    CHECK(offsets->utf16_begin[i] == 1);
    CHECK(offsets->utf16_end[i] == 3);
  }
  const auto other = gpt2().offsets("other text", ids);
  REQUIRE_FALSE(other);
  CHECK(other.error().code == ErrorCode::shape_mismatch);
}

TEST_CASE("an unknown id is refused by its place", "[tokenizer]") {
  const auto text = gpt2().decode(Ids{64, 50257});
  REQUIRE_FALSE(text);
  CHECK(text.error().code == ErrorCode::out_of_range);
  CHECK(text.error().field == "ids[1]");
}

TEST_CASE("a stream holds the beginning of a character", "[tokenizer][hard]") {
  StreamDecoder stream(gpt2());
  CHECK(*gpt2().decode(Ids{447}) == "\xE2\x80");
  CHECK(*stream.push(Ids{447}) == "");
  CHECK(stream.held() == "\xE2\x80");
  CHECK(*stream.push(Ids{247}) == "’");
  CHECK(stream.held().empty());
  CHECK(*stream.push(Ids{447}) == "");
  CHECK(*stream.push(Ids{83}) == "\xEF\xBF\xBDt");
  CHECK(*stream.push(Ids{447}) == "");
  CHECK(stream.finish() == "\xEF\xBF\xBD");
  CHECK(stream.finish() == "");
  REQUIRE_FALSE(stream.push(Ids{64, 99999}));
  CHECK(*stream.push(Ids{64}) == "a");
}

TEST_CASE("a stream writes what the joined bytes would give", "[tokenizer][property]") {
  SplitMix64 random(17);
  for (int round = 0; round < 3000; ++round) {
    Ids ids(random.next() % 12);
    for (std::uint32_t& id : ids) {
      id = static_cast<std::uint32_t>(random.next() % (random.next() % 2 == 0 ? 256 : 50257));
    }
    const std::string bytes = *gpt2().decode(ids);
    std::string expected;
    const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
    for (std::size_t at = 0; at < bytes.size();) {
      const utf8::Step step = utf8::step(data, bytes.size(), at);
      expected += step.code_point == utf8::broken ? std::string(utf8::replacement)
                                                  : bytes.substr(at, step.length);
      at += step.length;
    }
    StreamDecoder stream(gpt2());
    std::string text;
    for (const std::uint32_t id : ids) text += *stream.push({&id, 1});
    REQUIRE(text + stream.finish() == expected);
  }
}

TEST_CASE("curly quotes decoded token by token", "[tokenizer][hard]") {
  for (const std::string text : {"“sentence“", "don’t"}) {
    StreamDecoder stream(gpt2());
    std::string joined;
    for (const std::uint32_t id : encode(text)) {
      const auto part = stream.push({&id, 1});
      REQUIRE(part);
      CHECK_FALSE(part->contains(utf8::replacement));
      joined += *part;
    }
    CHECK(joined + stream.finish() == text);
  }
}

TEST_CASE("a vocabulary trained on nothing still encodes", "[tokenizer]") {
  const auto of_nothing = [](Alphabet alphabet) {
    auto trainer = Trainer::make({}, {TieRule::lowest_bytes, alphabet, Pretokenizer::gpt2});
    REQUIRE(trainer);
    auto made = Tokenizer::make(trainer->vocabulary());
    REQUIRE(made);
    return std::move(*made);
  };
  const Tokenizer bytes = of_nothing(Alphabet::bytes);
  CHECK(*bytes.encode("é!") == Ids{0xC3, 0xA9, '!'});
  CHECK(*bytes.decode(Ids{0xC3, 0xA9, '!'}) == "é!");
  CHECK(bytes.encode("")->empty());
  // No character is known: each has its place, and no id.
  const Tokenizer characters = of_nothing(Alphabet::characters);
  CHECK(characters.vocabulary().size() == 0);
  const auto ids = characters.encode("é!");
  REQUIRE(ids);
  CHECK(*ids == Ids{no_token, no_token});
  const auto offsets = characters.offsets("é!", *ids);
  REQUIRE(offsets);
  CHECK(offsets->byte_end == Ids{2, 3});
  CHECK(characters.encode(std::string(200, 'a'))->size() == 200);
  CHECK_FALSE(characters.decode(*ids));
}

TEST_CASE("an output that is too small is refused", "[tokenizer]") {
  std::vector<std::uint32_t> out(5);
  const auto count = gpt2().encode_into("four", {}, out);
  REQUIRE_FALSE(count);
  CHECK(count.error().code == ErrorCode::shape_mismatch);
}

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "core/utf8.hpp"
#include "tokenizer/pretokenize.hpp"
#include "tokenizer/scanner.hpp"
#include "tokenizer/unicode/categories.hpp"

using namespace attn;
using Words = std::vector<std::string>;

namespace {

Words words(Pretokenizer kind, std::string_view text) {
  Words made;
  for (const Word& word : pretokenize(kind, text)) {
    made.emplace_back(text.substr(word.begin, word.end - word.begin));
  }
  return made;
}

}  // namespace

TEST_CASE("classes are those of Unicode 16", "[tokenizer][unicode]") {
  using namespace attn::unicode;
  CHECK(version() == "16.0.0");
  CHECK(class_of('A') == upper);
  CHECK(class_of('z') == lower);
  CHECK(class_of(0x01C5) == upper);      // A titlecase letter.
  CHECK(class_of(0x00AA) == caseless);   // Feminine ordinal: Lo.
  CHECK(class_of(0x4E00) == caseless);
  CHECK(class_of(0x0301) == mark);
  CHECK(class_of(0x00BD) == number);     // One half: No.
  CHECK(class_of(0x2167) == number);     // Roman eight: Nl.
  CHECK(class_of('_') == other);
  CHECK(class_of(0xFFFD) == other);
  CHECK(class_of(0x10D50) == upper);     // Garay, new in Unicode 16.
  CHECK(class_of(0x1CCF0) == number);    // Outlined digits, new in Unicode 16.
  CHECK(class_of(0x2A6DF) == caseless);
  CHECK(class_of(0x2A6E0) == other);     // Unassigned.
  CHECK(class_of(0xE0101) == mark);
  CHECK(class_of(0x10FFFF) == other);
  CHECK(class_of(0x110000) == other);
}

TEST_CASE("white space is the property White_Space", "[tokenizer][unicode]") {
  const std::vector<std::uint32_t> expected = {
      0x9,    0xA,    0xB,    0xC,    0xD,    0x20,   0x85,   0xA0,   0x1680,
      0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008,
      0x2009, 0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000};
  std::vector<std::uint32_t> found;
  for (std::uint32_t point = 0; point <= 0x10FFFF; ++point) {
    if ((unicode::class_of(point) & unicode::space) != 0) found.push_back(point);
  }
  CHECK(found == expected);
}

TEST_CASE("GPT-2 cuts a text into words", "[tokenizer]") {
  const auto cut = [](std::string_view text) { return words(Pretokenizer::gpt2, text); };
  CHECK(cut("").empty());
  CHECK(cut("the cat sat.") == Words{"the", " cat", " sat", "."});
  CHECK(cut("we'll I'LL 's") == Words{"we", "'ll", " I", "'", "LL", " '", "s"});
  CHECK(cut("a   b") == Words{"a", "  ", " b"});
  CHECK(cut("a  ") == Words{"a", "  "});
  CHECK(cut("\n\n\nx") == Words{"\n\n", "\n", "x"});
  CHECK(cut("a\r\nb") == Words{"a", "\r", "\n", "b"});
  CHECK(cut("\t\t\tx") == Words{"\t\t", "\t", "x"});
  CHECK(cut(" 12345x!? é") == Words{" 12345", "x", "!?", " é"});
  CHECK(cut("e\xCC\x81") == Words{"e", "\xCC\x81"});
  CHECK(cut("a\xC2\xA0 b") == Words{"a", "\xC2\xA0", " b"});
}

TEST_CASE("cl100k cuts contractions of any case, digits by threes, one symbol before letters",
          "[tokenizer]") {
  const auto cut = [](std::string_view text) { return words(Pretokenizer::cl100k, text); };
  CHECK(cut("THEY'RE we'd 'ſx") == Words{"THEY", "'RE", " we", "'d", " '", "ſx"});
  CHECK(cut("a'ſ") == Words{"a", "'ſ"});
  CHECK(cut("1234567") == Words{"123", "456", "7"});
  CHECK(cut(" 12") == Words{" ", "12"});
  CHECK(cut("$foo.bar\tbaz") == Words{"$foo", ".bar", "\tbaz"});
  CHECK(cut("a  \n \n  b") == Words{"a", "  \n \n", " ", " b"});
  CHECK(cut("x!!\n\ny") == Words{"x", "!!\n\n", "y"});
  CHECK(cut("a  ") == Words{"a", "  "});
  CHECK(cut("a  !") == Words{"a", " ", " !"});
}

TEST_CASE("o200k cuts where capitals follow small letters", "[tokenizer]") {
  const auto cut = [](std::string_view text) { return words(Pretokenizer::o200k, text); };
  CHECK(cut("camelCase HTTPServer") == Words{"camel", "Case", " HTTPServer"});
  CHECK(cut("it's IT'S") == Words{"it's", " IT'S"});
  CHECK(cut("AªBC") == Words{"Aª", "BC"});
  CHECK(cut("a/b//\n/c") == Words{"a", "/b", "//\n/", "c"});
  // A mark before capitals is a word of its own, before small letters their beginning.
  CHECK(cut("!\xCC\x81"
            "AB") == Words{"!\xCC\x81", "AB"});
  CHECK(cut("\xCC\x81"
            "AB") == Words{"\xCC\x81", "AB"});
  CHECK(cut("\xCC\x81"
            "ab") == Words{"\xCC\x81"
                           "ab"});
  CHECK(cut("日本語Text日本語TEXT") == Words{"日本語Text日本語", "TEXT"});
}

TEST_CASE("words cover every byte of any text", "[tokenizer][property]") {
  SplitMix64 random(7);
  const std::string_view parts[] = {"a",
                                    "B",
                                    " ",
                                    "\n",
                                    "1",
                                    "'s",
                                    "!",
                                    "\xFF",
                                    "é",
                                    "\xC3",
                                    "\xE2",
                                    "\x80",
                                    "\xED\xA0\x80",
                                    "\xCC\x81",
                                    "ª",
                                    "\0",
                                    "'",
                                    "\r",
                                    "/",
                                    "\xF0\x9F\x99\x82"};
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (std::uint64_t i = random.next() % 12; i > 0; --i) {
      text += parts[random.next() % std::size(parts)];
    }
    for (const Pretokenizer kind : pretokenizers) {
      std::size_t at = 0;
      for (const Word& word : pretokenize(kind, text)) {
        REQUIRE(word.begin == at);
        REQUIRE(word.end > word.begin);
        at = word.end;
      }
      REQUIRE(at == text.size());
    }
  }
}

TEST_CASE("broken UTF-8 is cut where its replacement is", "[tokenizer][property]") {
  SplitMix64 random(8);
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (std::uint64_t i = 1 + random.next() % 10; i > 0; --i) {
      // Bytes that often begin or continue a character, between letters and spaces.
      text += random.next() % 3 == 0 ? "a Z1'\n"[random.next() % 6]
                                     : static_cast<char>(0x80 + random.next() % 0x80);
    }
    std::string repaired;
    std::vector<std::size_t> place(text.size() + 1);
    const auto* data = reinterpret_cast<const unsigned char*>(text.data());
    for (std::size_t at = 0; at < text.size();) {
      const utf8::Step step = utf8::step(data, text.size(), at);
      place[at] = repaired.size();
      repaired += step.code_point == utf8::broken ? std::string(utf8::replacement)
                                                  : text.substr(at, step.length);
      at += step.length;
    }
    place[text.size()] = repaired.size();
    for (const Pretokenizer kind : pretokenizers) {
      std::vector<Word> mapped;
      for (const Word& word : pretokenize(kind, text)) {
        mapped.push_back({place[word.begin], place[word.end]});
      }
      REQUIRE(mapped == pretokenize(kind, repaired));
    }
  }
}

TEST_CASE("the short way through plain words ends where the long one does",
          "[tokenizer][property]") {
  // The neighbours of what is plain: of a, z and their capitals in ASCII, of U+0400 and U+047F; and broken pieces.
  const std::vector<std::string> pieces = {
      "a", "z",  "A",      "Z",    "`",    "{",    "@",    "[", " ",    " ",
      "'", "5",  ".",      "\n",   "é",    "Ѐ",    "я",    "ѿ", "Ҁ",    "҂",
      "Ͽ", "の", "\u0301", "\xD0", "\xD1", "\xBF", "\xCE", "𝒜", "word", " привет"};
  SplitMix64 random(31);
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    // Mostly letters, so that words of all lengths up to more than 16 bytes come about.
    const std::uint64_t letters = random.next() % 3;
    while (text.size() < 40) {
      text += random.next() % 8 == 0 || letters == 2 ? pieces[random.next() % pieces.size()]
              : letters == 0                         ? "b"
                                                     : "ж";
    }
    const scan::Text scanned(text);
    for (std::size_t at = 0; at < text.size(); ++at) {
      REQUIRE(scan::end_of_word<scan::Gpt2>(scanned, at) == scan::Gpt2::word_end(scanned, at));
      REQUIRE(scan::end_of_word<scan::Cl100k>(scanned, at) == scan::Cl100k::word_end(scanned, at));
      REQUIRE(scan::end_of_word<scan::Smollm>(scanned, at) == scan::Smollm::word_end(scanned, at));
    }
  }
}

TEST_CASE("SmolLM cuts digits one by one, and what is between them as GPT-2 does", "[tokenizer]") {
  // By Hugging Face's tokenizers 0.23.3, Digits and then ByteLevel.
  const auto cut = [](std::string_view text) { return words(Pretokenizer::smollm, text); };
  CHECK(cut("In 2017, 12 heads") ==
        Words{"In", " ", "2", "0", "1", "7", ",", " ", "1", "2", " heads"});
  CHECK(cut("  two  spaces\n\n\tand a tab 7") ==
        Words{" ", " two", " ", " spaces", "\n\n", "\t", "and", " a", " tab", " ", "7"});
  CHECK(cut("don't I'VE 's 5's") == Words{"don", "'t", " I", "'", "VE", " '", "s", " ", "5", "'s"});
  CHECK(cut("мир ½ Ⅷ ٣٤") == Words{"мир", " ", "½", " ", "Ⅷ", " ", "٣", "٤"});
  CHECK(cut("x  9") == Words{"x", "  ", "9"});
  CHECK(cut("\u00A0\u00A01 \u3000二") == Words{"\u00A0\u00A0", "1", " ", "\u3000", "二"});
  CHECK(cut("    ") == Words{"    "});
  const std::vector<std::string> pieces = {"a", "7", "½", " ", " ",   "\n",
                                           "'", "s", "é", ".", "\xFF"};
  SplitMix64 random(12);
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    for (std::uint64_t i = random.next() % 12; i > 0; --i)
      text += pieces[random.next() % pieces.size()];
    Words wanted;
    std::string between;
    const auto flush = [&] {
      for (std::string& word : words(Pretokenizer::gpt2, between)) wanted.push_back(word);
      between.clear();
    };
    const scan::Text scanned(text);
    for (std::size_t at = 0; at < text.size();) {
      const scan::Text::Character next = scanned.character(at);
      const std::string character = text.substr(at, next.length);
      at += next.length;
      if ((next.classes & unicode::Class::number) == 0) {
        between += character;
        continue;
      }
      flush();
      wanted.push_back(character);
    }
    flush();
    CAPTURE(text);
    REQUIRE(cut(text) == wanted);
  }
}

TEST_CASE("names and patterns of pre-tokenizers", "[tokenizer]") {
  for (const Pretokenizer kind : pretokenizers) {
    CHECK(pretokenizer_named(name(kind)) == kind);
    CHECK(pattern(kind).empty() == (kind == Pretokenizer::none));
  }
  const auto unknown = pretokenizer_named("bert");
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().code == ErrorCode::bad_argument);
}

#include "support.hpp"
#include "tokenizer/measure.hpp"
#include "tokenizer/vocabulary.hpp"

using namespace attn;
using namespace attn::test;
using namespace std::string_view_literals;

TEST_CASE("a text is measured in bytes, characters, UTF-16 units and words") {
  const auto is = [](std::string_view text, std::uint64_t characters, std::uint64_t utf16_units,
                     std::uint64_t words) {
    const TextMeasure all = measure(text);
    CHECK(all.bytes == text.size());
    CHECK(all.characters == characters);
    CHECK(all.utf16_units == utf16_units);
    CHECK(all.words == words);
  };
  is("", 0, 0, 0);
  is("   \n", 4, 4, 0);
  is("the cat climbed the", 19, 19, 4);
  is(" Toda manhã ", 12, 12, 2);
  is("👍🏽 x", 4, 6, 2);
  is("a\u00A0b\u3000c\u200Bd", 7, 7, 3);  // A zero-width space is no White_Space.
  is("\xFF\xE2\x82 a", 4, 4, 2);
}

TEST_CASE("tokens per word and bytes per token, and no division by nothing") {
  const TokenCost cost = token_cost(measure("one two three four"), 6);
  CHECK(cost.tokens_per_word == 1.5);
  CHECK(cost.bytes_per_token == 3);
  CHECK(token_cost(measure(" "), 1).tokens_per_word == 0);
  CHECK(token_cost(measure(""), 0).bytes_per_token == 0);
}

TEST_CASE("ids are places in a list, and a piece that is not there has none") {
  const std::string_view list[] = {"the", " the", " cat", "the"};
  const std::string_view pieces[] = {" cat", "the", "bird", ""};
  CHECK(ids_in_list(pieces, list) == std::vector<std::uint32_t>{2, 0, no_token, no_token});
  CHECK(ids_in_list({}, list).empty());
}

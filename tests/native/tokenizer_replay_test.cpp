#include <fstream>
#include <iterator>
#include <string>

#include "support.hpp"
#include "tokenizer/files.hpp"
#include "tokenizer/replay.hpp"

using namespace attn;
using namespace attn::test;

namespace {

Tokenizer gpt2() {
  std::ifstream in(ATTN_GOLDEN_DIR "/gpt2.bpe", std::ios::binary);
  const std::string file((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  return value_of(Tokenizer::make(value_of(read_packed(file))));
}

}  // namespace

TEST_CASE(
    "a replay goes from single bytes to the ids of encode, and covers the text at every step") {
  const Tokenizer tokenizer = gpt2();
  for (const std::string text :
       {"the cat climbed the", "O gato subiu no telhado.", " aaaaaaaaa  \n👍🏽 x\xFFy", ""}) {
    const Replay replay = value_of(tokenizer.replay(text));
    CHECK(state_after(replay, text.size(), 0).ids == replay.start);
    CHECK(state_after(replay, text.size(), 0).begin == replay.start_offset);
    std::size_t before = replay.start.size();
    for (std::size_t steps = 1; steps <= replay.steps.size(); ++steps) {
      const ReplayState state = state_after(replay, text.size(), steps);
      CHECK(state.ids.size() == before - replay.steps[steps - 1].places.size());
      CHECK(value_of(tokenizer.decode(state.ids)) == text);
      before = state.ids.size();
    }
    CHECK(state_after(replay, text.size(), 1'000'000).ids == replay.ids);
    CHECK(replay.ids == value_of(tokenizer.encode(text)));
  }
}

TEST_CASE("a word that becomes its token whole does so in one last step") {
  // Merges that cannot meet: a+b, b+c; “abc” is a token all the same.
  std::string file;
  for (int byte = 0; byte < 256; ++byte) {
    const auto digit = [](int value) {
      return "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[value];
    };
    file += {digit(byte >> 2), digit((byte & 3) << 4), '=', '='};
    file += " " + std::to_string(byte) + "\n";
  }
  file += "YWJjZA== 256\n";  // abcd, which no two tokens make
  const Tokenizer tokenizer =
      value_of(Tokenizer::make(value_of(read_tiktoken(file, Pretokenizer::gpt2))));
  const std::string text = "abcd abcd";
  const Replay replay = value_of(tokenizer.replay(text));
  CHECK(replay.ids == std::vector<std::uint32_t>{256, ' ', 'a', 'b', 'c', 'd'});
  CHECK(state_after(replay, text.size(), 0).ids.size() == 9);
  CHECK(state_after(replay, text.size(), 1).ids == replay.ids);
  CHECK(state_after(replay, text.size(), 1).begin == std::vector<std::uint32_t>{0, 4, 5, 6, 7, 8});
}

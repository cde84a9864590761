#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "core/utf8.hpp"
#include "tokenizer/tokenizer.hpp"
#include "tokenizer/train.hpp"

using namespace attn;

namespace {

using Pieces = std::vector<std::string>;

/// The definition, word for word: each step counts every pair anew.
class Recount {
 public:
  Recount(const std::vector<std::string_view>& documents, const TrainOptions& options)
      : tie_(options.tie) {
    for (const std::string_view document : documents) {
      for (const Word& word : pretokenize(options.pretokenizer, document)) {
        const std::string spelled(document.substr(word.begin, word.end - word.begin));
        if (!seen_.contains(spelled)) {
          seen_[spelled] = words_.size();
          Pieces pieces;
          const auto* data = reinterpret_cast<const unsigned char*>(spelled.data());
          for (std::size_t at = 0; at < spelled.size();) {
            const std::size_t length = options.alphabet == Alphabet::characters
                                           ? utf8::step(data, spelled.size(), at).length
                                           : 1;
            pieces.push_back(spelled.substr(at, length));
            at += length;
          }
          words_.emplace_back(pieces, 0);
        }
        ++words_[seen_[spelled]].second;
      }
    }
  }

  struct Chosen {
    std::string left, right;
    std::uint64_t count = 0, replaced = 0;
  };

  Chosen step() {
    std::vector<Chosen> pairs;
    std::map<std::pair<std::string, std::string>, std::size_t> index;
    for (const auto& [pieces, frequency] : words_) {
      for (std::size_t i = 0; i + 1 < pieces.size(); ++i) {
        const auto [found, is_new] = index.try_emplace({pieces[i], pieces[i + 1]}, pairs.size());
        if (is_new) pairs.push_back({pieces[i], pieces[i + 1], 0, 0});
        pairs[found->second].count += frequency;
      }
    }
    Chosen best;
    for (const Chosen& pair : pairs) {
      const bool lower = tie_ == TieRule::lowest_bytes && pair.count == best.count &&
                         std::pair(pair.left + pair.right, pair.left.size()) <
                             std::pair(best.left + best.right, best.left.size());
      if (pair.count > best.count || lower) best = pair;
    }
    if (best.count == 0) return best;
    for (auto& [pieces, frequency] : words_) {
      for (std::size_t i = 0; i + 1 < pieces.size(); ++i) {
        if (pieces[i] != best.left || pieces[i + 1] != best.right) continue;
        pieces[i] += pieces[i + 1];
        pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        best.replaced += frequency;
      }
    }
    return best;
  }

  const std::vector<std::pair<Pieces, std::uint64_t>>& words() const { return words_; }

 private:
  TieRule tie_;
  std::map<std::string, std::size_t> seen_;
  std::vector<std::pair<Pieces, std::uint64_t>> words_;
};

nlohmann::json lecture_row(const std::string& id) {
  static const nlohmann::json file =
      nlohmann::json::parse(std::ifstream(std::string(ATTN_GOLDEN_DIR) + "/lecture.json"));
  for (const auto& row : file.at("figures")) {
    if (row.at("id") == id) return row;
  }
  FAIL("lecture.json has no row " << id);
  return {};
}

std::vector<std::string> lecture_corpus() {
  return lecture_row("bpe.counts").at("inputs").at("corpus").get<std::vector<std::string>>();
}

Trainer trained(const std::vector<std::string>& documents, const TrainOptions& options,
                std::size_t merges) {
  const std::vector<std::string_view> views(documents.begin(), documents.end());
  auto trainer = Trainer::make(views, options);
  REQUIRE(trainer);
  REQUIRE(trainer->run(merges));
  return std::move(*trainer);
}

constexpr TrainOptions lecture_options{TieRule::first_seen, Alphabet::characters,
                                       Pretokenizer::gpt2};

std::string shown(std::string_view token) {
  std::string text;
  for (const char c : token) {
    if (c == ' ') {
      text += "␣";
    } else {
      text += c;
    }
  }
  return text;
}

Tokenizer tokenizer_of(Vocabulary vocabulary) {
  auto made = Tokenizer::make(std::move(vocabulary));
  REQUIRE(made);
  return std::move(*made);
}

std::vector<std::string> pieces_of(const Tokenizer& tokenizer, std::string_view text) {
  const auto ids = tokenizer.encode(text);
  REQUIRE(ids);
  const auto offsets = tokenizer.offsets(text, *ids);
  REQUIRE(offsets);
  std::vector<std::string> pieces;
  for (std::size_t i = 0; i < ids->size(); ++i) {
    pieces.push_back(
        shown(text.substr(offsets->byte_begin[i], offsets->byte_end[i] - offsets->byte_begin[i])));
  }
  return pieces;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

}  // namespace

TEST_CASE("the lecture's corpus gives the lecture's merges", "[tokenizer][golden]") {
  const Trainer trainer = trained(lecture_corpus(), lecture_options, 40);
  REQUIRE(trainer.steps().size() == 40);
  std::vector<std::string> named;
  for (const std::size_t n :
       std::initializer_list<std::size_t>{1, 2, 3, 4, 5, 8, 14, 18, 38, 39, 40}) {
    const TrainStep& step = trainer.steps()[n - 1];
    named.push_back(shown(trainer.bytes(step.left)) + "+" + shown(trainer.bytes(step.right)));
  }
  CHECK(named == lecture_row("bpe.merges").at("computed").get<std::vector<std::string>>());
  CHECK(trainer.base_count() == lecture_row("bpe.chars").at("computed").get<std::uint32_t>());
}

TEST_CASE("merge 41 of the lecture's corpus is the last pair that stands twice",
          "[tokenizer][golden]") {
  Trainer trainer = trained(lecture_corpus(), lecture_options, 40);
  const auto next = trainer.next();
  REQUIRE(next);
  CHECK(shown(trainer.bytes(next->left)) == "␣cat");
  CHECK(shown(trainer.bytes(next->right)) == "s");
  CHECK(next->count == 2);
  const auto candidates = trainer.candidates(2);
  REQUIRE(candidates.size() == 2);
  CHECK(candidates[0].left == next->left);
  CHECK(candidates[1].count == 1);
}

TEST_CASE("the lecture's sentence shrinks from 19 to 5", "[tokenizer][golden]") {
  const auto expected = lecture_row("bpe.counts").at("computed").get<std::vector<std::size_t>>();
  const std::size_t merges[] = {0, 3, 8, 14, 40};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Tokenizer tokenizer =
        tokenizer_of(trained(lecture_corpus(), lecture_options, merges[i]).vocabulary());
    CHECK(pieces_of(tokenizer, "the cat climbed the").size() == expected[i]);
  }
}

TEST_CASE("the lecture's sentences in pieces", "[tokenizer][golden]") {
  const Tokenizer tokenizer =
      tokenizer_of(trained(lecture_corpus(), lecture_options, 40).vocabulary());
  const auto pieces = [&](std::string_view text) { return joined(pieces_of(tokenizer, text)); };
  CHECK(pieces("the cat climbed the") ==
        lecture_row("bpe.case0").at("computed").get<std::string>());
  CHECK(pieces("the cat climbed the roof.") ==
        lecture_row("bpe.case1").at("computed").get<std::string>());
  CHECK(pieces("the bird climbed the roof.") ==
        lecture_row("bpe.case2").at("computed").get<std::string>());
  CHECK(pieces("o gato subiu no telhado.") ==
        lecture_row("bpe.pt").at("inputs").at("pieces").get<std::string>());
  CHECK(pieces_of(tokenizer, "o gato subiu no telhado.").size() ==
        lecture_row("bpe.pt").at("computed").get<std::size_t>());

  const std::vector<std::string> list = {"the",   "␣the", "␣cat", "␣dog",  "␣climb", "ed",
                                         "␣roof", ".",    "␣on",  "␣sofa", "␣sat",   "s"};
  std::vector<std::size_t> ids;
  for (const std::string& piece : pieces_of(tokenizer, "the cat climbed the")) {
    ids.push_back(
        static_cast<std::size_t>(std::find(list.begin(), list.end(), piece) - list.begin()));
  }
  CHECK(ids == lecture_row("bpe.ids").at("computed").get<std::vector<std::size_t>>());
}

TEST_CASE("eleven of the forty merges touch the lecture's sentence", "[tokenizer][golden]") {
  const Tokenizer tokenizer =
      tokenizer_of(trained(lecture_corpus(), lecture_options, 40).vocabulary());
  const auto replay = tokenizer.replay("the cat climbed the");
  REQUIRE(replay);
  std::vector<std::uint32_t> which;
  for (const ReplayStep& step : replay->steps) which.push_back(step.rank + 1);
  const auto row = lecture_row("bpe.touch");
  CHECK(which == row.at("inputs").at("which").get<std::vector<std::uint32_t>>());
  CHECK(which.size() == row.at("computed").get<std::size_t>());
  CHECK(replay->steps[0].places == std::vector<std::uint32_t>{0, 16});
  CHECK(replay->ids == *tokenizer.encode("the cat climbed the"));
}

TEST_CASE("a count includes overlaps, a replacement does not", "[tokenizer]") {
  for (const TieRule tie : tie_rules) {
    const TrainOptions options{tie, Alphabet::bytes, Pretokenizer::none};
    const Trainer trainer = trained({"aaabdaaabac"}, options, 3);
    const auto& steps = trainer.steps();
    REQUIRE(steps.size() == 3);
    CHECK(trainer.bytes(steps[0].result) == "aa");
    CHECK(steps[0].count == 4);
    CHECK(steps[0].replaced == 2);
    CHECK(trainer.bytes(steps[1].result) == "aaa");
    CHECK(trainer.bytes(steps[2].result) == "aaab");
    CHECK(*tokenizer_of(trainer.vocabulary()).encode("aaabdaaabac") ==
          std::vector<std::uint32_t>{258, 100, 258, 97, 99});
  }
}

TEST_CASE("lowest-bytes does not depend on the order of the text, first-seen does", "[tokenizer]") {
  const auto first_four = [](const std::string& text, TieRule tie) {
    const Trainer trainer = trained({text}, {tie, Alphabet::bytes, Pretokenizer::none}, 4);
    std::vector<std::string> made;
    for (const TrainStep& step : trainer.steps()) made.emplace_back(trainer.bytes(step.result));
    return made;
  };
  // In one, d and c stand four times each, in the other c and d.
  const std::string one = "bbbaaaddddcccc";
  const std::string other = "aaabbbccccdddd";
  const std::vector<std::string> expected = {"cc", "dd", "aa", "bb"};
  CHECK(first_four(one, TieRule::lowest_bytes) == expected);
  CHECK(first_four(other, TieRule::lowest_bytes) == expected);
  CHECK(first_four(one, TieRule::first_seen) == std::vector<std::string>{"dd", "cc", "bb", "aa"});
  CHECK(first_four(other, TieRule::first_seen) == std::vector<std::string>{"cc", "dd", "aa", "bb"});
}

TEST_CASE("aaa merges from the left", "[tokenizer]") {
  const Trainer trainer =
      trained({"aaa"}, {TieRule::lowest_bytes, Alphabet::bytes, Pretokenizer::none}, 1);
  const auto pieces = trainer.pieces(0);
  REQUIRE(pieces.size() == 2);
  CHECK(trainer.bytes(pieces[0]) == "aa");
  CHECK(trainer.bytes(pieces[1]) == "a");
}

TEST_CASE("training stops when no pair is left", "[tokenizer]") {
  CHECK(trained({}, {}, 10).steps().empty());
  CHECK(trained({""}, {}, 10).steps().empty());
  CHECK(trained({"a"}, {}, 10).steps().empty());
  CHECK(trained({"a", "b", "a"}, {}, 10).steps().empty());
  CHECK(trained({"abc"}, {}, 0).steps().empty());
  // Only spaces are one word of spaces.
  const Trainer spaces = trained({"    "}, {}, 10);
  CHECK(spaces.steps().size() == 2);
  CHECK(spaces.pieces(0).size() == 1);
  // One character, also one of several bytes.
  CHECK(trained({"é"}, {TieRule::lowest_bytes, Alphabet::characters}, 10).steps().empty());
  CHECK(trained({"é"}, {}, 10).steps().size() == 1);
  // Twelve merges are all that a word of thirteen different letters has.
  Trainer twelve = trained({"abcdefghijklm"}, {}, 10000);
  CHECK(twelve.steps().size() == 12);
  CHECK(twelve.pieces(0).size() == 1);
  CHECK_FALSE(twelve.next());
  CHECK(twelve.candidates(5).empty());
  const auto more = twelve.step();
  REQUIRE(more);
  CHECK_FALSE(more->has_value());
}

TEST_CASE("each step is what a full recount gives", "[tokenizer][property]") {
  SplitMix64 random(3);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random.next() % n); };
  const std::string_view letters[] = {"a",    "b",  "ab", " ",  "é", "ção",
                                      "\xFF", "\n", "1",  "'s", "aa"};
  for (int round = 0; round < 300; ++round) {
    std::vector<std::string> documents(1 + below(4));
    const std::size_t choice = 2 + below(std::size(letters) - 1);
    for (std::string& document : documents) {
      for (std::size_t i = below(60); i > 0; --i) document += letters[below(choice)];
    }
    const TrainOptions options{
        below(2) == 0 ? TieRule::lowest_bytes : TieRule::first_seen,
        below(2) == 0 ? Alphabet::bytes : Alphabet::characters,
        below(3) == 0 ? Pretokenizer::none : Pretokenizer::gpt2,
    };
    const std::vector<std::string_view> views(documents.begin(), documents.end());
    auto trainer = Trainer::make(views, options);
    REQUIRE(trainer);
    Recount oracle(views, options);
    std::map<std::string, int> results;
    for (;;) {
      const auto predicted = trainer->next();
      const auto made = trainer->step();
      REQUIRE(made);
      const Recount::Chosen right = oracle.step();
      REQUIRE(made->has_value() == (right.count != 0));
      REQUIRE(predicted.has_value() == made->has_value());
      if (!*made) break;
      const TrainStep& step = **made;
      REQUIRE(trainer->bytes(step.left) == right.left);
      REQUIRE(trainer->bytes(step.right) == right.right);
      REQUIRE(step.count == right.count);
      REQUIRE(step.replaced == right.replaced);
      REQUIRE(predicted->left == step.left);
      // No two merges make the same bytes, so that a token's bytes name it.
      REQUIRE(++results[right.left + right.right] == 1);
    }
    REQUIRE(trainer->word_count() == oracle.words().size());
    const Tokenizer tokenizer = tokenizer_of(trainer->vocabulary());
    for (std::size_t word = 0; word < trainer->word_count(); ++word) {
      Pieces pieces;
      std::string spelled;
      for (const std::uint32_t token : trainer->pieces(word)) {
        pieces.emplace_back(trainer->bytes(token));
        spelled += pieces.back();
      }
      REQUIRE(pieces == oracle.words()[word].first);
      REQUIRE(trainer->frequency(word) == oracle.words()[word].second);
      if (options.pretokenizer == Pretokenizer::none) {
        // Encoding a training text repeats its training.
        REQUIRE(*tokenizer.encode(spelled) == trainer->pieces(word));
      }
    }
  }
}

TEST_CASE("names of the tie rules", "[tokenizer]") {
  for (const TieRule rule : tie_rules) CHECK(tie_rule_named(name(rule)) == rule);
  const auto unknown = tie_rule_named("random");
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().code == ErrorCode::bad_argument);
  CHECK(unknown.error().field == "tie");
}

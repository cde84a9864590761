#include "efficient/answer_pattern.hpp"
#include "support.hpp"

using namespace attn;
using namespace attn::test;

namespace {

constexpr Answer all_answers[] = {Answer::full,   Answer::window,       Answer::block_sparse,
                                  Answer::linear, Answer::gated_linear, Answer::selective_state};

AnswerPattern pattern(Answer answer, const PatternOptions& options) {
  return value_of(answer_pattern(answer, options));
}

}  // namespace

TEST_CASE("no answer sees the future, and each token sees itself whole") {
  for (const Answer answer : all_answers) {
    for (const std::size_t n : {1U, 7U, 64U}) {
      const AnswerPattern made = pattern(answer, {.n = n});
      std::uint64_t pairs = 0;
      for (std::size_t i = 0; i < n; ++i) {
        CHECK(made.left(i, i) == 1);
        for (std::size_t j = 0; j < n; ++j) {
          if (j > i) CHECK(made.left(i, j) == 0);
          CHECK((made.left(i, j) >= 0 && made.left(i, j) <= 1));
          pairs += made.left(i, j) > 0 ? 1U : 0U;
        }
      }
      CHECK(made.pairs == pairs);
    }
  }
}

TEST_CASE("the pairs that are drawn are those whose work is counted") {
  const PatternOptions options{.n = 61, .window = 9, .sinks = 3, .block = 8, .top_k = 3};
  const AnswerSizes sizes{.n = 61, .window = 9, .sinks = 3, .block = 8, .top_k = 3};
  for (const Answer answer : {Answer::full, Answer::window, Answer::block_sparse}) {
    CHECK(pattern(answer, options).pairs == value_of(answer_costs(answer, sizes)).pairs);
  }
}

TEST_CASE("what gates and a selective state leave") {
  const AnswerPattern gated = pattern(Answer::gated_linear, {.n = 4, .gate = 0.5});
  CHECK(gated.left(3, 0) == 0.125);
  CHECK(gated.left(3, 2) == 0.5);
  CHECK(same(pattern(Answer::gated_linear, {.n = 9, .gate = 1}).left,
             pattern(Answer::linear, {.n = 9}).left));
  CHECK(pattern(Answer::gated_linear, {.n = 9, .gate = 0}).pairs == 9);
  const AnswerPattern selective = pattern(Answer::selective_state, {.n = 40, .state = 3});
  Normals normals(1);
  double passed = 0;
  for (int t = 0; t < 40; ++t) {
    const double delta = std::exp(normals.next() - 4);
    if (t > 37) passed += delta;
  }
  const double first = std::exp(-passed);
  CHECK(std::fabs(selective.left(39, 37) - (first + first * first + first * first * first) / 3) <
        1e-14);
  for (std::size_t j = 1; j < 40; ++j) CHECK(selective.left(39, j) > selective.left(39, j - 1));
}

TEST_CASE("patterns refuse what they cannot draw") {
  const auto field = [](const PatternOptions& options) {
    return error_of(answer_pattern(Answer::window, options)).field;
  };
  CHECK(field({.n = 0}) == "n");
  CHECK(field({.n = 513}) == "n");
  CHECK(field({.window = 0}) == "window");
  CHECK(field({.sinks = 5000}) == "sinks");
  CHECK(field({.block = 0}) == "block");
  CHECK(field({.top_k = 0}) == "top_k");
  CHECK(field({.gate = 1.5}) == "gate");
  CHECK(field({.state = 0}) == "state");
}

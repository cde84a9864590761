#include "attention/weight_map.hpp"
#include "attention/pattern_heads.hpp"
#include "support.hpp"

using namespace attn;
using namespace attn::test;

namespace {

const std::vector<std::int32_t> cat = {0, 1, 2, 3, 0, 4};  // the cat sat on the mat

PatternHead head_of(Pattern pattern, const std::vector<std::int32_t>& words, std::uint64_t d_k,
                    std::uint64_t seed = 1) {
  const auto vectors = value_of(
      draw_vectors(seed, vectors_for(pattern, words.size()), std::max<std::uint64_t>(d_k, 8)));
  return value_of(pattern_head(pattern, words, vectors, d_k));
}

Matrix<double> scores_of(Pattern pattern, const std::vector<std::int32_t>& words, std::uint64_t d_k,
                         std::uint64_t seed = 1) {
  return pattern_scores(head_of(pattern, words, d_k, seed));
}

std::vector<std::int32_t> all_different(std::size_t n) {
  std::vector<std::int32_t> words(n);
  for (std::size_t i = 0; i < n; ++i) words[i] = static_cast<std::int32_t>(i);
  return words;
}

/// The variance of the scaled scores of pairs that do not match, over a map of many tokens.
double variance_apart(Pattern pattern, std::uint64_t d_k) {
  const auto scores = scores_of(pattern, all_different(200), d_k);
  double squares = 0;
  double count = 0;
  for (std::size_t i = 2; i < 200; ++i) {
    for (std::size_t j = 0; j + 1 < i; ++j) {
      squares += scores(i, j) * scores(i, j) / static_cast<double>(d_k);
      count += 1;
    }
  }
  return squares / count;
}

}  // namespace

TEST_CASE("what was drawn stays when more vectors, or wider ones, are asked for") {
  const auto few = value_of(draw_vectors(7, 3, 5));
  const auto many = value_of(draw_vectors(7, 20, 64));
  for (std::size_t r = 0; r < 3; ++r) {
    for (std::size_t c = 0; c < 5; ++c) CHECK(few(r, c) == many(r, c));
  }
  SplitMix64 seeds(7);
  seeds.next();
  Normals second(seeds.next());
  CHECK(few(1, 0) == static_cast<float>(second.next()));
  CHECK(value_of(draw_vectors(8, 1, 1))(0, 0) != few(0, 0));
}

TEST_CASE("scores are the dot products of queries and keys, at every width") {
  for (const Pattern pattern :
       {Pattern::content, Pattern::previous, Pattern::distance, Pattern::untrained}) {
    for (const unsigned d_k : {1U, 2U, 3U, 7U, 8U, 64U, 1024U}) {
      const PatternHead head = head_of(pattern, cat, d_k);
      const Matrix<double> scores = pattern_scores(head);
      for (std::size_t i = 0; i < cat.size(); ++i) {
        for (std::size_t j = 0; j < cat.size(); ++j) {
          double exact = 0;
          double size = 0;
          for (std::size_t c = 0; c < d_k; ++c) {
            const double term = static_cast<double>(head.queries(head.query_of[i], c)) *
                                static_cast<double>(head.keys(head.key_of[j], c));
            exact += term;
            size += std::fabs(term);
          }
          CHECK(std::fabs(scores(i, j) - exact) <= static_cast<double>(d_k + 2) * 0x1p-24 * size);
        }
      }
    }
  }
}

TEST_CASE("content: equal words have equal scores, and a word meets itself in every component") {
  const auto scores = scores_of(Pattern::content, cat, 64);
  for (std::size_t j = 0; j < cat.size(); ++j) {
    CHECK(scores(0, j) == scores(4, j));
    CHECK(scores(j, 0) == scores(j, 4));
  }
  for (std::size_t i = 0; i < cat.size(); ++i) {
    for (std::size_t j = 0; j < cat.size(); ++j) {
      if (cat[i] != cat[j]) CHECK(scores(i, i) > scores(i, j));
    }
  }
}

TEST_CASE("previous: each place finds the one before it, and the first finds nobody") {
  const auto words = all_different(40);
  const auto scores = scores_of(Pattern::previous, words, 256);
  for (std::size_t i = 1; i < words.size(); ++i) {
    CHECK(scores(i, i - 1) > 150);
    for (std::size_t j = 0; j < words.size(); ++j) {
      if (j + 1 != i) CHECK(std::fabs(scores(i, j)) < 100);
    }
  }
  for (std::size_t j = 0; j < words.size(); ++j) CHECK(std::fabs(scores(0, j)) < 100);
}

TEST_CASE(
    "distance: the score is one of i - j alone, and falls as the bell that it is on average") {
  const auto words = all_different(64);
  const auto scores = scores_of(Pattern::distance, words, 1024, 3);
  for (std::size_t i = 0; i < words.size(); ++i) {
    CHECK(std::fabs(scores(i, i) - 1024) < 1e-2);
    for (std::size_t j = 0; j < i; ++j) {
      CHECK(std::fabs(scores(i, j) - scores(i - j, 0)) < 2e-2);
      CHECK(std::fabs(scores(i, j) - scores(j, i)) < 2e-2);
    }
  }
  for (std::size_t far = 1; far < 8; ++far) {
    const double bell = std::exp(-0.5 * std::pow(static_cast<double>(far) / distance_reach, 2));
    // Half of 1,024 cosines whose standard deviation is at most 1 / sqrt(2): three of theirs.
    CHECK(std::fabs(scores(far, 0) / 1024 - bell) < 3 * std::sqrt(0.5 / 512));
  }
  CHECK(scores(1, 0) > scores(3, 0));
  CHECK(scores(3, 0) > scores(6, 0));
}

TEST_CASE("distance: a component without a partner is 0, so that one alone says nothing") {
  const auto scores = scores_of(Pattern::distance, all_different(5), 1);
  for (const double score : scores) CHECK(score == 0);
  CHECK(scores_of(Pattern::distance, all_different(5), 3) ==
        scores_of(Pattern::distance, all_different(5), 2));
}

TEST_CASE("scores of what does not match have a variance of d_k, whatever the head") {
  for (const unsigned d_k : {4U, 64U, 1024U}) {
    CHECK(std::fabs(variance_apart(Pattern::previous, d_k) - 1) < 0.25);
    CHECK(std::fabs(variance_apart(Pattern::untrained, d_k) - 1) < 0.25);
    CHECK(std::fabs(variance_apart(Pattern::content, d_k) - 1) < 0.25);
  }
}

TEST_CASE("without the division an untrained head saturates as d_k grows; with it, it stays") {
  const auto words = all_different(64);
  const auto peak = [&](std::uint64_t d_k, bool divide) {
    return value_of(weight_map(scores_of(Pattern::untrained, words, d_k), d_k, divide, {}))
        .mean_largest;
  };
  CHECK(peak(1024, false) > 0.9);
  CHECK(peak(1024, true) < 0.25);
  CHECK(peak(4, true) < 0.35);
  CHECK(peak(16, false) > peak(16, true));
}

TEST_CASE("the map is the softmax of the scaled scores, and its account is that of its rows") {
  const auto scores = matrix({{1, 2, 3}, {0, 0, 0}, {4, -1, 4}});
  Mask mask;
  mask.causal = true;
  const auto map = value_of(weight_map(scores, 4, true, mask));
  CHECK(map.divisor == 2);
  CHECK(map.scaled(0, 2) == 1.5);
  CHECK(map.softmax.weights == value_of(softmax(map.scaled, mask)).weights);
  CHECK(map.seen == std::vector<std::int32_t>{1, 2, 3});
  CHECK(map.largest_weight[0] == 1);
  CHECK(map.largest_weight[1] == 0.5);
  CHECK(std::fabs(map.mean_largest - (0.5 + map.largest_weight[2]) / 2) < 1e-15);
  // Row 0 without the mask: e^0.5, e^1, e^1.5, of which the last two are hidden.
  const double all = std::exp(0.5) + std::exp(1) + std::exp(1.5);
  CHECK(std::fabs(map.hidden_weight[0] - (std::exp(1) + std::exp(1.5)) / all) < 1e-15);
  CHECK(std::fabs(map.hidden_weight[1] - 1.0 / 3) < 1e-15);
  CHECK(map.hidden_weight[2] == 0);
  CHECK(map.ranked(2, 0) == 0);
  CHECK(map.ranked(2, 1) == 2);
  CHECK(map.ranked(2, 2) == 1);
  CHECK(value_of(weight_map(scores, 4, false, {})).divisor == 1);
}

TEST_CASE("each mask is named where it hides a pair, and they are hidden together") {
  Mask mask;
  mask.causal = true;
  mask.window = 2;
  mask.key_valid = {1, 1, 1, 0};
  mask.query_document = {0, 0, 1, 1};
  mask.key_document = {0, 0, 1, 1};
  const auto map = value_of(
      weight_map(matrix({{1, 1, 1, 1}, {1, 1, 1, 1}, {1, 1, 1, 1}, {1, 1, 1, 1}}), 1, true, mask));
  // A window looks back only, so whatever comes later is outside it too.
  CHECK(map.hidden_by(0, 1) == (hidden_by_causal | hidden_by_window));
  CHECK(map.hidden_by(2, 0) == (hidden_by_window | hidden_by_document));
  CHECK(map.hidden_by(2, 1) == hidden_by_document);
  CHECK(map.hidden_by(3, 3) == hidden_by_padding);
  CHECK(map.hidden_by(0, 3) ==
        (hidden_by_causal | hidden_by_padding | hidden_by_window | hidden_by_document));
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      CHECK((map.softmax.weights(i, j) == 0) == (map.hidden_by(i, j) != 0));
    }
  }
}

TEST_CASE("a row that sees nothing weighs nothing, and has no say in the mean") {
  Mask mask;
  mask.key_valid = {0, 0};
  const auto map = value_of(weight_map(matrix({{1, 2}, {3, 4}}), 1, true, mask));
  CHECK(map.softmax.weight_sums(0) == 0);
  CHECK(map.largest_weight[0] == 0);
  CHECK(map.mean_largest == 0);
  CHECK(std::fabs(map.hidden_weight[0] - 1) < 1e-15);
}

TEST_CASE("what hidden keys would weigh is right however far from the others their scores lie") {
  Mask mask;
  mask.key_valid = {1, 0};
  const auto hidden = [&](double seen, double unseen) {
    return value_of(weight_map(matrix({{seen, unseen}, {seen, unseen}}), 1, true, mask))
        .hidden_weight[0];
  };
  CHECK(hidden(0, 2000) == 1);
  CHECK(hidden(2000, 0) == 0);
  CHECK(hidden(-2000, -2000) == 0.5);
  CHECK(hidden(900, 900) == 0.5);
  CHECK(std::fabs(hidden(40, 41) - std::exp(1) / (1 + std::exp(1))) < 1e-15);
  mask.key_valid = {0, 0};
  CHECK(hidden(-2000, -3000) == 1);
}

TEST_CASE("a value belongs to a word, is a tenth, and is none of the vectors that the heads use") {
  const auto values = value_of(draw_values(1, cat, 3));
  CHECK(values.shape(0) == 6);
  for (std::size_t c = 0; c < 3; ++c) {
    CHECK(values(0, c) == values(4, c));
    for (std::size_t i = 0; i < 6; ++i) {
      CHECK(values(i, c) == std::round(10 * values(i, c)) / 10);
      CHECK(!std::signbit(values(i, c) == 0 ? values(i, c) : 0.0));
    }
  }
  // Fewer words or components leave the others as they were.
  const auto few = value_of(draw_values(1, std::vector<std::int32_t>{0, 1}, 1));
  CHECK(few(1, 0) == values(1, 0));
  CHECK(value_of(draw_values(2, cat, 3)) != values);
  SplitMix64 seeds(1);
  for (int taken = 0; taken < 512; ++taken) seeds.next();
  Normals first(seeds.next());
  CHECK(values(0, 0) == std::round(10 * first.next()) / 10);
}

TEST_CASE("a row's output is its weighted sum of the values, and what is hidden has no say") {
  Mask mask;
  mask.causal = true;
  mask.key_valid = {0, 1, 1};
  const auto map = value_of(weight_map(matrix({{1, 2, 3}, {0, 0, 0}, {4, -1, 4}}), 4, true, mask));
  const auto values = matrix({{1e300, -7}, {3, 0.5}, {-2, 4}});
  const auto outputs = value_of(map_outputs(map, values));
  CHECK(outputs(0, 0) == 0);
  CHECK(outputs(0, 1) == 0);
  CHECK(outputs(1, 0) == 3);
  CHECK(outputs(1, 1) == 0.5);
  const double w = 1 / (1 + std::exp(-2.5));
  CHECK(std::fabs(outputs(2, 0) - (3 * (1 - w) - 2 * w)) < 1e-14);
  CHECK(std::fabs(outputs(2, 1) - (0.5 * (1 - w) + 4 * w)) < 1e-14);
  CHECK(value_of(map_outputs(map, make_matrix<double>(3, 0))).size() == 0);
  CHECK(error_of(map_outputs(map, matrix({{1}, {2}}))).field == "values");
  CHECK(error_of(map_outputs(map, matrix({{1}, {2}, {quiet_nan}}))).code == ErrorCode::not_finite);
  CHECK(error_of(draw_values(1, {}, 2)).field == "words");
  CHECK(error_of(draw_values(1, std::vector<std::int32_t>{0, 3}, 2)).field == "words");
  CHECK(error_of(draw_values(1, cat, 0)).field == "d_v");
  CHECK(error_of(draw_values(1, cat, 9)).code == ErrorCode::too_large);
}

TEST_CASE("a map that cannot be drawn is refused by name") {
  const auto vectors = value_of(draw_vectors(1, 4, 8));
  const auto refused = [&](const std::vector<std::int32_t>& words, std::uint64_t d_k) {
    return error_of(pattern_head(Pattern::content, words, vectors, d_k));
  };
  CHECK(refused({}, 4).field == "words");
  CHECK(refused(std::vector<std::int32_t>(257), 4).code == ErrorCode::too_large);
  CHECK(refused({0, 2}, 4).field == "words");
  CHECK(refused({0, -1}, 4).field == "words");
  CHECK(refused({0, 1}, 0).field == "d_k");
  CHECK(refused({0, 1}, 1025).code == ErrorCode::too_large);
  CHECK(refused({0, 1}, 9).field == "vectors");
  CHECK(refused({0, 1, 2, 3, 4}, 4).field == "vectors");
  auto broken = vectors;
  broken(3, 7) = std::numeric_limits<float>::infinity();
  CHECK(error_of(pattern_head(Pattern::content, std::vector<std::int32_t>{0}, broken, 4)).code ==
        ErrorCode::not_finite);
  CHECK(error_of(draw_vectors(1, 0, 4)).field == "count");
  CHECK(error_of(draw_vectors(1, 513, 4)).code == ErrorCode::too_large);
  CHECK(error_of(draw_vectors(1, 4, 1025)).field == "width");
  CHECK(error_of(weight_map(matrix({{quiet_nan}}), 4, true, {})).field == "scores");
  CHECK(error_of(weight_map(matrix({{1}}), 0, true, {})).field == "d_k");
  Mask mask;
  mask.key_valid = {1};
  CHECK(error_of(weight_map(matrix({{1, 2}, {3, 4}}), 4, true, mask)).field == "mask.key_valid");
}

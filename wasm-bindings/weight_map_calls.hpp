#pragma once

// A head over a text, and all its weights, as JavaScript calls them.

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "attention/pattern_heads.hpp"
#include "attention/weight_map.hpp"
#include "convert.hpp"
#include "core/limits.hpp"
#include "mask_option.hpp"

namespace attn::binding {

/// Tokens of a head whose scores are typed.
inline constexpr std::size_t max_typed_tokens = 8;

/// Components of each query and key that are handed out, for an arithmetic that is shown.
inline constexpr std::size_t shown_components = 4;

/// The first components of each token's row. rows [a, d_k], row_of [n]; returns [n, min(d_k, shown_components)].
inline Matrix<float> first_components(const Matrix<float>& rows,
                                      const std::vector<std::size_t>& row_of) {
  const std::size_t shown = std::min(rows.shape(1), shown_components);
  Matrix<float> parts = make_matrix<float>(row_of.size(), shown);
  for (std::size_t i = 0; i < row_of.size(); ++i) {
    for (std::size_t c = 0; c < shown; ++c) parts(i, c) = rows(row_of[i], c);
  }
  return parts;
}

/// The first n rows and columns of a table. typed [max_typed_tokens, max_typed_tokens]; returns [n, n].
inline Matrix<double> corner_of(const Matrix<double>& typed, std::size_t n) {
  Matrix<double> corner = make_matrix<double>(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) corner(i, j) = typed(i, j);
  }
  return corner;
}

inline val draw_vectors_of(Reader& in) {
  const std::size_t head = in.choice("head", pattern_names);
  const auto n = in.count("n", max_map_tokens);
  const auto width = in.count("width", max_map_width);
  const auto seed = in.count("seed", max_exact_count, 0);
  if (in.failed()) return failure(in.error());
  const auto vectors = draw_vectors(seed, vectors_for(static_cast<Pattern>(head), n), width);
  if (!vectors) return failure(vectors.error());
  return Writer(in.out()).array("vectors", *vectors).finish();
}

inline val draw_values_of(Reader& in) {
  const auto words = in.integers("words", max_map_tokens);
  const auto d_v = in.count("d_v", max_value_width);
  const auto seed = in.count("seed", max_exact_count, 0);
  if (in.failed()) return failure(in.error());
  const auto values = draw_values(seed, words, d_v);
  if (!values) return failure(values.error());
  return Writer(in.out()).array("values", *values).finish();
}

/// A head's scores and the parts of its queries and keys that are shown; none of a head whose scores are typed.
struct MapScores {
  Matrix<double> scores;
  Matrix<float> query_parts = make_matrix<float>(0, 0);
  Matrix<float> key_parts = make_matrix<float>(0, 0);
};

inline Expected<MapScores> scores_of_pattern(Pattern pattern,
                                             const std::vector<std::int32_t>& words,
                                             const Matrix<float>& vectors, std::uint64_t d_k) {
  const auto head = pattern_head(pattern, words, vectors, d_k);
  ATTN_CHECK(head);
  return MapScores{.scores = pattern_scores(*head),
                   .query_parts = first_components(head->queries, head->query_of),
                   .key_parts = first_components(head->keys, head->key_of)};
}

inline Expected<MapScores> typed_scores(const Matrix<double>& typed, std::size_t n) {
  if (n > max_typed_tokens) {
    return fail(ErrorCode::too_large, "words",
                {"Scores can be typed for at most ", max_typed_tokens, " tokens; there are ", n,
                 ". Shorten the text or choose another head."});
  }
  return MapScores{.scores = corner_of(typed, n)};
}

inline val attention_map_of(Reader& in) {
  static constexpr std::string_view heads[] = {pattern_names[0], pattern_names[1], pattern_names[2],
                                               pattern_names[3], "typed"};
  const std::size_t head = in.choice("head", heads);
  const bool is_typed = head == pattern_names.size();
  const auto words = in.integers("words", max_map_tokens);
  const std::size_t n = words.size();
  if (!in.failed()) in.accept(check_count("words", n, 1, max_map_tokens));
  const auto d_k = in.count("d_k", max_map_width);
  const bool divide = in.flag_or("divide", true);
  const Mask mask = read_mask(in, n, n);
  Matrix<float> vectors = make_matrix<float>(0, 0);
  Matrix<double> typed = make_matrix<double>(0, 0);
  if (is_typed) {
    typed = in.matrix<double>("scores", max_typed_tokens, max_typed_tokens);
  } else {
    const auto width = in.count("width", max_map_width);
    const auto length = in.length("vectors", 2 * max_map_tokens * max_map_width);
    vectors = in.matrix<float>("vectors", width == 0 ? 0 : length / width, width);
  }
  const auto d_v = in.count_or("d_v", 0, max_value_width);
  if (in.failed()) return failure(in.error());
  const auto made = is_typed ? typed_scores(typed, n)
                             : scores_of_pattern(static_cast<Pattern>(head), words, vectors, d_k);
  if (!made) return failure(made.error());
  // Once the words are known to be right: the values have to fit them.
  const auto values = d_v == 0 ? make_matrix<double>(n, 0) : in.matrix<double>("values", n, d_v);
  if (in.failed()) return failure(in.error());
  const auto map = weight_map(made->scores, d_k, divide, mask);
  if (!map) return failure(map.error());
  const auto outputs = map_outputs(*map, values);
  if (!outputs) return failure(outputs.error());
  return Writer(in.out())
      .number("divisor", map->divisor)
      .array("query_parts", made->query_parts)
      .array("key_parts", made->key_parts)
      .array("scores", made->scores)
      .array("scaled", map->scaled)
      .array("shift", map->softmax.shift)
      .array("exponentials", map->softmax.exponentials)
      .array("sums", map->softmax.sums)
      .array("weights", map->softmax.weights)
      .array("weight_sums", map->softmax.weight_sums)
      .array("largest", map->softmax.largest)
      .array("hidden_by", map->hidden_by)
      .array("seen", map->seen)
      .array("hidden_weight", map->hidden_weight)
      .array("largest_weight", map->largest_weight)
      .number("mean_largest", map->mean_largest)
      .array("ranked", map->ranked)
      .array("outputs", *outputs)
      .finish();
}

}  // namespace attn::binding

#include "attention/pattern_heads.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "attention/lane_products.hpp"
#include "core/finite.hpp"
#include "core/limits.hpp"
#include "core/random.hpp"

namespace attn {
namespace {

Expected<void> check_words(std::span<const std::int32_t> words) {
  ATTN_CHECK(check_count("words", words.size(), 1, max_map_tokens));
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] >= 0 && static_cast<std::size_t>(words[i]) < words.size()) continue;
    return fail(ErrorCode::out_of_range, "words",
                {"words[", i, "] must lie from 0 to ", words.size() - 1,
                 ": it tells which of the text's words token ", i, " is."});
  }
  return {};
}

/// One more than the greatest number of a word.
std::size_t distinct(std::span<const std::int32_t> words) {
  return static_cast<std::size_t>(*std::ranges::max_element(words)) + 1;
}

/// Rows first to first + count - 1 of `vectors`, as far as d_k.
Matrix<float> cut(const Matrix<float>& vectors, std::size_t first, std::size_t count,
                  std::size_t d_k) {
  Matrix<float> rows = make_matrix<float>(count, d_k);
  for (std::size_t r = 0; r < count; ++r) {
    std::copy_n(vectors.data() + (first + r) * vectors.shape(1), d_k, rows.data() + r * d_k);
  }
  return rows;
}

/// 0, 1, ..., n - 1: every token has a row of its own.
std::vector<std::size_t> places(std::size_t n) {
  std::vector<std::size_t> rows(n);
  for (std::size_t i = 0; i < n; ++i) rows[i] = i;
  return rows;
}

PatternHead content_head(std::span<const std::int32_t> words, const Matrix<float>& vectors,
                         std::size_t d_k) {
  const Matrix<float> rows = cut(vectors, 0, distinct(words), d_k);
  const std::vector<std::size_t> row_of(words.begin(), words.end());
  return {.queries = rows, .keys = rows, .query_of = row_of, .key_of = row_of};
}

PatternHead distance_head(std::size_t n, const Matrix<float>& vectors, std::size_t d_k) {
  Matrix<float> rows = make_matrix<float>(n, d_k);
  rows.fill(0);
  for (std::size_t pair = 0; pair < d_k / 2; ++pair) {
    const double frequency = static_cast<double>(vectors(0, pair)) / distance_reach;
    const double turn_cos = std::cos(frequency);
    const double turn_sin = std::sin(frequency);
    // Turned once more for each place: a cosine and a sine of every place would take longer than all the products.
    double x = std::numbers::sqrt2;
    double y = 0;
    for (std::size_t place = 0; place < n; ++place) {
      rows(place, 2 * pair) = static_cast<float>(x);
      rows(place, 2 * pair + 1) = static_cast<float>(y);
      const double turned = x * turn_cos - y * turn_sin;
      y = x * turn_sin + y * turn_cos;
      x = turned;
    }
  }
  return {.queries = rows, .keys = rows, .query_of = places(n), .key_of = places(n)};
}

}  // namespace

Expected<Matrix<float>> draw_vectors(std::uint64_t seed, std::uint64_t count, std::uint64_t width) {
  ATTN_CHECK(check_count("count", count, 1, 2 * max_map_tokens));
  ATTN_CHECK(check_count("width", width, 1, max_map_width));
  Matrix<float> vectors = make_matrix<float>(as_size(count), as_size(width));
  SplitMix64 seeds(seed);
  for (std::size_t r = 0; r < vectors.shape(0); ++r) {
    Normals normals(seeds.next());
    for (std::size_t c = 0; c < vectors.shape(1); ++c) {
      vectors(r, c) = static_cast<float>(normals.next());
    }
  }
  return vectors;
}

Expected<Matrix<double>> draw_values(std::uint64_t seed, std::span<const std::int32_t> words,
                                     std::uint64_t d_v) {
  ATTN_CHECK(check_words(words));
  ATTN_CHECK(check_count("d_v", d_v, 1, max_value_width));
  SplitMix64 seeds(seed);
  for (std::size_t taken = 0; taken < 2 * max_map_tokens; ++taken) seeds.next();
  Matrix<double> of_words = make_matrix<double>(distinct(words), as_size(d_v));
  for (std::size_t w = 0; w < of_words.shape(0); ++w) {
    Normals normals(seeds.next());
    for (std::size_t c = 0; c < of_words.shape(1); ++c) {
      // Adding 0 makes 0 of -0: values are printed.
      of_words(w, c) = std::round(10 * normals.next()) / 10 + 0.0;
    }
  }
  Matrix<double> values = make_matrix<double>(words.size(), as_size(d_v));
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::size_t w = static_cast<std::size_t>(words[i]);
    for (std::size_t c = 0; c < values.shape(1); ++c) values(i, c) = of_words(w, c);
  }
  return values;
}

std::uint64_t vectors_for(Pattern pattern, std::uint64_t n) {
  switch (pattern) {
    case Pattern::content:
      return n;
    case Pattern::previous:
      return n + 1;
    case Pattern::distance:
      return 1;
    case Pattern::untrained:
      break;
  }
  return 2 * n;
}

Expected<PatternHead> pattern_head(Pattern pattern, std::span<const std::int32_t> words,
                                   const Matrix<float>& vectors, std::uint64_t d_k) {
  ATTN_CHECK(check_words(words));
  ATTN_CHECK(check_count("d_k", d_k, 1, max_map_width));
  const std::uint64_t needed =
      pattern == Pattern::content ? distinct(words) : vectors_for(pattern, words.size());
  if (vectors.shape(0) < needed || vectors.shape(1) < d_k) {
    return fail(ErrorCode::shape_mismatch, "vectors",
                {"This head needs ", needed, " vectors of ", d_k, " components; there are ",
                 vectors.shape(0), " of ", vectors.shape(1), "."});
  }
  ATTN_CHECK(check_finite("vectors", vectors));
  const std::size_t n = words.size();
  const std::size_t width = as_size(d_k);
  switch (pattern) {
    case Pattern::content:
      return content_head(words, vectors, width);
    case Pattern::previous:
      // Row 0 stands before the first place, so place i has row i + 1 and the one before it row i.
      return PatternHead{.queries = cut(vectors, 0, n, width),
                         .keys = cut(vectors, 1, n, width),
                         .query_of = places(n),
                         .key_of = places(n)};
    case Pattern::distance:
      return distance_head(n, vectors, width);
    case Pattern::untrained:
      break;
  }
  return PatternHead{.queries = cut(vectors, 0, n, width),
                     .keys = cut(vectors, n, n, width),
                     .query_of = places(n),
                     .key_of = places(n)};
}

Matrix<double> pattern_scores(const PatternHead& head) {
  const std::size_t a = head.queries.shape(0);
  const std::size_t b = head.keys.shape(0);
  const std::size_t d_k = head.queries.shape(1);
  Matrix<float> products = make_matrix<float>(a, b);
  lane_products(head.queries.data(), head.keys.data(), products.data(), a, d_k, b);
  const std::size_t n = head.query_of.size();
  Matrix<double> scores = make_matrix<double>(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      scores(i, j) = static_cast<double>(products(head.query_of[i], head.key_of[j]));
    }
  }
  return scores;
}

}  // namespace attn

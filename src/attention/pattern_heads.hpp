#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/matrix.hpp"

namespace attn {

/// Tokens and components of a head that is drawn: a map of that size is still seen, cell by cell.
inline constexpr std::size_t max_map_tokens = 256;
inline constexpr std::size_t max_map_width = 1024;

/// What a head looks for. Each makes a query and a key of every token out of vectors of N(0, 1) numbers, so that it
/// works for any text and any d_k; their lengths are all about sqrt(d_k).
///
///   content    One vector for each distinct word, query and key of every token that is this word: equal words meet in
///              every component, others by chance.
///   previous   One vector for each place, and one more before the first. The key of place i is its own vector, its
///              query the vector of place i - 1. The first query meets nobody.
///   distance   Pairs sqrt(2) (cos(f p), sin(f p)) of the place p, query and key alike, f of each pair drawn from
///              N(0, 1) / distance_reach. A dot product is then the sum of 2 cos(f (i - j)): it depends on the distance
///              alone, and is d_k exp(-((i - j) / distance_reach)^2 / 2) on average (Rahimi and Recht 2007). A last
///              component without a partner is 0.
///   untrained  Query and key of every token drawn apart: what a head is before it has learned anything.
enum class Pattern : std::uint8_t { content, previous, distance, untrained };

inline constexpr std::array<std::string_view, 4> pattern_names = {"content", "previous", "distance",
                                                                  "untrained"};

/// The distance at which the distance head's score has fallen to exp(-1/2) of its height, on average.
inline constexpr double distance_reach = 3;

/// Components of a value that is drawn: so few that a weighted sum of them is written out.
inline constexpr std::size_t max_value_width = 8;

/// A head over n tokens: Q is row query_of[i] of `queries` for token i, K row key_of[j] of `keys` for token j. Equal
/// rows are kept once, so that equal words have equal scores, and are multiplied once.
struct PatternHead {
  Matrix<float> queries;  ///< [a, d_k]
  Matrix<float> keys;  ///< [b, d_k]
  std::vector<std::size_t> query_of;  ///< [n] in [0, a)
  std::vector<std::size_t> key_of;  ///< [n] in [0, b)
};

/// `count` vectors of N(0, 1) numbers. Returns [count, width], rounded to float32. Row r begins the stream
/// Normals(s_r), s_r being number r of SplitMix64(seed): with more rows, or wider ones, what was there stays.
/// Errors: out_of_range or too_large for count outside 1 to 2 max_map_tokens and width outside 1 to max_map_width.
Expected<Matrix<float>> draw_vectors(std::uint64_t seed, std::uint64_t count, std::uint64_t width);

/// What each token has to give, whatever the head: one value for each distinct word, of N(0, 1) numbers rounded to tenths,
/// so that a weighted sum of them can be checked by hand. words [n] as of pattern_head. Returns [n, d_v]. The value of
/// word w begins the stream Normals(s_r), r = 2 max_map_tokens + w of SplitMix64(seed): no row of draw_vectors begins there.
/// Errors: out_of_range or too_large for n ("words") and for d_v outside 1 to max_value_width; out_of_range naming "words"
/// for a number outside [0, n).
Expected<Matrix<double>> draw_values(std::uint64_t seed, std::span<const std::int32_t> words,
                                     std::uint64_t d_v);

/// How many vectors suffice for a head of n tokens, whatever their words: n, n + 1, 1 or 2 n.
std::uint64_t vectors_for(Pattern pattern, std::uint64_t n);

/// The head of a pattern and a width, from the first d_k components of `vectors` [vectors_for(pattern, n) or more, of
/// content as many as there are words; d_k or more]. words [n] tells by a number in [0, n) which word each token is.
/// Errors: out_of_range or too_large for n ("words") outside 1 to max_map_tokens and d_k outside 1 to max_map_width;
/// out_of_range naming "words" for a number outside; shape_mismatch naming "vectors" when they are too few or too narrow, and not_finite when
/// one of their numbers is.
Expected<PatternHead> pattern_head(Pattern pattern, std::span<const std::int32_t> words,
                                   const Matrix<float>& vectors, std::uint64_t d_k);

/// Q K^T of a head. Returns [n, n].
/// Promise: each score is within (d_k + 2) 2^-24 sum_c |q_c k_c| of the exact one; equal rows have equal scores.
Matrix<double> pattern_scores(const PatternHead& head);

}  // namespace attn

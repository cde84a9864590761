#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/error.hpp"
#include "core/matrix.hpp"
#include "embedding/rotary_scaling.hpp"

namespace attn {

/// How the numbers of a row are paired when it is turned.
enum class RotaryPairing : std::uint8_t {
  interleaved,
  half_split,
  /// The fault of two right conventions mixed: pairs are half-split, and of each pair the first number turns by the
  /// angle that interleaved pairs give its place, the second likewise. No rotation any more: a hand changes its length,
  /// and the score depends on where query and key stand.
  mixed,
};

struct ClockOptions {
  std::uint64_t m = 0;  ///< position of the query
  std::uint64_t n = 0;  ///< position of the key
  std::uint64_t shift = 0;  ///< by how many tokens both move on
  RotaryPairing pairing = RotaryPairing::interleaved;
  RotaryOptions rotary;  ///< its length is set here: the tokens up to the later of both
  std::size_t reach = 32;  ///< of the curves
};

/// A query and a key turned to their positions, each pair as the hand of a clock.
struct RotaryClocks {
  RotarySchedule schedule;  ///< at m + shift and n + shift
  std::vector<double> tokens_per_turn;  ///< [pairs] 2 pi / frequency
  std::vector<double> turned;  ///< [pairs] full turns while both moved on
  std::uint64_t query_at, key_at;  ///< m + shift and n + shift
  std::int64_t offset;  ///< m - n
  Matrix<double> query, key;  ///< [pairs, 2] the hands at m + shift and at n + shift
  Matrix<double> query_start, key_start;  ///< [pairs, 2] at m and at n
  std::vector<double> terms;  ///< [pairs] what each pair adds to the score
  double score;  ///< query . key, not divided by sqrt(d), times the schedule's softmax_factor
  double start_score;  ///< the same at m and n
  double difference;  ///< score - start_score
  int change;  ///< its sign, and 0 within 4e-9 (1 + |q| |k|) times the score's factor, which is rounding
  /// [2 reach + 1] the score by offset m - n, from -reach to reach, the key staying where it is: at n + shift, at n,
  /// and at n without scaling. Queries may stand before token 0 there.
  std::vector<double> curve, start_curve, plain_curve;
};

/// The score of a query and a key under rotary positions (Su et al. 2021, equation 34): R_m q . R_n k. q [d], k [d].
/// Errors: shape_mismatch naming "q" when it is empty or odd, "k" when the lengths differ; out_of_range naming "q" with
/// fewer than 4 entries where the base is scaled; those of rotary_schedule;
/// not_finite naming "q" or "k"; too_large above 256 numbers, for positions and a shift above 2^22 and a reach above
/// 1,024.
/// Promise: without dynamic_ntk and mixed pairs the score depends on m - n alone, up to rounding: |difference| is at
/// most 4e-9 |q| |k| times the larger score_factor, where that is above 1.
Expected<RotaryClocks> rotary_clocks(const Vector<double>& q, const Vector<double>& k,
                                     const ClockOptions& options);

}  // namespace attn

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "attention/mask.hpp"
#include "attention/softmax.hpp"
#include "core/error.hpp"
#include "core/matrix.hpp"

namespace attn {

/// Keys of a row that are named one by one.
inline constexpr std::size_t map_ranks = 5;

/// Which mask hides a pair, as bits of one number.
inline constexpr std::uint8_t hidden_by_causal = 1;
inline constexpr std::uint8_t hidden_by_padding = 2;
inline constexpr std::uint8_t hidden_by_window = 4;
inline constexpr std::uint8_t hidden_by_document = 8;

/// All weights of one head over n tokens, with what is worth knowing of each row.
struct WeightMap {
  double divisor = 1;            ///< sqrt(d_k), or 1 without the division
  Matrix<double> scaled;         ///< [n, n] scores / divisor
  SoftmaxTrace<double> softmax;  ///< of the scaled scores, under the mask
  Matrix<std::uint8_t> hidden_by;        ///< [n, n] 0, or the masks that hide the pair
  std::vector<std::int32_t> seen;        ///< [n] keys that the mask leaves a row
  std::vector<double>
      hidden_weight;     ///< [n] what the hidden keys would weigh together without the mask
  std::vector<double> largest_weight;    ///< [n] 0 in a row that sees nothing
  /// The mean of largest_weight over the rows with a choice, those that see two keys or more; 0 when there is none.
  double mean_largest = 0;
  Matrix<std::int32_t>
      ranked;  ///< [n, min(n, map_ranks)] the keys that weigh most, heaviest first, equals as they stand
};

/// softmax(S / sqrt(d_k) + M) (Vaswani et al. 2017, equation 1), or softmax(S + M) without `divide`, and the account of
/// its rows. scores [n, n].
/// Errors: those of softmax and check_mask; not_finite and shape_mismatch naming "scores"; out_of_range and too_large
/// naming "d_k" or "n".
/// Promise: as softmax. Without a mask every hidden_weight is exactly 0.
Expected<WeightMap> weight_map(const Matrix<double>& scores, std::uint64_t d_k, bool divide,
                               const Mask& mask);

/// What leaves the head: each row's weighted sum of the values, softmax(S / sqrt(d_k) + M) V of the same equation.
/// map over n tokens, values [n, d_v]; returns [n, d_v].
/// Errors: shape_mismatch and not_finite naming "values".
/// Promise: sums in ascending key, in double; a row that sees nothing is 0; a hidden value has no say.
Expected<Matrix<double>> map_outputs(const WeightMap& map, const Matrix<double>& values);

}  // namespace attn

#pragma once

// What is done to rotary positions so that a model reads more tokens than it was trained on.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/error.hpp"

namespace attn {

/// Which quantity is changed. s is RotaryOptions::factor, d the width.
enum class RotaryScaling : std::uint8_t {
  none,
  /// Position interpolation (Chen et al. 2023, arXiv:2306.15595): every position is divided by s. The only one of
  /// these that is a scale of positions.
  linear,
  /// NTK-aware (bloc97 2023): the base is multiplied by s^(d / (d - 2)), so that the fastest pair keeps its speed and
  /// the slowest turns s times slower.
  ntk,
  /// The same with a scale that grows with the text: s L' / L - (s - 1) in place of s, where L' is the tokens read by
  /// now and L those trained on, and nothing while L' <= L. It depends on the current length: positions that stand
  /// still turn anew when the text grows.
  dynamic_ntk,
  /// YaRN (Peng et al. 2023, arXiv:2309.00071): pairs that turn more than 32 times in L tokens keep their speed, pairs
  /// that turn less than once are divided by s, and those between take a share of either. Scores grow by a factor
  /// besides; see RotarySchedule.
  yarn,
  /// Llama 3.1 (Grattafiori et al. 2024, arXiv:2407.21783, and the code beside it): the speeds of YaRN, between bounds of
  /// their own (4 turns and 1 in Meta's models), and scores that do not grow.
  llama3,
};

struct RotaryOptions {
  double base = 10000;
  RotaryScaling scaling = RotaryScaling::none;
  double factor = 1;  ///< s: how many times longer the texts are to be
  std::uint64_t original_length = 4096;  ///< L: tokens that the model was trained on
  std::uint64_t length = 1;  ///< L': tokens read by now; dynamic_ntk alone asks for it
  /// YaRN's factor, as DeepSeek's configurations split it: with t(a) = 0.1 a ln s + 1, and 1 for a of 0, cosines and
  /// sines are multiplied by t(mscale) / t(mscale_all_dim), and the scale of the softmax by t(mscale_all_dim)^2. So
  /// where both are 1 the first is 1 and the second is not. The paper has 1 and 0.
  double mscale = 1;
  double mscale_all_dim = 0;
  /// llama3's bounds: turns within L below which a pair is slowed down as a whole, and above which it keeps its speed.
  double few_turns = 1, many_turns = 4;
};

/// How fast each pair turns, and by what scores grow.
struct RotarySchedule {
  double base;  ///< after NTK
  std::vector<double> frequencies;  ///< [width / 2] radians a token
  std::vector<double>
      kept;  ///< [width / 2] YaRN's and llama3's share of the unchanged speed; 1 without
  double rotary_factor;  ///< of every cosine and sine, for queries and for keys
  double softmax_factor;  ///< of the scale of the softmax, 1 / sqrt(d)
  double score_factor;  ///< of a score in all: rotary_factor^2 x softmax_factor
};

/// Errors: shape_mismatch naming "width" when it is odd; out_of_range naming "width" below 4 where the base is to be
/// changed, "base" unless it is in (1, 1e9], "factor" outside [1, 1024], "mscale" or "mscale_all_dim" outside [0, 10],
/// "few_turns" outside [0, 1000], "many_turns" unless it is above few_turns and at most 1000, "original_length" or
/// "length" of 0; too_large above 2^24 tokens.
Expected<RotarySchedule> rotary_schedule(std::size_t width, const RotaryOptions& options);

}  // namespace attn

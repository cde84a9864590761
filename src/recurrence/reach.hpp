#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/error.hpp"

namespace attn {

inline constexpr std::size_t max_reach_seeds = 1000;
/// Each is a run of its own.
inline constexpr std::size_t max_reach_lengths = 64;
/// Tokens that gradients go back over, in all runs of all seeds: more would hold a page for seconds.
inline constexpr std::uint64_t max_reach_steps = std::uint64_t{1} << 23;

struct ReachOptions {
  std::size_t n = 64;  ///< tokens; the gradient starts at the last
  double scale = 1;  ///< of every recurrent matrix
  std::uint64_t seed = 48;  ///< of the networks shown
  std::size_t seeds = 100;  ///< the spread is over seeds 1 to this; 0 for none
  double forget_gate = 0.95;  ///< of the cell path
  double forget_bias = 3;  ///< of the LSTM whose gates follow what it reads
};

/// The quartiles of one quantity over the seeds.
struct Spread {
  std::vector<double> lower, median, upper;
};

/// Norms of a gradient of norm 1 that starts at the last of n tokens, where place d is d tokens before it.
struct ReachCurves {
  std::vector<double> plain;  ///< [n] dL/dh; see PlainRnn
  Spread spread;  ///< [n] each, or empty
  std::vector<double>
      cell_path;  ///< [n + 1] dL/dc, down to c_0, every forget gate at options.forget_gate
  std::vector<double> lstm;  ///< [n + 1] the same with the gates of lstm_forget_gates
  std::vector<double> attention;  ///< [n] dL/dv; see attention_norms
};

/// What is left of them at the far end: plain and attention at token 1, the two LSTMs at c_0. Entry k is of
/// lengths[k] tokens.
struct ReachEnds {
  std::vector<double> plain;
  Spread spread;
  std::vector<double> cell_path, lstm, attention;
};

struct Reach {
  ReachCurves curves;
  ReachEnds ends;
};

/// How far a gradient reaches back through a plain RNN, through an LSTM and through attention: true ways back, for
/// options.n tokens in full and for each of `lengths` at its far end. A shorter run has the first inputs of the same
/// stream.
/// Errors: out_of_range or too_large for n and lengths[k] outside 1 to max_tokens (naming "n", "lengths[k]"), for scale
/// outside [0, 4], forget_gate outside [0, 1], forget_bias outside [-20, 20], more than 1,000 seeds and more than 64
/// lengths; too_large naming "lengths" when all runs together go over more than 2^23 tokens; not_finite
/// naming "scale" when a gradient leaves the range of a double; too_large or out_of_memory for the bytes.
/// Promise: at a scale up to 1, where nothing grows, the same options give the same numbers to 1e-9 (relative) on every
/// machine; above it a gradient that grows carries the last digits of a machine's tanh along.
Expected<Reach> gradient_reach(const ReachOptions& options, std::span<const std::int32_t> lengths);

/// The way back through attention, by scaled_dot_product_backward: one query of zeros over n keys of zeros, so that
/// every weight is 1/n and the output is the mean of the values; L = (1, ..., 1) . output / sqrt(H). Returns [n] the
/// norms of dL/dv, last token first.
/// Errors: those of scaled_dot_product_backward.
Expected<std::vector<double>> attention_norms(std::size_t n);

}  // namespace attn

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "attention/mask.hpp"
#include "core/error.hpp"
#include "core/matrix.hpp"
#include "training/attention_model.hpp"

namespace attn {

struct TrainingOptions {
  ModelSizes sizes = {};
  std::uint64_t seed = 1;     ///< of the parameters, and of the order in which windows are drawn
  std::size_t rounds = 40;    ///< after each of them the model is looked at
  std::size_t steps = 5;      ///< of the optimiser in a round
  std::size_t batch = 4;      ///< windows of one step
  std::size_t stride = 1;     ///< tokens from the beginning of one window to that of the next
  double rate = 0.02;         ///< of Adam
  bool causal = true;         ///< the mask of training
  std::size_t writes =
      12;    ///< tokens that the model writes at the end of each round, its first given
};

/// One row or plane for the model as drawn, then one for each round.
struct TrainingRun {
  std::vector<double> losses;  ///< [rounds + 1] over all windows, with the mask of training; nats
  std::vector<double>
      past_losses;  ///< [rounds + 1] the same with only the past to see: as it writes
  Tensor3<double> weights;  ///< [rounds + 1, n, n] of the first window, with the mask of training
  Matrix<std::int32_t> written;  ///< [rounds + 1, writes] always the likeliest next token
  double even_loss = 0;  ///< ln(vocab_size): the loss of guessing evenly
  std::size_t windows = 0;
};

/// Trains the model of attention_model.hpp on windows of n tokens of a text: ids [length]. What a token is to be
/// answered by stands in targets [length], -1 for nothing; without targets it is the token that comes next, and then
/// the last token has none. Windows start at 0, stride, 2 stride, ... as long as all of one fits (without targets: as
/// long as its last token has a next one). A step takes `batch` windows at random, by SplitMix64(seed), with
/// replacement.
/// Errors: out_of_range or too_large for sizes, counts, ids and targets outside the vocabulary, rate outside (0, 1],
/// naming "n", "ids[3]", "targets[3]", "rate", ...; shape_mismatch naming "targets"; out_of_range naming "ids" when no window
/// fits; not_finite naming "rate" when the parameters leave the finite numbers.
/// Promise: the same options give the same numbers on one machine; on another they differ by the last digits of its
/// exponentials, which many steps at a high rate may carry far.
Expected<TrainingRun> train(const TrainingOptions& options, std::span<const std::int32_t> ids,
                            std::span<const std::int32_t> targets = {});

}  // namespace attn

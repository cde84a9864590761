#pragma once

// How the models of efficient/recall_model.hpp came to their numbers.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "efficient/recall_model.hpp"

namespace attn {

struct RecallTraining {
  std::vector<RecallKind> kinds = {RecallKind::softmax};
  std::size_t state = 16;
  std::uint64_t seed = 1;      ///< of the first numbers and of all texts
  std::size_t steps = 4000;    ///< of Adam
  std::size_t batch = 8;       ///< texts of a step, each asked for all of its pairs
  std::size_t shortest = 32, longest = 160;  ///< tokens of a text, drawn evenly
  std::size_t most_pairs = recall_keys;
  double rate = 0.01;          ///< falls along a half cosine to 0
  RecallSight sight =
      {};  ///< what softmax layers see in the second half of the steps; in the first, everything
};

/// Numbers from Normals(seed): tables times 1/2, U times 1/4; steps and bias so that at first little fades (gates of
/// 0.98, delta 0.05); rates ln(1), ln(2), ..., ln(state) in each row (Gu and Dao 2023, section 3.6: S4D-Real).
RecallModel random_recall_model(const RecallTraining& training);

/// The mean over the questions of a text of -ln softmax(logits)[value], in nats.
double recall_loss(const RecallModel& model, const RecallText& text, const RecallSight& sight);

/// The true way back of recall_loss, by hand; which blocks are chosen counts as given. Adds `share` * dL/d(part) to every
/// part of `gradients`. Returns L.
double add_recall_gradients(const RecallModel& model, const RecallText& text,
                            const RecallSight& sight, double share, RecallModel& gradients);

/// Trains. Returns the model, and in `losses`, if given, the mean loss of each step.
/// Promise: the same options give the same numbers on one machine; elsewhere the last digits of exponentials differ.
RecallModel train_recall(const RecallTraining& training, std::vector<double>* losses = nullptr);

}  // namespace attn

#pragma once

#include <cstddef>

#include "training/attention_model.hpp"

namespace attn {

/// Adam (Kingma and Ba 2015, algorithm 1) with its usual constants: a step of about `rate` for every parameter, along
/// the mean of its recent gradients over the root of the mean of their squares.
class Adam {
 public:
  Adam(const ModelSizes& sizes, double rate)
      : mean_(zero_model(sizes)), square_(zero_model(sizes)), rate_(rate) {}

  /// Moves `model` against `gradients`, and sets them to 0 for the next step.
  void step(AttentionModel& model, AttentionModel& gradients);

 private:
  AttentionModel mean_, square_;
  double rate_;
  double mean_left_ = 1;  ///< beta_1^t, what is left of the zeros that mean_ began with
  double square_left_ = 1;  ///< beta_2^t
};

}  // namespace attn

#pragma once

namespace attn {

/// Adam (Kingma and Ba 2015, algorithm 1) with its usual constants: a step of about `rate` for every parameter, along
/// the mean of its recent gradients over the root of the mean of their squares. A model lists its matrices by parts().
/// Built for AttentionModel and RecallModel.
template <class Model>
class Adam {
 public:
  /// `zero`: a model of the same shape, all of it 0.
  explicit Adam(const Model& zero) : mean_(zero), square_(zero) {}

  /// Moves `model` against `gradients`, and sets them to 0 for the next step.
  void step(Model& model, Model& gradients, double rate);

 private:
  Model mean_, square_;
  double mean_left_ = 1;  ///< beta_1^t, what is left of the zeros that mean_ began with
  double square_left_ = 1;  ///< beta_2^t
};

}  // namespace attn

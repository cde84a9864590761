#pragma once

// Models of one or two layers that were trained to remember pairs, one for each answer to n^2.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/matrix.hpp"
#include "efficient/recall_text.hpp"

namespace attn {

inline constexpr std::size_t recall_width = 16;  ///< d_v, of all layers

/// How a layer keeps the past.
enum class RecallKind : std::uint8_t {
  softmax,  ///< every token, or those that RecallSight leaves
  linear,   ///< phi = elu + 1 into one matrix, divided by the sum of the weights
  gated,    ///< products of q and k as they are, a state that each token may fade, not divided
  selective,  ///< Mamba's: each number of the state fades at a rate of its own, by the step of the token
};

/// What a softmax layer may see of the tokens before the question. Either limit at 0: everything.
struct RecallSight {
  std::size_t window = 0;  ///< the last tokens
  std::size_t sinks = 0;  ///< and so many of the first, with a window
  std::size_t block = 0,
              top_k =
                  0;  ///< of blocks of so many tokens, the last and those with the best mean keys
};

/// Tables that say what each key, filler and value is to the layer; K and V have rows for fillers behind the others.
struct RecallLayer {
  RecallKind kind = RecallKind::softmax;
  Matrix<double> Q;  ///< [recall_keys, state] a question; of `selective` it is C
  Matrix<double> K;  ///< [recall_keys + recall_fillers, state]; of `selective` it is B
  Matrix<double> V;  ///< [recall_values + recall_fillers, recall_width]; of `selective` it is x
  Matrix<double>
      steps;  ///< [1, keys + fillers] gated: the gate is sigmoid of it; selective: see below
  Matrix<double> bias;  ///< [1, recall_width] selective: delta = softplus(step + bias)
  Matrix<double> rates;  ///< [recall_width, state] selective: A = -exp(rate)
};

/// The answer to a question is the value with the largest of (sum over the layers of what they read) U.
struct RecallModel {
  std::vector<RecallLayer> layers;
  Matrix<double> U;  ///< [recall_width, recall_values]

  std::vector<Matrix<double>*> parts();
  std::vector<const Matrix<double>*> parts() const;
};

/// A model of layers of these kinds with a state of `state` columns, all numbers 0.
RecallModel zero_recall_model(const std::vector<RecallKind>& kinds, std::size_t state);

/// What a linear, gated or selective layer holds after a text: all that it can answer from.
struct RecallState {
  Matrix<double> state;  ///< [state, recall_width]; selective: [recall_width, state]
  Vector<double> sums;  ///< [state] linear alone
};

/// Answers questions about texts. What depends on the tables alone is worked out once, so that many texts may be asked.
class RecallReader {
 public:
  /// The layer must outlive the reader.
  RecallReader(const RecallLayer& layer, const RecallSight& sight);

  /// What the layer holds after a text, all that it can answer from; nothing of a softmax layer.
  RecallState state(const RecallText& text) const;

  /// Which places of the text the question of a key may see. [n], 1 where it may.
  std::vector<std::uint8_t> seen(const RecallText& text, std::size_t key) const;

  /// Adds to each row of `answers` [pairs, recall_width] what is read when the key of that pair is asked for after the last
  /// token. The question itself writes nothing.
  void add_answers(const RecallText& text, Matrix<double>& answers) const;

 private:
  void add_softmax(const RecallText& text, Matrix<double>& answers) const;
  void add_from_state(const RecallText& text, Matrix<double>& answers) const;
  void see_blocks(const RecallText& text, std::size_t key, std::vector<std::uint8_t>& seen) const;
  RecallState additive_state(const RecallText& text) const;
  RecallState selective_state(const RecallText& text) const;

  const RecallLayer& layer_;
  RecallSight sight_;
  Matrix<double> queries_;  ///< Q, or its features
  Matrix<double> keys_;  ///< K, or its features
  Matrix<double> scores_;  ///< softmax: [recall_keys, tokens] q . k / sqrt(state)
  Matrix<double> powers_;  ///< softmax: e^(score - the largest of the row)
  Matrix<double> deltas_;  ///< selective: [tokens, recall_width]
  Tensor3<double> left_;  ///< selective: [tokens, recall_width, state] e^(delta A)
};

/// [pairs, recall_values] what the model makes of every value, by question; the largest is its answer.
Matrix<double> recall_logits(const RecallModel& model, const RecallText& text,
                             const RecallSight& sight);

/// The last step of it: answers [pairs, recall_width] times U.
Matrix<double> recall_logits(const RecallModel& model, const Matrix<double>& answers);

double recall_feature(double x);  ///< elu(x) + 1
double recall_sigmoid(double x);
double recall_softplus(double x);  ///< ln(1 + e^x), without overflow

}  // namespace attn

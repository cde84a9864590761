#include "training/recall_training.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/random.hpp"
#include "core/row_sums.hpp"
#include "training/adam.hpp"

namespace attn {
namespace {

/// d(elu + 1)/dx.
double feature_slope(double x) { return x >= 0 ? 1 : std::exp(x); }

/// What every way back starts from: a layer, the text, and dL/d(answers) [pairs, recall_width].
struct Back {
  const RecallLayer& layer;
  const RecallText& text;
  const Matrix<double>& slopes;
  RecallLayer& gradients;

  std::size_t n() const { return text.keys.size(); }
  std::size_t d() const { return layer.K.shape(1); }
  std::size_t asked(std::size_t pair) const { return text.keys[text.places[pair]]; }
};

void softmax_back(const Back& back, const RecallSight& sight) {
  const auto& [layer, text, slopes, gradients] = back;
  const std::size_t n = back.n(), d = back.d();
  const double divisor = std::sqrt(static_cast<double>(d));
  const RecallReader reader(layer, sight);
  std::vector<double> weights(n), by_weight(n);
  for (std::size_t p = 0; p < text.places.size(); ++p) {
    const std::size_t key = back.asked(p);
    const auto seen = reader.seen(text, key);
    double largest = -std::numeric_limits<double>::infinity();
    for (std::size_t t = 0; t < n; ++t) {
      if (seen[t] == 0) continue;
      weights[t] = product(&layer.Q(key, 0), &layer.K(text.keys[t], 0), d) / divisor;
      largest = std::max(largest, weights[t]);
    }
    double sum = 0, mean = 0;
    for (std::size_t t = 0; t < n; ++t) {
      weights[t] = seen[t] == 0 ? 0 : std::exp(weights[t] - largest);
      sum += weights[t];
    }
    for (std::size_t t = 0; t < n; ++t) {
      weights[t] /= sum;
      by_weight[t] = product(&slopes(p, 0), &layer.V(text.values[t], 0), recall_width);
      mean += weights[t] * by_weight[t];
      add_scaled(weights[t], &slopes(p, 0), recall_width, &gradients.V(text.values[t], 0));
    }
    for (std::size_t t = 0; t < n; ++t) {
      const double by_score = weights[t] * (by_weight[t] - mean) / divisor;
      add_scaled(by_score, &layer.K(text.keys[t], 0), d, &gradients.Q(key, 0));
      add_scaled(by_score, &layer.Q(key, 0), d, &gradients.K(text.keys[t], 0));
    }
  }
}

void linear_back(const Back& back) {
  const auto& [layer, text, slopes, gradients] = back;
  const std::size_t d = back.d();
  const RecallState held = RecallReader(layer, {}).state(text);
  Matrix<double> by_state = zero_matrix<double>(d, recall_width);
  std::vector<double> by_sums(d, 0), query(d);
  for (std::size_t p = 0; p < text.places.size(); ++p) {
    const std::size_t key = back.asked(p);
    double sum = 0;
    for (std::size_t a = 0; a < d; ++a) {
      query[a] = recall_feature(layer.Q(key, a));
      sum += query[a] * held.sums(a);
    }
    // answer = q S / sum.
    double along = 0;
    for (std::size_t a = 0; a < d; ++a) {
      along += query[a] * product(&held.state(a, 0), &slopes(p, 0), recall_width);
    }
    const double by_sum = -along / (sum * sum);
    for (std::size_t a = 0; a < d; ++a) {
      const double by_query =
          product(&held.state(a, 0), &slopes(p, 0), recall_width) / sum + by_sum * held.sums(a);
      gradients.Q(key, a) += by_query * feature_slope(layer.Q(key, a));
      by_sums[a] += by_sum * query[a];
      add_scaled(query[a] / sum, &slopes(p, 0), recall_width, &by_state(a, 0));
    }
  }
  for (std::size_t t = 0; t < back.n(); ++t) {
    const std::size_t token = text.keys[t], value = text.values[t];
    for (std::size_t a = 0; a < d; ++a) {
      const double x = layer.K(token, a);
      const double by_feature =
          by_sums[a] + product(&by_state(a, 0), &layer.V(value, 0), recall_width);
      gradients.K(token, a) += by_feature * feature_slope(x);
      add_scaled(recall_feature(x), &by_state(a, 0), recall_width, &gradients.V(value, 0));
    }
  }
}

void gated_back(const Back& back) {
  const auto& [layer, text, slopes, gradients] = back;
  const std::size_t d = back.d();
  const RecallState held = RecallReader(layer, {}).state(text);
  Matrix<double> by_state = zero_matrix<double>(d, recall_width);
  for (std::size_t p = 0; p < text.places.size(); ++p) {
    const std::size_t key = back.asked(p);
    for (std::size_t a = 0; a < d; ++a) {
      gradients.Q(key, a) += product(&held.state(a, 0), &slopes(p, 0), recall_width);
      add_scaled(layer.Q(key, a), &slopes(p, 0), recall_width, &by_state(a, 0));
    }
  }
  // From the last token back, `left` is what later gates leave of a token, and `later` what a change of the logarithm of
  // its gate would do: to all that was written before it.
  std::vector<double> left(back.n()), written(back.n());
  double product_of_gates = 1;
  for (std::size_t t = back.n(); t-- > 0;) {
    left[t] = product_of_gates;
    const std::size_t token = text.keys[t], value = text.values[t];
    for (std::size_t a = 0; a < d; ++a) {
      const double by_key = product(&by_state(a, 0), &layer.V(value, 0), recall_width);
      gradients.K(token, a) += left[t] * by_key;
      written[t] += left[t] * by_key * layer.K(token, a);
      add_scaled(left[t] * layer.K(token, a), &by_state(a, 0), recall_width,
                 &gradients.V(value, 0));
    }
    product_of_gates *= recall_sigmoid(layer.steps(0, token));
  }
  double before = 0;
  for (std::size_t t = 0; t < back.n(); ++t) {
    const double step = layer.steps(0, text.keys[t]);
    gradients.steps(0, text.keys[t]) += before * (1 - recall_sigmoid(step));
    before += written[t];
  }
}

void selective_back(const Back& back) {
  const auto& [layer, text, slopes, gradients] = back;
  const std::size_t n = back.n(), d = back.d();
  const RecallState held = RecallReader(layer, {}).state(text);
  Matrix<double> by_state = zero_matrix<double>(recall_width, d);
  for (std::size_t p = 0; p < text.places.size(); ++p) {
    const std::size_t key = back.asked(p);
    for (std::size_t c = 0; c < recall_width; ++c) {
      add_scaled(slopes(p, c), &held.state(c, 0), d, &gradients.Q(key, 0));
      add_scaled(slopes(p, c), &layer.Q(key, 0), d, &by_state(c, 0));
    }
  }
  std::vector<double> by_passed(n);
  for (std::size_t c = 0; c < recall_width; ++c) {
    // What token t wrote has since fallen by e^(A passed), where `passed` sums the steps after it.
    double passed = 0;
    std::fill(by_passed.begin(), by_passed.end(), 0);
    for (std::size_t t = n; t-- > 0;) {
      const std::size_t token = text.keys[t], value = text.values[t];
      const double step = layer.steps(0, token) + layer.bias(0, c);
      const double delta = recall_softplus(step), x = layer.V(value, c);
      double by_written = 0;
      for (std::size_t s = 0; s < d; ++s) {
        const double rate = std::exp(layer.rates(c, s));
        const double kept = by_state(c, s) * std::exp(-rate * passed);
        by_written += kept * layer.K(token, s);
        gradients.K(token, s) += kept * delta * x;
        const double there = kept * delta * x * layer.K(token, s);
        by_passed[t] -= rate * there;
        gradients.rates(c, s) -= passed * rate * there;
      }
      gradients.V(value, c) += delta * by_written;
      const double by_step = x * by_written * recall_sigmoid(step);
      gradients.steps(0, token) += by_step;
      gradients.bias(0, c) += by_step;
      passed += delta;
    }
    double before = 0;
    for (std::size_t t = 0; t < n; ++t) {
      const std::size_t token = text.keys[t];
      const double by_step = before * recall_sigmoid(layer.steps(0, token) + layer.bias(0, c));
      gradients.steps(0, token) += by_step;
      gradients.bias(0, c) += by_step;
      before += by_passed[t];
    }
  }
}

void layer_back(const Back& back, const RecallSight& sight) {
  switch (back.layer.kind) {
    case RecallKind::softmax:
      return softmax_back(back, sight);
    case RecallKind::linear:
      return linear_back(back);
    case RecallKind::gated:
      return gated_back(back);
    case RecallKind::selective:
      return selective_back(back);
  }
}

/// Rows become their softmax; returns the mean of -ln of the places that were right.
double softmax_rows(const RecallText& text, Matrix<double>& rows) {
  double loss = 0;
  for (std::size_t p = 0; p < rows.shape(0); ++p) {
    double* const row = &rows(p, 0);
    const double largest = *std::max_element(row, row + rows.shape(1));
    double sum = 0;
    for (std::size_t v = 0; v < rows.shape(1); ++v) sum += row[v] = std::exp(row[v] - largest);
    for (std::size_t v = 0; v < rows.shape(1); ++v) row[v] /= sum;
    loss -= std::log(std::max(row[text.values[text.places[p]]], 1e-300));
  }
  return loss / static_cast<double>(rows.shape(0));
}

std::size_t between(SplitMix64& bits, std::size_t least, std::size_t most) {
  return least +
         static_cast<std::size_t>(((bits.next() >> 32) * std::uint64_t{most - least + 1}) >> 32);
}

}  // namespace

RecallModel random_recall_model(const RecallTraining& training) {
  RecallModel model = zero_recall_model(training.kinds, training.state);
  Normals normals(training.seed);
  for (RecallLayer& layer : model.layers) {
    for (Matrix<double>* part : {&layer.Q, &layer.K, &layer.V}) {
      for (double& number : *part) number = normals.next() / 2;
    }
    const bool is_selective = layer.kind == RecallKind::selective;
    std::fill(layer.steps.begin(), layer.steps.end(), is_selective ? -3 : 4);
    for (std::size_t c = 0; c < layer.rates.shape(0); ++c) {
      for (std::size_t s = 0; s < layer.rates.shape(1); ++s) {
        layer.rates(c, s) = std::log(static_cast<double>(s + 1));
      }
    }
  }
  for (double& number : model.U) number = normals.next() / 4;
  return model;
}

double recall_loss(const RecallModel& model, const RecallText& text, const RecallSight& sight) {
  Matrix<double> logits = recall_logits(model, text, sight);
  return softmax_rows(text, logits);
}

double add_recall_gradients(const RecallModel& model, const RecallText& text,
                            const RecallSight& sight, double share, RecallModel& gradients) {
  const std::size_t pairs = text.places.size();
  Matrix<double> answers = zero_matrix<double>(pairs, recall_width);
  for (const RecallLayer& layer : model.layers) {
    RecallReader(layer, sight).add_answers(text, answers);
  }
  Matrix<double> rows = recall_logits(model, answers);
  const double loss = softmax_rows(text, rows);
  // Softmax and logarithm together: dL/dlogits = (probabilities - 1 at the value) / pairs.
  const double each = share / static_cast<double>(pairs);
  Matrix<double> slopes = zero_matrix<double>(pairs, recall_width);
  for (std::size_t p = 0; p < pairs; ++p) {
    rows(p, text.values[text.places[p]]) -= 1;
    for (std::size_t c = 0; c < recall_width; ++c) {
      add_scaled(each * answers(p, c), &rows(p, 0), recall_values, &gradients.U(c, 0));
      slopes(p, c) = each * product(&rows(p, 0), &model.U(c, 0), recall_values);
    }
  }
  for (std::size_t k = 0; k < model.layers.size(); ++k) {
    layer_back({model.layers[k], text, slopes, gradients.layers[k]}, sight);
  }
  return loss;
}

RecallModel train_recall(const RecallTraining& training, std::vector<double>* losses) {
  RecallModel model = random_recall_model(training);
  RecallModel gradients = zero_recall_model(training.kinds, training.state);
  Adam<RecallModel> adam(gradients);
  SplitMix64 bits(training.seed);
  for (std::size_t step = 0; step < training.steps; ++step) {
    const RecallSight sight = 2 * step < training.steps ? RecallSight{} : training.sight;
    double loss = 0;
    for (std::size_t k = 0; k < training.batch; ++k) {
      const std::size_t n = between(bits, training.shortest, training.longest);
      const std::size_t pairs = between(bits, 1, std::min(n, training.most_pairs));
      const double share = 1 / static_cast<double>(training.batch);
      loss += share * add_recall_gradients(model, draw_recall_text(bits, n, pairs), sight, share,
                                           gradients);
    }
    if (losses != nullptr) losses->push_back(loss);
    const double done = static_cast<double>(step) / static_cast<double>(training.steps);
    adam.step(model, gradients, training.rate * (1 + std::cos(std::numbers::pi * done)) / 2);
  }
  return model;
}

}  // namespace attn

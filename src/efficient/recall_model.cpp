#include "efficient/recall_model.hpp"

#include <algorithm>
#include <cmath>

#include "core/row_sums.hpp"

namespace attn {
namespace {

template <class Layer, class Pointer>
void add_parts(Layer& layer, std::vector<Pointer>& parts) {
  for (auto* part : {&layer.Q, &layer.K, &layer.V, &layer.steps, &layer.bias, &layer.rates}) {
    if (part->size() != 0) parts.push_back(part);
  }
}

Matrix<double> features(const Matrix<double>& x) {
  Matrix<double> made = make_matrix<double>(x.shape(0), x.shape(1));
  std::transform(x.begin(), x.end(), made.begin(), recall_feature);
  return made;
}

}  // namespace

double recall_feature(double x) { return x >= 0 ? x + 1 : std::exp(x); }

double recall_sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

double recall_softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::fabs(x))); }

std::vector<Matrix<double>*> RecallModel::parts() {
  std::vector<Matrix<double>*> all;
  for (RecallLayer& layer : layers) add_parts(layer, all);
  all.push_back(&U);
  return all;
}

std::vector<const Matrix<double>*> RecallModel::parts() const {
  std::vector<const Matrix<double>*> all;
  for (const RecallLayer& layer : layers) add_parts(layer, all);
  all.push_back(&U);
  return all;
}

RecallModel zero_recall_model(const std::vector<RecallKind>& kinds, std::size_t state) {
  RecallModel model;
  for (const RecallKind kind : kinds) {
    const bool is_selective = kind == RecallKind::selective;
    const bool has_steps = is_selective || kind == RecallKind::gated;
    const std::size_t tokens = recall_keys + recall_fillers;
    model.layers.push_back(
        {.kind = kind,
         .Q = zero_matrix<double>(recall_keys, state),
         .K = zero_matrix<double>(tokens, state),
         .V = zero_matrix<double>(recall_values + recall_fillers, recall_width),
         .steps = has_steps ? zero_matrix<double>(1, tokens) : zero_matrix<double>(0, 0),
         .bias = is_selective ? zero_matrix<double>(1, recall_width) : zero_matrix<double>(0, 0),
         .rates =
             is_selective ? zero_matrix<double>(recall_width, state) : zero_matrix<double>(0, 0)});
  }
  model.U = zero_matrix<double>(recall_width, recall_values);
  return model;
}

RecallReader::RecallReader(const RecallLayer& layer, const RecallSight& sight)
    : layer_(layer), sight_(sight), queries_(layer.Q), keys_(layer.K) {
  const std::size_t tokens = layer.K.shape(0), d = layer.K.shape(1);
  if (layer.kind == RecallKind::linear) {
    queries_ = features(layer.Q);
    keys_ = features(layer.K);
  }
  if (layer.kind == RecallKind::softmax) {
    const double divisor = std::sqrt(static_cast<double>(d));
    scores_ = make_matrix<double>(recall_keys, tokens);
    powers_ = make_matrix<double>(recall_keys, tokens);
    for (std::size_t key = 0; key < recall_keys; ++key) {
      double* const row = &scores_(key, 0);
      for (std::size_t t = 0; t < tokens; ++t) {
        row[t] = product(&layer.Q(key, 0), &layer.K(t, 0), d) / divisor;
      }
      const double largest = *std::max_element(row, row + tokens);
      for (std::size_t t = 0; t < tokens; ++t) powers_(key, t) = std::exp(row[t] - largest);
    }
  }
  if (layer.kind == RecallKind::selective) {
    deltas_ = make_matrix<double>(tokens, recall_width);
    left_ = make_tensor3<double>(tokens, recall_width, d);
    for (std::size_t t = 0; t < tokens; ++t) {
      for (std::size_t c = 0; c < recall_width; ++c) {
        deltas_(t, c) = recall_softplus(layer.steps(0, t) + layer.bias(0, c));
        for (std::size_t s = 0; s < d; ++s) {
          left_(t, c, s) = std::exp(-deltas_(t, c) * std::exp(layer.rates(c, s)));
        }
      }
    }
  }
}

RecallState RecallReader::state(const RecallText& text) const {
  if (layer_.kind == RecallKind::softmax) return {};
  return layer_.kind == RecallKind::selective ? selective_state(text) : additive_state(text);
}

RecallState RecallReader::additive_state(const RecallText& text) const {
  const std::size_t d = keys_.shape(1);
  const bool is_gated = layer_.kind == RecallKind::gated;
  RecallState made{zero_matrix<double>(d, recall_width), make_vector<double>(is_gated ? 0 : d)};
  made.sums.fill(0);
  for (std::size_t t = 0; t < text.keys.size(); ++t) {
    const std::size_t token = text.keys[t];
    if (is_gated) {
      const double gate = recall_sigmoid(layer_.steps(0, token));
      for (double& number : made.state) number *= gate;
    } else {
      add_scaled(1, &keys_(token, 0), d, made.sums.data());
    }
    const double* const value = &layer_.V(text.values[t], 0);
    for (std::size_t a = 0; a < d; ++a) {
      add_scaled(keys_(token, a), value, recall_width, &made.state(a, 0));
    }
  }
  return made;
}

RecallState RecallReader::selective_state(const RecallText& text) const {
  const std::size_t d = keys_.shape(1);
  RecallState made{zero_matrix<double>(recall_width, d), {}};
  for (std::size_t t = 0; t < text.keys.size(); ++t) {
    const std::size_t token = text.keys[t];
    const double* const key = &keys_(token, 0);
    for (std::size_t c = 0; c < recall_width; ++c) {
      const double written = deltas_(token, c) * layer_.V(text.values[t], c);
      double* const row = &made.state(c, 0);
      const double* const left = &left_(token, c, 0);
      for (std::size_t s = 0; s < d; ++s) row[s] = left[s] * row[s] + written * key[s];
    }
  }
  return made;
}

std::vector<std::uint8_t> RecallReader::seen(const RecallText& text, std::size_t key) const {
  const std::size_t n = text.keys.size();
  std::vector<std::uint8_t> places(n, 1);
  if (sight_.window != 0 && sight_.window < n) {
    for (std::size_t t = sight_.sinks; t < n - sight_.window; ++t) places[t] = 0;
  }
  if (sight_.block != 0) see_blocks(text, key, places);
  return places;
}

/// The block of the last token, and the top_k - 1 others whose mean key has the largest product with the question; of
/// equal ones the earlier, as in block_sparse_attention. All of them have as many tokens, so that sums do for means.
void RecallReader::see_blocks(const RecallText& text, std::size_t key,
                              std::vector<std::uint8_t>& seen) const {
  const std::size_t n = text.keys.size(), own = (n - 1) / sight_.block;
  std::vector<double> sums(own, 0);
  for (std::size_t t = 0; t < own * sight_.block; ++t) {
    sums[t / sight_.block] += scores_(key, text.keys[t]);
  }
  std::vector<std::uint8_t> chosen(own + 1, 0);
  chosen[own] = 1;
  for (std::size_t count = 1; count < std::min(sight_.top_k, own + 1); ++count) {
    std::size_t best = own;
    for (std::size_t b = 0; b < own; ++b) {
      if (chosen[b] == 0 && (best == own || sums[b] > sums[best])) best = b;
    }
    chosen[best] = 1;
  }
  for (std::size_t t = 0; t < n; ++t) seen[t] = chosen[t / sight_.block];
}

void RecallReader::add_answers(const RecallText& text, Matrix<double>& answers) const {
  if (layer_.kind == RecallKind::softmax) {
    add_softmax(text, answers);
  } else {
    add_from_state(text, answers);
  }
}

void RecallReader::add_softmax(const RecallText& text, Matrix<double>& answers) const {
  const std::size_t n = text.keys.size();
  for (std::size_t p = 0; p < text.places.size(); ++p) {
    const std::size_t key = text.keys[text.places[p]];
    const auto places = seen(text, key);
    double sum = 0;
    for (std::size_t t = 0; t < n; ++t) sum += places[t] == 0 ? 0 : powers_(key, text.keys[t]);
    // Nothing seen has a weight that a double can hold: the answer is none.
    if (sum == 0) continue;
    for (std::size_t t = 0; t < n; ++t) {
      if (places[t] == 0) continue;
      add_scaled(powers_(key, text.keys[t]) / sum, &layer_.V(text.values[t], 0), recall_width,
                 &answers(p, 0));
    }
  }
}

void RecallReader::add_from_state(const RecallText& text, Matrix<double>& answers) const {
  const RecallState held = state(text);
  const std::size_t d = keys_.shape(1);
  for (std::size_t p = 0; p < text.places.size(); ++p) {
    const double* const query = &queries_(text.keys[text.places[p]], 0);
    double* const answer = &answers(p, 0);
    if (layer_.kind == RecallKind::selective) {
      for (std::size_t c = 0; c < recall_width; ++c) {
        answer[c] += product(query, &held.state(c, 0), d);
      }
      continue;
    }
    const double sum = layer_.kind == RecallKind::linear ? product(query, held.sums.data(), d) : 1;
    for (std::size_t a = 0; a < d; ++a) {
      add_scaled(query[a] / sum, &held.state(a, 0), recall_width, answer);
    }
  }
}

Matrix<double> recall_logits(const RecallModel& model, const Matrix<double>& answers) {
  Matrix<double> logits = zero_matrix<double>(answers.shape(0), recall_values);
  for (std::size_t p = 0; p < answers.shape(0); ++p) {
    for (std::size_t c = 0; c < recall_width; ++c) {
      add_scaled(answers(p, c), &model.U(c, 0), recall_values, &logits(p, 0));
    }
  }
  return logits;
}

Matrix<double> recall_logits(const RecallModel& model, const RecallText& text,
                             const RecallSight& sight) {
  Matrix<double> answers = zero_matrix<double>(text.places.size(), recall_width);
  for (const RecallLayer& layer : model.layers) {
    RecallReader(layer, sight).add_answers(text, answers);
  }
  return recall_logits(model, answers);
}

}  // namespace attn

#include <algorithm>
#include <set>

#include "efficient/block_sparse.hpp"
#include "efficient/linear_attention.hpp"
#include "efficient/recall.hpp"
#include "efficient/recall_model.hpp"
#include "efficient/recall_weights.hpp"
#include "efficient/selective_scan.hpp"
#include "support.hpp"
#include "training/recall_training.hpp"

using namespace attn;
using namespace attn::test;

namespace {

constexpr RecallKind all_kinds[] = {RecallKind::softmax, RecallKind::linear, RecallKind::gated,
                                    RecallKind::selective};

/// Every number drawn, so that no gradient is 0 by chance.
RecallModel drawn_model(const std::vector<RecallKind>& kinds, std::uint64_t seed) {
  RecallModel model = zero_recall_model(kinds, 4);
  Normals normals(seed);
  for (Matrix<double>* part : model.parts()) {
    for (double& number : *part) number = 0.6 * normals.next();
  }
  return model;
}

RecallText drawn_text(std::uint64_t seed, std::size_t n, std::size_t pairs) {
  SplitMix64 bits(seed);
  return draw_recall_text(bits, n, pairs);
}

/// Rows of a table in the order of the text.
Matrix<double> rows_at(const Matrix<double>& table, const std::vector<std::uint8_t>& ids) {
  return reordered(table, std::vector<std::size_t>(ids.begin(), ids.end()));
}

/// Zeros, but for the last row: the question, at the place of the last token.
Matrix<double> asked_last(const RecallLayer& layer, std::size_t n, std::size_t key) {
  Matrix<double> Q = make_matrix<double>(n, layer.Q.shape(1));
  Q.fill(0);
  for (std::size_t c = 0; c < layer.Q.shape(1); ++c) Q(n - 1, c) = layer.Q(key, c);
  return Q;
}

Matrix<double> answers_of(const RecallLayer& layer, const RecallText& text,
                          const RecallSight& sight) {
  Matrix<double> answers = make_matrix<double>(text.places.size(), recall_width);
  answers.fill(0);
  RecallReader(layer, sight).add_answers(text, answers);
  return answers;
}

/// What the layers of the lecture make of the same question.
Matrix<double> by_the_layers_themselves(const RecallLayer& layer, const RecallText& text,
                                        const RecallSight& sight, std::size_t key) {
  const std::size_t n = text.keys.size();
  const Matrix<double> Q = asked_last(layer, n, key);
  const Matrix<double> K = rows_at(layer.K, text.keys), V = rows_at(layer.V, text.values);
  if (layer.kind == RecallKind::selective) {
    SelectiveScanInput input{V, make_matrix<double>(n, recall_width), layer.rates, K, Q, {}};
    for (double& rate : input.A) rate = -std::exp(rate);
    for (std::size_t t = 0; t < n; ++t) {
      for (std::size_t c = 0; c < recall_width; ++c) {
        input.delta(t, c) = recall_softplus(layer.steps(0, text.keys[t]) + layer.bias(0, c));
      }
    }
    return value_of(selective_scan(input, ScanForm::sequential)).output;
  }
  if (layer.kind == RecallKind::softmax) {
    BlockSparseOptions options{.block = 1, .top_k = n};
    if (sight.block != 0) options = {.block = sight.block, .top_k = sight.top_k};
    if (sight.window != 0) options = {.block = 1, .top_k = 1, .window = sight.window};
    return value_of(block_sparse_attention(Q, K, V, options)).output;
  }
  LinearAttentionOptions options;
  if (layer.kind == RecallKind::gated) {
    options.feature_map = FeatureMap::identity;
    options.normalize = false;
    options.gates = make_vector<double>(n);
    for (std::size_t t = 0; t < n; ++t) {
      options.gates(t) = recall_sigmoid(layer.steps(0, text.keys[t]));
    }
  }
  return value_of(linear_attention(Q, K, V, options, LinearForm::recurrent)).output;
}

Recall measured(RecallAnswer answer, const RecallOptions& options,
                const std::vector<std::int32_t>& pairs) {
  return value_of(measure_recall(answer, options, pairs));
}

}  // namespace

TEST_CASE("a recall text has its pairs at different places with different keys") {
  Dice dice(201);
  for (std::uint64_t round = 0; round < 300; ++round) {
    const std::size_t n = dice.between(1, 90);
    const std::size_t pairs = dice.between(1, std::min(n, recall_keys));
    const RecallText text = drawn_text(round, n, pairs);
    REQUIRE(text.keys.size() == n);
    REQUIRE(text.values.size() == n);
    REQUIRE(text.places.size() == pairs);
    CHECK(std::is_sorted(text.places.begin(), text.places.end()));
    std::set<std::uint8_t> keys;
    std::size_t fillers = 0;
    for (std::size_t t = 0; t < n; ++t) {
      if (text.keys[t] >= recall_keys) {
        ++fillers;
        CHECK(text.keys[t] < recall_keys + recall_fillers);
        CHECK(text.values[t] - recall_values == text.keys[t] - recall_keys);
      } else {
        CHECK(text.values[t] < recall_values);
        keys.insert(text.keys[t]);
      }
    }
    CHECK(keys.size() == pairs);
    CHECK(fillers == n - pairs);
  }
}

TEST_CASE("places of pairs and values are drawn evenly") {
  SplitMix64 bits(7);
  std::vector<int> at(20, 0), values(recall_values, 0);
  for (int round = 0; round < 4000; ++round) {
    const RecallText text = draw_recall_text(bits, 20, 5);
    for (const std::size_t place : text.places) {
      at[place] += 1;
      values[text.values[place]] += 1;
    }
  }
  // 1,000 each with a standard deviation of 27, and 625 with one of 25.
  for (const int count : at) CHECK(std::abs(count - 1000) < 150);
  for (const int count : values) CHECK(std::abs(count - 625) < 140);
}

TEST_CASE("a recall layer answers what the layer that it stands for computes") {
  for (const RecallKind kind : all_kinds) {
    const RecallModel model = drawn_model({kind}, 31 + static_cast<std::uint64_t>(kind));
    const RecallLayer& layer = model.layers[0];
    std::vector<RecallSight> sights = {{}};
    if (kind == RecallKind::softmax) {
      sights = {
          {}, {.window = 5}, {.window = 99}, {.block = 4, .top_k = 2}, {.block = 7, .top_k = 9}};
    }
    for (const RecallSight& sight : sights) {
      const RecallText text = drawn_text(5, 23, 9);
      const Matrix<double> answers = answers_of(layer, text, sight);
      for (std::size_t p = 0; p < text.places.size(); ++p) {
        const Matrix<double> there =
            by_the_layers_themselves(layer, text, sight, text.keys[text.places[p]]);
        CHECK(largest_difference(rows_of(answers, p, p + 1), rows_of(there, 22, 23)) < 1e-12);
      }
    }
  }
}

TEST_CASE("the way back of each recall layer is the slope of its loss") {
  const std::vector<std::vector<RecallKind>> stacks = {{RecallKind::softmax},
                                                       {RecallKind::linear},
                                                       {RecallKind::gated},
                                                       {RecallKind::selective},
                                                       {RecallKind::linear, RecallKind::softmax}};
  for (std::size_t k = 0; k < stacks.size(); ++k) {
    RecallModel model = drawn_model(stacks[k], 50 + k);
    const RecallText text = drawn_text(60 + k, 12, 7);
    const RecallSight sight = k == 0 ? RecallSight{.window = 9} : RecallSight{};
    RecallModel gradients = zero_recall_model(stacks[k], 4);
    const double loss = add_recall_gradients(model, text, sight, 2, gradients);
    CHECK(loss == recall_loss(model, text, sight));
    const auto parts = model.parts();
    const auto slopes = gradients.parts();
    for (std::size_t part = 0; part < parts.size(); ++part) {
      // A few numbers of each part, those of keys that the text has among them.
      for (std::size_t at = 0; at < parts[part]->size(); at += parts[part]->size() / 23 + 1) {
        double& number = parts[part]->data()[at];
        const double before = number, step = 1e-5;
        number = before + step;
        const double above = recall_loss(model, text, sight);
        number = before - step;
        const double below = recall_loss(model, text, sight);
        number = before;
        INFO("stack " << k << ", part " << part << ", number " << at);
        CHECK(std::fabs(slopes[part]->data()[at] - 2 * (above - below) / (2 * step)) < 1e-8);
      }
    }
  }
}

TEST_CASE("training a recall model makes it answer") {
  for (const RecallKind kind : all_kinds) {
    std::vector<double> losses;
    train_recall({.kinds = {kind},
                  .state = 8,
                  .steps = 150,
                  .batch = 2,
                  .shortest = 4,
                  .longest = 8,
                  .most_pairs = 2,
                  .rate = 0.05},
                 &losses);
    double first = 0, last = 0;
    for (std::size_t k = 0; k < 10; ++k) {
      first += losses[k] / 10;
      last += losses[losses.size() - 1 - k] / 10;
    }
    INFO("kind " << static_cast<int>(kind) << ": " << first << " to " << last);
    CHECK(last < first - 0.1);
  }
}

TEST_CASE("letters bring back a model to half a level") {
  const RecallModel model = drawn_model({RecallKind::selective}, 3);
  std::vector<double> scales;
  const std::string letters = pack_recall(model, scales);
  const std::vector<RecallKind> kinds = {RecallKind::selective};
  const RecallModel back =
      unpack_recall({.kinds = kinds, .state = 4, .scales = scales, .letters = letters});
  const auto before = model.parts();
  const auto after = back.parts();
  REQUIRE(after.size() == scales.size());
  for (std::size_t k = 0; k < before.size(); ++k) {
    CHECK(largest_difference(*before[k], *after[k]) <= scales[k] / 2 * (1 + 1e-12));
  }
}

TEST_CASE("the packed models are whole and small") {
  std::size_t bytes = 0;
  for (const PackedRecall& packed : packed_recall_models()) {
    RecallModel model = unpack_recall(packed);
    std::size_t numbers = 0;
    for (const Matrix<double>* part : model.parts()) {
      numbers += part->size();
      CHECK(all_finite(*part));
    }
    CHECK(numbers == packed.letters.size());
    CHECK(model.parts().size() == packed.scales.size());
    bytes += packed.letters.size();
  }
  CHECK(packed_recall_models().size() == 11);
  CHECK(bytes < 60'000);
}

TEST_CASE("the state and linear answers lose what their state cannot hold; the hybrid wins") {
  const std::vector<std::int32_t> pairs = {4, 16, 64};
  const RecallOptions options;
  for (const auto answer :
       {RecallAnswer::linear, RecallAnswer::gated_linear, RecallAnswer::selective_state}) {
    const Recall made = measured(answer, options, pairs);
    INFO("answer " << static_cast<int>(answer));
    CHECK(made.accuracy(0) > 0.95);
    CHECK(made.accuracy(2) < 0.7);
    CHECK(made.accuracy(1) > made.accuracy(2) + 0.2);
    RecallOptions small = options, large = options;
    small.state = 8;
    large.state = 32;
    CHECK(measured(answer, small, pairs).accuracy(2) < made.accuracy(2) - 0.1);
    CHECK(measured(answer, large, pairs).accuracy(2) > made.accuracy(2) + 0.1);
  }
  for (const auto answer : {RecallAnswer::full, RecallAnswer::hybrid}) {
    const Recall made = measured(answer, options, pairs);
    for (const double accuracy : made.accuracy) CHECK(accuracy > 0.99);
  }
}

TEST_CASE("a window gives back what it reaches, and guesses beyond") {
  const RecallOptions options{.n = 128, .window = 32, .texts = 64, .bins = 4};
  const Recall made = measured(RecallAnswer::window, options, {16});
  CHECK(made.bin_right(0, 0) == made.bin_asked(0, 0));
  for (std::size_t bin = 1; bin < 4; ++bin) {
    CHECK(made.bin_right(0, bin) < made.bin_asked(0, bin) / 8);
  }
  RecallOptions pinned = options;
  pinned.sinks = 32;
  const Recall ends = measured(RecallAnswer::window, pinned, {16});
  CHECK(ends.bin_right(0, 3) == ends.bin_asked(0, 3));
  CHECK(ends.bin_right(0, 1) < ends.bin_asked(0, 1) / 8);
  CHECK(ends.kept_numbers == 2 * made.kept_numbers);
}

TEST_CASE("a window or blocks that cover the text are full attention") {
  const std::vector<std::int32_t> pairs = {1, 20, 50};
  RecallOptions options{.n = 90, .window = 90, .block = 8, .top_k = 12};
  const Recall full = measured(RecallAnswer::full, options, pairs);
  CHECK(measured(RecallAnswer::window, options, pairs).right == full.right);
  CHECK(measured(RecallAnswer::block_sparse, options, pairs).right == full.right);
}

TEST_CASE("more blocks, or smaller ones for as many tokens, find more") {
  const std::vector<std::int32_t> pairs = {32};
  const auto accuracy = [&](std::size_t block, std::size_t top_k) {
    return measured(RecallAnswer::block_sparse, {.block = block, .top_k = top_k}, pairs)
        .accuracy(0);
  };
  CHECK(accuracy(16, 4) > accuracy(16, 2) + 0.05);
  CHECK(accuracy(8, 4) > accuracy(16, 2) + 0.05);
}

TEST_CASE("the counts of recall add up, and do not depend on what else is asked for") {
  const RecallOptions options{.n = 60, .texts = 5, .seed = 9, .bins = 7};
  const Recall alone = measured(RecallAnswer::gated_linear, options, {30});
  const Recall among = measured(RecallAnswer::gated_linear, options, {3, 30, 60});
  CHECK(alone.right[0] == among.right[1]);
  for (std::size_t k = 0; k < 3; ++k) {
    std::int32_t asked = 0, right = 0;
    for (std::size_t bin = 0; bin < 7; ++bin) {
      asked += among.bin_asked(k, bin);
      right += among.bin_right(k, bin);
    }
    CHECK(asked == among.asked[k]);
    CHECK(right == among.right[k]);
  }
  CHECK(among.asked == std::vector<std::int32_t>{15, 150, 300});
}

TEST_CASE("what each answer keeps") {
  const RecallOptions options{.n = 100, .state = 8, .window = 32, .block = 8};
  const auto kept = [&](RecallAnswer answer) {
    return measured(answer, options, {1}).kept_numbers;
  };
  CHECK(kept(RecallAnswer::full) == 100 * 32);
  CHECK(kept(RecallAnswer::window) == 32 * 32);
  CHECK(kept(RecallAnswer::block_sparse) == 100 * 32 + 13 * 16);
  CHECK(kept(RecallAnswer::linear) == 8 * 16 + 8);
  CHECK(kept(RecallAnswer::gated_linear) == 8 * 16);
  CHECK(kept(RecallAnswer::selective_state) == 8 * 16);
  CHECK(kept(RecallAnswer::hybrid) == 100 * 32 + 16 * 16 + 16);
}

TEST_CASE("recall refuses what it cannot measure") {
  const std::vector<std::int32_t> one = {1};
  const auto field = [&](RecallOptions options, const std::vector<std::int32_t>& pairs) {
    return error_of(measure_recall(RecallAnswer::linear, options, pairs)).field;
  };
  CHECK(field({.n = 0}, one) == "n");
  CHECK(field({.n = 1025}, one) == "n");
  CHECK(field({.state = 12}, one) == "state");
  CHECK(field({.window = 0}, one) == "window");
  CHECK(field({.block = 0}, one) == "block");
  CHECK(field({.top_k = 0}, one) == "top_k");
  CHECK(field({.texts = 0}, one) == "texts");
  CHECK(field({.texts = 257}, one) == "texts");
  CHECK(field({.bins = 65}, one) == "bins");
  CHECK(field({.n = 4, .bins = 5}, one) == "bins");
  CHECK(field({}, {}) == "pairs");
  CHECK(field({}, {1, 0}) == "pairs[1]");
  CHECK(field({}, {-1}) == "pairs[0]");
  CHECK(field({}, {65}) == "pairs[0]");
  CHECK(field({.n = 8}, {9}) == "pairs[0]");
}

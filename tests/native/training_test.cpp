#include <array>
#include <numeric>

#include "support.hpp"
#include "training/adam.hpp"
#include "training/attention_model.hpp"
#include "training/training_run.hpp"

using namespace attn;
using namespace attn::test;

namespace {

using Ids = std::vector<std::int32_t>;

/// "the cat saw the dog . the dog left the cat . ..." as numbers: 0 the, 1 cat, 2 saw, 3 dog, 4 ., 5 left.
const Ids story{0, 1, 2, 0, 3, 4, 0, 3, 5, 0, 1, 4, 0, 1, 5, 0, 3, 4, 0, 3, 2, 0, 1, 4};

TrainingOptions options_of(bool causal, std::uint64_t seed = 1) {
  return {.sizes = {.vocab_size = 6, .n = 5, .d_model = 12, .d_k = 8},
          .seed = seed,
          .rounds = 20,
          .causal = causal};
}

TrainingRun run_of(const TrainingOptions& options, const Ids& targets = {}) {
  return value_of(train(options, story, targets));
}

}  // namespace

TEST_CASE("every gradient of the model agrees with finite differences") {
  const ModelSizes sizes{.vocab_size = 5, .n = 6, .d_model = 4, .d_k = 3};
  const Ids ids{0, 3, 3, 1, 4, 2};
  const Ids targets{3, -1, 1, 4, 2, 0};
  const double share = 0.5;
  for (const Mask& mask : {Mask{}, Mask{.causal = true}, Mask{.causal = true, .window = 2},
                           Mask{.key_valid = {0, 0, 1, 1, 1, 1}},
                           Mask{.causal = true, .key_valid = {0, 1, 1, 1, 1, 1}}}) {
    AttentionModel model = random_model(sizes, 7);
    AttentionModel gradients = zero_model(sizes);
    const Example example{.ids = ids, .targets = targets};
    const double at = value_of(add_gradients(model, example, mask, share, gradients));
    CHECK(at == value_of(loss(model, example, mask)));
    const auto parts = model.parts();
    const auto slopes = gradients.parts();
    for (std::size_t k = 0; k < parts.size(); ++k) {
      for (std::size_t i = 0; i < parts[k]->size(); ++i) {
        double& number = parts[k]->data()[i];
        const double kept = number;
        number = kept + 1e-5;
        const double above = value_of(loss(model, example, mask));
        number = kept - 1e-5;
        const double below = value_of(loss(model, example, mask));
        number = kept;
        CHECK(std::fabs(share * (above - below) / 2e-5 - slopes[k]->data()[i]) < 1e-9);
      }
    }
  }
}

TEST_CASE("a loss is the mean surprise at the targets, and nothing asked is nothing lost") {
  const ModelSizes sizes{.vocab_size = 4, .n = 3, .d_model = 2, .d_k = 2};
  const Ids ids{0, 1, 2};
  // Without parameters every token is as likely.
  const AttentionModel blank = zero_model(sizes);
  CHECK(std::fabs(value_of(loss(blank, {.ids = ids, .targets = ids}, {})) - std::log(4.0)) < 1e-15);
  const Ids none{-1, -1, -1};
  const AttentionModel model = random_model(sizes, 1);
  CHECK(value_of(loss(model, {.ids = ids, .targets = none}, {})) == 0);
  AttentionModel gradients = zero_model(sizes);
  CHECK(value_of(add_gradients(model, {.ids = ids, .targets = none}, {}, 1, gradients)) == 0);
  for (const Matrix<double>* part : gradients.parts()) CHECK(all_zero(*part));
}

TEST_CASE("under the causal mask no gradient comes from tokens that follow the last target") {
  const ModelSizes sizes{.vocab_size = 5, .n = 4, .d_model = 3, .d_k = 2};
  const AttentionModel model = random_model(sizes, 3);
  const Ids ids{0, 1, 2, 4};
  const Ids targets{1, 2, -1, -1};
  AttentionModel gradients = zero_model(sizes);
  REQUIRE(add_gradients(model, {.ids = ids, .targets = targets}, {.causal = true}, 1, gradients));
  CHECK(all_zero(rows_of(gradients.P, 2, 4)));
  CHECK(all_zero(rows_of(gradients.E, 4, 5)));
  CHECK_FALSE(all_zero(rows_of(gradients.P, 0, 2)));
}

TEST_CASE("the first step of Adam is the rate, against the sign of the gradient") {
  const ModelSizes sizes{.vocab_size = 2, .n = 1, .d_model = 1, .d_k = 1};
  AttentionModel model = zero_model(sizes);
  AttentionModel gradients = zero_model(sizes);
  gradients.E(0, 0) = 3;
  gradients.E(1, 0) = -1e-3;
  Adam<AttentionModel> adam(zero_model(sizes));
  adam.step(model, gradients, 0.1);
  CHECK(std::fabs(model.E(0, 0) + 0.1) < 1e-8);
  CHECK(std::fabs(model.E(1, 0) - 0.1) < 1e-5);
  CHECK(model.U(0, 0) == 0);
  CHECK(all_zero(gradients.E));
  // The second as in algorithm 1, with another gradient: m = 0.9 * 0.3 + 0.1 * 1, v likewise.
  gradients.E(0, 0) = 1;
  const double before = model.E(0, 0);
  adam.step(model, gradients, 0.1);
  const double mean = (0.9 * 0.1 * 3 + 0.1 * 1) / (1 - 0.9 * 0.9);
  const double square = (0.999 * 0.001 * 9 + 0.001 * 1) / (1 - 0.999 * 0.999);
  CHECK(std::fabs(model.E(0, 0) - (before - 0.1 * mean / (std::sqrt(square) + 1e-8))) < 1e-12);
}

TEST_CASE("without the causal mask the loss collapses, and writing stays bad") {
  // The page's text and sizes. 0 the, 1 cat, 2 climbed, 3 roof, 4 ., 5 dog, 6 saw, 7 bird, 8 left, 9 hill.
  const Ids text{0, 1, 2, 0, 3, 4, 0, 5, 6, 0, 1, 4, 0, 7, 8, 0, 3, 4, 0, 1, 6, 0, 7, 4,
                 0, 5, 2, 0, 9, 4, 0, 7, 6, 0, 5, 4, 0, 1, 8, 0, 9, 4, 0, 5, 8, 0, 3, 4};
  const ModelSizes sizes{.vocab_size = 10, .n = 8, .d_model = 16, .d_k = 8};
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    TrainingOptions options{.sizes = sizes, .seed = seed, .rounds = 24, .steps = 8};
    const TrainingRun with = value_of(train(options, text));
    options.causal = false;
    const TrainingRun without = value_of(train(options, text));
    CHECK(with.losses == with.past_losses);
    CHECK(with.losses.back() < 0.4 * with.losses.front());
    // Seven of a window's eight places have their answer before their eyes.
    CHECK(without.losses.back() < 0.5 * with.losses.back());
    CHECK(without.past_losses.back() > 3 * with.past_losses.back());
    // It looks at the token that it has to say, wherever the past does not settle it (after a verb comes "the").
    int ahead = 0;
    for (std::size_t i = 0; i < 7; ++i) ahead += without.weights(24, i, i + 1) > 0.5 ? 1 : 0;
    CHECK(ahead >= 4);
    for (std::size_t i = 0; i < 8; ++i) {
      for (std::size_t j = i + 1; j < 8; ++j) CHECK(with.weights(24, i, j) == 0);
    }
  }
}

TEST_CASE("the map moves to where the answer is: copying the first token") {
  // Windows of four tokens, each asked at its end for the token at its beginning.
  Dice dice(5);
  Ids ids, targets;
  for (int window = 0; window < 40; ++window) {
    for (std::size_t i = 0; i < 4; ++i) {
      ids.push_back(static_cast<std::int32_t>(dice.between(0, 5)));
      targets.push_back(i == 3 ? ids[ids.size() - 4] : -1);
    }
  }
  TrainingOptions options = options_of(true);
  options.sizes.n = 4;
  options.stride = 4;
  options.rounds = 60;
  const TrainingRun run = value_of(train(options, ids, targets));
  CHECK(run.windows == 40);
  CHECK(run.losses.back() < 0.1);
  CHECK(run.weights(60, 3, 0) > 0.9);
  CHECK(run.weights(0, 3, 0) < 0.6);
}

TEST_CASE("a run is settled by its options: rounds of it are the beginning of a longer one") {
  const TrainingRun whole = run_of(options_of(false));
  TrainingOptions half = options_of(false);
  half.rounds = 10;
  const TrainingRun begun = run_of(half);
  CHECK(std::equal(begun.losses.begin(), begun.losses.end(), whole.losses.begin()));
  CHECK(run_of(options_of(false)).past_losses == whole.past_losses);
  CHECK(run_of(options_of(false, 2)).losses != whole.losses);
  CHECK(std::fabs(whole.even_loss - std::log(6.0)) < 1e-15);
  CHECK(whole.windows == 19);
  CHECK(whole.losses.size() == 21);
  for (std::size_t round = 0; round <= 20; ++round) CHECK(whole.written(round, 0) == story[0]);
  // Targets that say what comes next are what is asked for without them, less the last window's end.
  Ids next(story.begin() + 1, story.end());
  next.push_back(-1);
  const TrainingRun told = run_of(options_of(false), next);
  CHECK(told.windows == 20);
}

TEST_CASE("training: what makes no sense is refused by name") {
  const auto refused = [](auto change, Ids ids = story, Ids targets = {}) {
    TrainingOptions options = options_of(true);
    change(options);
    return error_of(train(options, ids, targets));
  };
  using O = TrainingOptions&;
  CHECK(refused([](O o) { o.sizes.vocab_size = 0; }).field == "vocab_size");
  CHECK(refused([](O o) { o.sizes.vocab_size = 257; }).code == ErrorCode::too_large);
  CHECK(refused([](O o) { o.sizes.n = 65; }).field == "n");
  CHECK(refused([](O o) { o.sizes.d_model = 0; }).field == "d_model");
  CHECK(refused([](O o) { o.sizes.d_k = 65; }).field == "d_k");
  CHECK(refused([](O o) { o.rounds = 1001; }).field == "rounds");
  CHECK(refused([](O o) { o.steps = 0; }).field == "steps");
  CHECK(refused([](O o) { o.batch = 0; }).field == "batch");
  CHECK(refused([](O o) { o.stride = 0; }).field == "stride");
  CHECK(refused([](O o) { o.writes = 0; }).field == "writes");
  CHECK(refused([](O o) { o.rate = 0; }).field == "rate");
  CHECK(refused([](O o) { o.rate = quiet_nan; }).field == "rate");
  CHECK(refused([](O) {}, Ids{0, 1, 6, 2, 3, 4}).field == "ids[2]");
  CHECK(refused([](O) {}, Ids{0, -1, 3, 1, 2, 4}).field == "ids[1]");
  CHECK(refused([](O) {}, Ids{0, 1, 2, 3, 4}).field == "ids");
  CHECK(refused([](O) {}, story, Ids{1, 2}).field == "targets");
  CHECK(refused([](O) {}, story, Ids(story.size(), -2)).field == "targets[0]");
  CHECK(refused([](O o) {
          o.rounds = 1000;
          o.steps = 1000;
          o.batch = 64;
        }).code == ErrorCode::too_large);
  // One window and its answers are enough.
  TrainingOptions one = options_of(true);
  one.rounds = 1;
  CHECK(value_of(train(one, Ids{0, 1, 2, 3, 4, 5})).windows == 1);
}

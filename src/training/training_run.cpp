#include "training/training_run.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "core/limits.hpp"
#include "core/random.hpp"
#include "core/text.hpp"
#include "training/adam.hpp"

namespace attn {
namespace {

constexpr std::size_t most_vocabulary = 256;
constexpr std::size_t most_width = 64;
constexpr std::size_t most_window = 64;
constexpr std::size_t most_rounds = 1000;
/// Multiplications of all ways forward and back and of all that is written: above it a page would stand still for
/// seconds.
constexpr std::uint64_t most_work = std::uint64_t{1} << 31;

Expected<void> check_ids(std::string_view field, std::span<const std::int32_t> ids,
                         std::int32_t least, std::size_t vocab_size) {
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] >= least && (ids[i] < 0 || static_cast<std::size_t>(ids[i]) < vocab_size)) continue;
    return fail(ErrorCode::out_of_range, text({field, "[", i, "]"}),
                {field, "[", i, "] must be a token from ", static_cast<int>(least), " to ",
                 vocab_size - 1, "."});
  }
  return {};
}

Expected<void> check(const TrainingOptions& options, std::span<const std::int32_t> ids,
                     std::span<const std::int32_t> targets) {
  const ModelSizes& sizes = options.sizes;
  ATTN_CHECK(check_count("vocab_size", sizes.vocab_size, 1, most_vocabulary));
  ATTN_CHECK(check_count("n", sizes.n, 1, most_window));
  ATTN_CHECK(check_count("d_model", sizes.d_model, 1, most_width));
  ATTN_CHECK(check_count("d_k", sizes.d_k, 1, most_width));
  ATTN_CHECK(check_count("rounds", options.rounds, 0, most_rounds));
  ATTN_CHECK(check_count("steps", options.steps, 1, most_rounds));
  ATTN_CHECK(check_count("batch", options.batch, 1, most_window));
  ATTN_CHECK(check_count("stride", options.stride, 1, max_tokens));
  ATTN_CHECK(check_count("writes", options.writes, 1, most_window));
  if (!(options.rate > 0 && options.rate <= 1)) {
    return fail(ErrorCode::out_of_range, "rate", {"rate must be a number above 0, up to 1."});
  }
  if (!targets.empty() && targets.size() != ids.size()) {
    return fail(ErrorCode::shape_mismatch, "targets",
                {"targets must hold one entry for each of the ", ids.size(), " ids; it holds ",
                 targets.size(), "."});
  }
  ATTN_CHECK(check_count("ids", ids.size(), 0, max_tokens));
  const std::size_t least = sizes.n + (targets.empty() ? 1 : 0);
  if (ids.size() < least) {
    return fail(ErrorCode::out_of_range, "ids",
                {"A window and what it has to say need ", least, " ids; there are ", ids.size(),
                 ". Give a longer text or a smaller n."});
  }
  ATTN_CHECK(check_ids("ids", ids, 0, sizes.vocab_size));
  ATTN_CHECK(check_ids("targets", targets, -1, sizes.vocab_size));
  const std::size_t width = sizes.d_model;
  const std::uint64_t each =
      std::uint64_t{sizes.n} *
      (width * (2 * sizes.d_k + width + sizes.vocab_size) + sizes.n * (sizes.d_k + width));
  const std::uint64_t passes =
      std::uint64_t{options.rounds} * options.steps * options.batch * 3 +
      std::uint64_t{options.rounds + 1} * (2 * ids.size() + options.writes);
  if (each * passes > most_work) {
    return fail(ErrorCode::too_large, "rounds",
                {"So many steps of a model of this size would take too long: take fewer rounds, "
                 "steps or a smaller batch."});
  }
  return check_bytes("rounds", sizeof(double) * (options.rounds + 1) *
                                   (std::uint64_t{sizes.n} * sizes.n + options.writes + 2));
}

/// The windows of a text, each as an example.
class Windows {
 public:
  Windows(const TrainingOptions& options, std::span<const std::int32_t> ids,
          std::span<const std::int32_t> targets)
      : n_(options.sizes.n),
        stride_(options.stride),
        ids_(ids),
        targets_(targets.empty() ? ids.subspan(1) : targets) {}

  std::size_t count() const { return (targets_.size() - n_) / stride_ + 1; }

  Example operator[](std::size_t window) const {
    return {.ids = ids_.subspan(window * stride_, n_),
            .targets = targets_.subspan(window * stride_, n_)};
  }

 private:
  std::size_t n_, stride_;
  std::span<const std::int32_t> ids_, targets_;
};

Expected<double> mean_loss(const AttentionModel& model, const Windows& windows, const Mask& mask) {
  double sum = 0;
  for (std::size_t w = 0; w < windows.count(); ++w) {
    const auto one = loss(model, windows[w], mask);
    ATTN_CHECK(one);
    sum += *one;
  }
  return sum / static_cast<double>(windows.count());
}

/// Token after token, always the likeliest, from what is written so far: at most the last n of it.
Expected<std::vector<std::int32_t>> write(const AttentionModel& model, const ModelSizes& sizes,
                                          std::int32_t first, std::size_t writes) {
  std::vector<std::int32_t> written{first};
  while (written.size() < writes) {
    const std::size_t seen = std::min(written.size(), sizes.n);
    const auto reading = read(model, std::span(written).last(seen), Mask{.causal = true});
    ATTN_CHECK(reading);
    const double* const last = &reading->probabilities(seen - 1, 0);
    const double* const best = std::max_element(last, last + sizes.vocab_size);
    written.push_back(static_cast<std::int32_t>(best - last));
  }
  return written;
}

}  // namespace

Expected<TrainingRun> train(const TrainingOptions& options, std::span<const std::int32_t> ids,
                            std::span<const std::int32_t> targets) {
  ATTN_CHECK(check(options, ids, targets));
  const ModelSizes& sizes = options.sizes;
  const Windows windows(options, ids, targets);
  const Mask mask{.causal = options.causal};
  const Mask past{.causal = true};
  AttentionModel model = random_model(sizes, options.seed);
  AttentionModel gradients = zero_model(sizes);
  Adam<AttentionModel> adam(zero_model(sizes));
  SplitMix64 order(options.seed);

  TrainingRun run;
  run.weights = make_tensor3<double>(options.rounds + 1, sizes.n, sizes.n);
  run.written = make_matrix<std::int32_t>(options.rounds + 1, options.writes);
  run.even_loss = std::log(static_cast<double>(sizes.vocab_size));
  run.windows = windows.count();

  const auto look = [&](std::size_t round) -> Expected<void> {
    const auto training = mean_loss(model, windows, mask);
    ATTN_CHECK(training);
    const auto writing = options.causal ? training : mean_loss(model, windows, past);
    ATTN_CHECK(writing);
    const auto reading = read(model, windows[0].ids, mask);
    ATTN_CHECK(reading);
    const auto written = write(model, sizes, ids[0], options.writes);
    ATTN_CHECK(written);
    run.losses.push_back(*training);
    run.past_losses.push_back(*writing);
    std::copy(reading->weights.begin(), reading->weights.end(), &run.weights(round, 0, 0));
    std::copy(written->begin(), written->end(), &run.written(round, 0));
    return {};
  };
  const auto go_round = [&]() -> Expected<void> {
    const double share = 1 / static_cast<double>(options.batch);
    for (std::size_t step = 0; step < options.steps; ++step) {
      for (std::size_t b = 0; b < options.batch; ++b) {
        const auto which = static_cast<std::size_t>(order.next() % windows.count());
        ATTN_CHECK(add_gradients(model, windows[which], mask, share, gradients));
      }
      adam.step(model, gradients, options.rate);
    }
    return {};
  };

  ATTN_CHECK(look(0));
  for (std::size_t round = 1; round <= options.rounds; ++round) {
    auto done = go_round();
    if (done) done = look(round);
    if (!done && done.error().code != ErrorCode::not_finite) {
      return std::unexpected(done.error());
    }
    if (!done || !std::isfinite(run.losses.back())) {
      return fail(
          ErrorCode::not_finite, "rate",
          {"With this rate the parameters leave the finite numbers: choose a smaller one."});
    }
  }
  return run;
}

}  // namespace attn

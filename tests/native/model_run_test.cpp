// A model that runs: its cache, what its heads are seen to do, what is cut out of it, and which token comes next.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "model/sampling.hpp"
#include "model/transformer.hpp"
#include "tiny_model.hpp"

using namespace attn;
using namespace attn::test;

namespace {

void require_done(const Expected<void>& call) {
  if (!call) FAIL(call.error().field << ": " << call.error().message);
}

using Tokens = std::vector<std::uint32_t>;

Transformer runner(const TinyModel& model, const TransformerOptions& options = {}) {
  return value_of(Transformer::make(value_of(load(model, 1, 1 << 20)), options));
}

Tokens some_tokens(std::size_t count) {
  Dice dice(6);
  Tokens made(count);
  for (std::uint32_t& token : made) token = static_cast<std::uint32_t>(dice.between(0, 16));
  return made;
}

std::vector<float> logits_of(Transformer& model, const Tokens& tokens,
                             const Ablation& ablation = {}) {
  std::vector<float> logits(static_cast<std::size_t>(model.config().vocab_size));
  require_done(model.take(tokens, {.logits = logits}, ablation));
  return logits;
}

}  // namespace

TEST_CASE("turns divided by a tensor of the file are those divided by one factor") {
  TinyModel plain = some_tiny_model(Architecture::llama);
  TinyModel linear = plain;
  linear.config.rope_scaling = RotaryScaling::linear;
  linear.config.rope_factor = 2.5;
  TinyModel divided = plain;
  divided.divisors = {2.5F, 2.5F, 2.5F};
  const auto of = [](const TinyModel& model) {
    Transformer run = runner(model, {.backend = Backend::scalar});
    return logits_of(run, some_tokens(30));
  };
  CHECK(of(linear) == of(divided));
  CHECK(of(linear) != of(plain));
}

TEST_CASE("tokens taken in at once and one by one give bit by bit the same") {
  for (const Architecture architecture : {Architecture::llama, Architecture::gpt2}) {
    for (const Backend backend : backends()) {
      const TinyModel model = some_tiny_model(architecture);
      const Tokens tokens = some_tokens(150);
      Transformer at_once = runner(model, {.backend = backend});
      Transformer singly = runner(model, {.backend = backend});
      const std::vector<float> wanted = logits_of(at_once, tokens);
      CHECK(all_finite(wanted));
      std::vector<float> logits;
      for (const std::uint32_t token : tokens) logits = logits_of(singly, {token});
      CHECK(logits == wanted);
      // And again, over a part that stays.
      require_done(at_once.roll_back(70));
      CHECK(at_once.length() == 70);
      CHECK(logits_of(at_once, Tokens(tokens.begin() + 70, tokens.end())) == wanted);
    }
  }
}

TEST_CASE("losses are those of the logits, and the cache counts its bytes by the formula") {
  const TinyModel model = some_tiny_model(Architecture::llama);
  const Tokens tokens = some_tokens(70);
  Transformer whole = runner(model);
  std::vector<double> losses(tokens.size() - 1);
  require_done(whole.take(tokens, {.losses = losses}));
  Transformer singly = runner(model);
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const std::vector<float> logits = logits_of(singly, {tokens[i]});
    double sum = 0;
    for (const float logit : logits) sum += std::exp(static_cast<double>(logit));
    const double loss = std::log(sum) - static_cast<double>(logits[tokens[i + 1]]);
    CHECK(std::fabs(losses[i] - loss) <= 1e-9);
  }
  // 2 layers x (key and value) x 2 KV heads x 6 numbers x 4 bytes.
  CHECK(whole.cache().token_bytes == 2 * 2 * 2 * 6 * 4);
  CHECK(whole.cache().needed_bytes == 70 * 192);
}

TEST_CASE("weights of the heads: rows sum to 1, see the past alone, and do not depend on the cut") {
  for (const Architecture architecture : {Architecture::llama, Architecture::gpt2}) {
    const TinyModel model = some_tiny_model(architecture);
    const Tokens tokens = some_tokens(80);
    const std::size_t n = tokens.size(), heads = 2 * 4;
    Transformer run = runner(model);
    std::vector<float> weights(heads * n * n);
    std::vector<float> lengths(2 * static_cast<std::size_t>(model.config.n_kv_heads) * n);
    require_done(run.take(tokens, {.weights = weights, .value_lengths = lengths}));
    for (std::size_t row = 0; row < heads * n; ++row) {
      double sum = 0;
      for (std::size_t j = 0; j < n; ++j) {
        const float weight = weights[row * n + j];
        sum += static_cast<double>(weight);
        if (j > row % n) CHECK(weight == 0);
      }
      CHECK(std::fabs(sum - 1) <= 1e-5);
    }
    CHECK(std::ranges::all_of(lengths, [](float length) { return length > 0; }));
    require_done(run.roll_back(n - 1));
    std::vector<float> last(heads * n);
    require_done(run.take(std::span(tokens).last(1), {.weights = last}));
    for (std::size_t head = 0; head < heads; ++head) {
      CHECK(std::equal(last.begin() + static_cast<std::ptrdiff_t>(head * n),
                       last.begin() + static_cast<std::ptrdiff_t>((head + 1) * n),
                       weights.begin() + static_cast<std::ptrdiff_t>((head * n + n - 1) * n)));
    }
  }
}

TEST_CASE("what is cut out is gone: heads add nothing, positions are seen by no other") {
  const TinyModel model = some_tiny_model(Architecture::llama);
  const Tokens tokens = some_tokens(20);
  Transformer run = runner(model);
  const std::vector<float> whole = logits_of(run, tokens);
  const auto again = [&](const Tokens& of, const Ablation& ablation) {
    require_done(run.roll_back(0));
    return logits_of(run, of, ablation);
  };
  CHECK(again(tokens, {}) == whole);
  const HeadPlace one[] = {{1, 3}};
  CHECK(again(tokens, {.heads = one}) != whole);
  // Without any head the model knows the last token alone.
  std::vector<HeadPlace> all;
  for (std::uint64_t i = 0; i < 8; ++i) all.push_back({i / 4, i % 4});
  const std::vector<float> alone = again(tokens, {.heads = all});
  CHECK(again({tokens.back()}, {.heads = all}) == alone);
  // A position that nobody sees may hold any token.
  const std::uint64_t hidden[] = {0, 7, 19};
  Tokens other = tokens;
  other[0] = (other[0] + 1) % 17;
  other[7] = (other[7] + 1) % 17;
  CHECK(again(tokens, {.positions = hidden}) == again(other, {.positions = hidden}));
  CHECK(again(tokens, {.positions = hidden}) != whole);
  std::vector<float> weights(8 * 20 * 20);
  require_done(run.roll_back(0));
  require_done(run.take(tokens, {.weights = weights}, {.positions = hidden}));
  for (std::size_t row = 0; row < 8 * 20; ++row) {
    const double sum =
        std::accumulate(weights.begin() + static_cast<std::ptrdiff_t>(row * 20),
                        weights.begin() + static_cast<std::ptrdiff_t>(row * 20 + 20), 0.0);
    CHECK(std::fabs(sum - 1) <= 1e-5);
    if (row % 20 != 7) CHECK(weights[row * 20 + 7] == 0);
  }
}

TEST_CASE("weights as bytes are those as floats, rounded") {
  const TinyModel model = some_tiny_model(Architecture::llama);
  const Tokens tokens = some_tokens(70);
  Transformer run = runner(model);
  std::vector<float> weights(8 * 70 * 70);
  std::vector<std::uint8_t> bytes(weights.size());
  require_done(run.take(tokens, {.weights = weights, .weight_bytes = bytes}));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    CHECK(std::fabs(weights[i] - static_cast<float>(bytes[i]) / 255) <= 1.0F / 510 + 1e-6F);
  }
}

TEST_CASE("tokens that are evicted are as good as hidden, and pinned ones stay") {
  const TinyModel model = some_tiny_model(Architecture::llama);
  const Tokens tokens = some_tokens(150);
  const Tokens first(tokens.begin(), tokens.begin() + 140),
      rest(tokens.begin() + 140, tokens.end());
  const std::size_t n = rest.size(), length = tokens.size();
  for (const std::uint64_t pinned : {0U, 3U}) {
    Transformer evicted = runner(model, {.pinned = pinned});
    require_done(evicted.take(first, {}));
    require_done(evicted.evict(20));
    CHECK(evicted.visible_tokens() == 20 + pinned);
    std::vector<float> weights(8 * n * length), lengths(2 * 2 * length);
    std::vector<float> logits(17);
    require_done(
        evicted.take(rest, {.logits = logits, .weights = weights, .value_lengths = lengths}));
    CHECK(evicted.length() == length);
    CHECK(evicted.visible_tokens() == 20 + pinned + n);
    Transformer hidden = runner(model);
    require_done(hidden.take(first, {}));
    std::vector<std::uint64_t> positions;
    for (std::uint64_t at = pinned; at < 120; ++at) positions.push_back(at);
    std::vector<float> wanted(weights.size());
    std::vector<float> other(17);
    require_done(hidden.take(rest, {.logits = other, .weights = wanted}, {.positions = positions}));
    CHECK(other == logits);
    CHECK(wanted == weights);
    for (std::size_t at = 0; at < length; ++at) {
      CHECK((lengths[at] == 0) == (at >= pinned && at < 120));
    }
    CHECK(error_of(evicted.roll_back(110)).field == "length");
    require_done(evicted.reset());
    CHECK(evicted.length() == 0);
    require_done(hidden.reset());
    CHECK(logits_of(evicted, tokens) == logits_of(hidden, tokens));
  }
  Transformer run = runner(model);
  CHECK(error_of(run.evict(0)).field == "kept");
  CHECK(error_of(run.reset(1000)).field == "pinned");
}

TEST_CASE("what cannot be taken in is named, and the sequence stays as it was") {
  Transformer run = runner(some_tiny_model(Architecture::gpt2), {.capacity = 10});
  CHECK(logits_of(run, some_tokens(4)).size() == 17);
  std::vector<float> logits(17), few(16);
  std::vector<double> losses(4);
  const Tokens tokens = some_tokens(2), many = some_tokens(7), strange = {3, 17};
  CHECK(error_of(run.take({}, {})).field == "tokens");
  CHECK(error_of(run.take(many, {})).code == ErrorCode::too_large);
  CHECK(error_of(run.take(strange, {})).message.contains("Token 1 is 17"));
  CHECK(error_of(run.take(tokens, {.logits = few})).field == "logits");
  CHECK(error_of(run.take(tokens, {.losses = losses})).field == "losses");
  CHECK(error_of(run.take(tokens, {.weights = few})).field == "weights");
  const HeadPlace head[] = {{0, 4}}, layer[] = {{2, 0}};
  CHECK(error_of(run.take(tokens, {}, {.heads = head})).field == "heads");
  CHECK(error_of(run.take(tokens, {}, {.heads = layer})).field == "heads");
  const std::uint64_t falling[] = {1, 1}, far[] = {6};
  CHECK(error_of(run.take(tokens, {}, {.positions = falling})).field == "positions");
  CHECK(error_of(run.take(tokens, {}, {.positions = far})).field == "positions");
  CHECK(error_of(run.roll_back(5)).field == "length");
  CHECK(run.length() == 4);
  auto weights = value_of(load(some_tiny_model(Architecture::gpt2)));
  CHECK(error_of(Transformer::make(std::move(weights), {.capacity = 201})).field == "capacity");
}

TEST_CASE("the next token: the largest, or drawn from what is left") {
  const std::vector<float> logits = {1, 3, 2, 3, -1};
  SplitMix64 bits(1);
  CHECK(value_of(next_token(logits, {}, bits)) == 1);
  const auto ranked = value_of(most_probable(logits, 3));
  CHECK(ranked[0].token == 1);
  CHECK(ranked[1].token == 3);
  CHECK(ranked[2].token == 2);
  const double sum = 2 * std::exp(3) + std::exp(2) + std::exp(1) + std::exp(-1);
  CHECK(std::fabs(ranked[2].probability - std::exp(2) / sum) <= 1e-12);
  std::vector<int> counts(5);
  for (int i = 0; i < 20000; ++i) {
    ++counts[value_of(next_token(logits, {.temperature = 1}, bits))];
  }
  for (std::size_t token = 0; token < 5; ++token) {
    const double wanted = std::exp(static_cast<double>(logits[token])) / sum;
    CHECK(std::fabs(counts[token] / 20000.0 - wanted) <= 0.015);
  }
  for (int i = 0; i < 200; ++i) {
    CHECK(value_of(next_token(logits, {.temperature = 5, .top_k = 1}, bits)) == 1);
    const auto token = value_of(next_token(logits, {.temperature = 1, .top_p = 0.5}, bits));
    CHECK((token == 1 || token == 3));
  }
  SplitMix64 one(9), same_seed(9);
  for (int i = 0; i < 50; ++i) {
    CHECK(value_of(next_token(logits, {.temperature = 1}, one)) ==
          value_of(next_token(logits, {.temperature = 1}, same_seed)));
  }
  const std::vector<float> bad = {1, static_cast<float>(quiet_nan)};
  CHECK(error_of(next_token(bad, {}, bits)).field == "logits");
  CHECK(error_of(next_token(logits, {.temperature = -1}, bits)).field == "temperature");
  CHECK(error_of(next_token(logits, {.temperature = 1, .top_p = 0}, bits)).field == "top_p");
  CHECK(error_of(most_probable({}, 1)).field == "logits");
}

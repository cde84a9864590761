// What the real model gives; see real_model.hpp.

#include <numeric>

#include "real_model.hpp"
#include "support.hpp"

using namespace attn;
using namespace attn::test;

namespace {

const Tokens& france = prompt().tokens;
constexpr std::uint32_t paris = 7042;

void take(Transformer& model, const Tokens& tokens, const Wanted& wanted) {
  const auto taken = model.take(tokens, wanted);
  REQUIRE(taken.has_value());
}

}  // namespace

TEST_CASE("SmolLM2: its sizes, and what its cache costs a token") {
  const RealModel read = read_model();
  const ModelConfig& config = read.weights.config();
  CHECK(config.n_layers == 30);
  CHECK(config.n_heads == 9);
  CHECK(config.n_kv_heads == 3);
  CHECK(config.head_dim == 64);
  CHECK(config.rope_base == 100'000);
  CHECK(read.vocabulary.tokens.size() == config.vocab_size);
  CHECK(read.weights.bytes() == 96'576'768);
  for (const auto& [format, bytes] : {std::pair{"f32", 46'080U}, {"f16", 23'040U}}) {
    Transformer model = value_of(Transformer::make(read_model().weights, {.cache_format = format}));
    CHECK(model.cache().token_bytes == bytes);
  }
}

TEST_CASE("SmolLM2: the capital of France, with the cache and without") {
  RealModel read = read_model();
  Transformer model = value_of(Transformer::make(std::move(read.weights), {.capacity = 256}));
  std::vector<float> logits(static_cast<std::size_t>(model.config().vocab_size));
  take(model, france, {.logits = logits});
  CHECK(all_finite(logits));
  const auto best = value_of(most_probable(logits, 2));
  CHECK(best[0].token == paris);
  CHECK(best[0].probability > 0.6);
  CHECK(best[0].probability < 0.9);
  Tokens tokens = france;
  SplitMix64 bits(0);
  const double began = seconds();
  constexpr int steps = 40;
  for (int step = 0; step < steps; ++step) {
    tokens.push_back(value_of(next_token(logits, {}, bits)));
    take(model, {tokens.back()}, {.logits = logits});
  }
  std::cout << "decode: " << (seconds() - began) / steps * 1e3 << " ms a token\n";
  for (std::size_t i = france.size(); i < tokens.size(); ++i) {
    std::cout << read.vocabulary.tokens[tokens[i]];
  }
  std::cout << '\n';
  REQUIRE(model.roll_back(0).has_value());
  std::vector<double> losses(tokens.size() - 1);
  std::vector<float> again(logits.size());
  const double prefilled = seconds();
  take(model, tokens, {.logits = again, .losses = losses});
  std::cout << "prefill of " << tokens.size() << " with losses: " << seconds() - prefilled
            << " s\n";
  CHECK(again == logits);
  // It finds its own words likely.
  const double mean = std::accumulate(losses.begin() + 4, losses.end(), 0.0) / steps;
  CHECK(mean > 0.05);
  CHECK(mean < 1.5);
}

TEST_CASE("SmolLM2: the first token draws weight, and cutting it out costs loss") {
  Transformer model = value_of(Transformer::make(read_model().weights, {.capacity = 64}));
  Tokens tokens = france;
  tokens.insert(tokens.end(), {paris, 30, 198, 198, 504, 1797, 1918, 553, 253, 2155});
  const std::size_t n = tokens.size();
  std::vector<float> weights(30 * 9 * n * n);
  std::vector<double> losses(n - 1), without(n - 1);
  take(model, tokens, {.losses = losses, .weights = weights});
  double first = 0;
  for (std::size_t row = 0; row < 30 * 9 * n; ++row) {
    if (row % n >= 4) first += static_cast<double>(weights[row * n]);
  }
  first /= static_cast<double>(30 * 9 * (n - 4));
  std::cout << "mean weight on the first token, from the fifth on: " << first << '\n';
  CHECK(first > 0.3);
  REQUIRE(model.roll_back(0).has_value());
  const std::uint64_t begin[] = {0};
  REQUIRE(model.take(tokens, {.losses = without}, {.positions = begin}).has_value());
  const auto mean = [&](const std::vector<double>& of) {
    return std::accumulate(of.begin() + 4, of.end(), 0.0) / static_cast<double>(n - 5);
  };
  std::cout << "mean loss " << mean(losses) << ", without the first token " << mean(without)
            << '\n';
  CHECK(mean(without) > mean(losses));
}

TEST_CASE("SmolLM2: its run is still the one that is recorded") {
  std::ifstream file(ATTN_RECORDING, std::ios::binary);
  const std::vector<std::uint8_t> bytes{std::istreambuf_iterator<char>(file), {}};
  const Recording kept = value_of(read_recording(bytes));
  RealModel read = read_model();
  Transformer model = value_of(Transformer::make(std::move(read.weights), {.capacity = 64}));
  const Recording made = recorded(model, read.vocabulary);
  CHECK(kept.model == made.model);
  CHECK(kept.token_bytes == made.token_bytes);
  CHECK(kept.same_tokens);
  CHECK(kept.cached_ms.size() == std::size_t{timed_steps});
  const auto near = [](std::span<const float> a, std::span<const float> b, float most) {
    return std::ranges::equal(a, b, [&](float x, float y) { return std::fabs(x - y) <= most; });
  };
  CHECK(near(kept.long_previous, made.long_previous, 1e-3F));
  CHECK(near(kept.long_first, made.long_first, 1e-3F));
  REQUIRE(kept.texts.size() == made.texts.size());
  for (std::size_t i = 0; i < made.texts.size(); ++i) {
    const RecordedText &was = kept.texts[i], &is = made.texts[i];
    INFO(is.id);
    CHECK(was.text == is.text);
    std::string spelled;
    for (const RecordedToken& token : is.tokens) spelled += token.text;
    CHECK(spelled == is.text);
    CHECK(near(was.losses, is.losses, 1e-2F));
    CHECK(near(was.value_lengths, is.value_lengths, 1e-2F));
    CHECK(was.candidates.front().token.id == is.candidates.front().token.id);
    // Sums in another order may tip a part of 255 either way.
    REQUIRE(was.weights.size() == is.weights.size());
    int most = 0;
    for (std::size_t at = 0; at < is.weights.size(); ++at) {
      most = std::max(most, std::abs(was.weights[at] - is.weights[at]));
    }
    CHECK(most <= 2);
  }
}
